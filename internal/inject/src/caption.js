// The words that a drawing puts on a shape or beside it: what is pressed and what it is called are parts of one group.

import { NO, evidence, inviting, listens } from './clickable.js';
import { styleOf } from './dom.js';
import { clean } from './icons.js';
import { contains, localName, parentElement } from './safe.js';

const LEVELS = 3; // from a shape to the group that has its words
const MOST = 32; // parts of a group that is one thing
const LONGEST = 80; // characters

let captioned = new Set(); // groups whose words are told as a name

export function resetCaptions() {
  captioned = new Set();
}

/** What a shape without a name is called by the only words of its group, where nothing else in it is pressed. */
export function captionOf(el) {
  if (!el.ownerSVGElement) return '';
  for (let g = parentElement(el), i = 0; g !== null && localName(g) === 'g' && i < LEVELS; g = parentElement(g), i++) {
    const texts = g.getElementsByTagName('text');
    if (texts.length === 0) continue;
    const words = texts.length === 1 ? linesOf(texts[0]) : '';
    if (words === '' || words.length > LONGEST || !alone(el, g)) return '';
    captioned.add(g);
    return words;
  }
  return '';
}

/** The words of a text; each of its lines is a tspan. */
function linesOf(text) {
  const lines = text.getElementsByTagName('tspan');
  return clean(lines.length > 0 ? Array.from(lines, (t) => t.textContent).join(' ') : text.textContent);
}

/** Whether nothing else in a group is pressed. */
function alone(el, g) {
  const parts = g.getElementsByTagName('*');
  if (parts.length > MOST) return false;
  for (const p of parts) {
    if (p === el || contains(p, el) || contains(el, p)) continue;
    const { cursor, pointerEvents } = styleOf(p);
    if (pointerEvents === 'none') continue;
    if (evidence(p) !== NO || listens(p) || (inviting(cursor) && cursor !== styleOf(parentElement(p)).cursor)) return false;
  }
  return true;
}

/** Takes out the words that became names. */
export function dropCaptions(nodes) {
  if (captioned.size === 0) return;
  for (const n of nodes) {
    if (n.role !== 'text' || n.dead) continue;
    for (let g = n.el, i = 0; g && i < LEVELS + 3; g = parentElement(g), i++) {
      if (!captioned.has(g)) continue;
      n.dead = true;
      break;
    }
  }
}
