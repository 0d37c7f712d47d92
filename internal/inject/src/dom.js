// The page as assistive technology sees it: the flat tree (shadow roots, slots, aria-owns) and what of it is hidden.
//
// Everything here is read-only and cached for one pass. A pass is synchronous, so nothing can change below it;
// beginPass forgets what the one before it learnt.

import {
  allIn, attr, byId, childNodes, contains, documentElement, firstElementChild, hasAttr, hasAttrs, localName, namespaceURI,
  nextElementSibling, nodeType, openRoot, parentNode, rendered, rootOf,
} from './reads.js';
import { activeElement } from './safe.js';

/** @type {Map<Element, CSSStyleDeclaration>} */
let styles = new Map();
/** @type {Map<Element, number>} */
let states = new Map();

/** Closed shadow roots the host of this script handed over. They outlive a pass. @type {WeakMap<Element, ShadowRoot>} */
const closedRoots = new WeakMap();
let anyClosed = false;

/** What aria-owns moved in this pass. Null until something asks. @type {?Ownership} */
let ownership = null;

/** Other modules' caches, emptied with ours. @type {(() => void)[]} */
const resets = [];

/**
 * @typedef {object} Ownership
 * @property {Map<Element, Element[]>} children  owner → what it owns, in its order
 * @property {Map<Element, Element>} owner       owned → owner
 * @property {Set<Node>} robbed                  flat-tree parents that lost a child
 * @property {Set<Node>} scanned                 tree roots already searched
 */

export function beginPass() {
  styles = new Map();
  states = new Map();
  ownership = null;
  for (const reset of resets) reset();
}

/** Has reset called whenever what was learnt about the page is to be forgotten. @param {() => void} reset */
export function onNewPass(reset) {
  resets.push(reset);
}

/** Drops the caches, so that a removed page part is not kept alive until the next look. */
export function endPass() {
  beginPass();
}

/** @param {Element} el @returns {CSSStyleDeclaration} */
export function styleOf(el) {
  let style = styles.get(el);
  if (style === undefined) {
    style = getComputedStyle(el);
    styles.set(el, style);
  }
  return style;
}

/** @param {Element} host @param {ShadowRoot} root */
export function setClosedRoot(host, root) {
  closedRoots.set(host, root);
  anyClosed = true;
}

/** @param {Element} el @returns {?ShadowRoot} */
export function shadowRootOf(el) {
  const root = openRoot(el);
  if (root !== null) return root;
  return anyClosed ? closedRoots.get(el) ?? null : null;
}

/** What has the focus, inside shadow roots too: a frame in one as well. @returns {?Element} */
export function focusNow() {
  let el = activeElement();
  for (let root; el && (root = shadowRootOf(el)) && root.activeElement; ) el = root.activeElement;
  return el;
}

// ---- the flat tree ----

/** The slot a child of a shadow host is shown in. assignedSlot keeps silent about closed roots. */
function slotOf(node, root) {
  const slot = node.assignedSlot;
  if (slot || root.mode === 'open') return slot ?? null;
  for (const candidate of allIn(root, 'slot')) {
    if (candidate.assignedNodes().includes(node)) return candidate;
  }
  return null;
}

/**
 * The parent in the flat tree, before aria-owns: the slot for slotted nodes, the host for a shadow root's children,
 * null at the top and for nodes that are in no slot (those are not on the page at all).
 * @param {Node} node
 * @returns {?Element}
 */
function renderedParent(node) {
  const parent = parentNode(node);
  if (parent === null) return null;
  const type = nodeType(parent);
  if (type === 1) {
    const root = shadowRootOf(/** @type {Element} */ (parent));
    if (root === null) return /** @type {Element} */ (parent);
    return slotOf(node, root);
  }
  return type === 11 ? /** @type {ShadowRoot} */ (parent).host ?? null : null;
}

/**
 * The parent in the flat tree, aria-owns followed.
 * @param {Node} node
 * @returns {?Element}
 */
export function flatParent(node) {
  const owner = owned().owner.get(/** @type {Element} */ (node));
  return owner ?? renderedParent(node);
}

const emptyList = /** @type {Node[]} */ ([]);

/**
 * The children in the flat tree: a live NodeList where nothing is special about the element (do not keep it), else an array.
 * Fallback content that is never shown (inside video, iframe, meter …) and the body of a closed details are left out;
 * `all` keeps the latter, for names that reference hidden content.
 * @param {Element} el
 * @param {boolean} [all]
 * @returns {ArrayLike<Node>}
 */
export function composedChildren(el, all = false) {
  /** @type {ArrayLike<Node>} */
  let list;
  const root = shadowRootOf(el);
  if (root !== null) {
    scan(root);
    list = childNodes(root);
  } else {
    switch (localName(el)) {
      case 'slot': {
        const assigned = /** @type {HTMLSlotElement} */ (el).assignedNodes?.();
        list = assigned !== undefined && assigned.length > 0 ? assigned : childNodes(el);
        break;
      }
      case 'details':
        if (!all && !(/** @type {HTMLDetailsElement} */ (el).open)) {
          const summary = summaryOf(el);
          list = summary === null ? emptyList : [summary];
          break;
        }
        list = childNodes(el);
        break;
      case 'video': case 'audio': case 'iframe': case 'meter': case 'progress': case 'textarea':
        list = emptyList;
        break;
      default:
        list = childNodes(el);
    }
  }
  const { robbed, owner, children } = owned();
  if (robbed.size === 0) return list;
  const own = children.get(el);
  if (own === undefined && !robbed.has(el)) return list;
  const kept = Array.prototype.filter.call(list, (child) => !owner.has(child));
  return own === undefined ? kept : kept.concat(own);
}

/** The summary that stays visible when a details is closed. @param {Element} details @returns {?Element} */
export function summaryOf(details) {
  for (let child = firstElementChild(details); child !== null; child = nextElementSibling(child)) {
    if (localName(child) === 'summary') return child;
  }
  return null;
}

// ---- aria-owns ----

/** Whether aria-owns put the element where it is in the tree. @param {Element} el */
export function isMoved(el) {
  return owned().owner.has(el);
}

/** @returns {Ownership} */
function owned() {
  if (ownership === null) {
    ownership = { children: new Map(), owner: new Map(), robbed: new Set(), scanned: new Set() };
    scan(document);
  }
  return ownership;
}

/**
 * Resolves the aria-owns of one tree. Ignored: owners that are hidden, targets that nobody can see, targets that
 * contain their owner, and targets somebody owned before (first in document order wins).
 * @param {Document | ShadowRoot} root
 */
function scan(root) {
  const own = owned();
  if (own.scanned.has(root)) return;
  own.scanned.add(root);
  const owners = allIn(root, '[aria-owns]');
  if (owners.length === 0) return;
  /** @type {[Element, Element][]} */
  const pairs = [];
  // Decide with the tree as it was before anything moved, then move: the order of evaluation must not matter.
  for (const owner of owners) {
    if (hiddenState(owner) !== 0) continue;
    for (const target of referenced(owner, 'aria-owns', 'ariaOwnsElements')) {
      if (target === owner || contains(target, owner)) continue;
      if ((hiddenState(target) & (unrendered | invisible)) !== 0) continue;
      pairs.push([owner, target]);
    }
  }
  for (const [owner, target] of pairs) {
    if (own.owner.has(target) || ownedAbove(own, owner, target)) continue;
    own.owner.set(target, owner);
    const parent = renderedParent(target);
    if (parent !== null) own.robbed.add(parent);
    const list = own.children.get(owner);
    if (list === undefined) own.children.set(owner, [target]);
    else list.push(target);
  }
  if (own.owner.size > 0) states = new Map(); // hiding is inherited along the new parents
}

/** Whether owner lies below target once earlier moves are counted: that would be a cycle. */
function ownedAbove(own, owner, target) {
  for (let node = owner; node !== null; node = own.owner.get(node) ?? renderedParent(node)) {
    if (node === target) return true;
  }
  return false;
}

/**
 * The elements an IDREFS attribute names, in its order. An empty attribute stands for elements set through the property.
 * @param {Element} el @param {string} attribute @param {string} property
 * @returns {Element[]}
 */
export function referenced(el, attribute, property) {
  const value = attr(el, attribute);
  if (value === null) return [];
  if (value === '') return Array.isArray(el[property]) ? el[property] : [];
  const root = rootOf(el);
  /** @type {Element[]} */
  const found = [];
  for (const id of value.split(/[\t\n\f\r ]+/)) {
    const target = id === '' ? null : byId(root, id);
    if (target !== null) found.push(target);
  }
  return found;
}

// ---- hiding ----

/** Not rendered, with everything below: display:none, a closed details, content-visibility:hidden, in no slot. */
export const unrendered = 1;
/** visibility:hidden on this element; something below may be visible again. */
export const invisible = 2;
/** aria-hidden or inert, with everything below. */
export const muted = 4;
/** The states that hold for the whole subtree. */
export const subtreeHidden = unrendered | muted;

const withVisibility = { visibilityProperty: true };

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Parts of SVG that are definitions or metadata and never drawn where they stand. */
const undrawn = new Set(['defs', 'symbol', 'clipPath', 'mask', 'pattern', 'marker', 'linearGradient', 'radialGradient', 'filter', 'metadata', 'title', 'desc']);

/**
 * Whether the element is out of the accessibility tree.
 * @param {Element} el
 */
export function isHidden(el) {
  return hiddenState(el) !== 0;
}

/**
 * Why an element is hidden, as bits; 0 when it is not.
 * @param {Element} el
 * @returns {number}
 */
export function hiddenState(el) {
  const known = states.get(el);
  if (known !== undefined) return known;
  const parent = flatParent(el);
  if (parent === null) {
    const state = el === documentElement() ? ownState(el, null) : unrendered;
    states.set(el, state);
    return state;
  }
  // A walk comes from above and finds the parent cached. From elsewhere, climb without recursion: trees can be very deep.
  let above = states.get(parent);
  if (above === undefined) {
    const path = [];
    for (let node = parent; node !== null && !states.has(node); node = flatParent(node)) path.push(node);
    for (let i = path.length - 1; i >= 0; i--) above = hiddenState(path[i]);
  }
  const inherited = above & subtreeHidden;
  const state = (inherited & unrendered) !== 0 ? inherited : inherited | ownState(el, parent);
  states.set(el, state);
  return state;
}

/** @param {Element} el @param {?Element} parent */
function ownState(el, parent) {
  const quiet = hasAttrs(el) && (attr(el, 'aria-hidden') === 'true' || hasAttr(el, 'inert')) ? muted : 0;
  if (namespaceURI(el) === svgNamespace && undrawn.has(localName(el))) return quiet | unrendered;
  return rendered(el, withVisibility) ? quiet : quiet | closerState(el, parent);
}

/** For elements without a visible box of their own: some are there all the same (display:contents, options, canvas fallback). */
function closerState(el, parent) {
  switch (localName(el)) {
    case 'area':
      return 0;
    case 'script': case 'style': case 'template': case 'noscript': case 'head':
      return unrendered;
  }
  const style = styleOf(el);
  if (style.display === 'none' || style.display === '') return unrendered;
  if (parent !== null) {
    const around = localName(parent);
    if (around === 'details' && !(/** @type {HTMLDetailsElement} */ (parent).open) && summaryOf(parent) !== el) return unrendered;
    if (around === 'object' && style.display !== 'contents') return unrendered;
    if (styleOf(parent).contentVisibility === 'hidden') return unrendered;
  }
  return style.visibility === 'visible' ? 0 : invisible;
}
