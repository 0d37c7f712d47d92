// Frames: from a point in a frame to the same point in the frame around it.

import { frameNumber, ownerOf } from '../frames.js';
import { around, clientHeight, clientWidth, documentBody, documentElement, pageScroller, rectOf } from '../safe.js';
import { culprit, holds } from './target.js';
import { elementAt } from './ready.js';

/**
 * @param {object} arg owner: the number of the frame inside; x, y: a point of its viewport; check: whether a press there would reach it
 */
export function outward({ owner, x, y, check }) {
  const el = ownerOf(owner);
  if (!el) return { code: 'stale', reason: 'its frame is gone' };
  if (check) bringPoint(el, x, y);
  const { left, top, sx, sy } = insideOf(el);
  const px = left + x * sx;
  const py = top + y * sy;
  if (check) {
    const hit = elementAt(px, py);
    if (hit === null) return { code: 'hidden', wait: true, reason: 'its frame is scrolled out of view' };
    if (!holds(el, hit)) return { code: 'covered', wait: true, by: culprit(hit) };
  }
  return { ok: true, x: px, y: py };
}

/** Scrolls what is around an element until a point of it, by its distance from the corner, is on screen: every box that cuts it off, from the inside out, then the page. */
export function bringPoint(el, x, y) {
  const page = pageScroller();
  for (let n = around(el); n; n = around(n)) {
    const { overflowX, overflowY } = getComputedStyle(n);
    if (n !== page && n !== documentBody() && n !== documentElement() && (overflowX !== 'visible' || overflowY !== 'visible')) into(n, paneOf(n), el, x, y);
  }
  into(page, { left: 0, top: 0, width: innerWidth, height: innerHeight }, el, x, y);
}

/** Where an element shows what is in it: not below its scrollbars. */
function paneOf(el) {
  const r = rectOf(el);
  return { left: r.left + el.clientLeft, top: r.top + el.clientTop, width: clientWidth(el), height: clientHeight(el) };
}

function into(box, seen, el, x, y) {
  const r = rectOf(el);
  const [left, top] = [r.left + x - seen.left, r.top + y - seen.top];
  const beyond = (at, size) => (at < 0 || at >= size ? at - size / 2 : 0);
  const [dx, dy] = [beyond(left, seen.width), beyond(top, seen.height)];
  if (dx || dy) box.scrollBy({ left: dx, top: dy, behavior: 'instant' });
}

/** Where the viewport of a frame begins, and how much larger than it is it is drawn. */
function insideOf(el) {
  const r = rectOf(el);
  const sx = el.offsetWidth ? r.width / el.offsetWidth : 1;
  const sy = el.offsetHeight ? r.height / el.offsetHeight : 1;
  const style = getComputedStyle(el);
  return { left: r.left + (el.clientLeft + parseFloat(style.paddingLeft)) * sx, top: r.top + (el.clientTop + parseFloat(style.paddingTop)) * sy, sx, sy };
}

/** The number of the frame in an element, and a point as that frame has it. */
export function inward(el, x, y) {
  const { left, top, sx, sy } = insideOf(el);
  return { inner: frameNumber(el), within: [(x - left) / sx, (y - top) / sy] };
}
