// Targets: what an action is to be done to. A ref, or a locator.

import { beginPass, endPass, flatParent } from '../dom.js';
import { refOf } from '../refs.js';
import { idOf } from './node.js';
import { resolve, settleRefs } from '../succession.js';
import { attr, docQueryAll, documentBody, documentElement, localName, nodeType, rectOf, rendered, parentElement } from '../safe.js';
import { brief, clean } from '../icons.js';
import { roleOf } from '../role.js';
import { nameOf } from '../name.js';
import { locate } from '../locate.js';
import { follow } from '../path.js';
import { place } from '../identity.js';

/**
 * The element an action names.
 * @returns {{el: ?Element, failure: ?object}}
 */
export function targetOf(arg) {
  const found = named(arg);
  if (arg.node && found.el && idOf(found.el) !== arg.node) return { failure: { code: 'stale' } };
  return found;
}

function named({ ref, locator, path }) {
  if (ref) {
    const el = resolve(ref);
    return el ? { el } : { failure: { code: 'stale' } };
  }
  if (path) {
    const el = follow(path)[0];
    return el ? { el } : { failure: { code: 'notfound', wait: true } };
  }
  const found = locate(locator);
  if (found.length === 1) {
    settleRefs(found[0]);
    return { el: found[0] };
  }
  if (found.length === 0) return { failure: { code: 'notfound', wait: true } };
  return { failure: { code: 'several', count: found.length, matches: found.slice(0, 8).map((el) => ({ ...told(el), in: place(el) })) } };
}

/** An element in few words: what a message says about it. */
export function sketch(el) {
  settleRefs(el); // it may have taken the place of one that is gone, and its ref
  beginPass();
  try {
    const role = roleOf(el) || localName(el);
    return { ref: refOf(el), role, name: brief(clean(nameOf(el, role)), 80) };
  } finally {
    endPass();
  }
}

/** The text of an element, with a blank between boxes that stand apart. */
function textApart(el) {
  let text = '';
  let before = null;
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n !== null && text.length < 400; n = walker.nextNode()) {
    const box = parentElement(n);
    if (before !== null && box !== before && [before, box].some((b) => getComputedStyle(b).display !== 'inline')) text += ' ';
    text += n.data;
    before = box;
  }
  return text;
}

/** The same, for a receipt or of one among several: what has no name is known by its text. */
export function told(el) {
  const s = sketch(el);
  return s.name ? s : { ...s, words: brief(clean(textApart(el).slice(0, 400)), 40) };
}

/** Whether inner is outer or inside it, shadow roots and slots included. */
export function holds(outer, inner) {
  for (let n = inner; n; n = flatParent(n)) if (n === outer) return true;
  return false;
}

/** What someone would say is in the way: the nearest thing around a point that has a name or does something. */
export function culprit(hit) {
  for (let n = hit; n && n !== documentBody() && n !== documentElement(); n = flatParent(n)) {
    if (nodeType(n) !== 1) continue;
    beginPass();
    const role = roleOf(n);
    endPass();
    const speaks = role && role !== 'generic' && role !== 'none';
    if (!speaks && !attr(n, 'id')) continue;
    const s = sketch((!speaks && dialogOf(hit)) || n);
    if (!s.name && attr(n, 'id')) s.name = '#' + attr(n, 'id');
    return s;
  }
  return sketch(dialogOf(hit) || hit);
}

const DIALOGS = '[role="dialog"], [role="alertdialog"], [aria-modal="true"], dialog[open]';

/** The dialog that a nameless layer is there for: the last one that is open. */
function dialogOf(hit) {
  if (!rendered(hit, { visibilityProperty: true })) return null;
  const open = Array.from(docQueryAll(DIALOGS)).filter((d) => rendered(d, { visibilityProperty: true }) && rectOf(d).height > 0);
  return open.length > 0 ? open[open.length - 1] : null;
}
