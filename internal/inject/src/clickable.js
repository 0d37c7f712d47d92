// What people click although it has no role: told by the cursor, by attributes,
// and by the listeners the host of this script knows of.

import { isIcon } from './icons.js';
import { attr, hasAttr, className, closest, firstChild, localName, nextSibling, nodeType, parentElement, previousElementSibling, query, rectOf } from './safe.js';

const listeners = new WeakSet();

/** The host tells which elements listen for the pointer; a page script cannot see that. */
export function addListeners(...elements) {
  for (const el of elements) if (el instanceof Element) listeners.add(el);
}

// How sure it is that an element reacts by itself.
export const NO = 0;
export const MAYBE = 1; // focusable or listening: only when nothing inside is operable
export const POINTER = 2; // the cursor says so
export const SURE = 3; // an onclick attribute

export const HANDLERS = ['onclick', 'onmousedown', 'onpointerdown', 'ondblclick', 'ontouchstart', 'onmouseup', 'onpointerup'];
const GRIPS = new Set(['grab', 'grabbing', 'move', 'all-scroll', 'crosshair']);

/** Whether a cursor says that the pointer does something here. */
export function inviting(cursor) {
  if (cursor === 'auto' || cursor === 'default' || cursor === 'text') return false;
  if (cursor.startsWith('url(')) cursor = cursor.slice(cursor.lastIndexOf(',') + 1).trim();
  return cursor === 'pointer' || isGrip(cursor) || cursor === 'zoom-in' || cursor === 'zoom-out' || cursor === 'cell' || cursor === 'context-menu' || cursor === 'copy';
}

/** Whether a cursor says that something can be dragged. */
export function isGrip(cursor) {
  return GRIPS.has(cursor) || cursor.endsWith('-resize');
}

// A handler that does nothing: some browsers once wanted one.
const IDLE = /^\s*(?:javascript:)?\s*(?:void\s*\(?\s*0\s*\)?|return(?:\s+(?:true|false))?)?\s*;?\s*$/;

/** What speaks for an element being clickable, its cursor aside. */
export function evidence(el) {
  for (let i = 0; i < HANDLERS.length; i++) if (hasAttr(el, HANDLERS[i]) && !IDLE.test(attr(el, HANDLERS[i]))) return SURE;
  const tab = attr(el, 'tabindex');
  return tab !== null && parseInt(tab, 10) >= 0 && !catches(el) ? MAYBE : NO;
}

const BOXES = /^(?:div|span)$/;

/** Whether an element only catches the focus, at the ends of a dialog or grid: it says nothing, and has no room for a pointer. */
function catches(el) {
  if (firstChild(el) !== null || !BOXES.test(localName(el)) || hasAttr(el, 'role') || hasAttr(el, 'aria-label') || hasAttr(el, 'title')) return false;
  const r = rectOf(el);
  return r.width === 0 || r.height === 0;
}

export function listens(el) {
  return listeners.has(el);
}

/**
 * Whether a cell of a table with headers only listens: libraries put a listener on each, and the row is what is told. Neither the
 * pointer nor the focus says that anything is there.
 */
export function merelyHears(el, role) {
  if (role === 'columnheader') return !hasAttr(el, 'tabindex') && !/\S/.test(el.textContent);
  if ((role !== 'cell' && role !== 'gridcell') || hasAttr(el, 'tabindex')) return false;
  const table = closest(el, 'table,[role="table"],[role="grid"],[role="treegrid"]');
  return table !== null && query(table, 'th,[role="columnheader"]') !== null;
}

/**
 * Whether a pointer cursor on an element is meant for its children: `ul { cursor: pointer }` makes every item clickable, not the list.
 * Four or more children of one class are taken for items.
 */
export function meantForChildren(el, ln) {
  switch (ln) {
    case 'html': case 'body': case 'ul': case 'ol': case 'dl': case 'table': case 'thead': case 'tbody': case 'tfoot': case 'main': case 'nav': case 'form':
      return true;
    case 'svg':
      return !isIcon(el); // an icon is pressed as a whole
  }
  let tag = '';
  let first = '';
  let n = 0;
  for (let c = firstChild(el); c !== null; c = nextSibling(c)) {
    const type = nodeType(c);
    if (type === 3 && /\S/.test(c.data)) return false;
    if (type !== 1) continue;
    const kind = localName(c);
    const cls = firstClass(c);
    if (n === 0) {
      tag = kind;
      first = cls;
    } else if (kind !== tag || cls !== first) return false;
    n++;
  }
  return (n >= 4 && first !== '') || (n >= 2 && (HOLDS.test(namesOf(el)) || ITEM.test(first)));
}

// What lists of things to choose from are called, and the things. The icon of an entry of a palette is no palette.
const HOLDS = /(?:^|[\s_-])(?:menu|menus|menubar|submenu|nav|navbar|tabs|tablist|toolbar|list|options|items|actions|links|choices|dropdown|picker|palette|popover|buttons|btns|segmented)(?:$|[\s_-])(?!(?:icon|image|img|label|text|title|node|port|badge)s?(?:$|[\s_-]))/i;
const ITEM = /(?:^|[_-])(?:item|option|tab|link|entry|action|choice|key|btn|button)$/i;

function namesOf(el) {
  return [attr(el, 'id'), attr(el, 'role'), className(el)].filter((s) => typeof s === 'string').join(' ');
}

function firstClass(el) {
  const cls = className(el);
  return typeof cls === 'string' ? cls.trim().split(/\s+/, 1)[0] : '';
}

/** Whether an element holds things to choose from, inside of something that can be clicked itself: a menu below its entry. */
export function holdsChoices(el, ln) {
  return ln === 'ul' || ln === 'ol' || ln === 'menu' || (HOLDS.test(namesOf(el)) && el.children.length > 0);
}

const BORDER = 8; // px

/**
 * Whether an element is the border of a cell that can be dragged: an empty strip, once for every cell of a grid. Those of the header do the same
 * and are there once for every column.
 */
export function bordersACell(el) {
  if (firstChild(el) !== null) return false;
  const row = parentElement(el);
  if (!row || !/^(?:row|gridcell|cell)$/.test(attr(row, 'role') || '') && !/^t[rd]$/.test(localName(row))) return false;
  const before = previousElementSibling(el);
  if (before && attr(before, 'role') === 'columnheader' || closest(el, 'thead, th, [role="columnheader"]') !== null) return false;
  const r = rectOf(el);
  return r.width > 0 && r.width <= BORDER && r.height >= 2 * r.width;
}
