// What is on screen. A box costs a few microseconds, so it is asked for only
// where nothing above has already settled the question.

import { rectOf, scrollHeight, clientHeight } from './safe.js';

export const IN = 1; // all of it is on screen
export const OUT = 2; // none of it is

// The part of the viewport that scroll containers leave visible.
let clip = { left: 0, top: 0, right: 0, bottom: 0 };

export function resetView() {
  clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
}

/** Narrows the visible part to an element's box; the answer goes to restoreClip. */
export function clipTo(el) {
  const before = clip;
  const r = rectOf(el);
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
 * Settles the question for all that is inside an element: IN, OUT or 0 for "it depends".
 * Content overflows downwards and to the right, so a box below or to the right of the screen settles it;
 * one above only if nothing hangs out of it. Boxes without extent settle nothing.
 */
export function viewMode(el) {
  const r = rectOf(el);
  if (r.width === 0 || r.height === 0) return 0;
  if (r.top >= clip.bottom || r.left >= clip.right) return OUT;
  if (r.bottom <= clip.top) return scrollHeight(el) <= clientHeight(el) + 1 ? OUT : 0;
  if (r.top >= clip.top && r.bottom <= clip.bottom && r.left >= clip.left && r.right <= clip.right) return IN;
  return 0;
}

/** Whether an element is at least partly on screen. */
export function inView(el, mode) {
  if (mode & IN) return true;
  if (mode & OUT) return false;
  const r = rectOf(el);
  return r.bottom > clip.top && r.top < clip.bottom && r.right > clip.left && r.left < clip.right;
}

/** Whether an element that clips what is in it leaves nothing of it. Text cut to one pixel is meant for screen readers, and stays. */
export function clipped(style, width, height) {
  return (height === 0 && style.overflowY !== 'visible') || (width === 0 && style.overflowX !== 'visible');
}
