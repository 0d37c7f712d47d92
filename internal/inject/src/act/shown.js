// What is written at the place of an element, as a person reads it: letter by letter where each is drawn, in whichever
// order, direction and size the page has them.

import { generatedText } from '../css_text.js';
import { composedChildren, flatParent } from '../dom.js';
import { around, localName, rectOf, rendered } from '../safe.js';
import { drawnIn, lookAt, patched } from './faint.js';

const MOST = 1000; // letters that are looked at
const LONGEST = 4000; // letters of a text; a longer one is no name, and each of its letters takes as long to find as it is long
const NODES = 2000; // that are looked into, from the element outwards
const LEAST = 4; // px of a letter that can be read
const LEVELS = 4; // that are gone up to what is written below an element that says nothing

const SEEN = { visibilityProperty: true, opacityProperty: true };

/**
 * The letters that are seen at the place of an element: its own, those that are drawn over it and let presses through, and all of them where it
 * has none. What is drawn over it stands by itself, too. more: it has many that are not seen there, or something over it that cannot be read.
 */
export function shownAt(el) {
  const box = rectOf(el);
  const own = [];
  const over = [];
  const left = { nodes: NODES, letters: MOST, said: '', more: false, whole: el };
  lettersOf(el, null, box, () => true, own, left);
  const looks = new Set(own.map((l) => l.look));
  const more = (left.letters <= 0 && own.length < MOST / 2) || looks.size > 1;
  const bare = own.length === 0;
  let done = el;
  for (let n = flatParent(el), i = 0; n && !(bare && over.length > 0 && i >= LEVELS); n = flatParent(n), i++) {
    // What says nothing itself goes by what is written near it, and not by all of the page.
    const near = bare && i < LEVELS && over.length === 0;
    lettersOf(n, done, box, (style) => near || style.pointerEvents === 'none', over, left);
    done = n;
  }
  const apart = own.length > 0 && over.length > 0 ? inLines(over) : '';
  const lost = [...own, ...over].some((l) => l.look.includes(' lost '));
  return { shown: inLines([...own, ...over]), over: apart + left.said, more: more || lost || left.more };
}

function lettersOf(node, but, box, counts, letters, left) {
  if (node === but || left.letters <= 0 || left.nodes-- <= 0) return;
  if (node.nodeType === 1) {
    if (but !== null) drawnOver(node, but, box, left);
    else left.more ||= patched(node);
    for (const child of Array.from(composedChildren(node, true))) lettersOf(child, but, box, counts, letters, left);
  }
  if (node.nodeType !== 3 || node.data.length > LONGEST || !/\S/.test(node.data)) return;
  const parent = flatParent(node);
  if (!parent || parent.nodeType !== 1 || !rendered(parent, SEEN)) return;
  const style = getComputedStyle(parent);
  const { seen, unsure } = drawnIn(parent, style, left.whole);
  if (but === null) left.more ||= unsure;
  if (!seen || !counts(style)) return;
  const frame = clipped(parent, box);
  const range = document.createRange();
  range.selectNodeContents(node);
  if (!Array.from(range.getClientRects()).some((r) => overlap(r, frame))) return;
  for (let i = 0; i < node.data.length && left.letters-- > 0; ) {
    const letter = String.fromCodePoint(node.data.codePointAt(i));
    range.setStart(node, i);
    range.setEnd(node, (i += letter.length));
    const r = range.getClientRects()[0];
    if (!/\S/.test(letter) || !r || r.width < 1 || r.height < LEAST) continue;
    const x = (r.left + r.right) / 2;
    const y = (r.top + r.bottom) / 2;
    if (x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom) letters.push({ letter, look: lookAt(parent, style, x, y), x, y, left: r.left, right: r.right, height: r.height });
  }
}

/** What is drawn over a place by something that is no text and lets presses through: a style, a field, a frame. */
function drawnOver(node, but, box, left) {
  const ln = localName(node);
  if (FRAMES.has(ln) || ln === 'input' || ln === 'textarea') {
    if (getComputedStyle(node).pointerEvents !== 'none' || !overlap(rectOf(node), box) || !rendered(node, SEEN)) return;
    if (FRAMES.has(ln)) left.more = true;
    else left.said += ' ' + node.value;
    return;
  }
  for (const pseudo of ['::before', '::after']) {
    const { content, position, pointerEvents } = getComputedStyle(node, pseudo);
    if (content === 'none' || content === 'normal' || pointerEvents !== 'none' || (position !== 'absolute' && position !== 'fixed')) continue;
    left.said += ' ' + generatedText(node, pseudo, true);
  }
}

const FRAMES = new Set(['iframe', 'frame', 'object', 'embed']);

function overlap(a, b) {
  return a.width > 0 && a.height > 0 && a.right > b.left && a.left < b.right && a.bottom > b.top && a.top < b.bottom;
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
