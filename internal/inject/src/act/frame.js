// Frames: from a point in a frame to the same point in the frame around it.

import { ownerOf } from '../frames.js';
import { rectOf } from '../safe.js';
import { culprit, holds } from './target.js';
import { elementAt } from './ready.js';

/**
 * @param {object} arg owner: the number of the frame inside; x, y: a point of its viewport; check: whether a press there would reach it
 */
export function outward({ owner, x, y, check }) {
  const el = ownerOf(owner);
  if (!el) return { code: 'stale', reason: 'its frame is gone' };
  const r = rectOf(el);
  // A frame may be drawn larger or smaller than it is.
  const sx = el.offsetWidth ? r.width / el.offsetWidth : 1;
  const sy = el.offsetHeight ? r.height / el.offsetHeight : 1;
  const style = getComputedStyle(el);
  const px = r.left + (el.clientLeft + parseFloat(style.paddingLeft) + x) * sx;
  const py = r.top + (el.clientTop + parseFloat(style.paddingTop) + y) * sy;
  if (check) {
    const hit = elementAt(px, py);
    if (hit === null) return { code: 'hidden', wait: true, reason: 'its frame is scrolled out of view' };
    if (!holds(el, hit)) return { code: 'covered', wait: true, by: culprit(hit) };
  }
  return { ok: true, x: px, y: py };
}
