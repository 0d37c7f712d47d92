// Closed frames: while something is pressed or typed in one frame of a tab, the
// others take no part in it. A frame that takes the focus, or comes to lie over
// what is pressed, gets nothing; how much was kept from it is told, never what.

import { focusNow } from '../dom.js';
import { isFrame } from '../safe.js';

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
export const LONG = 10000; // ms after which a frame opens by itself where a person may be at it: whoever closed it is gone
const YOUNG = 1000; // ms for which a frame that nobody knew of takes nothing there: it may have come to take what is for another

// Where rove alone has keys and a pointer, a frame is open only while something is done in it: no clock has a say in who gets
// a key, and what hangs and hears of nothing is closed all the same.
const alone = Boolean(globalThis.roveAlone) && top !== window;

const born = performance.now();
let until = top === window ? 0 : alone ? Infinity : born + YOUNG;
let told = false; // to close
let counts = none();
let typing = false; // a text is being typed elsewhere
let written = false; // anew, and somebody else's document than the page's
let shedding = 0; // how often what has the focus was told to give it up, within each other

const ALL = [...PRESSES, ...KEYS];
// Of touches only while the frame is closed: a listener for them makes scrolling wait.
const ALWAYS = ALL.filter((type) => !type.startsWith('touch'));
let heeded = ALWAYS; // the events that are listened for

// From the start, and so before the page; and again in a document that is written anew, be it the first of a new frame.
listen();
const watcher = new MutationObserver(anew);
watcher.observe(document, { childList: true });

function listen() {
  watched(heeded, keep);
  watched(['focus', 'focusin'], shed);
}

/** A document that was written anew may listen before we do from then on: as long as it is closed it must not have the focus at all. */
function anew(records) {
  listen();
  if (!records.some((r) => r.removedNodes.length > 0)) return;
  written = foreign();
  if (!shut() || !(typing || written)) return;
  if (document.hasFocus()) strip();
  letGo();
}

/**
 * Takes its listeners from a document that is somebody else's, was written anew, and has the focus while a text is typed elsewhere:
 * there is no other way to them, and to give the focus to another process takes time.
 */
function strip() {
  if (!typing || !written) return;
  document.open();
  document.close();
  watcher.takeRecords();
  listen();
}

/** What is of the page's own origin reads what is typed there anyway, and writes its editors anew. */
function foreign() {
  try {
    return !top.document;
  } catch {
    return true;
  }
}

function shut() {
  return until !== 0 && performance.now() < until;
}

/** Closes the frame, until it is released. keys: a text is typed elsewhere, and nobody has a reason to take the focus. */
export function close({ keys = false } = {}) {
  set(alone ? Infinity : performance.now() + LONG);
  told = true;
  typing = keys;
  heeded = ALL;
  listen();
  if (keys) letGo(written); // else the frame around it would take the focus from whom it is given to now
  return { ok: true };
}

function set(end) {
  until = end;
  told = typing = false;
  counts = none();
  heeded = ALWAYS;
}

function none() {
  return { keys: 0, presses: 0, releases: 0 };
}

/** Opens the frame for what is done in it. */
export function open() {
  set(0);
  return { ok: true };
}

/** What was done is done, here or elsewhere; answers how much was kept from the frame. */
export function release() {
  const had = counts;
  set(alone ? Infinity : 0);
  return { ok: true, ...had };
}

/** Gives the focus up where something of this document has it, to the frame around this one; and that tells nothing when it gets it again. */
function letGo(outwards = true) {
  const el = focusNow();
  if (el && isFrame(el)) return;
  if (el) el.blur();
  if (outwards && top !== window && document.hasFocus()) parent.focus();
}

const DEEPEST = 5; // a page may take the focus back at once, for ever

/**
 * Has nothing keep the focus while a text is typed elsewhere: keys that come between go nowhere, whoever listens first. And at any
 * time no EditContext, which is told of a text that comes as a whole by no event that could be kept from it.
 */
function shed(ev) {
  if (!shut() || !ev.isTrusted || shedding >= DEEPEST) return;
  const el = ev.composedPath()[0];
  shedding++;
  try {
    strip();
    if (typing || written) letGo();
    else if (el.editContext) el.blur();
  } finally {
    shedding--;
  }
}

// What comes of scripts, too: a box that is ticked, a label that is pressed. A frame that is only at rest is left that.
const BY_SCRIPTS = new Set(['input', 'click']);

function keep(ev) {
  if (!ev.isTrusted || (until !== 0 && kept(ev)) || hearer === null || !KEY.has(ev.type)) return;
  hearer(ev);
}

/** Keeps an event from the frame, where it is closed to that. */
function kept(ev) {
  if (!told && BY_SCRIPTS.has(ev.type) && !ev.detail) return false;
  // A key goes by when it was pressed: a busy page is handed it late.
  const now = Math.min(ev.timeStamp, performance.now());
  if (now >= until) {
    until = 0;
    return false;
  }
  // A young frame does not grow up while keys keep coming.
  if (now < born + LONG) until = Math.max(until, now + YOUNG);
  if (COUNTED[ev.type]) counts[COUNTED[ev.type]]++;
  swallow(ev);
  return true;
}

const KEY = new Set(KEYS);
let hearer = null; // who is asked about the keys that this frame is open to

/** Has keys go by a function as well, in the one call that each event of theirs costs: there are six of a letter. */
export function hearKeys(listener) {
  hearer = listener;
  watched(KEYS, keep);
}
