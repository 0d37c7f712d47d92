// person: what somebody at the window does, as steps: clicks, typing, choices. Only what a hand did counts, and what is typed into
// a field that hides it is never told.

import { identity } from './identity.js';
import { attr, closest, listen, localName } from './safe.js';
import { later } from './act/timers.js';

const queue = [];
let wake = null;
let watching = false;
let typed = null; // the field that is being typed into

/** Waits until something was done, and tells it. */
export async function person({ timeout }) {
  begin();
  if (queue.length === 0) {
    await new Promise((resolve) => {
      wake = resolve;
      later(resolve, timeout);
    });
    wake = null;
  }
  return { ok: true, did: queue.splice(0) };
}

function tell(op, el, value) {
  const who = identity(el);
  queue.push({ op, who, value: who.secret ? '' : value });
  if (wake) wake();
}

function flush() {
  const el = typed;
  typed = null;
  if (el) tell('input', el, el.isContentEditable ? el.innerText.trim() : el.value);
}

const OPERABLE = 'a,button,input,select,textarea,summary,option,label,[role],[onclick],[tabindex],[contenteditable]';
const CHOSEN = new Set(['checkbox', 'radio', 'file', 'range', 'color', 'date', 'time', 'month', 'week', 'datetime-local']);

function begin() {
  if (watching) return;
  watching = true;
  const hear = (type, fn) =>
    listen(
      document,
      type,
      (e) => {
        const el = e.composedPath()[0];
        if (e.isTrusted && el && el.nodeType === 1) fn(e, el);
      },
      { capture: true },
    );
  hear('input', (_, el) => {
    const tag = localName(el);
    if (tag === 'textarea' || el.isContentEditable || (tag === 'input' && !CHOSEN.has(el.type))) typed = el;
  });
  hear('change', (_, el) => {
    const tag = localName(el);
    if (el === typed) flush();
    else if (tag === 'select') tell('select', el, el.selectedOptions[0] ? el.selectedOptions[0].label : '');
    else if (tag === 'input' && el.type === 'checkbox') tell(el.checked ? 'check' : 'uncheck', el, '');
    else if (tag === 'input' && el.type === 'radio') tell('click', el, '');
    else if (tag === 'input' && el.type === 'file') tell('upload', el, Array.from(el.files, (f) => f.name).join(', '));
    else if (tag === 'input' && CHOSEN.has(el.type)) tell('set', el, el.value);
  });
  hear('keydown', (e, el) => {
    if (e.key !== 'Enter' && e.key !== 'Escape') return;
    if (localName(el) === 'button' || localName(el) === 'a' || (e.key === 'Enter' && localName(el) === 'textarea')) return; // a click follows, or a line
    flush();
    tell('press', el, e.key);
  });
  hear('click', (e, el) => {
    const target = closest(el, OPERABLE) || el;
    if (e.altKey) {
      e.preventDefault();
      e.stopImmediatePropagation();
      tell('assert', target, target.innerText || '');
      return;
    }
    flush();
    if (e.detail === 0) return; // by a key, or a label: told otherwise
    const tag = localName(target);
    const field = tag === 'label' ? target.control : target;
    if (field && (localName(field) === 'select' || localName(field) === 'textarea' || (localName(field) === 'input' && !/^(submit|button|reset|image)$/.test(field.type)))) return; // typed, chosen or ticked
    if (attr(target, 'contenteditable') !== null && attr(target, 'contenteditable') !== 'false') return;
    tell('click', target, '');
  });
}
