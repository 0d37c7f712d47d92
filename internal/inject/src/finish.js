// Finishing a node once all below it is known: its name, its states, and
// whether what is below it stays.

import { MAYBE, NO, POINTER } from './clickable.js';
import { styleOf } from './dom.js';
import { homemade } from './homemade.js';
import { LIGATURES, clean, hintOf, iconName } from './icons.js';
import { cellRoles, fieldRoles, namedRoles } from './kinds.js';
import { tells } from './layers.js';
import { unnamed } from './leaves.js';
import * as modes from './modes.js';
import { nameFromContentRoles, nameOf, nameSource } from './name.js';
import { WEAK, dissolve, extra, extras, giveRef, nodes, takeBack, wanted } from './nodes.js';
import { unreadText } from './painted.js';
import { attr, closest, firstElementChild, hasAttr, hasAttrs, localName, matches, nextElementSibling, parentElement, query, rectOf, rendered } from './safe.js';
import { ACTIVE, BLOCK, COLLAPSED, DISABLED, EDITABLE, EXPANDED, HASVALUE, HOVERS, INVIEW, MODAL, OPERABLE, READONLY, SCROLLABLE, UNWRITTEN, statesOf, valueOf } from './state.js';
import { overAll } from './unseen.js';

// How the last name came about.
export const names = { placeholder: false };

let cache = new Map();

export function resetNames() {
  cache = new Map();
}

/** Gives an element a name that is known without asking. */
export function presetName(el, name) {
  if (!cache.has(el)) cache.set(el, { name, placeholder: false });
}

/** The accessible name, cleaned, and once per element. */
export function nameFor(el, role) {
  const known = cache.get(el);
  if (known !== undefined) {
    names.placeholder = known.placeholder;
    return known.name;
  }
  let name = '';
  names.placeholder = false;
  try {
    name = clean(nameOf(el, role));
    if (name !== '') names.placeholder = nameSource() === 'placeholder';
  } catch {
    // An element made to confuse, such as a form with a control called "getAttribute". It stays nameless.
  }
  cache.set(el, { name, placeholder: names.placeholder });
  return name;
}

const HUGE = 500; // characters; a clickable with more inside is an area, not a button
const structure = new Set(['table', 'list', 'grid', 'heading', 'listitem', 'row', 'iframe', 'tree', 'blockquote']);
const openRoles = new Set(['row', 'list', 'table', 'grid', 'treegrid', 'article']); // their parts are told, even if they can be clicked

export function finish(node, at, ln, style, deaf, sure, widget, foldable, mode, isRoot) {
  const el = node.el;
  const attrs = hasAttrs(el);
  if (attrs || ln === 'button') node.state |= statesOf(el, ln, node.role);
  if (ln === 'summary') node.state |= parentElement(el).open ? EXPANDED : COLLAPSED;

  let parts = 0; // operable things below
  let own = false; // words or pictures below, outside of those
  let tops = 0; // what is directly below
  for (let i = at + 1; i < nodes.length; i++) {
    const n = nodes[i];
    if (n.dead) continue;
    if (n.depth === node.depth + 1) tops++;
    if (n.state & INVIEW) node.state |= INVIEW;
    if (n.state & (OPERABLE | SCROLLABLE) || n.role === 'iframe') parts++;
    else if (n.name !== '') own = true;
  }
  if (foldable && !(node.state & SCROLLABLE) && tops <= 12) foldable = false;

  // Weak grounds give way to what is inside, and a pointer around nothing but controls is only their padding.
  if (sure !== NO && !widget && parts > 0 && (sure === MAYBE || (sure === POINTER && !own))) retract(node, at);
  if (node.role === 'generic' && (!foldable || tops === 0)) {
    dissolve(at);
    return;
  }

  const role = node.role;
  let operable = (node.state & OPERABLE) !== 0;
  const labelled = attrs && (hasAttr(el, 'aria-label') || hasAttr(el, 'aria-labelledby'));
  if (fieldRoles.has(role)) {
    field(node, at, ln, style, parts);
    if (node.role === 'generic') {
      dissolve(at);
      return;
    }
  } else if ((operable || cellRoles.has(role) || nameFromContentRoles.has(role)) && !openRoles.has(role) && role !== 'listbox') {
    if (parts === 0 && !isRoot && !(labelled && !widget && own && !nameFromContentRoles.has(role)) && !(cellRoles.has(role) && holdsStructure(at))) {
      const text = labelled ? '' : gather(at);
      if (text.length > HUGE && operable && !widget) {
        if (sure === MAYBE) retract(node, at);
        operable = (node.state & OPERABLE) !== 0;
        if (node.role === 'generic' && !foldable) {
          dissolve(at);
          return;
        }
      } else {
        node.name = text || (attrs || operable ? wordless(el, role, labelled) : '');
        if (text === '' && node.name !== '' && !clean(el.textContent).includes(node.name)) node.state |= UNWRITTEN;
        nodes.length = at + 1;
      }
    } else {
      if (labelled) node.name = nameFor(el, role);
      if (node.name === '') absorb(node, at, operable);
      else sayOnce(node, at, true);
      if (widget && parts === 1) mergeOnly(node, at);
      if (operable && parts === 1 && !foldable && toldByPart(node, at, widget)) {
        dissolve(at);
        return;
      }
    }
  } else if (role !== 'generic') {
    if (role === 'row' ? labelled : attrs || ln === 'fieldset' || ln === 'table' || ln === 'figure' || ln === 'svg') node.name = nameFor(el, role);
    if (role === 'img') {
      if (parts === 0) nodes.length = at + 1;
    } else if (node.name !== '') sayOnce(node, at);
  }

  const leaf = nodes.length === at + 1;
  if (!widget && sure !== NO && leaf && node.name === '' && (sure === POINTER && hollow(el) || sure === MAYBE && pointless(el))) {
    takeBack(at);
    return;
  }
  if (!operable && leaf && role === 'gridcell' && node.name === '' && attrs) pictured(node, el);
  if (operable && leaf && node.name === '' && node.value === '') unnamed(node, el);
  else if (operable && leaf && node.name !== '' && (node.name.length <= 2 || (node.name.length <= 8 && !WORD.test(node.name)))) node.desc = shortNote(node, el);
  if (!operable && node.name === '' && node.value === '' && !tells(role)) {
    if (leaf && !cellRoles.has(role) || (role === 'row' && emptyRow(at))) {
      takeBack(at);
      return;
    }
    if (namedRoles.has(role) && !foldable) {
      dissolve(at);
      return;
    }
  }
  if (operable || role === 'row') node.state |= homemade(el, role);
  if (operable && (mode & modes.DISABLED || ((role === 'link' || role === 'button') && (deaf === null ? style.pointerEvents === 'none' : deaf)))) node.state |= DISABLED;
  if ((role === 'dialog' || role === 'alertdialog') && !leaf && modal(el, ln, style)) node.state |= MODAL;
  levels(node, el, ln, role, attrs);
  if (operable || foldable) giveRef(node);
  else if (wanted(node)) node.ref = node.name === '' ? WEAK : true;
  extras(node, el);
}

/** Whether an open dialog keeps people from the page behind it. */
function modal(el, ln, style) {
  if (attr(el, 'aria-modal') === 'true') return style.opacity !== '0';
  return ln === 'dialog' ? matches(el, ':modal') : overAll(el);
}

/** The name of an element without words of its own. The name of a glyph is none. */
function wordless(el, role, labelled) {
  const name = nameFor(el, role === 'clickable' ? 'button' : role);
  return labelled || name === '' || !query(el, LIGATURES) ? name : '';
}

/** Whether all that an element holds is still to appear: it is not the box that people wait for. */
function hollow(el) {
  let child = firstElementChild(el);
  if (child === null) return false;
  for (; child !== null; child = nextElementSibling(child)) if (rendered(child, VISIBLE)) return false;
  return true;
}

/** Whether an element that only listens has no room of its own: a layer that is filled when it is needed. */
function pointless(el) {
  const r = rectOf(el);
  return r.width === 0 && r.height === 0;
}

const VISIBLE = { visibilityProperty: true };

/** Takes back that an element can be clicked. What it opens when the pointer is over it, its first part does. */
function retract(node, at) {
  if (node.state & HOVERS) {
    node.state &= ~HOVERS;
    for (let i = at + 1; i < nodes.length; i++) {
      if (nodes[i].dead || !(nodes[i].state & OPERABLE)) continue;
      nodes[i].state |= HOVERS;
      break;
    }
  }
  node.state &= ~OPERABLE;
  if (node.role === 'clickable') node.role = 'generic';
}

/** A field that is not a native one, or a gauge: what it holds is its value. */
function field(node, at, ln, style, parts) {
  const { el, role } = node;
  node.name = nameFor(el, role) || (role === 'slider' ? besideOf(el) : '');
  const v = valueOf(el, ln, role, style);
  node.value = v.text;
  if (node.state & EDITABLE) {
    if (nodes.length === at + 1) node.value = unreadText(el) ?? clean(el.innerText);
  } else if (node.value === '') {
    node.value = gather(at);
    if (node.value === node.name) node.value = '';
  }
  if (role === 'combobox' && parts === 1) parts -= showsItsValue(node, at);
  if (role === 'combobox' && ln !== 'input' && parts > 0 && node.name === '') parts = oneField(node, at, parts);
  if (node.value !== '') node.state |= HASVALUE | v.bits;
  if (parts === 0 && !(node.state & EDITABLE)) nodes.length = at + 1;
  else if (!(node.state & EDITABLE)) for (let i = at + 1; i < nodes.length; i++) if (nodes[i].role === 'text') nodes[i].dead = true;
}

const LEVELS = 4; // from a slider to the box that has its label, too

/** The only label in the box of a slider, where no other field that people see has it. */
function besideOf(el) {
  for (let box = parentElement(el), i = 0; box !== null && i < LEVELS; box = parentElement(box), i++) {
    const label = query(box, 'label');
    if (label === null) continue;
    if (box.querySelectorAll('label, [role="slider"]').length > 2) return '';
    return label.control === null || unseen(label.control) ? clean(label.textContent) : '';
  }
  return '';
}

/** A box inside a combobox that only shows the choice is not told apart from it. */
function showsItsValue(node, at) {
  for (let i = at + 1; i < nodes.length; i++) {
    const n = nodes[i];
    if (n.dead || !(n.state & OPERABLE)) continue;
    if (n.role !== 'textbox' || !(n.state & READONLY) || localName(n.el) === 'input') return 0;
    if (node.value === '' && node.name !== n.name) node.value = n.value || n.name;
    n.dead = true;
    return 1;
  }
  return 0;
}

/**
 * A combobox around a field of its own is one thing. The field has the name and takes the keys; where it is a select that a library keeps
 * out of sight, the box around it is what people press.
 */
function oneField(node, at, parts) {
  const kept = query(node.el, 'select');
  if (kept !== null && unseen(kept)) {
    node.name = nameFor(kept, 'combobox');
    if (kept.selectedOptions.length === 1) node.value = clean(kept.selectedOptions[0].label);
    for (let i = at + 1; i < nodes.length; i++) if (nodes[i].el === kept) nodes[i].dead = true;
    if (!(node.state & COLLAPSED)) return parts;
    nodes.length = at + 1; // what else it shows is its value
    return 0;
  }
  const inner = nodes.find((n, k) => k > at && !n.dead && n.role === 'combobox' && n.state & OPERABLE);
  if (inner === undefined) return parts;
  inner.state |= node.state & (EXPANDED | COLLAPSED);
  if (inner.value === '' && node.value !== inner.name) inner.value = node.value;
  node.state &= ~OPERABLE;
  node.role = 'generic';
  return parts;
}

function unseen(el) {
  const { opacity, pointerEvents } = styleOf(el);
  return opacity === '0' || pointerEvents === 'none' || !rendered(el);
}

/** What is alone below a node; null where there is nothing, or more. */
function onlyBelow(at) {
  let only = null;
  for (let i = at + 1; i < nodes.length; i++) {
    if (nodes[i].dead) continue;
    if (only !== null) return null;
    only = nodes[i];
  }
  return only;
}

/** A tab or an item of a menu around a link of the same name is one thing to click; so is a button around its own inside. */
function mergeOnly(node, at) {
  const only = onlyBelow(at);
  if (only === null || (only.name !== node.name && only.role === 'clickable' ? only.name !== '' && node.name !== '' : only.name !== node.name)) return;
  if (only.role !== 'link' && only.role !== 'button' && only.role !== 'clickable') return;
  if (node.name === '') [node.name, node.desc] = [only.name, only.desc]; // it is its icon
  node.state |= only.state & ACTIVE;
  nodes.length = at + 1;
}

/**
 * Whether a box is told by the one control in it: a box that is drawn for a native one of its role, and what can be
 * clicked around a control with the same words.
 */
function toldByPart(node, at, widget) {
  const only = onlyBelow(at);
  if (only === null || !(only.state & OPERABLE)) return false;
  if (!widget) return node.role === 'clickable' && node.name === only.name && only.role !== 'clickable';
  if (!TICKED.has(node.role) || only.role !== node.role || localName(only.el) !== 'input' || (only.name !== '' && node.name !== '' && only.name !== node.name)) return false;
  if (only.name === '') only.name = node.name;
  return true;
}

const TICKED = new Set(['checkbox', 'radio', 'switch']);

/** The words below a node. */
function gather(at) {
  if (nodes.length === at + 2) return nodes[at + 1].dead ? '' : nodes[at + 1].name;
  let s = '';
  for (let i = at + 1; i < nodes.length; i++) {
    const n = nodes[i];
    if (n.dead || n.name === '' || n.state & OPERABLE) continue;
    s += (s !== '' ? ' ' : '') + n.name;
  }
  return s;
}

/** Words in front of the first part become the node's own name; in something operable also the only words there are. */
function absorb(node, at, operable) {
  let s = '';
  let k = at + 1;
  for (; k < nodes.length; k++) {
    const n = nodes[k];
    if (n.dead) continue;
    if (n.role !== 'text' || n.depth !== node.depth + 1 || n.name.length > HUGE) break;
    s += (s !== '' ? ' ' : '') + n.name;
  }
  if (s !== '') {
    node.name = s;
    nodes.splice(at + 1, k - at - 1);
    return;
  }
  if (!operable) return;
  let only = null;
  for (; k < nodes.length; k++) {
    const n = nodes[k];
    if (n.dead || n.role !== 'text') continue;
    if (only !== null || n.name.length > HUGE) return;
    only = n;
  }
  if (only !== null && only.depth === node.depth + 1) {
    node.name = only.name;
    only.dead = true;
  }
}

/** The legend, caption or dialog title that named a node is not told again below it. */
function sayOnce(node, at, parts) {
  for (let i = at + 1; i < nodes.length; i++) {
    const n = nodes[i];
    if (n.dead || n.depth !== node.depth + 1 || !(n.name === node.name || (parts && n.role === 'text' && saysAlso(node.name, n.name)))) continue;
    if (n.role !== 'text' && !(n.role === 'heading' && (node.role === 'dialog' || node.role === 'alertdialog'))) continue;
    n.dead = true;
    if (i === at + 1 && nodes.length === i + 1) nodes.length = i;
    return;
  }
}

/** Whether a label has words of its element in it: a day of a calendar is "18", and its label the date. */
function saysAlso(label, words) {
  const at = label.indexOf(words);
  return at >= 0 && !/[\p{L}\p{N}]/u.test((label[at - 1] || '') + (label[at + words.length] || ''));
}

const WORD = /[\p{L}\p{N}]/u;
const CODE = /^[a-z]{0,2}\d[a-z\d]*$/i; // "r0c4" tells nobody anything

/** A tooltip or an icon explains a name of one or two characters, or of glyphs alone: "3" on a bell, "⋮⋮". */
function shortNote(node, el) {
  const note = hintOf(el) || iconName(el);
  return note !== node.name && !CODE.test(note) ? note : '';
}

/** What a label says is the name of the field behind it, though the page's author connected the two by a script alone: it is told once. */
export function dropLabels(nodes) {
  for (let i = 0; i + 1 < nodes.length; i++) {
    const n = nodes[i];
    const field = nodes[i + 1];
    if (n.dead || field.dead || n.name === '' || n.name !== field.name || !(field.state & OPERABLE || field.role === 'radiogroup' || field.role === 'group') || field.role === 'clickable' || closest(n.el, 'label') === null) continue;
    n.dead = true;
    field.state |= n.state & BLOCK;
  }
}

/** Tells several that are called alike apart by their tooltips, where each has another. */
export function tellTwins(nodes) {
  const faces = new Map();
  for (const n of nodes) {
    if (n.dead || n.name === '' || n.desc !== '' || !(n.state & OPERABLE) || !hasAttr(n.el, 'title')) continue;
    const face = n.role + ' ' + n.name;
    const twins = faces.get(face);
    if (twins === undefined) faces.set(face, [n]);
    else twins.push(n);
  }
  for (const twins of faces.values()) {
    const titles = twins.map((n) => clean(attr(n.el, 'title')));
    if (twins.length < 2 || new Set(titles).size < twins.length || titles.some((t) => t === '')) continue;
    twins.forEach((n, i) => {
      if (titles[i] !== n.name) n.desc = titles[i].slice(0, 48);
    });
  }
}

/** The cell of a grid with nothing in it but a picture, as a tick or a cross: it may be there to be pressed. */
function pictured(node, el) {
  const picture = query(el, 'svg, img, i, [class*="icon"]');
  if (picture === null || !rendered(picture, VISIBLE)) return;
  unnamed(node, el);
  if (node.name !== '') node.desc = node.name; // it is not written there
  node.name = '';
  if (node.desc !== '') giveRef(node);
}

function holdsStructure(at) {
  for (let i = at + 1; i < nodes.length; i++) if (!nodes[i].dead && structure.has(nodes[i].role)) return true;
  return false;
}

/** Whether nothing below a node says anything. */
export function emptyRow(at) {
  for (let i = at + 1; i < nodes.length; i++) {
    const n = nodes[i];
    if (!n.dead && (n.name !== '' || n.value !== '' || n.ref)) return false;
  }
  return true;
}

/** Levels of headings and items; sizes of what is only partly there. */
function levels(node, el, ln, role, attrs) {
  if (!attrs && role !== 'heading') return;
  const level = (attrs && parseInt(attr(el, 'aria-level'), 10)) || (role === 'heading' ? (ln.length === 2 && +ln[1]) || 2 : 0);
  if (level > 0) extra(node, 'l', level);
  if (role === 'table' || role === 'grid' || role === 'treegrid') {
    const n = parseInt(attr(el, 'aria-rowcount'), 10);
    if (n > 0) extra(node, 'n', n);
  }
}
