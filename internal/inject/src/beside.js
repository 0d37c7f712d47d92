// beside: which elements are to the right of another, or left of it, above,
// below or near, the nearest first.

import { rectOf, rendered } from './safe.js';

const NEAR = 50; // px between the centres
const SLACK = 1; // px that boxes may overlap and still be side by side

/** What lies in each direction: how far the edges are apart, and whether the boxes overlap on the other axis. */
const DIRECTIONS = {
  rightOf: (a, b) => [b.left - a.right, overlap(a.top, a.bottom, b.top, b.bottom)],
  leftOf: (a, b) => [a.left - b.right, overlap(a.top, a.bottom, b.top, b.bottom)],
  above: (a, b) => [a.top - b.bottom, overlap(a.left, a.right, b.left, b.right)],
  below: (a, b) => [b.top - a.bottom, overlap(a.left, a.right, b.left, b.right)],
  near: (a, b) => [apart(a, b), true],
};

export function beside(direction, from, candidates, within) {
  const place = DIRECTIONS[direction];
  if (!place) throw new Error('not a direction: ' + direction);
  const a = rectOf(from);
  const most = within || (direction === 'near' ? NEAR : Infinity);
  const found = [];
  for (const el of candidates) {
    if (el === from || el.contains(from) || from.contains(el)) continue;
    const b = rectOf(el);
    if (b.width === 0 || b.height === 0 || !rendered(el, { visibilityProperty: true })) continue;
    const [distance, fits] = place(a, b);
    if (fits && distance >= -SLACK && distance <= most) found.push({ el, distance, apart: apart(a, b) });
  }
  found.sort((p, q) => p.distance - q.distance || p.apart - q.apart);
  return found.map((f) => f.el);
}

function overlap(a0, a1, b0, b1) {
  return Math.min(a1, b1) - Math.max(a0, b0) > 0;
}

function apart(a, b) {
  return Math.hypot((a.left + a.right - b.left - b.right) / 2, (a.top + a.bottom - b.top - b.bottom) / 2);
}
