// accname step 2E: the names HTML-AAM and SVG-AAM find in labels, alt texts, captions and titles.

import { composedChildren } from './dom.js';

/**
 * @typedef {object} Tools
 * @property {string} source  set to where the text came from
 * @property {(el: Element) => string} text  the text of an element that names another
 */

/**
 * The host language's name for an element, '' if it has none.
 * @param {any} el
 * @param {string} role
 * @param {Tools} tools
 * @returns {string}
 */
export function nativeName(el, role, tools) {
  if (el.namespaceURI === 'http://www.w3.org/2000/svg') return childName(el, 'title', tools) || linkTitle(el, tools);
  switch (el.localName) {
    case 'input':
      return labelText(el, tools) || inputText(el, tools);
    case 'button': case 'select': case 'textarea': case 'meter': case 'progress': case 'output':
      return labelText(el, tools);
    case 'img': case 'area':
      tools.source = 'alt';
      return el.getAttribute('alt') ?? '';
    case 'option': case 'optgroup':
      tools.source = 'value';
      return el.getAttribute('label') ?? '';
    case 'fieldset':
      return childName(el, 'legend', tools);
    case 'table':
      return childName(el, 'caption', tools) || (el.getAttribute('summary') ?? '');
  }
  // A form-associated custom element has labels as well, but only its own internals list them.
  return el.localName.includes('-') ? customLabelText(el, tools) : '';
}

/** Fields that show a placeholder, by role. */
const holders = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);

/**
 * What names a field when nothing else does.
 * @param {Element} el
 * @param {string} role
 * @returns {string}
 */
export function placeholder(el, role) {
  if (!holders.has(role)) return '';
  const native = el.localName === 'input' || el.localName === 'textarea' ? el.getAttribute('placeholder') : null;
  return native ?? el.getAttribute('aria-placeholder') ?? '';
}

function linkTitle(el, tools) {
  tools.source = 'title';
  return el.localName === 'a' ? el.getAttribute('xlink:title') ?? '' : '';
}

function inputText(el, tools) {
  tools.source = 'value';
  switch (el.type) {
    case 'button':
      return el.value;
    case 'submit':
      return el.getAttribute('value') ?? 'Submit';
    case 'reset':
      return el.getAttribute('value') ?? 'Reset';
    case 'file':
      return el.title !== '' ? '' : el.multiple ? 'Choose Files' : 'Choose File';
    case 'image':
      tools.source = 'alt';
      return el.getAttribute('alt') || el.getAttribute('title') || el.getAttribute('value') || 'Submit';
  }
  return '';
}

function labelText(el, tools) {
  const labels = el.labels;
  if (labels === null || labels.length === 0) return '';
  return joined(labels, tools);
}

function joined(labels, tools) {
  let out = '';
  for (const label of labels) {
    const text = tools.text(label);
    if (text !== '') out += (out === '' ? '' : ' ') + text;
  }
  tools.source = 'label';
  return out;
}

function customLabelText(el, tools) {
  if (el.constructor?.formAssociated !== true) return '';
  const wrapping = el.closest('label');
  const labels = wrapping !== null && !wrapping.hasAttribute('for') ? [wrapping] : [];
  if (el.id !== '') labels.push(...el.getRootNode().querySelectorAll(`label[for="${CSS.escape(el.id)}"]`));
  return joined(labels, tools);
}

/** The name a first child of that kind gives. */
function childName(el, name, tools) {
  const children = composedChildren(el);
  for (let i = 0; i < children.length; i++) {
    const child = /** @type {any} */ (children[i]);
    if (child.nodeType !== 1 || child.localName !== name) continue;
    const text = tools.text(child);
    tools.source = 'caption';
    return text;
  }
  return '';
}
