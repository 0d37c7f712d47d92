// The walk: one pass over the flat tree of a frame. It only reads.
//
// An element is entered, its children are walked, and then it is finished: only
// then is it known whether its name may stand for all that is below it, or
// whether the parts stay (finish.js).

import { dropCaptions, resetCaptions } from './caption.js';
import { isDrawnFor } from './standin.js';
import { flatParent, focusNow, shadowRootOf, styleOf, summaryOf } from './dom.js';
import { roleOf } from './role.js';
import { HANDLERS, MAYBE, NO, POINTER, SURE, bordersACell, evidence, holdsChoices, inviting, isGrip, listens, meantForChildren, merelyHears } from './clickable.js';
import { dropLabels, emptyRow, finish, resetNames, tellTwins } from './finish.js';
import { acrossColumns, counted, isPartByLabel } from './grids.js';
import { homemade } from './homemade.js';
import { control, hiddenControl, leaf, resetLeaves } from './leaves.js';
import { clean, isLigature, resetPlaces } from './icons.js';
import { LEAF, PLAIN, SKIPPED, holderRoles, inlineTags, operableRoles, silentRoles, tagKinds } from './kinds.js';
import { opensOnHover, resetHovers } from './hovers.js';
import { drawsItself, painter } from './painted.js';
import { DISABLED, DRAWN, FLOATS, IN, LABEL, LAYOUT, OUT, PART, PRE, QUIET, ROW, UNSEEN, WIDGET } from './modes.js';
import { HIGH, enterLayer, floats, layer, leaveLayer, resetLayers } from './layers.js';
import { down, endRun, enterBlock, extras, giveRef, leaveBlock, level, nodes, push, reset, space, startBlock, takeBack, text, up } from './nodes.js';
import { dropCovered, faded, outOfSight, resetCover, unclipped } from './unseen.js';
import { clipTo, resetView, restoreClip, viewOf } from './visible.js';
import { byId, rootOf } from './reads.js';
import {
  attr, childElementCount, clientHeight, clientWidth, closest, docQueryAll, documentElement, firstChild, firstElementChild, hasAttr, hasAttrs, localName, matches, nextElementSibling, nextSibling, nodeType, parentElement, query, rectOf,
  scrollHeight, scrollWidth,
} from './safe.js';
import { COLLAPSED, DRAGGABLE, EDITABLE, HOVERS, OPERABLE, SCROLLABLE } from './state.js';
import { enterPiece, leavePiece, meetPiece, resetUnlaid } from './unlaid.js';

// Most elements have none of these attributes; one question settles it.
const CONSEQUENTIAL = '[role],[aria-hidden],[aria-disabled],[inert],[hidden]';
// What libraries call the things they make draggable; their listeners sit elsewhere.
const DRAGGED = '.ui-sortable-handle,.ui-draggable-handle,.cdk-drag,.sortable-item,.drag-item,.drag-handle,.drawflow-node,.react-flow__node,.vue-flow__node';
const INTERACTIVE = '[tabindex],[draggable],[contenteditable],' + DRAGGED + ',' + HANDLERS.map((h) => `[${h}]`).join();

// Displays for which content-visibility does nothing; and of these the ones that clip and scroll nothing, either.
const TABLE = 1;
const ROWS = 2;
const OPEN = new Map([
  ['table', TABLE], ['table-row', ROWS], ['table-row-group', ROWS], ['table-header-group', ROWS], ['table-footer-group', ROWS],
]);

const LINE = '[x],[y],[dy]'; // a tspan that begins a line of its own
const LABELLED = '[aria-label],[aria-labelledby],:has(> title)';

const MANY = 12; // more children of one kind than this can be folded, and looked into
const MOST = 400000; // elements; a page beyond that is cut, and says so
const DEEPEST = 700; // levels, for the same reason: the stack is finite

let visited = 0;
let cut = false;
let rootElement = null;
let modalOpen = false;
let roled = null; // the last element with a role attribute that was met

/**
 * Walks the frame, or the part below root.
 * @param {?Element} root
 * @returns {{nodes: object[], more: boolean, over: boolean}} over: only of a modal dialog, which is over all else
 */
export function walk(root, opts) {
  visited = 0;
  cut = false;
  rootElement = opts.only ? null : root;
  const active = focused();
  reset(opts, rootElement, active);
  resetLayers(opts.boxes);
  resetView();
  if (!root) {
    resetCover();
    resetHovers();
  }
  resetNames();
  resetLeaves();
  resetPlaces();
  resetCaptions();
  const modals = docQueryAll('dialog:modal');
  modalOpen = modals.length > 0 || docQueryAll('[aria-modal="true"]').length > 0;
  // All outside of a native modal dialog is inert.
  const start = modals.length > 0 ? inFront(modals, active) : documentElement();
  try {
    if (root) visit(root, 0, cursorAround(root), inLayout(root) ? LAYOUT : 0);
    else if (start) visit(start, 0, '', 0);
  } finally {
    resetUnlaid();
    roled = null;
  }
  endRun(0);
  dropCaptions(nodes);
  dropLabels(nodes);
  tellTwins(nodes);
  if (!root) dropCovered(nodes);
  return { nodes, more: cut, over: modals.length > 0 };
}

/** The cursor that an element would have from the one around it; none where that is meant for each child. */
function cursorAround(el) {
  const parent = flatParent(el);
  if (parent === null) return '';
  const { cursor } = styleOf(parent);
  return inviting(cursor) && meantForChildren(parent, localName(parent)) ? '' : cursor;
}

function inLayout(el) {
  const table = parentElement(el) && closest(parentElement(el), 'table');
  return table !== null && arranges(table);
}

/** The element with the focus, looked for inside shadow roots. */
function focused() {
  if (top !== window && !document.hasFocus()) return null; // another frame has it
  return focusNow();
}

/** Of several modal dialogs the one with the focus, else the last. */
function inFront(modals, active) {
  for (const m of modals) if (m !== active && m.contains(active)) return m;
  return modals[modals.length - 1];
}

/** What an element is, as far as can be told before its children are known. */
function visit(el, depth, cursor, mode) {
  if (++visited > MOST || level > DEEPEST) {
    cut = true;
    return;
  }
  const ln = localName(el);
  const kind = tagKinds.get(ln);
  if (kind === SKIPPED) return;
  const style = getComputedStyle(el); // not kept: a hundred thousand of them burden the collector more than the few asked for twice
  const display = style.display;
  if (display === 'none') {
    if (ln === 'input') hiddenControl(el, depth, mode, level === 0);
    else if (ln === 'area') leaf(el, ln, depth, cursor, mode, style); // never has a box: it is a part of its picture
    return;
  }
  const attrs = hasAttrs(el);
  let written = false;
  if (attrs && matches(el, CONSEQUENTIAL)) {
    if (hasAttr(el, 'inert') || attr(el, 'hidden') === 'until-found') return;
    if (attr(el, 'aria-hidden') === 'true' && el !== rootElement) {
      // With a dialog open, what is hidden lies behind it. Else people may still use what they see.
      if (modalOpen || style.opacity === '0') return;
      mode |= QUIET;
    }
    if (attr(el, 'aria-disabled') === 'true') mode |= DISABLED;
    written = hasAttr(el, 'role');
    if (written) roled = el;
  }
  if (style.visibility !== 'visible') mode |= UNSEEN;
  else mode &= ~UNSEEN;
  if (floats(style)) {
    endRun(depth);
    enterLayer(el);
  }
  if (kind === LEAF) {
    try {
      leaf(el, ln, depth, cursor, mode, style);
    } catch {
      // One odd element must not cost the view of all others.
    }
    return;
  }

  let inline = display === 'inline' || display === 'contents';
  let gap = false; // inline, with space around it
  let scrolls = false;
  let clip = null; // the box of an element that clips what is inside it, unless it is off screen anyway
  if (!inline) {
    if (attrs) {
      const position = style.position;
      const placed = position === 'absolute' || position === 'fixed';
      if (placed) {
        mode &= ~(IN | OUT);
        if (position === 'fixed' || +style.zIndex >= HIGH) mode |= FLOATS;
      }
      if (el !== rootElement && faded(el, style, placed)) return;
      if (!(mode & QUIET) && outOfSight(el, style, placed)) mode |= QUIET;
    }
    if (attrs || kind !== PLAIN) {
      const part = OPEN.get(display);
      const shown = part === undefined ? style.contentVisibility : 'visible';
      if (shown === 'hidden') return;
      if (shown === 'auto') {
        meetPiece(el);
        if (ln === 'details' && !el.open && !(mode & (UNSEEN | QUIET)) && folded(el, depth, mode)) return;
      }
      const overflow = part === ROWS ? 'visible' : style.overflowY;
      if (overflow !== 'visible' && ln !== 'html' && ln !== 'body') {
        if (!(mode & OUT)) clip = rectOf(el);
        if ((clip === null || clip.height < 8 || clip.width < 8) && empty(el, style) && !(attrs && drawsItself(el)) && !takesKeys(el)) {
          each(unclipped(el, style), depth, cursor, mode & ~(ROW | PART), layer);
          return;
        }
        scrolls = scrollable(el, overflow, style);
      }
    }
    if (display.charCodeAt(0) === 105 /* inline-block, inline-flex … */ || (mode & ROW && inlineTags.has(ln))) inline = gap = true;
  }
  mode &= ~(ROW | PART);
  if ((display === 'flex' || display === 'inline-flex') && style.flexDirection.charCodeAt(0) === 114 /* row */) mode |= ROW;

  let role = written || kind !== PLAIN ? roleOf(el) : '';
  const part = role === '' && !inline && attrs && hasAttr(el, 'aria-label') && isPartByLabel(el);
  if (part) role = 'group';
  switch (ln) {
    case 'summary':
      if (summaryOf(parentElement(el)) === el) role = 'button';
      break;
    case 'table':
      if (role === 'table' && arranges(el)) role = '';
      mode = role === '' || role === 'none' || role === 'presentation' ? mode | LAYOUT : mode & ~LAYOUT;
      break;
    case 'tr':
    case 'td':
    case 'th':
      if (mode & LAYOUT && !written) role = '';
      break;
    case 'pre':
      mode |= PRE;
      break;
    case 'foreignObject':
      mode &= ~DRAWN;
      break;
    case 'svg':
      mode |= DRAWN;
      if (attrs && (written || matches(el, LABELLED))) role = role === 'graphics-document' ? 'img' : role;
      else if (mode & WIDGET) return; // an icon
      else role = '';
      break;
  }
  if (role === 'image') role = 'img';
  else if (silentRoles.has(role) && !(role === 'separator' && hasAttr(el, 'tabindex'))) role = '';

  // Does it react to the pointer by itself?
  let sure = NO;
  let bits = 0;
  let passed = mode & WIDGET ? cursor : style.cursor; // what is inside of a widget is pressed with it
  let deaf = null; // whether the pointer goes through it, where that was asked
  if (passed !== cursor && !(mode & (WIDGET | LABEL)) && inviting(passed) && !(deaf = style.pointerEvents === 'none')) {
    if (meantForChildren(el, ln)) passed = '';
    else {
      sure = POINTER;
      if (isGrip(passed)) bits = DRAGGABLE;
    }
  }
  else if (passed === cursor && !inline && !(mode & (WIDGET | LABEL)) && inviting(passed) && holdsChoices(el, ln)) passed = '';
  if (opensOnHover(el) && !(mode & (WIDGET | LABEL | UNSEEN))) {
    bits |= HOVERS;
    if (sure < POINTER) sure = POINTER;
  }
  if (attrs && matches(el, INTERACTIVE)) {
    const e = evidence(el);
    if (e > sure) sure = e;
    if (attr(el, 'draggable') === 'true' || (sure < POINTER && matches(el, DRAGGED))) {
      bits |= DRAGGABLE;
      if (sure < POINTER) sure = POINTER;
    }
    if (hasAttr(el, 'contenteditable') && edits(el)) {
      bits |= EDITABLE;
      if (!operableRoles.has(role)) role = 'textbox';
    } else if (drawsItself(el)) {
      bits |= EDITABLE;
      role = 'textbox';
    }
  }
  if (sure === NO && listens(el) && style.pointerEvents !== 'none') sure = MAYBE;
  if (sure === MAYBE && !(mode & (WIDGET | LABEL)) && inviting(passed)) {
    // A node on a canvas that can be dragged shows the same hand as the canvas.
    sure = POINTER;
    if (isGrip(passed)) bits |= DRAGGABLE;
  }
  if (sure !== NO) {
    if (ln === 'html' || ln === 'body' || (ln === 'label' && labelled(el) !== null)) sure = NO;
    else if (sure === MAYBE && (ln === 'text' || ln === 'tspan')) sure = NO; // the words of a drawing; whatever they listen for, nothing invites
    else if (sure < SURE && (bordersACell(el) || isDrawnFor(el))) sure = NO;
    else if (sure === MAYBE && (scrolls || ln === 'pre' || holderRoles.has(role) || merelyHears(el, role))) sure = NO;
  }
  if (mode & UNSEEN) {
    // Nothing to be seen or used here, but something below may be visible again.
    role = '';
    sure = NO;
    scrolls = false;
    bits = 0;
  }
  const widget = role !== '' && operableRoles.has(role);
  if (mode & QUIET && !widget && sure === NO) role = '';

  if (ln === 'label' && role === '' && sure === NO && el.control) {
    control(el, depth, mode, () => descend(el, ln, depth, passed, mode | LABEL));
    return;
  }
  const crowd = (!inline || ln === 'g' || ln === 'svg') && !widget && childElementCount(el) > MANY && ln !== 'body' && !(mode & (UNSEEN | QUIET)) && alike(el);
  if (role === '' && sure === NO && !scrolls && !crowd) {
    if (inline) {
      if (attrs && (ln === 'span' || ln === 'i' || ln === 'mat-icon') && isLigature(attr(el, 'class'))) return;
      if (gap || (ln === 'tspan' && matches(el, LINE))) space();
      else if (ln === 'text') endRun(depth);
      descend(el, ln, depth, passed, mode);
      if (gap) space();
      else if (ln === 'text') endRun(depth);
      return;
    }
    endRun(depth);
    startBlock();
    if (!(mode & (IN | OUT)) && (clip !== null || childElementCount(el) > 2)) mode |= viewOf(el, clip) & ~PART;
    inside(el, ln, depth, passed, mode, clip);
    startBlock();
    return;
  }

  if (!inline) startBlock();
  endRun(depth);
  if (!(mode & (IN | OUT))) mode |= viewOf(el, clip);
  const at = nodes.length;
  const node = push(el, depth, role || (sure ? 'clickable' : 'generic'), mode);
  node.state |= bits;
  if (widget || sure !== NO) node.state |= OPERABLE;
  if (scrolls) node.state |= SCROLLABLE;
  const inner = (mode & ~PART) | (widget ? WIDGET : 0);
  if (!(bits & EDITABLE) || el === rootElement) inside(el, ln, depth + 1, passed, inner, clip);
  try {
    finish(node, at, ln, style, deaf, sure, widget, scrolls || crowd, mode, el === rootElement);
  } catch {
    // As above; what is known of it stays.
  }
  if (part && nodes.length === at + 1 && !node.ref) takeBack(at);
  if (!inline) startBlock();
}

/** Walks what is inside a box that is a block or a node: no text runs over its edges. */
function inside(el, ln, depth, cursor, mode, clip) {
  const block = enterBlock(el);
  if (clip !== null && !(mode & OUT)) {
    const before = clipTo(clip);
    descend(el, ln, depth, cursor, mode & ~IN);
    endRun(depth);
    restoreClip(before);
  } else {
    descend(el, ln, depth, cursor, mode);
    endRun(depth);
  }
  leaveBlock(block);
}

const PRESSED = 'a, button, input, select, [role], [tabindex]';

/** Tells a closed details of a piece that is skipped by the words of its summary: with thousands of them, each question about how one looks takes milliseconds. */
function folded(el, depth, mode) {
  const summary = summaryOf(el);
  if (summary === null || query(summary, PRESSED) || !enterPiece(el)) return false;
  endRun(depth);
  startBlock();
  const node = push(summary, depth, 'button', (mode & ~IN) | OUT);
  node.name = clean(summary.textContent);
  node.state |= OPERABLE | COLLAPSED;
  giveRef(node);
  extras(node, summary);
  startBlock();
  leavePiece();
  return true;
}

/** Walks what is directly below an element in the flat tree. */
function descend(el, ln, depth, cursor, mode) {
  down();
  const piece = enterPiece(el);
  if (piece) mode = (mode & ~IN) | OUT;
  const shadow = shadowRootOf(el);
  if (shadow !== null) {
    children(shadow, el, depth, cursor, mode);
  } else if (ln === 'slot' && el.assignedNodes) {
    const assigned = el.assignedNodes();
    if (assigned.length === 0) children(el, el, depth, cursor, mode);
    const mine = layer;
    for (const n of assigned) {
      if (n.nodeType === 3) text(n, el, mode);
      else visit(n, depth, cursor, mode);
      if (layer !== mine) leaveLayer(mine);
    }
  } else if (ln === 'details' && !el.open) {
    const summary = summaryOf(el);
    if (summary) visit(summary, depth, cursor, mode);
  } else {
    children(el, el, depth, cursor, mode);
  }
  if (piece) leavePiece();
  up();
}

function children(parent, el, depth, cursor, mode) {
  const mine = layer;
  if (el === roled) {
    const first = firstOf(parent);
    const rows = counted(first);
    const crossed = rows === null ? acrossColumns(first) : null;
    if (crossed !== null) for (const cells of crossed) rowOf(cells, depth, cursor, mode, mine);
    if (rows !== null) each(rows, depth, cursor, mode, mine);
    if (rows !== null || crossed !== null) return;
  }
  for (let n = firstChild(parent); n !== null; n = nextSibling(n)) {
    const type = nodeType(n);
    if (type === 1) visit(n, depth, cursor, mode);
    else if (type === 3) text(n, el, mode);
    if (layer !== mine) leaveLayer(mine);
  }
}

/** The first element below; parent may be a shadow root, which is no element. */
function firstOf(parent) {
  let first = firstChild(parent);
  while (first !== null && nodeType(first) !== 1) first = nextSibling(first);
  return first;
}

function each(elements, depth, cursor, mode, mine) {
  for (const el of elements) {
    visit(el, depth, cursor, mode);
    if (layer !== mine) leaveLayer(mine);
  }
}

/** Walks cells that are a row though no element is. */
function rowOf(cells, depth, cursor, mode, mine) {
  startBlock();
  const at = nodes.length;
  const row = push(cells[0], depth, 'row', mode);
  row.state |= homemade(cells[0], 'row');
  down(); // the cells are in one box with each other
  each(cells, depth + 1, cursor, mode, mine);
  endRun(depth + 1);
  up();
  if (emptyRow(at)) takeBack(at);
  startBlock();
}

/** Whether an element can be edited and the one around it cannot. */
function edits(el) {
  const parent = parentElement(el);
  return el.isContentEditable && !(parent && parent.isContentEditable);
}

/** Whether an element that clips leaves nothing of what is in it. Text cut to one pixel is meant for screen readers, and stays. */
function empty(el, style) {
  return clientHeight(el) === 0 || (clientWidth(el) === 0 && style.overflowX !== 'visible');
}

/** Whether an empty box holds the field that takes the keys of an editor. */
function takesKeys(el) {
  const field = firstElementChild(el);
  return field !== null && painter(field) !== null;
}

function scrollable(el, overflow, style) {
  if (overflow !== 'hidden' && overflow !== 'clip' && scrollHeight(el) > clientHeight(el) + 1) return true;
  const x = style.overflowX;
  return x !== 'hidden' && x !== 'clip' && x !== 'visible' && scrollWidth(el) > clientWidth(el) + 1;
}

/** Whether many children of an element are of one kind. */
function alike(el) {
  const kinds = new Map();
  for (let c = firstChild(el); c !== null; c = nextSibling(c)) {
    if (nodeType(c) !== 1) continue;
    const k = localName(c);
    const n = (kinds.get(k) || 0) + 1;
    if (n > MANY) return k !== 'br' && k !== 'script' && k !== 'style';
    kinds.set(k, n);
  }
  return false;
}

/** What a label is for, if only a box that draws a field. */
function labelled(label) {
  return label.control || (label.htmlFor === '' ? null : byId(rootOf(label), label.htmlFor));
}

/** Whether a table is only there to arrange: nothing in it says that it holds data. */
function arranges(table) {
  if (hasAttr(table, 'summary') || hasAttr(table, 'role')) return false;
  if (query(table, ':scope > caption, :scope > thead, :scope > * > tr > th, :scope > * > tr > [scope]')) return false;
  const rows = table.rows;
  if (rows.length <= 1) return true;
  let widest = 0;
  for (let i = 0; i < rows.length && i < 8; i++) widest = Math.max(widest, rows[i].cells.length);
  return widest <= 1 || query(table, 'table') !== null;
}
