// What a press or a key sets off, for those who have to agree to it: everything
// operable that is pressed with it, what a label, an access key, a form or a list passes it on to.

import { beginPass, endPass, flatParent } from '../dom.js';
import { attr, documentBody, documentElement, docQueryAll, hasAttr, localName, nodeType, rootOf } from '../safe.js';
import { evidence, listens, NO } from '../clickable.js';
import { clean } from '../icons.js';
import { nameOf } from '../name.js';
import { refOf } from '../refs.js';
import { idOf, nodeOf } from './node.js';
import { roleOf } from '../role.js';
import { WIDGETS } from './field.js';
import { wordsOf } from './words.js';

const OPERABLE = new Set(['button', 'input', 'select', 'textarea', 'option', 'optgroup', 'summary', 'label', 'area', 'video', 'audio', 'iframe', 'frame', 'object', 'embed']);
const LONGEST = 100000; // characters of a name that are told

function operable(el) {
  const ln = localName(el);
  if (OPERABLE.has(ln) || (ln === 'a' && (hasAttr(el, 'href') || hasAttr(el, 'xlink:href')))) return true;
  const role = attr(el, 'role');
  return (role !== null && role.split(/\s+/).some((r) => WIDGETS.has(r))) || evidence(el) !== NO || listens(el);
}

/** All that a press on an element is a press on, the innermost first. */
export function pressedWith(hit) {
  const list = [];
  for (let n = hit; n && n !== documentBody() && n !== documentElement(); n = flatParent(n)) {
    if (nodeType(n) !== 1) continue;
    if (operable(n)) list.push(n);
    if (localName(n) === 'label' && n.control) list.push(n.control);
  }
  // Nothing that is known to do something: it may, by a listener further out.
  if (list.length === 0 && hit && nodeType(hit) === 1 && hit !== documentBody() && hit !== documentElement()) list.push(hit);
  return list;
}

/** The same with others that may be set off as well, by the numbers of their nodes. */
export function withAll(sets, nodes = []) {
  return [...sets, ...nodes.map(nodeOf).filter(Boolean)];
}

const LINES = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'color', 'range']); // inputs without a line of text

/** Whether a blank is a letter here, and not a press. */
function writes(el) {
  const ln = localName(el);
  return ln === 'textarea' || el.isContentEditable === true || (ln === 'input' && !LINES.has(el.type));
}

/** All that a key may set off while an element has the focus. key: as in KeyboardEvent.key; alt: whether Alt is held. */
export function keyedWith(el, { key, alt }) {
  const list = [];
  const add = (more) => {
    for (const n of more) if (n && !list.includes(n)) list.push(n);
  };
  if (alt && key.length === 1) {
    for (const n of docQueryAll('[accesskey]')) if ((attr(n, 'accesskey') || '').toLowerCase().split(/\s+/).includes(key.toLowerCase())) add(pressedWith(n));
  }
  const press = key === 'Enter' || (key === ' ' && !writes(el));
  if (press) {
    add(pressedWith(el));
    const active = attr(el, 'aria-activedescendant');
    const entry = el.ariaActiveDescendantElement || (active && rootOf(el).getElementById(active)); // set by a script, or by its id
    if (entry) add(pressedWith(entry));
  }
  if (key === 'Enter' && localName(el) === 'input' && el.form) add([defaultButton(el.form) || el.form]);
  if (localName(el) === 'select' && key !== 'Tab' && key !== 'Escape') add([el, ...el.options]);
  if (localName(el) === 'input' && el.type === 'radio' && /^Arrow/.test(key)) {
    for (const n of rootOf(el).querySelectorAll('input[type=radio]')) if (n.name === el.name && n.form === el.form) add(pressedWith(n));
  }
  return list;
}

/** The button that Enter in a field of a form presses. */
function defaultButton(form) {
  for (const n of rootOf(form).querySelectorAll('button, input')) if (n.form === form && (n.type === 'submit' || n.type === 'image')) return n;
  return null;
}

/** What an event would set off beside what was agreed to. */
export function outsideOf(agreed, ev) {
  const hit = ev.composedPath()[0];
  if (!hit || hit.nodeType !== 1) return [];
  return pressedWith(hit).filter((n) => !agreed.some((a) => a === n || inside(n, a)));
}

/** A closed shadow root shows only its host to the outside. */
function inside(host, el) {
  for (let n = rootOf(el).host; n; n = rootOf(n).host) if (n === host) return true;
  return false;
}

const CONTROLS = 'a[href], button, input, select, textarea, [role], [tabindex]';
// What is one thing to press, whatever is in it.
const ATOMS = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'option', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab']);

/** Elements as somebody is asked about them. */
export function asked(elements) {
  beginPass();
  try {
    return elements.map((el, i) => {
      const role = roleOf(el) || localName(el);
      let name = clean(nameOf(el, role)).slice(0, LONGEST);
      // A whole part of the page does not go by the texts of what is in it, nor does a list by its options.
      const alone = localName(el) !== 'select' && (ATOMS.has(role) || localName(el) === 'button' || localName(el) === 'a' || !el.querySelector(CONTROLS));
      const { words, more, text } = wordsOf(el, name, alone, (n) => LINES.has(n.type) && n.type !== 'file');
      // What no role names goes by its text.
      if (!name && (i === 0 || alone)) name = clean((alone ? text : el.textContent || '').slice(0, LONGEST));
      return { ref: refOf(el), id: idOf(el), role, name, words, more: more || undefined };
    });
  } finally {
    endPass();
  }
}
