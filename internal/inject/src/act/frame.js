// Frames: from a point in a frame to the same point in the frame around it.

import { frameNumber, ownerOf } from '../frames.js';
import { bringIntoView, rectOf } from '../safe.js';
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

/** Scrolls the page until a point of a frame is on screen: all boxes around the frame first, then by what is still missing. */
function bringPoint(el, x, y) {
  const off = () => {
    const r = rectOf(el);
    const dx = r.left + x < 0 || r.left + x >= innerWidth ? r.left + x - innerWidth / 2 : 0;
    const dy = r.top + y < 0 || r.top + y >= innerHeight ? r.top + y - innerHeight / 2 : 0;
    return dx || dy ? [dx, dy] : null;
  };
  if (off() === null) return;
  bringIntoView(el, { block: 'center', inline: 'nearest', behavior: 'instant' });
  const left = off();
  if (left) scrollBy({ left: left[0], top: left[1], behavior: 'instant' });
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
