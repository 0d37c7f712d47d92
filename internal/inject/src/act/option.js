// The options of an ARIA combobox or listbox: what a person would see listed.

import { beginPass, endPass } from '../dom.js';
import { around, attr, closest, contains, docQueryAll, documentBody, documentElement, hasAttr, localName, matches, rectOf, rendered, rootOf } from '../safe.js';
import { clean } from '../icons.js';
import { nameOf } from '../name.js';
import { roleOf } from '../role.js';
import { WIDGETS } from './field.js';
import { nextFrame } from './ready.js';
import { sketch, targetOf } from './target.js';

const OPTIONS = '[role="option"], [role="treeitem"], [role="menuitem"], [role="menuitemradio"], [role="gridcell"]';

/**
 * Finds the option that an element's list shows under a text: exact, then whatever its case, then at its beginning or within.
 * @param {object} arg ref or locator; value: the text; timeout: ms to wait for it to be listed
 */
export async function option(arg) {
  const deadline = performance.now() + (arg.timeout || 0);
  for (;;) {
    const found = listed(arg);
    if (found.ok || (found.code !== 'closed' && found.code !== 'nooption') || performance.now() >= deadline) return found;
    await nextFrame();
  }
}

function listed(arg) {
  const { el, failure } = targetOf(arg);
  if (failure) return failure;
  if (!lists(el)) return { code: 'invalid', reason: 'it has no options to select; click it instead', ...sketch(el) };
  const all = optionsOf(el).filter((o) => rendered(o, VISIBLE));
  const options = all.some(hasRoom) || all.length === 0 ? all : drawnFor(all[0]);
  if (options.length === 0) return { code: 'closed', reason: attr(el, 'aria-expanded') === 'true' ? 'what it opens lists no options; click in that' : 'its list does not open', ...sketch(el), tag: typed(el) };
  beginPass();
  let named;
  try {
    named = options.map((o) => [clean(nameOf(o, roleOf(o)) || o.textContent), o]);
  } finally {
    endPass();
  }
  const want = clean(arg.value).toLowerCase();
  const found =
    named.find(([n]) => n === clean(arg.value)) ||
    named.find(([n]) => n.toLowerCase() === want) ||
    named.find(([, o]) => attr(o, 'data-value') === arg.value || attr(o, 'value') === arg.value) ||
    named.find(([n]) => n.toLowerCase().startsWith(want)) ||
    named.find(([n]) => n.toLowerCase().includes(want));
  const stays = staysOpen(el, options[0]);
  if (!found) return { code: 'nooption', options: named.slice(0, 12).map(([n]) => n), count: named.length, tag: typed(el), stays };
  return { ok: true, ...sketch(found[1]), name: found[0].slice(0, 80), stays, chosen: attr(found[1], 'aria-selected') === 'true' && closest(found[1], SEVERAL) !== null };
}

/** The tag of a field that can be typed into, to have its list follow that; '' for any other. */
function typed(el) {
  return el.readOnly ? '' : localName(el);
}

const SEVERAL = '[aria-multiselectable="true"]';

/** Whether a list is open for good, and has the focus, or its field has: one that is about to go says that it is closed. */
function staysOpen(el, option) {
  const list = closest(option, LISTS);
  const field = [el, closest(el, '[aria-expanded]'), el.querySelector('[aria-expanded]')].find((e) => e && hasAttr(e, 'aria-expanded'));
  if (field ? attr(field, 'aria-expanded') !== 'true' : closest(option, SEVERAL) === null) return false;
  const on = rootOf(el).activeElement;
  return Boolean(on) && [el, field, list].some((box) => box && contains(box, on));
}

const VISIBLE = { visibilityProperty: true };

function hasRoom(el) {
  const r = rectOf(el);
  return r.width > 1 && r.height > 1;
}

/** Some libraries list options for readers alone, in a box of no size, and draw others beside it that say the same: what is written in the same popup. */
function drawnFor(option) {
  let box = around(option);
  while (box && !hasRoom(box)) box = around(box);
  if (!box || box === documentBody() || box === documentElement()) return [];
  return Array.from(box.querySelectorAll('*')).filter((el) => ownWords(el) && rendered(el, VISIBLE) && hasRoom(el) && el.getAttribute('role') !== 'option');
}

function ownWords(el) {
  for (let n = el.firstChild; n; n = n.nextSibling) if (n.nodeType === 3 && n.data.trim() !== '') return true;
  return false;
}

const LISTING = new Set(['combobox', 'listbox', 'menu', 'menubar', 'tree', 'grid', 'radiogroup', 'tablist']);
const OPENS = '[role="combobox"], [aria-haspopup], [aria-expanded], [aria-controls], [aria-owns], [list]';

/** Whether an element may list options: else those that happen to be listed elsewhere would be taken for its own. */
function lists(el) {
  beginPass();
  const role = roleOf(el);
  endPass();
  if (LISTING.has(role) || matches(el, OPENS) || el.querySelector(OPTIONS) !== null) return true;
  // A list that follows what is typed need not be known to the field, but the browser's own is turned off for it.
  return (localName(el) === 'input' && attr(el, 'autocomplete') === 'off' && (role === 'textbox' || role === 'searchbox')) || (!WIDGETS.has(role) && el.querySelector(OPENS) !== null) || closest(el, '[role="combobox"]') !== null;
}

/** The options in an element itself, in what it controls, in the list beside it, or in the one that has opened elsewhere. */
function optionsOf(el) {
  if (attr(el, 'aria-expanded') === 'false') { // what is listed now is its choice, or another's
    before.set(el, new Set(shownLists()));
    return [];
  }
  const own = el.querySelectorAll(OPTIONS);
  if (own.length > 0) return Array.from(own);
  const controlled = controls(el).flatMap((list) => Array.from(list.querySelectorAll(OPTIONS)));
  if (controlled.length > 0) return controlled;
  const lists = Array.from(docQueryAll(LISTS)).filter((list) => list.querySelector(OPTIONS) !== null && !anothers(list, el));
  // The nearest: a list by the end of the body has only the body in common.
  for (let n = around(el); n; n = around(n)) {
    const near = lists.filter((list) => contains(n, list));
    const likely = likeliest(near, el);
    if (likely.length > 0) return likely.flatMap((list) => Array.from(list.querySelectorAll(OPTIONS)));
  }
  return [];
}

const KINDS = ['listbox', 'menu', 'tree', 'grid']; // what a field opens: the likeliest first
const LISTS = KINDS.map((kind) => `[role="${kind}"]`).join(', ');
const before = new WeakMap(); // field → the lists that showed while its own was closed

function shownLists() {
  return Array.from(docQueryAll(LISTS)).filter((list) => rendered(list, VISIBLE));
}

/** Of lists that are as near, those that came when the field was opened, and of these those of the kind that it opens: a table of the page is not its list. */
function likeliest(lists, el) {
  const opens = attr(el, 'aria-haspopup');
  const there = before.get(el);
  const came = there ? lists.filter((list) => !there.has(list)) : [];
  const among = came.length > 0 ? came : lists.filter((list) => (there ? /^(?:listbox|menu)$/ : /^(?:listbox|menu|tree)$/).test(attr(list, 'role')) || attr(list, 'role') === opens);
  for (const kind of [opens, ...KINDS]) {
    const fit = among.filter((list) => attr(list, 'role') === kind);
    if (fit.length > 0) return fit;
  }
  return among;
}

/** What an element, or the one around it, says that it controls. */
function controls(el) {
  const root = rootOf(el);
  const found = [];
  for (const n of [el, el.closest('[role="combobox"]'), el.querySelector('[aria-controls], [aria-owns]')]) {
    if (!n) continue;
    const ids = ((attr(n, 'aria-controls') || '') + ' ' + (attr(n, 'aria-owns') || '')).split(/\s+/).filter(Boolean);
    for (const id of ids) {
      const list = root.getElementById ? root.getElementById(id) : null;
      if (list && !found.includes(list)) found.push(list);
    }
  }
  return found;
}

/** Whether a list is that of another combobox: inside it, or controlled by it. */
function anothers(list, el) {
  const box = list.closest('[role="combobox"]');
  if (box !== null && !contains(box, el)) return true;
  if (!list.id) return false;
  const id = CSS.escape(list.id);
  const owner = rootOf(list).querySelector(`[aria-controls~="${id}"], [aria-owns~="${id}"]`);
  return owner !== null && !contains(el, owner) && !contains(owner, el);
}
