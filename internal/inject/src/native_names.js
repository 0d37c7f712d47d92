// accname step 2E: the names HTML-AAM and SVG-AAM find in labels, alt texts, captions and titles.

import { composedChildren, isHidden, onNewPass } from './dom.js';
import { allIn, attr, contains, localName, namespaceURI, nodeType, rootOf } from './reads.js';

/**
 * @typedef {object} Tools
 * @property {string} source  set to where the text came from
 * @property {(el: Element) => string} text  the text of an element that names another
 */

/**
 * The host language's name for an element, '' if it has none.
 * @param {any} el
 * @param {Tools} tools
 * @returns {string}
 */
export function nativeName(el, tools) {
  if (namespaceURI(el) === 'http://www.w3.org/2000/svg') return childName(el, 'title', tools) || linkTitle(el, tools);
  switch (localName(el)) {
    case 'input':
      return labelText(el, tools) || inputText(el, tools);
    case 'button': case 'select': case 'textarea': case 'meter': case 'progress': case 'output':
      return labelText(el, tools);
    case 'img': case 'area':
      tools.source = 'alt';
      return attr(el, 'alt') ?? '';
    case 'option': case 'optgroup':
      tools.source = 'value';
      return attr(el, 'label') ?? '';
    case 'fieldset':
      return childName(el, 'legend', tools);
    case 'table':
      return childName(el, 'caption', tools) || (attr(el, 'summary') ?? '');
  }
  return localName(el).includes('-') ? labelText(el, tools) : ''; // a custom element may be a form control
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
  const native = localName(el) === 'input' || localName(el) === 'textarea' ? attr(el, 'placeholder') : null;
  return native ?? attr(el, 'aria-placeholder') ?? '';
}

function linkTitle(el, tools) {
  tools.source = 'title';
  return localName(el) === 'a' ? attr(el, 'xlink:title') ?? '' : '';
}

function inputText(el, tools) {
  tools.source = 'value';
  switch (el.type) {
    case 'button':
      return el.value;
    case 'submit':
      return attr(el, 'value') ?? 'Submit';
    case 'reset':
      return attr(el, 'value') ?? 'Reset';
    case 'file':
      return el.title !== '' ? '' : el.multiple ? 'Choose Files' : 'Choose File';
    case 'image':
      tools.source = 'alt';
      return attr(el, 'alt') || attr(el, 'title') || attr(el, 'value') || 'Submit';
  }
  return '';
}

/** The labels of each control of a tree, in document order. Asking each control for its labels searches the tree every time. */
let labels = new Map();
onNewPass(() => { labels = new Map(); });

export function labelsOf(el) {
  const root = rootOf(el);
  let controls = labels.get(root);
  if (controls === undefined) {
    controls = new Map();
    labels.set(root, controls);
    for (const label of allIn(root, 'label')) {
      const control = label.control;
      if (control === null) continue;
      const others = controls.get(control);
      if (others === undefined) controls.set(control, [label]);
      else others.push(label);
    }
  }
  return controls.get(el);
}

/** What the element's labels say. A hidden one counts when no other is there. */
function labelText(el, tools) {
  const all = labelsOf(el);
  if (all === undefined) return '';
  if (all.length === 1) {
    const text = tools.text(all[0]);
    tools.source = 'label';
    return text;
  }
  const seen = all.filter((label) => !isHidden(label));
  const said = new Set(); // what two labels say alike, or one in another says again, is said once
  for (const label of seen.length === 0 ? all : seen) {
    if (all.some((other) => other !== label && contains(other, label))) continue;
    const text = tools.text(label).trim();
    if (text !== '') said.add(text);
  }
  tools.source = 'label';
  return Array.from(said).join(' ');
}

/** Whether an element has one label and no more. */
export function labelledOnce(el) {
  const all = labelsOf(el);
  return all !== undefined && all.length === 1;
}

/** The name a first child of that kind gives. */
function childName(el, name, tools) {
  const children = composedChildren(el);
  for (let i = 0; i < children.length; i++) {
    const child = /** @type {any} */ (children[i]);
    if (nodeType(child) !== 1 || localName(child) !== name) continue;
    const text = tools.text(child);
    tools.source = 'caption';
    return text;
  }
  return '';
}
