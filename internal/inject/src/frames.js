// Frames: the elements that own one, and the numbers the host knows them by.

import { attr } from './safe.js';
import { clean } from './icons.js';

const numbers = new WeakMap();
const byNumber = new Map(); // number → WeakRef of the owner

/** @param {number[]} list one number for each owner element that follows */
export function setFrames(list, ...owners) {
  owners.forEach((el, i) => {
    if (!el) return;
    numbers.set(el, list[i]);
    byNumber.set(list[i], new WeakRef(el));
  });
}

export function frameNumber(el) {
  return numbers.get(el) || 0;
}

/** The element that holds the frame of a number, or null. */
export function ownerOf(number) {
  const el = byNumber.get(number)?.deref();
  return el && el.isConnected ? el : null;
}

/** What a frame is called: its title, its name, or where it comes from. */
export function frameName(el) {
  const said = clean(attr(el, 'aria-label')) || clean(attr(el, 'title')) || clean(attr(el, 'name'));
  if (said) return said;
  try {
    return new URL(attr(el, 'src') || '', document.baseURI).host;
  } catch {
    return '';
  }
}
