// accname step 2C: a control within the label of another speaks its value ("Flash the screen [3] times").

import { composedChildren, isHidden, referenced } from './dom.js';
import { roleOf } from './role.js';
import { attr, hasAttr, localName, nodeType, query } from './reads.js';

/** The roles that speak their value within a label. */
export const valueRoles = new Set(['textbox', 'searchbox', 'combobox', 'listbox', 'slider', 'spinbutton', 'scrollbar', 'progressbar', 'meter']);

/**
 * The value of an embedded control as text.
 * @param {any} el
 * @param {string} role one of valueRoles
 * @param {(el: Element) => string} textOf the text alternative of a part of it
 * @returns {string}
 */
export function valueText(el, role, textOf) {
  switch (role) {
    case 'textbox': case 'searchbox':
      return fieldText(el, textOf);
    case 'combobox': case 'listbox':
      return choiceText(el, role, textOf);
  }
  return rangeText(el);
}

function isField(el) {
  return localName(el) === 'input' || localName(el) === 'textarea';
}

function fieldText(el, textOf) {
  if (isField(el)) return el.type === 'password' ? '' : el.value;
  return childrenText(el, textOf);
}

function childrenText(el, textOf) {
  let out = '';
  const children = composedChildren(el);
  for (let i = 0; i < children.length; i++) {
    const child = /** @type {any} */ (children[i]);
    if (nodeType(child) === 3) out += child.data;
    else if (nodeType(child) === 1) out += textOf(child);
  }
  return out;
}

function choiceText(el, role, textOf) {
  if (isField(el)) return el.value;
  if (localName(el) === 'select') return Array.from(el.selectedOptions, (option) => option.label).join(' ');
  /** @type {Element[]} */
  const chosen = [];
  collect(el, chosen);
  if (chosen.length === 0 && role === 'combobox') {
    for (const popup of referenced(el, 'aria-controls', 'ariaControlsElements')) collect(popup, chosen);
  }
  if (chosen.length > 0) return chosen.map(textOf).join(' ');
  if (role === 'listbox') return '';
  const field = query(el, 'input');
  return field === null ? childrenText(el, textOf) : field.value;
}

/** The options marked as chosen below el, aria-owns followed. */
function collect(el, chosen) {
  const children = composedChildren(el);
  for (let i = 0; i < children.length; i++) {
    const child = /** @type {Element} */ (children[i]);
    if (nodeType(child) !== 1 || isHidden(child)) continue;
    const marked = attr(child, 'aria-selected') === 'true' || attr(child, 'aria-checked') === 'true';
    if (marked && roleOf(child) === 'option') chosen.push(child);
    else collect(child, chosen);
  }
}

function rangeText(el) {
  const text = attr(el, 'aria-valuetext') ?? attr(el, 'aria-valuenow');
  if (text !== null) return text;
  switch (localName(el)) {
    case 'input': case 'meter':
      return String(el.value);
    case 'progress':
      return hasAttr(el, 'value') ? String(el.value) : '';
  }
  return '';
}
