// locate: finds elements by a locator. CSS reaches into shadow roots, the light
// tree first; XPath is the document's own; {tag}text is what people see.

import { beginPass, endPass, shadowRootOf } from './dom.js';
import { docQueryAll, localName, attr, rectOf, rendered } from './safe.js';
import { roleOf } from './role.js';
import { nameOf } from './name.js';
import { clean } from './icons.js';

/** All elements a locator finds, in document order. Throws an error with a sentence for one that makes no sense. */
export function locate(locator) {
  if (locator.startsWith('{')) return wildcard(locator);
  if (/^(\.{0,2}\/|\(\/\/)/.test(locator)) return xpath(locator);
  return css(locator);
}

function css(selector) {
  let found;
  try {
    found = Array.from(docQueryAll(selector));
  } catch {
    throw new Error('not a valid CSS selector: ' + selector);
  }
  if (found.length > 0) return found;
  for (const root of shadowRoots(document)) found.push(...root.querySelectorAll(selector));
  return found;
}

function* shadowRoots(within) {
  for (const el of within.querySelectorAll('*')) {
    const root = shadowRootOf(el);
    if (root) {
      yield root;
      yield* shadowRoots(root);
    }
  }
}

function xpath(expression) {
  try {
    const all = document.evaluate(expression, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    const found = [];
    for (let i = 0; i < all.snapshotLength; i++) if (all.snapshotItem(i).nodeType === 1) found.push(all.snapshotItem(i));
    return found;
  } catch {
    throw new Error('not a valid XPath: ' + expression);
  }
}

const KINDS = {
  button: 'button, [role="button"], input[type="submit"], input[type="button"], input[type="reset"], summary',
  a: 'a, [role="link"]',
  select: 'select, [role="combobox"], [role="listbox"]',
  input: 'input:not([type="hidden"]), textarea, [role="textbox"], [role="searchbox"], [contenteditable]',
};

/** {tag:n}text, exact, or {^tag:n}text, contained; only what can be seen; of nested matches the innermost. */
function wildcard(locator) {
  const m = /^\{(\^?)([^:}]*)(?::(\d+))?\}([^]*)$/.exec(locator);
  if (!m) throw new Error('not a valid wildcard: ' + locator + '; write {tag}text, {^tag}part of the text or {tag:2}text');
  const [, contains, tag, nth, rest] = m;
  const want = clean(rest);
  let pool;
  try {
    const selector = tag === '' ? '*' : KINDS[tag.toLowerCase()] || tag;
    pool = Array.from(docQueryAll(selector));
    for (const root of shadowRoots(document)) pool.push(...root.querySelectorAll(selector));
  } catch {
    throw new Error('not a tag: ' + tag + ' in ' + locator);
  }
  beginPass();
  try {
    // Text decides before layout does: reading a box is dear.
    const fits = (s) => (contains ? s.includes(want) : s === want);
    let found = want === '' ? pool : pool.filter((el) => fits(textOf(el)) || (tag !== '' && fits(clean(nameOf(el, roleOf(el))))));
    found = found.filter((el) => seen(el));
    if (want !== '') found = found.filter((el) => !found.some((other) => other !== el && el.contains(other)));
    return nth ? found.slice(nth - 1, nth) : found;
  } finally {
    endPass();
  }
}

function textOf(el) {
  const ln = localName(el);
  if (ln === 'input') return clean(el.type === 'submit' || el.type === 'button' || el.type === 'reset' ? el.value : '');
  if (ln === 'script' || ln === 'style' || ln === 'noscript' || ln === 'head' || ln === 'title') return '';
  return clean(el.textContent);
}

/** A wildcard sees what a person could press: shown, of some size, and not covered at its middle while on screen. */
function seen(el) {
  if (attr(el, 'aria-hidden') === 'true' || !rendered(el, { visibilityProperty: true })) return false;
  const r = rectOf(el);
  if (r.width === 0 || r.height === 0 || getComputedStyle(el).pointerEvents === 'none') return false;
  const x = r.left + r.width / 2;
  const y = r.top + r.height / 2;
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return true;
  const hit = el.getRootNode().elementFromPoint(x, y);
  return hit === null || el.contains(hit) || hit.contains(el);
}
