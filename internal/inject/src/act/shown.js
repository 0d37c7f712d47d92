// What is written at the place of an element, as a person reads it: letter by letter where each is drawn, in whichever
// order, direction and size the page has them.

import { composedChildren, flatParent } from '../dom.js';
import { around, rectOf, rendered } from '../safe.js';

const MOST = 1000; // letters that are looked at
const LONGEST = 4000; // letters of a text; a longer one is no name, and each of its letters takes as long to find as it is long
const NODES = 2000; // that are looked into
const LEAST = 4; // px of a letter that can be read
const LEVELS = 4; // that are gone up to what is written over or below an element

const SEEN = { visibilityProperty: true, opacityProperty: true };

/** The letters that are seen at the place of an element: its own, those that are drawn over it and let presses through, and all of them where it has none. more: it has many that are not seen there. */
export function shownAt(el) {
  const box = rectOf(el);
  const letters = [];
  const left = { nodes: NODES, letters: MOST };
  lettersOf(el, null, box, () => true, letters, left);
  const more = left.letters <= 0 && letters.length < MOST / 2;
  const bare = letters.length === 0;
  let done = el;
  for (let n = flatParent(el), i = 0; n && i < LEVELS && !(bare && letters.length > 0); n = flatParent(n), i++) {
    lettersOf(n, done, box, (style) => bare || style.pointerEvents === 'none', letters, left);
    done = n;
  }
  return { shown: inLines(letters), more };
}

function lettersOf(node, but, box, counts, letters, left) {
  if (node === but || left.letters <= 0 || left.nodes-- <= 0) return;
  if (node.nodeType === 1) for (const child of Array.from(composedChildren(node, true))) lettersOf(child, but, box, counts, letters, left);
  if (node.nodeType !== 3 || node.data.length > LONGEST || !/\S/.test(node.data)) return;
  const parent = flatParent(node);
  if (!parent || parent.nodeType !== 1 || !rendered(parent, SEEN)) return;
  const style = getComputedStyle(parent);
  if (clear(style.webkitTextFillColor) || !counts(style)) return;
  const frame = clipped(parent, box);
  const range = document.createRange();
  for (let i = 0; i < node.data.length && left.letters-- > 0; ) {
    const letter = String.fromCodePoint(node.data.codePointAt(i));
    range.setStart(node, i);
    range.setEnd(node, (i += letter.length));
    const r = range.getClientRects()[0];
    if (!/\S/.test(letter) || !r || r.width < 1 || r.height < LEAST) continue;
    const x = (r.left + r.right) / 2;
    const y = (r.top + r.bottom) / 2;
    if (x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom) letters.push({ letter, x, y, left: r.left, right: r.right, height: r.height });
  }
}

/** Whether nothing is drawn in a colour. */
function clear(colour) {
  return /^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);
}

/** What is seen of a box in what cuts it off. */
function clipped(el, box) {
  let { left, top, right, bottom } = box;
  for (let n = el, i = 0; n && i < 20; n = around(n), i++) {
    const style = getComputedStyle(n);
    if (style.overflowX === 'visible' || style.display === 'inline') continue;
    const r = rectOf(n);
    left = Math.max(left, r.left);
    top = Math.max(top, r.top);
    right = Math.min(right, r.right);
    bottom = Math.min(bottom, r.bottom);
  }
  return { left, top, right, bottom };
}

/** Letters as they are read: line by line, from the left. */
function inLines(letters) {
  letters.sort((a, b) => a.y - b.y);
  let text = '';
  for (let i = 0; i < letters.length; ) {
    const first = letters[i];
    const line = [];
    while (i < letters.length && letters[i].y - first.y < first.height / 2) line.push(letters[i++]);
    line.sort((a, b) => a.x - b.x);
    line.forEach((l, k) => (text += (k > 0 && l.left - line[k - 1].right > l.height / 8 ? ' ' : '') + l.letter));
    text += ' ';
  }
  return text;
}
