// Closed frames: while something is pressed or typed in one frame of a tab, the
// others take no part in it. A frame that takes the focus, or comes to lie over
// what is pressed, gets nothing; how much was kept from it is told, never what.

import { activeElement, isFrame } from '../safe.js';

export const PRESSES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'touchstart', 'touchend'];
export const KEYS = ['keydown', 'keypress', 'keyup', 'beforeinput', 'textInput', 'input', 'paste', 'compositionstart', 'compositionupdate', 'compositionend'];

/** Has a listener come before those of the page. Again each time: document.open removes all listeners, and the same function is only added once. */
export function watched(types, listener) {
  for (const type of types) addEventListener(type, listener, { capture: true, passive: false });
}

export function swallow(ev) {
  ev.preventDefault();
  ev.stopImmediatePropagation();
}

const COUNTED = { pointerdown: 'presses', pointerup: 'releases', keydown: 'keys', beforeinput: 'keys' };
export const LONG = 10000; // ms after which a frame opens by itself: whoever closed it is gone
const YOUNG = 1000; // ms for which a frame that nobody knew of takes nothing: it may have come to take what is for another

const born = performance.now();
let until = top === window ? 0 : born + YOUNG;
let counts = none();
let typing = false; // a text is being typed elsewhere
let shedding = 0; // how often what has the focus was told to give it up, within each other

const ALL = [...PRESSES, ...KEYS];
// Of touches only while the frame is closed: a listener for them makes scrolling wait.
const ALWAYS = ALL.filter((type) => !type.startsWith('touch'));
let kept = ALWAYS; // the events that are listened for

// From the start, and so before the page; and again in a document that is written anew, be it the first of a new frame.
listen();
new MutationObserver(listen).observe(document, { childList: true });

function listen() {
  watched(kept, keep);
  watched(['focusin'], shed);
}

/** Closes the frame, until it is opened. keys: a text is typed elsewhere, and nobody has a reason to take the focus. */
export function close({ keys = false } = {}) {
  until = performance.now() + LONG;
  typing = keys;
  counts = none();
  kept = ALL;
  listen();
  if (keys) letGo();
  return { ok: true };
}

function none() {
  return { keys: 0, presses: 0, releases: 0 };
}

/** Opens the frame again; answers how much was kept from it. */
export function open() {
  const had = counts;
  until = 0;
  typing = false;
  counts = none();
  kept = ALWAYS;
  return { ok: true, ...had };
}

/** What has the focus of this document already tells nothing when its frame gets the keys again. */
function letGo() {
  const el = activeElement();
  if (el && !isFrame(el)) el.blur();
}

const DEEPEST = 5; // a page may take the focus back at once, for ever

/** Has nothing keep the focus: a text that comes as a whole tells an EditContext by no event that could be kept from it. */
function shed(ev) {
  const el = ev.composedPath()[0];
  if (until === 0 || performance.now() >= until || !ev.isTrusted || !(typing || el.editContext) || shedding >= DEEPEST) return;
  shedding++;
  try {
    el.blur();
  } finally {
    shedding--;
  }
}

function keep(ev) {
  if (until === 0 || !ev.isTrusted) return;
  const now = performance.now();
  if (now >= until) {
    until = 0;
    return;
  }
  // A young frame does not grow up while keys keep coming.
  if (now < born + LONG) until = Math.max(until, now + YOUNG);
  if (COUNTED[ev.type]) counts[COUNTED[ev.type]]++;
  swallow(ev);
}
