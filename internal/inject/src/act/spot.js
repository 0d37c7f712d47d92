// spot: what lies at a point of the page, and where in it; and where the page is scrolled to.

import { isFrame, rectOf } from '../safe.js';
import { settleRefs } from '../succession.js';
import { inward } from './frame.js';
import { elementAt } from './ready.js';
import { told } from './target.js';

/** The innermost element at a point of the viewport, and the point as seen from its corner; or the frame there, and the point in it. */
export function spot({ x, y }) {
  const hit = elementAt(x, y);
  if (hit === null) return { code: 'notfound' };
  if (isFrame(hit)) {
    const inside = inward(hit, x, y);
    if (inside.inner) return { ok: true, ...inside };
  }
  settleRefs(hit);
  const r = rectOf(hit);
  return { ok: true, ...told(hit), start: [x - r.left, y - r.top] };
}

/** How much of the page is seen. check: scrolls there first, where a point of the page is out of sight. */
export function view({ x, y, check }) {
  if (check && (x < scrollX || y < scrollY || x >= scrollX + innerWidth || y >= scrollY + innerHeight)) {
    scrollTo({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: 'instant' });
  }
  return { ok: true, scrollX, scrollY, width: innerWidth, height: innerHeight, ratio: devicePixelRatio };
}
