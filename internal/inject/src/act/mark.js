// mark: selects text. Where a hand can do it with the pointer it is told where;
// what the hand did not select as it should is selected by the script.

import { clean } from '../icons.js';
import { bringIntoView, closest, parentElement } from '../safe.js';
import { open } from './closed.js';
import { elementAt } from './ready.js';
import { watch } from './settle.js';
import { holds, sketch, targetOf } from './target.js';

/**
 * @param {object} arg ref or locator; value: the part of the text, or nothing for all of it
 * @returns {object} ok, to: the text; and start: [x, y], till: [x, y] where the pointer is to go
 */
export function mark(arg) {
  const { el, failure } = targetOf(arg);
  if (failure) return failure;
  open();
  watch(el);
  if (typeof el.setSelectionRange === 'function' && typeof el.value === 'string') return { ...sketch(el), ...markField(el, arg.value) };
  const range = rangeOf(el, arg.value);
  if (!range) return { code: 'notfound', reason: 'the text is not in it' };
  const ends = endsOf(el, range);
  if (!ends) return { ...sketch(el), ...select(el, range) };
  return { ok: true, ...sketch(el), to: clean(range.toString()), ...ends };
}

/** After the pointer: whether it is what was meant, and if not, makes it so. */
export function marked(arg) {
  const { el, failure } = targetOf(arg);
  if (failure) return failure;
  const range = rangeOf(el, arg.value);
  if (!range) return { ok: true, to: clean(String(getSelection())) };
  const squeeze = (text) => text.replace(/\s/g, '');
  if (squeeze(String(getSelection())) === squeeze(range.toString())) return { ok: true, to: clean(range.toString()) };
  return select(el, range);
}

function markField(el, part) {
  const at = part ? el.value.indexOf(part) : 0;
  if (at < 0) return { code: 'notfound', reason: 'the text is not in it' };
  el.focus({ preventScroll: true });
  try {
    el.setSelectionRange(at, part ? at + part.length : el.value.length);
  } catch {
    el.select();
  }
  return { ok: true };
}

function select(el, range) {
  // An editor only knows of a selection while it has the focus.
  if (el.isContentEditable) {
    let host = el;
    for (let p = parentElement(host); p && p.isContentEditable; p = parentElement(host)) host = p;
    host.focus({ preventScroll: true });
  }
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
  return { ok: true, to: clean(String(selection)) };
}

/** Where the pointer goes down and up to select a range; null where a press would do something else. */
function endsOf(el, range) {
  const style = getComputedStyle(el);
  if (style.userSelect === 'none' || closest(el, 'a, button, label, summary, [draggable="true"], [onclick]')) return null;
  bringIntoView(el, { block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const rects = Array.from(range.getClientRects()).filter((r) => r.width > 0 && r.height > 0);
  if (rects.length === 0) return null;
  const first = rects[0];
  const last = rects[rects.length - 1];
  const from = [first.left + 0.5, first.top + first.height / 2];
  const till = [last.right - 0.5, last.top + last.height / 2];
  for (const [x, y] of [from, till]) {
    const hit = elementAt(x, y);
    if (hit === null || !holds(el, hit) || closest(hit, 'a, button, [draggable="true"]')) return null;
  }
  return { start: from, till };
}

/** The text of an element, or the first place where its text has the part. */
function rangeOf(el, part) {
  const range = document.createRange();
  range.selectNodeContents(el);
  if (!part) return range;
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  const nodes = [];
  let all = '';
  for (let n; (n = walker.nextNode()); ) {
    nodes.push([all.length, n]);
    all += n.data;
  }
  const at = all.indexOf(part);
  if (at < 0) return null;
  const place = (offset) => {
    let i = nodes.length - 1;
    while (i > 0 && nodes[i][0] > offset) i--;
    return [nodes[i][1], offset - nodes[i][0]];
  };
  range.setStart(...place(at));
  const [node, offset] = place(at + part.length - 1);
  range.setEnd(node, offset + 1);
  return range;
}
