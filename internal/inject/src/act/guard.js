// The guard of presses: at the very moment of the press, is it still the element
// that was meant? If something came in between (a banner, a moved row, a frame),
// the page never sees the press, and the one who sent it is told what was hit instead.

import { isFrame, localName, matches, rectOf, rootOf } from '../safe.js';
import { LONG, PRESSES, swallow, watched } from './closed.js';
import { accepts, elementAt } from './ready.js';
import { asked, outsideOf } from './setoff.js';
import { knownRef } from '../refs.js';
import { resolve } from '../succession.js';
import { culprit } from './target.js';

let target = null; // WeakRef of the element meant, while armed
let subject = null; // and of the one standing in for it
let missed = null; // what was hit instead
let pressed = false;
let released = null; // what the press ended on, where that is not what it began on
let clicked = false; // a click came of it, or what comes of the other buttons
let clicks = 0; // how many of either
let second = null; // what a second press, of a double click, came to: not what was meant
let at = null; // where the press is to come
let agreed = null; // where consent matters: the elements that may be set off
let told = null; // and what somebody was told of them
let until = 0; // for as long: whoever asked may be gone
let held = null; // what else would have been

// From the start, and so before the page: what it keeps from others was a press all the same.
watched(['pointerdown', 'mousedown'], check);

/** sets: what a press may set off, where that is to be looked at; null where it is not. Answers what agree does. */
export function arm(el, standIn, spot, sets = null) {
  target = new WeakRef(el);
  subject = new WeakRef(standIn);
  at = { x: spot.x, y: spot.y, framed: isFrame(el) || isFrame(elementAt(spot.x, spot.y) || el) };
  missed = null;
  pressed = clicked = false;
  clicks = 0;
  released = second = null;
  watched(PRESSES, check);
  addEventListener('mousemove', moved, { capture: true, passive: true });
  return agree(sets);
}

/** From now on nothing may be set off but these; null lets everything be. Answers them as somebody is asked about them. */
export function agree(sets) {
  agreed = sets;
  until = performance.now() + LONG;
  held = null;
  told = sets && asked(sets);
  if (sets !== null) watched(SETTING, check);
  return told;
}

/** Whether what was agreed to has other words by the time that a press or a key begins: it is kept from being set off by that. */
export function renamed() {
  if (agreed === null || held !== null || agreed.length === 0) return false;
  const now = asked(agreed);
  const others = agreed.filter((el, i) => el.isConnected && JSON.stringify(now[i]) !== JSON.stringify(told[i]));
  if (others.length > 0) held = others;
  return held !== null;
}

/** When an event was sent: a busy page is handed it late, and what it was guarded by is not over by then. */
export function sentAt(ev) {
  return Math.min(ev.timeStamp, performance.now());
}

// What keys set off comes as a click, what is dragged as a drop. A form that is sent is either, or a script's doing.
const SETTING = [...PRESSES, 'drop'];

let pointer = null; // where it was moved to last, and onto what

function moved(ev) {
  if (ev.isTrusted) pointer = { x: ev.clientX, y: ev.clientY, on: new WeakRef(ev.composedPath()[0]) };
}

/**
 * Whether something else is below the pointer than it was moved onto: a list that opened there takes its entry for meant
 * until the pointer has moved once more.
 */
export function unmoved() {
  if (pointer === null) return false;
  const now = elementAt(pointer.x, pointer.y);
  return now !== null && now !== pointer.on.deref();
}

/** Whether a press was meant and none has come: it went to the frame around this one, or to the browser. */
export function lost() {
  const el = target && target.deref();
  return Boolean(el) && el.isConnected && !pressed && !at.framed;
}

/** What of the presses has come to the element that was meant: the first of them, and how many clicks. Nothing where something else was hit. */
export function arrived() {
  const whole = target !== null && missed === null && held === null;
  return { came: (whole && pressed) || undefined, clicks: (whole && clicks) || undefined };
}

const CLICKS = new Set(['click', 'dblclick', 'auxclick', 'contextmenu']);
const OPENS = new Set(['select', 'option', 'input', 'textarea', 'video', 'audio']); // what the browser itself shows for a press on them may take the release

/** Whether the element was pressed and no click came of it: a window that opened at once took the release, or it was switched off meanwhile. */
export function unclicked() {
  const el = target && target.deref();
  return Boolean(el) && el.isConnected && pressed && !clicked && missed === null && held === null && released === null && second === null && !at.framed && !OPENS.has(localName(el)) && !el.isContentEditable;
}

/** Lets everything through again; answers what was hit instead, if so. */
export function disarm() {
  // A press on what is taken away at that moment is heard of by nobody.
  const hit = missed || (target !== null && !pressed && !target.deref()?.isConnected ? { role: 'document', name: '', gone: true } : null);
  target = subject = missed = agreed = released = second = null;
  return hit;
}

/** What nobody had agreed to and was kept from being set off, since the last time; null where there was nothing. */
export function heldBack() {
  const list = held;
  held = null;
  return list;
}

function check(ev) {
  if (!ev.isTrusted) return;
  clicked = clicked || CLICKS.has(ev.type);
  if (CLICKS.has(ev.type) && ev.type !== 'dblclick') clicks++;
  if (agreed !== null && sentAt(ev) > until) agreed = held = null;
  if (agreed !== null && held === null) {
    const more = outsideOf(agreed, ev);
    if (more.length > 0) held = more;
    else if (ev.type === 'pointerdown' && (target === null || !pressed)) renamed();
  }
  if (target !== null && (ev.type === 'pointerdown' || ev.type === 'mousedown') && !pressed) {
    pressed = true;
    const hit = ev.composedPath()[0];
    if (!meant(hit) && !inherited(hit)) missed = hit.nodeType === 1 ? culprit(hit) : { role: 'document', name: '' };
    if (missed !== null && !target.deref()?.isConnected) missed.gone = true;
  } else if (target !== null && pressed && ev.type === 'pointerdown' && (!ev.button || ev.button === 2)) {
    const hit = ev.composedPath()[0];
    if (!meant(hit) && !inherited(hit) && target.deref()?.isConnected) second = new WeakRef(hit);
  } else if (target !== null && pressed && ev.type === 'pointerup' && !meant(ev.composedPath()[0])) released = new WeakRef(ev.composedPath()[0]);
  if (missed !== null || held !== null || second !== null) swallow(ev);
}

/** Whether what is hit is the element meant. */
function meant(hit) {
  const el = target.deref();
  const stand = subject.deref();
  return Boolean(el && hit && hit.nodeType === 1 && (accepts(el, hit) || (stand && accepts(stand, hit)) || shields(hit, el)));
}

/** Whether what is hit has taken the place of the element meant: pages rebuild themselves under the pointer. It is the one meant from then on. */
function inherited(hit) {
  const el = target.deref();
  if (!el || el.isConnected || hit.nodeType !== 1) return false;
  const heir = resolve(knownRef(el));
  if (heir === null || !(accepts(heir, hit) || shields(hit, heir))) return false;
  target = subject = new WeakRef(heir);
  return true;
}

const FIELD = 'input, textarea, [contenteditable], [role="combobox"], [role="searchbox"], [role="textbox"]';

/**
 * What had come over the element when the press ended, so that it was no click: a frame, something that is gone again, or what is there
 * instead since the page has moved. What a press brings up, as a menu, is still there; but a second press is not for that. A field that has the focus got what a press on it is for,
 * whatever glided over it meanwhile.
 */
export function slipped() {
  const el = target && target.deref();
  const next = second && second.deref();
  if (next && next.nodeType === 1) return culprit(next);
  const on = released && released.deref();
  if (!on || on.nodeType !== 1 || !el || !el.isConnected) return undefined;
  if (!isFrame(on) && matches(el, FIELD) && el.getRootNode().activeElement === el) return undefined;
  return isFrame(on) || meant(elementAt(at.x, at.y)) || away(rectOf(el)) ? culprit(on) : undefined;
}

/** Whether the element is no longer where it was pressed: the page has moved under the pointer. */
function away(r) {
  return at.x < r.left || at.x > r.right || at.y < r.top || at.y > r.bottom;
}

/** A closed shadow root shows only its host to the outside. */
export function shields(host, el) {
  for (let n = el; n; n = rootOf(n).host) if (n === host) return true;
  return false;
}

let dragged = null; // the page's own dragstart
let calledOff = false; // by rove, and not by the page
let endless = false; // whether the browser could not be told to end it

addEventListener('dragstart', (ev) => {
  if (target === null || !ev.isTrusted) return;
  dragged = ev;
  calledOff = false;
}, true);

// After the page. What begins in the browser and nothing ends would get the presses to come.
addEventListener('dragstart', (ev) => {
  if (ev !== dragged || !endless || ev.defaultPrevented) return;
  calledOff = true;
  ev.preventDefault();
});

/** Says whether a drag-and-drop of the page's own that a press begins is to be called off: the browser carries none on. */
export function callOff(drags) {
  endless = drags;
}

/** Whether the press has begun a drag-and-drop of the page's own, and the page did not call it off. */
export function dragging() {
  const started = dragged !== null && (calledOff || !dragged.defaultPrevented);
  dragged = null;
  calledOff = false;
  return { ok: true, checked: started };
}
