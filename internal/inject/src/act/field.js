// Fields: what they hold, and how to get ready to type into them.

import { activeElement, attr, contains, localName, matches, rootOf } from '../safe.js';
import { beginPass, endPass } from '../dom.js';
import { roleOf } from '../role.js';
import { listOpen } from '../state.js';
import { sketch } from './target.js';
import { paintedText, painter } from '../painted.js';

const TEXTLESS = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'hidden', 'color', 'range', 'date', 'time', 'datetime-local', 'month', 'week']);

/** The part of an element that takes text: itself, or the one field inside it. Null where there is none. */
export function fieldOf(el) {
  if (takesText(el)) return el;
  const inside = Array.from(el.querySelectorAll('input, textarea, [contenteditable]')).filter(takesText);
  if (inside.length === 1) return inside[0];
  if (el.isContentEditable) return el;
  // An editor that listens to keys on an element with the focus.
  beginPass();
  const role = roleOf(el);
  endPass();
  return el.tabIndex >= 0 && !WIDGETS.has(role) ? el : null;
}

// What has the focus and takes no text.
export const WIDGETS = new Set([
  'button', 'link', 'checkbox', 'switch', 'radio', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'treeitem', 'slider', 'progressbar', 'scrollbar', 'separator', 'img', 'region',
]);

export function takesText(el) {
  const ln = localName(el);
  if (ln === 'textarea') return true;
  if (ln === 'input') return !TEXTLESS.has(el.type);
  return el.isContentEditable === true;
}

/** Gives a field the focus with the caret at its end, or with all it holds selected. Answers whether it took the focus. */
export function focusField(field, all) {
  // A frame's body is what has the focus there by itself, though no key comes to the frame before it has it too.
  if (!focused(field) || !document.hasFocus()) field.focus({ preventScroll: true });
  if (!focused(field)) return false;
  if (field.isContentEditable) {
    const range = document.createRange();
    range.selectNodeContents(field);
    if (!all) range.collapse(false);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return true;
  }
  if (typeof field.select !== 'function') return true;
  if (all) field.select();
  else {
    // Types like number and email have no caret to set; a focus from a script leaves it at the start or end.
    try {
      const end = field.value.length;
      field.setSelectionRange(end, end);
    } catch {
      caretToEnd(field);
    }
  }
  return true;
}

/** Fields without setSelectionRange: selecting and collapsing does it. */
function caretToEnd(field) {
  field.select();
  getSelection().collapseToEnd();
}

/** Gives an element the focus, or the first thing inside it that takes it. What takes none leaves it with the page, which still gets the keys. */
export function focusOn(el) {
  if (focused(el) && document.hasFocus() || take(el)) return true;
  const inside = el.querySelector('a[href], button, input, select, textarea, [tabindex], [contenteditable]');
  return inside !== null && take(inside);
}

/** Whether an element takes the focus, even if the page then sends it elsewhere. */
function take(el) {
  let came = false;
  const note = () => {
    came = true;
  };
  el.addEventListener('focus', note, { capture: true });
  el.focus({ preventScroll: true });
  el.removeEventListener('focus', note, { capture: true });
  return came || focused(el);
}

export function focused(el) {
  const root = rootOf(el);
  const active = root === document ? activeElement() : root.activeElement;
  return active === el || (active !== null && contains(el, active)) || (el.isContentEditable && active !== null && active.isContentEditable && contains(active, el));
}

/** What an element holds now, in the words of a receipt. */
export function valueNow(el) {
  const now = {};
  const ln = localName(el);
  if (ln === 'input' && (el.type === 'checkbox' || el.type === 'radio')) now.checked = el.checked;
  else if (attr(el, 'aria-checked') !== null) now.checked = attr(el, 'aria-checked') === 'true';
  if (attr(el, 'aria-expanded') !== null) now.expanded = attr(el, 'aria-expanded') === 'true';
  else if (listOpen(el) !== null) now.expanded = listOpen(el);
  if (attr(el, 'aria-selected') !== null) now.selected = attr(el, 'aria-selected') === 'true';
  if (attr(el, 'aria-pressed') !== null) now.pressed = attr(el, 'aria-pressed') === 'true';
  if (ln === 'select') now.value = Array.from(el.selectedOptions, (o) => o.label).join(', ');
  else if (ln === 'input' && el.type === 'file') now.value = Array.from(el.files, (f) => f.name).join(', ');
  else if (painter(el) !== null) now.value = paintedText(el);
  else if (ln === 'input' || ln === 'textarea') {
    if (now.checked === undefined) now.value = secret(el) ? mask(el.value) : el.value;
    if (secret(el)) now.masked = el.value.length; // to see that it took the text; never shown
  } else if (el.isContentEditable) now.value = el.innerText.trim();
  else if (attr(el, 'aria-valuenow') !== null) now.value = attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow');
  return now;
}

function secret(el) {
  return el.type === 'password' || getComputedStyle(el).webkitTextSecurity !== 'none';
}

function mask(value) {
  return value === '' ? '' : '••••';
}

/** The field that keeps the browser from sending the form of a button: the first that is not filled in as it wants. */
export function unfilled(el) {
  const form = el.form;
  const sends = form && !form.noValidate && !el.formNoValidate && (el.type === 'submit' || el.type === 'image');
  if (!sends || !matches(form, ':invalid')) return null;
  for (const field of form.elements) {
    if (matches(field, ':invalid') && localName(field) !== 'fieldset') return { ...sketch(field), reason: field.validationMessage || '' };
  }
  return null;
}
