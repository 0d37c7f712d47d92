// locate: finds elements by a locator. CSS reaches into shadow roots, the light
// tree first; XPath is the document's own; {tag}text is what people see.

import { beginPass, endPass, flatParent, shadowRootOf } from './dom.js';
import { attr, hasAttrs, localName, rectOf, rendered } from './safe.js';
import { authorRoles } from './aria_roles.js';
import { drawnFor, drawnOver } from './standin.js';
import { roleOf } from './role.js';
import { nameOf } from './name.js';
import { clean, hintOf, iconName, tellApart, tooltipOf } from './icons.js';
import { unmarked } from './likeness.js';
import { walk } from './walk.js';

const LOCATORS = '; a locator is a ref such as e5, CSS, //XPath, {button}Save or a "text" in quotes';

/**
 * All elements a locator finds in the document or inside an element, in document order.
 * Throws an error with a sentence for one that makes no sense. unseen: a wildcard finds what cannot be seen, too.
 */
export function locate(locator, within = document, unseen = false) {
  if (locator.startsWith('{')) return wildcard(locator, within, unseen);
  if (/^"[^]+"$/.test(locator)) return printed(locator, within, unseen);
  if (/^(\.{0,2}\/|\(\/\/)/.test(locator)) return xpath(locator, within);
  return css(locator, within);
}

/** How many elements of the document a CSS selector finds, without touching them; -1 where that has to be found out by locate. */
export function countOf(locator) {
  if (/^(\{|"|\.{0,2}\/|\(\/\/)/.test(locator)) return -1;
  try {
    return inDocument.call(document, locator).length || -1;
  } catch {
    return -1;
  }
}

const inDocument = Document.prototype.querySelectorAll;
const inElement = Element.prototype.querySelectorAll;
const inFragment = DocumentFragment.prototype.querySelectorAll;

/** querySelectorAll as the platform has it: a page can put a field of that name in the way. */
export function queryAll(within, selector) {
  return (within === document ? inDocument : within.nodeType === 1 ? inElement : inFragment).call(within, selector);
}

function css(selector, within) {
  let found;
  try {
    found = Array.from(queryAll(within, selector));
  } catch {
    throw new Error('not a valid CSS selector: ' + selector + LOCATORS);
  }
  if (found.length > 0) return found;
  for (const root of shadowRoots(within)) found.push(...queryAll(root, selector));
  return found;
}

/** The shadow roots inside, open and closed, and those inside of them. */
export function* shadowRoots(within) {
  const own = within.nodeType === 1 ? shadowRootOf(within) : null;
  if (own) {
    yield own;
    yield* shadowRoots(own);
  }
  for (const el of queryAll(within, '*')) {
    const root = shadowRootOf(el);
    if (root) {
      yield root;
      yield* shadowRoots(root);
    }
  }
}

function xpath(expression, within) {
  // Inside an element, // means inside it.
  const path = within === document ? expression : expression.replace(/^(\(?)\/\//, '$1.//');
  try {
    const all = document.evaluate(path, within, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    const found = [];
    for (let i = 0; i < all.snapshotLength; i++) if (all.snapshotItem(i).nodeType === 1) found.push(all.snapshotItem(i));
    return found;
  } catch {
    throw new Error('not a valid XPath: ' + expression + LOCATORS);
  }
}

/** What views call things that have no role. Of those the text decides, and whatever holds it. */
const SHOWN = new Set(['clickable', 'draggable', 'text', 'scrollable', 'generic']);

/** A text as views print it: in quotes, and cut by an ellipsis where it was long. */
function printed(locator, within, unseen) {
  let words = locator.slice(1, -1);
  try {
    words = JSON.parse(locator);
  } catch {
    // as it stands, then
  }
  words = clean(words);
  const cut = /^[^]*\S(?=\s*(?:…|\.\.\.)$)/.exec(words);
  const found = cut ? wildcard('{^}' + cut[0], within, unseen) : wildcard('{}' + words, within, unseen);
  if (found.length > 0) return found;
  // The words of an element that holds more than them, such as a button.
  const own = [];
  for (const el of queryAll(within, '*')) {
    if (TEXTLESS.has(localName(el))) continue;
    let said = '';
    for (let n = el.firstChild; n; n = n.nextSibling) if (n.nodeType === 3) said += n.data + ' ';
    if (said.length >= words.length && clean(said) === words) own.push(el);
  }
  const styles = new Map();
  return unseen ? own : own.filter((el) => seen(el, styles));
}

const KINDS = {
  button: 'button, [role="button"], input[type="submit"], input[type="button"], input[type="reset"], summary',
  a: 'a, area[href], [role="link"]',
  select: 'select, [role="combobox"], [role="listbox"]',
  input: 'input:not([type="hidden"]), textarea, [role="textbox"], [role="searchbox"], [contenteditable]',
};

const TEXTLESS = new Set(['script', 'style', 'noscript', 'head', 'title', 'template', 'meta', 'link', 'html']);

/** Whether the parents of an element are of these tags, the nearest last. */
function liesIn(el, tags) {
  let parent = el;
  return tags.toReversed().every((tag) => {
    parent = flatParent(parent);
    return parent && parent.matches(KINDS[tag] || tag);
  });
}

/**
 * {tag:n}text, exact, or {^tag:n}text, contained; only what can be seen; of nested matches the innermost. The tag may be a role,
 * as views show it, or have parents: {span/a}text.
 */
function wildcard(locator, within, unseen) {
  const m = /^\{(\^?)([^:}]*)(?::(\d+))?\}([^]*)$/.exec(locator);
  if (!m || m[3] === '0') throw new Error('not a valid wildcard: ' + locator + '; write {tag}text, {^tag}part of the text or {tag:2}text, counted from 1');
  const [, contains, , nth, rest] = m;
  const above = m[2].split('/'); // {span/a}: an a whose parent is a span
  const last = above.pop();
  const tag = SHOWN.has(last.trim().toLowerCase()) ? '' : last;
  const want = clean(rest);
  const word = tag.trim().toLowerCase();
  const kind = KINDS[word];
  const role = kind ? undefined : authorRoles.get(word);
  let pool;
  try {
    const selector = tag === '' || role ? '*' : kind || tag;
    pool = Array.from(queryAll(within, selector));
    for (const root of shadowRoots(within)) pool.push(...queryAll(root, selector));
    if (above.length > 0) pool = pool.filter((el) => liesIn(el, above));
  } catch {
    throw new Error('not a tag or role: ' + m[2] + ' in ' + locator);
  }
  beginPass();
  const styles = new Map();
  try {
    if (role) pool = pool.filter((el) => roleOf(el) === role || localName(el) === word);
    let found = pool;
    if (want !== '') {
      const fits = (s) => (contains ? s.includes(want) : s === want);
      found = pool.filter(mayHold(want)).filter((el) => fits(visibleText(el, fits)));
      if (kind || role) {
        const named = new Set(found);
        for (const el of pool) if (!named.has(el) && fits(clean(nameOf(el, roleOf(el))))) named.add(el);
        found = pool.filter((el) => named.has(el));
      }
      // What has no words of its own is known by what views show in their place: a tooltip, an icon, a class.
      if (found.length === 0) {
        const hint = want.replace(/^\((.+)\)$/, '$1'); // as it is printed
        const fitsHint = hint === want ? fits : (s) => (contains ? s.includes(hint) : s === hint);
        found = pool.filter((el) => hasAttrs(el) && hinted(el, fitsHint));
      }
      if (found.length === 0) found = asShown(locator, within, m[2].trim().toLowerCase(), want, contains);
      if (found.length === 0 && role && !contains && HELD.has(role)) found = onlyWith(pool, within, want, fits);
    }
    if (!unseen && found.length > 0) {
      found = found.filter((el) => seen(el, styles));
      // What is called so was put away; a view shows another under its name.
      if (found.length === 0 && want !== '') found = asShown(locator, within, m[2].trim().toLowerCase(), want, contains).filter((el) => seen(el, styles));
    }
    if (want !== '') {
      const outer = new Set();
      for (const el of found) for (let n = flatParent(el); n; n = flatParent(n)) outer.add(n);
      found = found.filter((el) => !outer.has(el));
    }
    return nth ? found.slice(nth - 1, nth) : found;
  } finally {
    endPass();
  }
}

const HELD = new Set(['article', 'row', 'listitem', 'treeitem', 'option', 'gridcell', 'cell', 'menuitem', 'tab', 'link']);

/** The only card, row or entry that has a text in it as a whole: people call it by its title. */
function onlyWith(pool, within, want, fits) {
  const titles = Array.from(queryAll(within, '*')).filter(mayHold(want)).filter((el) => fits(visibleText(el, fits)));
  const found = pool.filter((el) => titles.some((t) => el !== t && el.contains(t)));
  const inner = found.filter((el) => !found.some((other) => other !== el && el.contains(other)));
  return inner.length === 1 ? inner : [];
}

// Roles of what is asked for by a tag that stands for several.
const TAGGED = { a: ['link'], button: ['button'], select: ['combobox', 'listbox'], input: ['textbox', 'searchbox', 'spinbutton'] };
const DRAGGED = new Set(['draggable', 'scrollable']); // words of views for what has another role

/**
 * What views show under a name, though it is called otherwise: a card is called by all that is on it, and shown without its buttons; a label has a
 * mark. The whole page is read for it, so that whoever asks again and again is answered by that only now and then.
 */
function asShown(locator, within, word, want, contains) {
  const now = performance.now();
  if (missed.locator === locator && now < missed.until) return [];
  const roles = TAGGED[word];
  const plain = unmarked(want);
  const named = (name) => (contains ? name.includes(want) : name === want || (plain !== '' && unmarked(name) === plain));
  const found = [];
  for (const n of walk(null, {}).nodes) {
    if (n.dead || !n.el || n.name === '' || !named(n.name)) continue;
    const fits = word === '' || n.role === word || (roles && roles.includes(n.role)) || (DRAGGED.has(word) && n.ref) || localName(n.el) === word;
    if (fits && (within === document || within.contains(n.el))) found.push(n.el);
  }
  if (found.length === 0) missed = { locator, until: performance.now() + Math.max(100, 10 * (performance.now() - now)) };
  return found;
}

let missed = { locator: '', until: 0 };

function hinted(el, fits) {
  const ln = localName(el);
  if (TEXTLESS.has(ln)) return false;
  const label = clean(attr(el, 'aria-label'));
  if (label ? fits(label) : fits(tooltipOf(el))) return true;
  if (ln !== 'select' && (el.textContent.length > 40 || /[\p{L}\p{N}]{3}/u.test(el.textContent))) return false;
  return fits(hintOf(el)) || fits(iconName(el)) || fits(tellApart(el));
}

/**
 * Text decides before layout does. Reading all of it is quick once: what has not got the letters
 * has nothing inside that has, so whole branches go without being asked.
 */
function mayHold(want) {
  const bare = (s) => s.replace(/\s+/g, '').toLowerCase(); // a style may change the case
  const letters = bare(want);
  const without = new WeakSet();
  return (el) => {
    const ln = localName(el);
    if (TEXTLESS.has(ln)) return false;
    if (ln === 'input') return bare(el.value || '').includes(letters);
    const above = el.parentNode;
    if (above && without.has(above)) {
      without.add(el);
      return false;
    }
    if (bare(el.textContent).includes(letters)) return true;
    without.add(el);
    return false;
  };
}

/** The text people see of an element. A style that only changes its case does not make it another. */
function visibleText(el, fits) {
  if (localName(el) === 'input') return /^(submit|button|reset)$/.test(el.type) ? clean(el.value) : '';
  const text = clean(el.innerText === undefined ? el.textContent : el.innerText);
  if (fits(text)) return text;
  const plain = clean(el.textContent);
  return text !== plain && text.toLowerCase() === plain.toLowerCase() ? plain : text;
}

/** A wildcard sees what a person could press: shown, of some size, and not covered at its middle while on screen. */
function seen(el, styles) {
  for (let n = el; n; n = flatParent(n)) if (n.nodeType === 1 && attr(n, 'aria-hidden') === 'true') return false;
  if (localName(el) === 'area') return true; // a part of its picture
  if (!rendered(el, { visibilityProperty: true })) return false;
  if (drawnFor(el) !== null) return true;
  const r = rectOf(el);
  if (r.width === 0 || r.height === 0 || getComputedStyle(el).pointerEvents === 'none') return false;
  const x = r.left + r.width / 2;
  const y = r.top + r.height / 2;
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return true;
  const root = el.getRootNode();
  const hit = root.elementFromPoint ? root.elementFromPoint(x, y) : null;
  if (hit === null || el.contains(hit) || hit.contains(el)) return true;
  // A label passes its clicks on; what is scrolled out of a box can be scrolled to.
  for (const label of el.labels || []) if (label.contains(hit)) return true;
  if (drawnOver(el, hit)) return true;
  return clipped(el, x, y, styles);
}

/** Whether a box around an element leaves no room for a point of it. */
function clipped(el, x, y, styles) {
  for (let n = flatParent(el); n && n !== document.documentElement; n = flatParent(n)) {
    if (n.nodeType !== 1) continue;
    let scrolls = styles.get(n);
    if (scrolls === undefined) styles.set(n, (scrolls = getComputedStyle(n).overflow !== 'visible'));
    if (!scrolls) continue;
    const r = rectOf(n);
    if (x < r.left || y < r.top || x >= r.right || y >= r.bottom) return true;
  }
  return false;
}
