// What is on screen. A box costs a few microseconds, so it is asked for only
// where nothing above has already settled the question.

import { clientHeight, rectOf, scrollHeight } from './safe.js';
import { IN, OUT, PART } from './modes.js';

// The part of the viewport that scroll containers leave visible.
let clip = { left: 0, top: 0, right: 0, bottom: 0 };

export function resetView() {
  clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
}

/** Narrows the visible part to a box; the answer goes to restoreClip. */
export function clipTo(r) {
  const before = clip;
  clip = {
    left: Math.max(clip.left, r.left),
    top: Math.max(clip.top, r.top),
    right: Math.min(clip.right, r.right),
    bottom: Math.min(clip.bottom, r.bottom),
  };
  return before;
}

export function restoreClip(before) {
  clip = before;
}

/**
 * Settles the question for all that is inside an element: IN or OUT; PART where it depends, but something of the element is on screen; else 0.
 * Content overflows downwards and to the right, so a box below or to the right of the screen settles it;
 * one above only if nothing hangs out of it. Boxes without extent settle nothing.
 */
export function viewOf(el, box) {
  const { top, bottom, left, right } = box || rectOf(el);
  if (bottom === top || right === left) return 0;
  if (top >= clip.bottom || left >= clip.right) return OUT;
  if (bottom <= clip.top) return scrollHeight(el) <= clientHeight(el) + 1 ? OUT : 0;
  if (right <= clip.left) return 0;
  return top >= clip.top && bottom <= clip.bottom && left >= clip.left && right <= clip.right ? IN : PART;
}

/** Whether an element is at least partly on screen. */
export function inView(el, mode) {
  if (mode & (IN | PART)) return true;
  if (mode & OUT) return false;
  const r = rectOf(el);
  return r.bottom > clip.top && r.top < clip.bottom && r.right > clip.left && r.left < clip.right;
}
