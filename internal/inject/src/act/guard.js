// The guard: at the very moment of the press, is it still the element that was
// meant? If something came in between (a banner, a moved row), the page never
// sees the press, and the one who sent it is told what was hit instead.

import { localName, rootOf } from '../safe.js';
import { accepts, elementAt } from './ready.js';
import { culprit } from './target.js';

const TYPES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'touchstart', 'touchend'];

let target = null; // WeakRef of the element meant, while armed
let subject = null; // and of the one standing in for it
let missed = null; // what was hit instead
let pressed = false;
let at = null; // where the press is to come

// From the start, and so before the page: what it keeps from others was a press all the same.
for (const type of ['pointerdown', 'mousedown']) addEventListener(type, check, { capture: true, passive: false });

export function arm(el, standIn, spot) {
  target = new WeakRef(el);
  subject = new WeakRef(standIn);
  at = spot;
  missed = null;
  pressed = false;
  // Again each time: document.open removes all listeners. The same function is only added once.
  for (const type of TYPES) addEventListener(type, check, { capture: true, passive: false });
  addEventListener('mousemove', moved, { capture: true, passive: true });
}

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
  return Boolean(el) && !pressed && !FRAMES.test(localName(el)) && !FRAMES.test(localName(elementAt(at.x, at.y) || el));
}

const FRAMES = /^(?:iframe|frame|fencedframe|embed|object)$/; // they have presses of their own

/** Lets everything through again; answers what was hit instead, if so. */
export function disarm() {
  const hit = missed;
  target = subject = missed = null;
  return hit;
}

export function wasPressed() {
  return pressed;
}

function check(ev) {
  if (target === null || !ev.isTrusted) return;
  if (ev.type === 'pointerdown' || ev.type === 'mousedown') {
    if (!pressed) {
      pressed = true;
      const hit = ev.composedPath()[0];
      const el = target.deref();
      const stand = subject.deref();
      const fine = el && hit.nodeType === 1 && (accepts(el, hit) || (stand && accepts(stand, hit)) || shields(hit, el));
      if (!fine) missed = hit.nodeType === 1 ? culprit(hit) : { role: 'document', name: '' };
    }
  }
  if (missed !== null) {
    ev.preventDefault();
    ev.stopImmediatePropagation();
  }
}

/** A closed shadow root shows only its host to the outside. */
function shields(host, el) {
  for (let n = el; n; n = rootOf(n).host) if (n === host) return true;
  return false;
}

let dragged = null; // the page's own dragstart

addEventListener('dragstart', (ev) => {
  if (target !== null && ev.isTrusted) dragged = ev;
}, true);

/** Whether the press has begun a drag-and-drop of the page's own, and the page did not call it off. */
export function dragging() {
  const started = dragged !== null && !dragged.defaultPrevented;
  dragged = null;
  return { ok: true, checked: started };
}
