// person: what somebody at the window does, as steps: clicks, typing, choices. Only what a hand did counts, and what is typed into
// a field that hides it is never told.

import { identity } from './identity.js';
import { attr, closest, listen, localName } from './safe.js';
import { later } from './act/timers.js';

const page = Math.random().toString(36).slice(2); // tells this document from the one before
let did = []; // what the other side has not said it knows
let count = 0;
let watching = false;
let typed = null; // the field that is being typed into
const waiting = [];

/** Waits until something was done that is not known yet, and tells it. Several calls wait at once: what is done just before the
 *  document goes has one to go along with, without another way there and back. */
export async function person({ timeout, document, seen }) {
  begin();
  if (document === page) did = did.filter((d) => d.n > seen);
  if (did.length === 0) {
    await new Promise((resolve) => {
      waiting.push(resolve);
      later(() => {
        const i = waiting.indexOf(resolve);
        if (i >= 0) waiting.splice(i, 1);
        resolve();
      }, timeout);
    });
  }
  return { ok: true, document: page, did };
}

function tell(op, el, value) {
  const who = identity(el);
  count += 1;
  did.push({ n: count, op, who, value: who.secret ? '' : value });
  const next = waiting.shift();
  if (next) next();
}

function flush() {
  const el = typed;
  typed = null;
  if (el) tell('input', el, el.isContentEditable ? el.innerText.trim() : el.value);
}

/** What is pointed at, in so many words as can be looked for: of a whole section, the first line. */
function firstLine(text) {
  return (text.split('\n').find((line) => line.trim()) || '').trim().slice(0, 200);
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
      tell('assert', el, firstLine(el.innerText || target.innerText || ''));
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
