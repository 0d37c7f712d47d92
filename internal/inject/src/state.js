// What an element is in at the moment: its states and its value.

import { attr, attrNames, hasAttr, localName, matches } from './safe.js';
import { clean } from './icons.js';
import { unreadText } from './painted.js';

// The bits of aria.State, in its order.
export const CHECKED = 1 << 0;
export const MIXED = 1 << 1;
export const DISABLED = 1 << 2;
export const EXPANDED = 1 << 3;
export const COLLAPSED = 1 << 4;
export const SELECTED = 1 << 5;
export const PRESSED = 1 << 6;
export const ACTIVE = 1 << 7;
export const REQUIRED = 1 << 8;
export const INVALID = 1 << 9;
export const READONLY = 1 << 10;
export const CURRENT = 1 << 11;
export const MULTIPLE = 1 << 12;
export const HASPOPUP = 1 << 13;
export const HASVALUE = 1 << 14;
export const MASKED = 1 << 15;
export const PLACEHOLDER = 1 << 16;
export const MODAL = 1 << 17;
export const INVIEW = 1 << 18;
export const SCROLLABLE = 1 << 19;
export const EDITABLE = 1 << 20;
export const OPERABLE = 1 << 21;
export const BLOCK = 1 << 22;
export const PRE = 1 << 23;
export const DRAGGABLE = 1 << 24;
export const FILEINPUT = 1 << 25;
export const OFFSCREEN = 1 << 26;
export const DRAWN = 1 << 27;
export const HOVERS = 1 << 28;
export const FLOATS = 1 << 29;
export const UNWRITTEN = 1 << 30;

const TOGGLES = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio', 'option', 'treeitem']);
const MASK = '••••';

// statesOf gives the state bits of an element that has attributes or is a form control.
export function statesOf(el, ln, role) {
  let s = 0;
  const form = ln === 'input' || ln === 'select' || ln === 'textarea' || ln === 'button';
  if (form) {
    if (matches(el, ':disabled')) s |= DISABLED;
    if (ln !== 'button') {
      if (el.required) s |= REQUIRED;
      if (matches(el, ':user-invalid')) s |= INVALID;
      if (el.readOnly && role !== 'checkbox' && role !== 'radio') s |= READONLY;
    }
    if (ln === 'input') {
      const type = el.type;
      if (type === 'checkbox' || type === 'radio') {
        if (el.checked) s |= CHECKED;
        if (el.indeterminate && type === 'checkbox') s = (s & ~CHECKED) | MIXED;
      } else if (type === 'file') {
        s |= FILEINPUT;
      }
      if (el.multiple) s |= MULTIPLE;
    } else if (ln === 'select' && el.multiple) {
      s |= MULTIPLE;
    } else if (ln === 'select' && listOpen(el)) {
      s |= EXPANDED;
    }
  } else if (ln === 'option') {
    if (el.selected) s |= SELECTED;
    if (matches(el, ':disabled')) s |= DISABLED;
  }
  const names = attrNames(el);
  for (let i = 0; i < names.length; i++) {
    const a = names[i];
    if (a.charCodeAt(0) !== 97 || !a.startsWith('aria-')) continue;
    const v = attr(el, a);
    switch (a) {
      case 'aria-checked':
        if (ln === 'input' && (el.type === 'checkbox' || el.type === 'radio')) break;
        if (v === 'true') s |= CHECKED;
        else if (v === 'mixed') s |= MIXED;
        break;
      case 'aria-pressed':
        if (v === 'true') s |= PRESSED;
        else if (v === 'mixed') s |= MIXED;
        break;
      case 'aria-disabled':
        if (v === 'true') s |= DISABLED;
        break;
      case 'aria-expanded':
        if (v === 'true') s |= EXPANDED;
        else if (v === 'false') s |= COLLAPSED;
        break;
      case 'aria-selected':
        if (v === 'true') s |= SELECTED;
        break;
      case 'aria-required':
        if (v === 'true') s |= REQUIRED;
        break;
      case 'aria-readonly':
        if (v === 'true') s |= READONLY;
        break;
      case 'aria-invalid':
        if (v && v !== 'false') s |= INVALID;
        break;
      case 'aria-current':
        if (v && v !== 'false') s |= CURRENT;
        break;
      case 'aria-multiselectable':
        if (v === 'true') s |= MULTIPLE;
        break;
      case 'aria-haspopup':
        if (v && v !== 'false') s |= HASPOPUP;
        break;
    }
  }
  if (s & SELECTED && TOGGLES.has(role) && role !== 'option' && role !== 'treeitem') s &= ~SELECTED;
  return s;
}

// A value found: text and the state bits that go with it. One object, reused.
const found = { text: '', bits: 0 };

const WORDLESS = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'hidden']);

/** Whether the list of a select is open, where it is a part of the page and can be styled; null of all others. */
export function listOpen(el) {
  if (localName(el) !== 'select' || el.multiple || getComputedStyle(el).appearance !== 'base-select') return null;
  try {
    return matches(el, ':open');
  } catch {
    return null; // a browser that does not know of it
  }
}

// valueOf gives what an element holds; `text` is its own text where that is its value.
export function valueOf(el, ln, role, style) {
  found.text = '';
  found.bits = 0;
  if (ln === 'input') {
    const type = el.type;
    if (WORDLESS.has(type)) return found;
    if (type === 'file') found.text = Array.from(el.files || [], (f) => f.name).join(', ');
    else if (el.value) secret(el, type === 'password', style);
  } else if (ln === 'textarea') {
    const painted = unreadText(el);
    if (painted !== null) found.text = painted;
    else if (el.value) secret(el, false, style);
  } else if (ln === 'select') {
    const names = [];
    for (const o of el.selectedOptions) names.push(clean(o.label || o.text));
    found.text = names.join(', ');
    found.bits = HASVALUE;
    return found;
  } else if (ln === 'progress' || ln === 'meter') {
    found.text = portion(el);
  } else {
    const v = clean(attr(el, 'aria-valuetext')) || clean(attr(el, 'aria-valuenow'));
    if (v && (role === 'slider' || role === 'spinbutton' || role === 'progressbar' || role === 'meter' || role === 'scrollbar' || role === 'separator')) found.text = v;
  }
  if (ln === 'input' && hasAttr(el, 'aria-valuetext')) found.text = clean(attr(el, 'aria-valuetext')) || found.text;
  if (found.text) found.bits |= HASVALUE;
  return found;
}

// secret reads a field, but says no more than "something is there" of one that hides its text.
function secret(el, password, style) {
  const hide = style.webkitTextSecurity;
  if (password || (hide && hide !== 'none')) {
    found.text = MASK;
    found.bits = MASKED;
  } else {
    found.text = localName(el) === 'textarea' ? paragraphs(el.value) : clean(el.value);
  }
}

/** What is written on several lines, whose ends a field of an answer may not hold as they are. */
function paragraphs(value) {
  const lines = value.split('\n');
  return lines.length === 1 ? clean(value) : lines.map((line) => line.replace(/\s/g, ' ')).join('\u2028');
}

function portion(el) {
  const max = el.max;
  const value = el.value;
  if (el.position === -1) return '';
  if (max === 1) return Math.round(value * 100) + '%';
  return max === 100 ? String(value) : value + '/' + max;
}
