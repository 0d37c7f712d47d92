// Off screen, what is inside of content-visibility: auto has no layout. Asking for one box in there lays out that piece alone, and the price
// of that grows with the number of pieces. Where there are many, those that are skipped are read without: the box of the piece stands for
// the box of everything in it.

import { rectOf, standIn } from './safe.js';

const MANY = 20;
const FAR = 2; // heights of the window from its edges, where nothing is laid out ahead

let pieces = 0;
let skipped = null; // the piece that is about to be walked
let within = null; // the one that is walked

export function resetUnlaid() {
  pieces = 0;
  skipped = within = null;
  standIn(null);
}

/** Takes note of a piece. */
export function meetPiece(el) {
  if (within !== null) return;
  const { top, bottom } = rectOf(el);
  if ((bottom < -FAR * innerHeight || top > (1 + FAR) * innerHeight) && ++pieces > MANY) skipped = el;
}

/** Whether an element is a piece that is skipped, which is entered then. */
export function enterPiece(el) {
  if (el !== skipped) return false;
  standIn(rectOf(el));
  within = el;
  skipped = null;
  return true;
}

export function leavePiece() {
  standIn(null);
  within = null;
}
