// The walk: one pass over the flat tree of a frame. It only reads.
//
// An element is first entered, its children are walked, and then it is finished:
// only then is it known whether its name may stand for all that is below it, or
// whether the parts stay (see finish.js).

import { shadowRootOf, styleOf, summaryOf } from './dom.js';
import { roleOf } from './role.js';
import { MAYBE, NO, POINTER, evidence, inviting, isGrip, listens, meantForChildren } from './clickable.js';
import { finish, resetNames } from './finish.js';
import { control, hiddenControl, LEAVES, leaf, resetLeaves } from './leaves.js';
import { isLigature } from './icons.js';
import {
  endRun, enterBlock, leaveBlock, nodes, push, reset, space, startBlock, text,
} from './nodes.js';
import { IN, OUT, clipTo, clipped, resetView, restoreClip, viewMode } from './visible.js';
import {
  activeElement, attr, childElementCount, className, docQueryAll, documentElement, firstChild, hasAttr, hasAttrs, localName, nextSibling, nodeType, scrollHeight, scrollWidth, clientHeight, clientWidth,
} from './safe.js';
import { DRAGGABLE, EDITABLE, OPERABLE, SCROLLABLE } from './state.js';

// What is true of all that is inside an element, as bits handed down. IN and OUT are visible.js's.
export const QUIET = 4; // text does not count: aria-hidden
export const ROW = 8; // directly inside a flex row: inline elements there stay inline
export const WIDGET = 16; // inside something operable: its cursor is not news
export const DISABLED_ABOVE = 32;
export const LAYOUT = 64; // inside a table that only arranges
export const INVISIBLE = 128; // text here is not painted (visibility)
export const INERT_CURSOR = 256; // inside a label: the cursor belongs to its control

const MANY = 12;
const LIMIT = 400000; // elements; a page beyond that is cut, and says so
const DEEPEST = 1500;

const SKIPPED = new Set([
  'script', 'style', 'template', 'noscript', 'head', 'meta', 'link', 'title', 'base', 'datalist', 'option', 'optgroup', 'colgroup', 'col', 'param', 'source', 'track', 'rp',
  'defs', 'symbol', 'clipPath', 'mask', 'pattern', 'marker', 'linearGradient', 'radialGradient', 'filter', 'metadata', 'desc', 'stop', 'animate', 'animateTransform',
]);

// Tags that mean nothing by themselves; no need to ask for their role.
const PLAIN = new Set([
  'div', 'span', 'p', 'b', 'i', 'u', 's', 'em', 'strong', 'small', 'sub', 'sup', 'code', 'mark', 'del', 'ins', 'time', 'font', 'center', 'label', 'tbody', 'thead', 'tfoot', 'pre', 'abbr',
  'cite', 'kbd', 'samp', 'var', 'q', 'bdi', 'bdo', 'ruby', 'rt', 'wbr', 'big', 'tt', 'nobr', 'slot', 'picture', 'dl', 'hgroup', 'address', 'body', 'html', 'figcaption', 'caption', 'legend',
  'g', 'path', 'circle', 'rect', 'line', 'polyline', 'polygon', 'ellipse', 'use', 'text', 'tspan', 'foreignObject', 'map', 'noembed', 'noframes', 'marquee', 'search', 'data', 'dfn', 'hr',
]);
PLAIN.delete('search');

// Roles that say nothing in a view of the page: inline formatting, and mere grouping.
const SILENT = new Set([
  '', 'generic', 'none', 'presentation', 'paragraph', 'strong', 'emphasis', 'code', 'time', 'mark', 'subscript', 'superscript', 'deletion', 'insertion', 'suggestion', 'rowgroup', 'caption', 'legend', 'label',
  'separator', 'document', 'sectionheader', 'sectionfooter', 'image-slot', 'Abbr', 'ruby', 'graphics-symbol', 'graphics-object',
]);

const OPERABLE_ROLES = new Set([
  'button', 'link', 'checkbox', 'radio', 'switch', 'textbox', 'searchbox', 'combobox', 'listbox', 'option', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'treeitem', 'slider', 'spinbutton', 'scrollbar',
]);

// Roles of things that hold other things: focus on them is no reason to click them.
const HOLDERS = new Set([
  'main', 'navigation', 'banner', 'contentinfo', 'complementary', 'region', 'form', 'search', 'article', 'list', 'table', 'grid', 'treegrid', 'tree', 'tablist', 'tabpanel', 'menu', 'menubar', 'toolbar', 'radiogroup', 'group', 'dialog', 'alertdialog', 'feed',
  'figure', 'log', 'application', 'listbox',
]);

const INLINE_TAGS = new Set(['span', 'b', 'i', 'em', 'strong', 'small', 'code', 'time', 'mark', 'a', 'abbr', 'sub', 'sup', 'label', 'kbd', 'font', 'u', 's', 'cite']);

let visited = 0;
let stack = 0;
let cut = false;
let rootElement = null;
let active = null;
let modalOpen = false;

/**
 * Walks the frame, or the part below root.
 * @param {?Element} root
 * @returns {{nodes: object[], more: boolean}}
 */
export function walk(root, opts) {
  visited = stack = 0;
  cut = false;
  rootElement = root;
  active = focused();
  reset(opts, root, active);
  resetView();
  resetNames();
  resetLeaves();
  const modals = docQueryAll(document, 'dialog:modal');
  modalOpen = modals.length > 0 || docQueryAll(document, '[aria-modal="true"]').length > 0;
  let start = root || documentElement(document);
  if (!root && modals.length > 0) start = topmost(modals);
  if (start) {
    const parent = start.parentElement;
    visit(start, 0, root && parent ? styleOf(parent).cursor : '', 0);
    endRun(0, 0);
  }
  return { nodes, more: cut };
}

/** The element with the focus, looked for inside shadow roots. */
function focused() {
  let el = activeElement(document);
  for (let root; el && (root = shadowRootOf(el)) && root.activeElement; ) el = root.activeElement;
  return el;
}

/** Of several modal dialogs the one in front: the one with the focus, else the last. All else is inert. */
function topmost(modals) {
  for (const m of modals) if (m !== active && m.contains(active)) return m;
  return modals[modals.length - 1];
}

function visit(el, depth, cursor, mode) {
  if (++visited > LIMIT || stack > DEEPEST) {
    cut = true;
    return;
  }
  const ln = localName(el);
  if (SKIPPED.has(ln)) return;
  const style = styleOf(el);
  const display = style.display;
  if (display === 'none') {
    if (ln === 'input') hiddenControl(el, depth, mode);
    return;
  }
  const attrs = hasAttrs(el);
  let written = false;
  if (attrs) {
    if (hasAttr(el, 'inert')) return;
    if (attr(el, 'aria-hidden') === 'true' && el !== rootElement) {
      // With a dialog open, what is hidden is what lies behind it. Else people may still use what they see.
      if (modalOpen || style.opacity === '0') return;
      mode |= QUIET;
    }
    if (attr(el, 'hidden') === 'until-found') return;
    if (attr(el, 'aria-disabled') === 'true') mode |= DISABLED_ABOVE;
    written = hasAttr(el, 'role');
  }
  if (style.visibility !== 'visible') mode |= INVISIBLE;
  else mode &= ~INVISIBLE;

  if (LEAVES.has(ln)) {
    leaf(el, ln, depth, cursor, mode, style);
    return;
  }

  let inline = display === 'inline' || display === 'contents';
  let gap = false; // inline, but with space around it
  if (!inline) {
    if (display.startsWith('inline-') || (mode & ROW && INLINE_TAGS.has(ln))) inline = gap = true;
  }
  mode &= ~ROW;
  if (display.endsWith('flex') && !style.flexDirection.startsWith('column')) mode |= ROW;

  let scrolls = false;
  let clips = false;
  if (display !== 'inline' && display !== 'contents') {
    if (mode & (IN | OUT)) {
      const position = style.position;
      if (position === 'absolute' || position === 'fixed') mode &= ~(IN | OUT);
    }
    const overflow = style.overflowY;
    if (overflow !== 'visible') {
      const width = clientWidth(el);
      const height = clientHeight(el);
      if (clipped(style, width, height)) return;
      clips = true;
      if (overflow !== 'hidden' && overflow !== 'clip' && scrollHeight(el) > height + 1) scrolls = true;
      else if (style.overflowX !== 'hidden' && style.overflowX !== 'clip' && scrollWidth(el) > width + 1) scrolls = true;
      if (scrolls && (ln === 'html' || ln === 'body')) scrolls = clips = false;
    }
  }

  let role = written || !PLAIN.has(ln) ? roleOf(el) : '';
  if (ln === 'summary' && role !== 'button' && el.parentElement && summaryOf(el.parentElement) === el) role = 'button';
  if (ln === 'table') {
    if (role === 'table' && arranges(el)) role = '';
    mode = role === '' || role === 'none' || role === 'presentation' ? mode | LAYOUT : mode & ~LAYOUT;
  } else if (mode & LAYOUT && !written && (ln === 'tr' || ln === 'td' || ln === 'th')) role = '';
  if (SILENT.has(role)) role = '';

  // Does it react to the pointer?
  let sure = NO;
  let bits = 0;
  let passed = style.cursor;
  if (passed !== cursor && inviting(passed) && !(mode & (WIDGET | INERT_CURSOR)) && style.pointerEvents !== 'none') {
    if (meantForChildren(el, ln)) passed = '';
    else {
      sure = POINTER;
      if (isGrip(passed)) bits |= DRAGGABLE;
    }
  }
  if (attrs) {
    const e = evidence(el);
    if (e > sure) sure = e;
    if (attr(el, 'draggable') === 'true') {
      bits |= DRAGGABLE;
      if (sure < POINTER) sure = POINTER;
    }
    if (hasAttr(el, 'contenteditable') && el.isContentEditable && !(el.parentElement && el.parentElement.isContentEditable)) {
      bits |= EDITABLE;
      if (!OPERABLE_ROLES.has(role)) role = 'textbox';
    }
  }
  if (sure < MAYBE && listens(el)) sure = MAYBE;
  if (ln === 'html' || ln === 'body') sure = NO;
  if (ln === 'label' && el.control) sure = NO;
  if (sure === MAYBE && HOLDERS.has(role)) sure = NO;

  const widget = OPERABLE_ROLES.has(role) && !(ln === 'a' && mode & INVISIBLE);
  const crowd = !widget && !inline && childElementCount(el) > MANY && ln !== 'body' && alike(el);
  if (mode & INVISIBLE && (sure || widget)) {
    // Nothing to be seen or pressed here; something below may be visible again.
    descend(el, ln, depth, passed, mode);
    return;
  }
  if (mode & QUIET && !widget && !sure) role = '';

  const isNode = role !== '' || sure !== NO || scrolls || crowd;
  if (!isNode) {
    if (ln === 'label' && el.control) {
      control(el, ln, depth, mode, (d) => descend(el, ln, d, passed, mode | INERT_CURSOR));
      return;
    }
    if (inline) {
      if (gap) space();
      if (ln === 'text') endRun(depth, mode);
      if ((ln === 'span' || ln === 'i' || ln === 'mat-icon') && attrs && isLigature(className(el))) return;
      descend(el, ln, depth, passed, mode);
      if (ln === 'text') endRun(depth, mode);
      if (gap) space();
      return;
    }
    endRun(depth, mode);
    startBlock();
    if (!(mode & (IN | OUT)) && childElementCount(el) >= 3) mode |= viewMode(el);
    const before = clips ? clipTo(el) : null;
    if (clips) mode &= ~IN;
    const block = enterBlock(el);
    descend(el, ln, depth, passed, mode);
    endRun(depth, mode);
    leaveBlock(block);
    if (before) restoreClip(before);
    startBlock();
    return;
  }

  if (!inline) startBlock();
  endRun(depth, mode);
  const at = nodes.length;
  if (!(mode & (IN | OUT))) mode |= viewMode(el);
  const node = push(el, depth, role || (sure ? 'clickable' : 'generic'), mode);
  if (widget || sure) node.state |= OPERABLE;
  node.state |= bits | (scrolls ? SCROLLABLE : 0);
  const before = clips ? clipTo(el) : null;
  let inner = mode;
  if (clips) inner &= ~IN;
  if (widget || sure >= POINTER) inner |= WIDGET;
  const block = inline ? null : enterBlock(el);
  if (!(bits & EDITABLE) || el === rootElement) descend(el, ln, depth + 1, passed, inner);
  endRun(depth + 1, inner);
  if (block) leaveBlock(block);
  if (before) restoreClip(before);
  finish(node, at, { el, ln, style, sure, widget, scrolls, crowd, mode, listening: sure === MAYBE });
  if (!inline) startBlock();
}

/** Walks what is directly below an element in the flat tree. */
function descend(el, ln, depth, cursor, mode) {
  stack++;
  const shadow = shadowRootOf(el);
  if (shadow !== null) {
    for (let n = firstChild(shadow); n !== null; n = nextSibling(n)) one(n, el, depth, cursor, mode);
  } else if (ln === 'slot' && el.assignedNodes) {
    const assigned = el.assignedNodes();
    if (assigned.length > 0) for (const n of assigned) one(n, el, depth, cursor, mode);
    else for (let n = firstChild(el); n !== null; n = nextSibling(n)) one(n, el, depth, cursor, mode);
  } else if (ln === 'details' && !el.open) {
    const summary = summaryOf(el);
    if (summary) visit(summary, depth, cursor, mode);
  } else {
    for (let n = firstChild(el); n !== null; n = nextSibling(n)) one(n, el, depth, cursor, mode);
  }
  stack--;
}

function one(n, parent, depth, cursor, mode) {
  const type = nodeType(n);
  if (type === 1) visit(n, depth, cursor, mode);
  else if (type === 3 && !(mode & (QUIET | INVISIBLE))) text(n, parent, mode);
}

/** Whether more than a few children of an element are of one kind. */
function alike(el) {
  const kinds = new Map();
  for (let c = firstChild(el); c !== null; c = nextSibling(c)) {
    if (nodeType(c) !== 1) continue;
    const k = localName(c);
    const n = (kinds.get(k) || 0) + 1;
    if (n > MANY) return k !== 'br' && k !== 'script' && k !== 'option' && k !== 'path';
    kinds.set(k, n);
  }
  return false;
}

/** Whether a table is only there to arrange: nothing in it says that it holds data. */
function arranges(table) {
  if (table.querySelector(':scope > caption, :scope > thead, :scope > * > tr > th, :scope > tr > th') || hasAttr(table, 'summary') || hasAttr(table, 'role')) return false;
  const rows = table.rows;
  if (rows.length <= 1) return true;
  let widest = 0;
  for (let i = 0; i < rows.length && i < 8; i++) widest = Math.max(widest, rows[i].cells.length);
  if (widest <= 1) return true;
  return table.querySelector('table') !== null;
}
