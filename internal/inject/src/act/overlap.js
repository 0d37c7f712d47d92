// Overlap: whether what was moved lies over something of its own kind now, or under it, and did not before.
//
// Only what is placed freely counts (a node of an editor, a card on a board, a shape): what flows makes room by itself.

import { around, attr, contains, firstElementChild, localName, nextElementSibling, parentElement, rectOf, rendered } from '../safe.js';
import { resolve, settleRefs } from '../succession.js';
import { knownRef } from '../refs.js';
import { told } from './target.js';

const MOST = 500; // of a kind that are looked at
const PART = 0.1; // of the smaller one that has to be shared
const LEVELS = 6; // a grip or a label is inside of what is moved

let ref = 0; // what is moved, while it is
let before = new Set(); // the refs of what it overlapped
let place = null; // where it was on its board

/** Notes what an element overlaps before it is moved. */
export function heed(el, number) {
  ref = number;
  before = new Set();
  place = placeOf(el);
  const mine = moved(el);
  if (mine !== null) for (const other of overlapped(mine)) before.add(told(other).ref);
}

/** Whether something is being moved. */
export function dragged() {
  return ref !== 0;
}

/** How far it was moved, where it is placed freely: [x, y] in px. Undefined where it was not. */
export function shift() {
  const el = ref ? resolve(ref) : null;
  const now = el && place && placeOf(el);
  if (!now) return undefined;
  const by = [Math.round(now.x - place.x), Math.round(now.y - place.y)];
  return Math.abs(by[0]) + Math.abs(by[1]) > 1 ? by : undefined;
}

/** Where something that is placed freely, or is a part of such, is within what holds it. */
function placeOf(el) {
  let n = moved(el); // what fills a tile is placed freely in it, and goes with it
  for (let at = el, i = 0; n === null && at && i < LEVELS; at = around(at), i++) if (free(at)) n = at;
  const board = n && parentElement(n);
  if (!board) return null;
  const [r, b] = [rectOf(el), rectOf(board)];
  return { x: r.x - b.x + board.scrollLeft, y: r.y - b.y + board.scrollTop };
}

/** What is overlapped now and was not: sketches, with over: whether what was moved lies on top. Undefined where there is nothing to say. */
export function overlaps() {
  const el = ref ? resolve(ref) : null;
  ref = 0;
  const mine = el && moved(el);
  if (!mine) return undefined;
  const list = [];
  for (const other of overlapped(mine)) {
    settleRefs(other);
    if (knownRef(other) && before.has(knownRef(other))) continue;
    list.push({ ...told(other), over: above(mine, other) });
    if (list.length === 4) break;
  }
  return list.length > 0 ? list : undefined;
}

/** The thing that an element is, or is a part of, that others of its kind stand beside. */
function moved(el) {
  for (let n = el, i = 0; n && i < LEVELS; n = around(n), i++) if (free(n) && kind(n).next().value) return n;
  return null;
}

function free(el) {
  const style = getComputedStyle(el);
  return style.position === 'absolute' || style.position === 'fixed' || style.transform !== 'none' || (el instanceof SVGGraphicsElement && !(el instanceof SVGSVGElement));
}

/** The others of a kind beside an element. */
function* kind(el) {
  const parent = parentElement(el);
  if (!parent) return;
  let n = 0;
  for (let other = firstElementChild(parent); other; other = nextElementSibling(other)) {
    if (other === el || localName(other) !== localName(el) || !akin(el, other)) continue;
    if (++n > MOST) return;
    yield other;
  }
}

function akin(a, b) {
  const [[first], others] = [words(a), words(b)];
  return first ? others.includes(first) : others.length === 0;
}

function words(el) {
  return (attr(el, 'class') || '').split(/\s+/).filter(Boolean);
}

function* overlapped(el) {
  const a = rectOf(el);
  const size = (r) => r.width * r.height;
  for (const other of kind(el)) {
    const b = rectOf(other);
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (width <= 1 || height <= 1 || !free(other) || !rendered(other, { visibilityProperty: true })) continue;
    const small = Math.min(size(a), size(b));
    const large = Math.max(size(a), size(b));
    if (width * height < PART * small) continue;
    if (width * height > 0.99 * small && large > 3 * small) continue; // one is a frame around the other
    yield other;
  }
}

function above(a, b) {
  const [ra, rb] = [rectOf(a), rectOf(b)];
  const x = (Math.max(ra.left, rb.left) + Math.min(ra.right, rb.right)) / 2;
  const y = (Math.max(ra.top, rb.top) + Math.min(ra.bottom, rb.bottom)) / 2;
  for (const hit of document.elementsFromPoint(x, y)) {
    if (contains(a, hit)) return true;
    if (contains(b, hit)) return false;
  }
  return Boolean(b.compareDocumentPosition(a) & Node.DOCUMENT_POSITION_FOLLOWING);
}
