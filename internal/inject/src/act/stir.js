// What an action stirs without changing the document: the focus, the selection, how far something is scrolled.

import { activeElement } from '../safe.js';

let focus = null;
let selection = '';
let scrolls = 0;
let listening = false;

/** Takes down how it is now. */
export function calm() {
  focus = activeElement();
  selection = selectionNow();
  scrolls = 0;
  if (listening) return;
  listening = true;
  document.addEventListener('scroll', () => scrolls++, { capture: true, passive: true });
}

/** Whether it is otherwise by now. */
export function stirred() {
  return activeElement() !== focus || selectionNow() !== selection || scrolls > 0;
}

const numbers = new WeakMap(); // nodes, told apart
let known = 0;

function numberOf(node) {
  if (node === null) return 0;
  if (!numbers.has(node)) numbers.set(node, ++known);
  return numbers.get(node);
}

function selectionNow() {
  const s = getSelection();
  const el = activeElement();
  const inField = el && typeof el.selectionStart === 'number' ? el.selectionStart + '-' + el.selectionEnd : '';
  return s ? [numberOf(s.anchorNode), s.anchorOffset, numberOf(s.focusNode), s.focusOffset, inField].join() : inField;
}
