// The guard of keys: they are for one field, or for one document. Where the focus is
// taken away while they come, whatever has it gets none of them, and the typing ends there.

import { contains, documentBody, documentElement, execCommand, isFrame, listen, localName } from '../safe.js';
import { openRoot } from '../reads.js';
import { focusNow } from '../dom.js';
import { frameNumber } from '../frames.js';
import { LONG, hearKeys, open, swallow } from './closed.js';
import { fieldOf, focused, focusField, takesText } from './field.js';
import { inward } from './frame.js';
import { agree, renamed, sentAt, shields } from './guard.js';
import { elementAt, nextFrame } from './ready.js';
import { keyedWith, pressedWith, withAll } from './setoff.js';
import { culprit, holds, sketch, targetOf } from './target.js';

let field = null; // WeakRef of what is typed into; null where the whole document may have the keys
let armed = false;
let until = 0; // for as long, from the last key on: whoever types may be gone
let broken = null; // what has the focus in its place
let away = null; // what took the focus of the whole document, where nothing was typed into
let kept = 0; // keys that nothing got
let heard = 0; // keys that came where they were to
let striking = false; // a key is being handled by the page: what has the focus then was given it because of the key
let next = null; // and WeakRef of that
let tabbed = false;
let exact = false; // what has the focus, and nothing inside it
let writing = false; // rove puts a text in by itself

/** Keys are for a field from now on, or for whatever has the focus in this document. sets: what they may set off, where that is to be looked at. Answers what agree does. */
export function hold(el, sets = null, only = false) {
  open();
  field = el && new WeakRef(el);
  armed = true;
  until = performance.now() + LONG;
  broken = next = away = null;
  kept = heard = 0;
  striking = tabbed = false;
  exact = only;
  hearKeys(check);
  listen(window, 'focusin', came, true);
  listen(window, 'blur', left, true);
  return agree(sets);
}

/** Whether keys still go where they are to; lets everything through again. */
export function letGo() {
  const by = broken || away;
  const astray = by !== null ? { keys: kept, by, heard, left: broken === null } : undefined;
  armed = false;
  field = broken = next = away = null;
  return astray;
}

function check(ev) {
  if (!armed || writing) return;
  if (ev.timeStamp > until && sentAt(ev) > until) {
    letGo();
    return;
  }
  if (ev.type === 'keydown' || !striking) until = performance.now() + LONG;
  if (broken === null && field !== null && !fits(receiver(ev))) broken = sketchOf(receiver(ev));
  if (broken !== null) {
    if (ev.type === 'keydown' || (ev.type === 'beforeinput' && !striking)) kept++;
    swallow(ev);
    return;
  }
  if (ev.type === 'keydown' && exact && renamed()) {
    swallow(ev);
    return;
  }
  if (ev.type === 'keydown') {
    tabbed = ev.key === 'Tab';
    heard++;
  }
  if (!striking) {
    striking = true;
    if (bell === null) {
      bell = new MessageChannel();
      bell.port1.onmessage = () => (striking = false);
    }
    bell.port2.postMessage(0);
  }
}

let bell = null; // rings when the page has handled a key; one for all keys, as a channel takes longer to make than a key to type

/** What gets a key: in an open shadow tree an event names only the host. */
function receiver(ev) {
  const to = ev.target;
  return to instanceof Element && openRoot(to) === null ? to : ev.composedPath()[0];
}

/** Whether what gets a key is the field, or what the field itself hands the keys on to: the next box of a code, the editor that a key opens. */
function fits(to) {
  const el = field.deref();
  if (!to || to.nodeType !== 1) return false;
  if (exact) return to === el || Boolean(el && shields(to, el));
  if (el && el.isConnected && (holds(el, to) || shields(to, el) || (to.isContentEditable && contains(to, el)))) return true;
  const given = next && next.deref();
  const handedOn = (given && (holds(given, to) || shields(to, given)) && (tabbed || takesText(to))) || (el && full(el) && takesText(to));
  if (handedOn) field = new WeakRef(to);
  return Boolean(handedOn);
}

function full(el) {
  return localName(el) === 'input' && el.maxLength > 0 && el.value.length >= el.maxLength;
}

function came(ev) {
  if (armed && striking && ev.isTrusted) next = new WeakRef(ev.composedPath()[0]);
}

function left(ev) {
  if (!armed || ev.target !== window || !ev.isTrusted || broken !== null) return;
  const now = focusNow();
  if (field === null) {
    away = sketchOf(now);
    return;
  }
  const el = field.deref();
  if (el && now && holds(el, now)) return; // the whole window lies behind another one; keys still come here
  broken = { role: 'frame', name: '', ...sketchOf(now) };
}

function sketchOf(el) {
  return el && el.nodeType === 1 ? culprit(el) : { role: 'document', name: '' };
}

/**
 * What has the focus in this document, and what a key would set off there: from now on the key is for that alone.
 * @param {object} arg key, alt: as in KeyboardEvent
 */
export function keyed({ key = '', alt, also = [] }) {
  const el = focusNow() || documentBody() || documentElement();
  if (isFrame(el)) return { ok: true, inner: frameNumber(el) };
  if (!key) {
    open();
    return { ok: true };
  }
  const sets = keyedWith(el, { key, alt });
  const told = hold(el, withAll(sets, also), true).slice(0, sets.length);
  return { ok: true, ...sketch(el), tag: localName(el), type: (el.type || '').toLowerCase(), sets: told, origin: self.origin };
}

/** What has the focus in this document. */
export function focusedOn() {
  const el = focusNow() || documentBody() || documentElement();
  return { ok: true, ...sketch(el), origin: self.origin };
}

/** What a press at a point of this document would set off: from now on it may set off that alone. */
export function pressedAt({ x, y, sets: looked, also }) {
  open();
  const hit = elementAt(x, y);
  if (hit && isFrame(hit)) return { ok: true, ...inward(hit, x, y) };
  if (!looked) return { ok: true };
  const sets = hit ? pressedWith(hit) : [];
  return { ok: true, sets: agree(withAll(sets, also)).slice(0, sets.length), origin: self.origin };
}

/** Puts a text into a field at once, without a key that could go astray: nothing but this document, which must be of that origin, has it. */
export async function insert(arg) {
  if (self.origin !== arg.origin) return { code: 'elsewhere', reason: self.origin };
  const { el, failure } = targetOf(arg);
  if (failure) return failure;
  const into = fieldOf(el);
  if (!into || !takesText(into)) return { code: 'invalid', reason: 'a secret goes into a field for text only', ...sketch(el) };
  if (!focusField(into, arg.clear)) return { code: 'contested', ...sketch(el) };
  hold(into);
  for (const end = performance.now() + UNCONTESTED; performance.now() < end && broken === null; ) await nextFrame();
  if (broken !== null || !focused(into)) return { code: 'contested', by: letGo()?.by, ...sketch(el) };
  // All in one go from here on: no other script has a turn.
  if (!focusField(into, arg.clear)) return { code: 'contested', ...sketch(el) };
  const before = into.value;
  writing = true;
  try {
    execCommand('insertText', false, arg.value);
  } finally {
    writing = false;
  }
  return { ok: true, ...sketch(el), checked: into.isContentEditable || into.value !== before || into.value.includes(arg.value) };
}

const UNCONTESTED = 60; // ms for which a field has to keep the focus before it is given a secret
