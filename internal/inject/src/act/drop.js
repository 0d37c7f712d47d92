// Where to let go of what is dragged: beside an element, whatever is there.

import { elementOf } from '../refs.js';
import { around, attr, localName, matches, nextElementSibling, rectOf } from '../safe.js';
import { bringPoint } from './frame.js';
import { bring } from './ready.js';
import { holds } from './target.js';

const EDGE = 3; // px inside

// The item whose edge is dropped on, as it lay when the drag began: {item, inRow, held, siblings, left, top}.
let aim = null;

/**
 * A point by its distance from an element's corner, or by the edge of it that comes first or last.
 * Asked again while something is carried there, it says whether the list has made room at that edge (there),
 * else where the edge has gone: lists that sort themselves under the pointer move their items, this one too.
 * @returns {{x: number, y: number, box: number[], way: ?number[], there: ?boolean}} way: which way the pointer is to come
 */
export function beside(el, { at, edge, held, again }) {
  if (!edge) {
    const [dx, dy] = at || [rectOf(el).width / 2, rectOf(el).height / 2];
    bringPoint(el, dx, dy);
    const spot = point(rectOf(el), dx, dy);
    const offscreen = spot.x < 0 || spot.y < 0 || spot.x >= innerWidth || spot.y >= innerHeight;
    return offscreen ? { code: 'hidden', reason: 'that place cannot be scrolled into view', box: spot.box } : spot;
  }
  if (!again || !aim || !holds(aim.item, el)) {
    const carried = held ? elementOf(held) : null;
    const [item, inRow] = itemOf(el, carried);
    bring(item);
    aim = { item, inRow, held: carried, siblings: new Set(around(item)?.children), left: item.offsetLeft, top: item.offsetTop };
  }
  const { item, inRow } = aim;
  const box = rectOf(item);
  const far = (length) => (edge === 'after' ? length - EDGE : EDGE);
  const spot = inRow ? point(box, far(box.width), box.height / 2) : point(box, box.width / 2, far(box.height));
  const sign = edge === 'after' ? 1 : -1;
  spot.way = inRow ? [sign, 0] : [0, sign];
  // Where items are only painted elsewhere meanwhile, the list goes by where they lie.
  spot.there = Boolean(again) && ((item.offsetLeft === aim.left && item.offsetTop === aim.top) || madeRoom(edge));
  return spot;
}

function point(box, dx, dy) {
  return { x: box.left + dx, y: box.top + dy, box: [box.left, box.top, box.width, box.height] };
}

/** Whether what is carried, or something that keeps its place, stands at the edge of the item. */
function madeRoom(edge) {
  const { item, held, siblings } = aim;
  const next = (n) => (edge === 'after' ? nextElementSibling(n) : n.previousElementSibling);
  for (let n = next(item); n; n = next(n)) {
    const { position } = getComputedStyle(n);
    if (position === 'absolute' || position === 'fixed') continue; // it hangs at the pointer
    return !siblings.has(n) || (held !== null && holds(n, held));
  }
  return false;
}

/**
 * What is one of several with an element in it, and whether these stand in a row rather than below each other. held: what is carried there. The only
 * one of a list is known by those of the list that it comes from, or by its role.
 */
function itemOf(el, held) {
  const [like, likeInRow] = held ? itemOf(held, null) : [null, false];
  for (let n = el; n && localName(n) !== 'body'; n = around(n)) {
    const r = rectOf(n);
    // The first of a row has one before it in another.
    const others = [n.previousElementSibling, nextElementSibling(n)].filter((s) => s && localName(s) === localName(n)).map(rectOf).filter((s) => s.width > 0);
    if (others.length > 0) return [n, others.some((s) => s.top < r.bottom - 1 && s.bottom > r.top + 1)];
    if (like && kind(n) === kind(like)) return [n, likeInRow];
    if (matches(n, 'li, tr, [draggable="true"], [role="listitem"], [role="option"], [role="treeitem"], [role="row"]')) return [n, likeInRow];
  }
  return [el, false];
}

/** What an item of a list and the list are. */
function kind(el) {
  const named = (n) => (n ? localName(n) + '.' + (attr(n, 'class') || '').trim().split(/\s+/, 1)[0] : '');
  return named(el) + '<' + named(around(el));
}
