// prepare: waits until an element can be acted on as a person would, and says where.
//
// Attached, visible, enabled, editable where that matters, at rest, scrolled into
// view, and really hit at the point that is handed back. What stops it is named.

import { shownOver } from '../hovers.js';
import { drawnFor, drawnOver } from '../standin.js';
import { shadowRootOf } from '../dom.js';
import { operableNamed, shownAs } from '../describe.js';
import { animations, around, attr, bringIntoView, closest, elementFromPoint, firstElementChild, hasAttr, isFrame, localName, matches, nextElementSibling, query, rectOf, rectsOf, rendered } from '../safe.js';
import { operableRoles } from '../kinds.js';
import { locate } from '../locate.js';
import { identity } from '../identity.js';
import { frameNumber } from '../frames.js';
import { elementOf } from '../refs.js';
import { decorated } from '../succession.js';
import { brief } from '../icons.js';
import { boxOfArea, pictureOf } from './area.js';
import { beside } from './drop.js';
import { open } from './closed.js';
import { arm, callOff, unmoved } from './guard.js';
import { fieldOf, focusField, focusOn, takesText, valueNow } from './field.js';
import { bringPoint, inward } from './frame.js';
import { hold } from './keys.js';
import { asked, pressedWith, withAll } from './setoff.js';
import { painter } from '../painted.js';
import { heard, restless, watch } from './settle.js';
import { heed } from './overlap.js';
import { calm } from './stir.js';
import { culprit, holds, sketch, targetOf, told } from './target.js';
import { later } from './timers.js';

/**
 * @param {object} arg
 *   ref, locator: the element; need: 'point' (a place to press), 'place' (one beside it, maybe: where to drop), 'keys' (the focus, ready to type), 'focus' (just that), 'here' (only to be there)
 *   at: [x, y] inside the element; edge: 'before' or 'after' it, held: the ref of what is dragged there, again: asked once more while it is; clear: select what a field holds; disabled: true if a disabled element will do;
 *   expect: {role, name} as last shown; timeout: ms; sets: whether to say what a press sets off; who: whether to say what it is known by; steady: whether the point has to be hit for a while;
 *   moves: whether it is to be moved, and what it covers then told; undragged: whether the browser carries on no drag-and-drop of the page's own
 */
export async function prepare(arg) {
  const deadline = performance.now() + (arg.timeout ?? 5000);
  if (arg.need !== 'keys' && arg.need !== 'here') await heard();
  let still = null; // the box, and since when it has been there
  let moves = 0; // since when it is known to move
  let waited = false; // for a list that looks away
  if (arg.need !== 'here') open();
  if (arg.steady) {
    const fight = await steady(arg, deadline);
    if (fight) return { ...sketchTarget(arg), ...fight };
  }
  for (;;) {
    const verdict = inspect(arg, still, moves > 0 ? performance.now() - moves : 0);
    if (verdict.ok && arg.need === 'keys' && arg.clear && verdict.value && verdict.tag !== 'input' && verdict.tag !== 'textarea') await noted();
    if (verdict.ok && arg.who) verdict.who = identity(found);
    if (verdict.ok && arg.again && !verdict.there && !waited) {
      waited = true;
      await new Promise((resolve) => later(resolve, LOOKS_AWAY));
      continue;
    }
    if (verdict.ok && verdict.drifts) return { ...(await ahead(arg, verdict)), who: verdict.who, drifts: undefined };
    if (verdict.ok || (verdict.code && !verdict.wait)) return verdict;
    if (performance.now() >= deadline) return (verdict.code === 'notfound' && unseen(arg)) || (verdict.code === 'hidden' && hovered(verdict)) || verdict;
    if (verdict.code === 'moving') moves = moves || performance.now();
    if (!verdict.box) still = null;
    else if (!still || !same(still.box, verdict.box)) still = { box: verdict.box, frame: frameTime(), at: performance.now() };
    await nextFrame();
  }
}

// ms for which lists that sort themselves take no note of the pointer after they moved something. A busy browser lets input pass before
// their timer: what is asked for by a timer that is due later comes after it.
const LOOKS_AWAY = 60;

const LEAD = 20; // ms from here to the press
const FARTHEST = 60; // px that something goes meanwhile

/** A point of something that does not stop, where it will be when it is pressed. */
async function ahead(arg, was) {
  const start = performance.now();
  await nextFrame();
  const now = inspect(arg, null, Infinity);
  if (!now.ok) return was;
  const share = LEAD / Math.max(performance.now() - start, 1);
  const [dx, dy] = [(now.x - was.x) * share, (now.y - was.y) * share];
  return Math.hypot(dx, dy) > FARTHEST ? now : { ...now, x: now.x + dx, y: now.y + dy };
}

const CONTEST = 1000; // ms for which a point may be fought over
const UNCONTESTED = 120; // ms for which it has to be the element's
const BEAT = 50; // ms that one frame counts for at most: on a busy machine the fight goes as slowly as the frames

/** Waits until a press would have hit the element at every frame for a while. Answers what it came to where that never was: it is covered, or fought over. */
async function steady(arg, deadline) {
  let free = false;
  let last = { code: 'contested' };
  let left = CONTEST;
  for (let since = performance.now(); left > 0 && performance.now() < deadline; ) {
    const began = performance.now();
    const { el, failure } = targetOf(arg);
    if (failure && !failure.wait) return null; // it is gone: whoever knows its locator finds what took its place
    const subject = el && standIn(el, 'point');
    if (subject && drifting(subject)) return null; // it was not there, and no other was in its place
    const spot = el && visible(subject) ? place(subject, arg, localName(el) === 'area' ? el : null) : last;
    if (spot.code) {
      last = spot;
      since = performance.now();
    } else {
      free = true;
      if (performance.now() - since >= UNCONTESTED) return null;
    }
    await nextFrame();
    left -= Math.min(performance.now() - began, BEAT);
  }
  return free || last.code !== 'covered' ? { code: 'contested' } : { code: 'covered', by: last.by, reason: last.reason };
}

function sketchTarget(arg) {
  const { el } = targetOf(arg);
  return el ? sketch(el) : {};
}

/**
 * Why what a wildcard means is not found: it sees what people see, and only what is of the kind it names. Null where there is
 * nothing to say about it.
 */
function unseen({ locator }) {
  const quoted = /^"([^]+)"$/.exec(locator || '');
  if (quoted) locator = '{}' + quoted[1];
  const [, part, kind, text] = /^\{(\^?)([^}]*)\}([^]*)$/.exec(locator || '') || [];
  if (kind === undefined) {
    // Words that were meant for a text, and are a selector of nothing.
    const [other] = /^[\p{L}\p{N}][\p{L}\p{N} '’,.!?-]*$/u.test(locator || '') ? locate(`{}${locator}`) : [];
    return other ? { code: 'notfound', by: told(other) } : null;
  }
  const found = locate(locator, document, true);
  if (found.length === 0 && kind !== '' && text !== '') {
    const others = locate(`{${part}}${text}`).map(culprit);
    const named = operableNamed(text);
    if (named.length === 1) return { code: 'notfound', by: told(named[0]) };
    const other = others.findLast((o) => o.role === 'clickable' || operableRoles.has(o.role)) || others[0]; // what can be pressed, and of that what came last, as menus do
    return other ? { code: 'notfound', by: other } : null;
  }
  if (found.length !== 1) return null;
  const [el] = found;
  if (!visible(el)) return { code: 'hidden', reason: hiddenReason(el), ...sketch(el) };
  const box = rectOf(el);
  const hit = elementAt(box.left + box.width / 2, box.top + box.height / 2);
  return hit === null || accepts(el, hit) ? null : { code: 'covered', by: culprit(hit), ...sketch(el) };
}

/** What is hidden, with what the pointer has to be over for it to be shown, where a style says so and that is seen itself. */
function hovered(verdict) {
  const over = shownOver(found);
  return over && visible(over) ? { ...verdict, by: told(over) } : null;
}

/** Until the page has been told of the selection: an editor with a model of its own acts on keys by what it knows. */
function noted() {
  return new Promise((resolve) => {
    const timer = later(done, 20); // nothing has changed
    document.addEventListener('selectionchange', done);
    function done() {
      clearTimeout(timer);
      document.removeEventListener('selectionchange', done);
      later(resolve);
    }
  });
}

const UNTYPED = new Set(['checkbox', 'radio', 'file', 'color', 'range', 'date', 'time', 'datetime-local', 'month', 'week']);

/** The next frame, or soon enough where none is painted (a tab in the background). */
export function nextFrame() {
  return new Promise((resolve) => {
    const timer = later(done, 100);
    const frame = requestAnimationFrame(done);
    function done() {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      resolve();
    }
  });
}

let found = null; // what was inspected last

// How long something may move before it is pressed where it is, in ms: what moves for ever never comes to rest. That it is hit
// is seen when it is pressed.
const MOVES = 1500;
const RESTLESS = 500;

function inspect(arg, still, waited) {
  const { el, failure } = targetOf(arg);
  if (failure) return failure;
  found = el;
  const subject = standIn(el, arg.need);
  const what = told(el);
  const no = (code, more) => ({ code, wait: true, ...what, ...more });

  if (arg.need !== 'here') {
    if (!visible(subject)) {
      // What is far off may not have been laid out so far: it is as soon as it comes near.
      if (rendered(subject, { visibilityProperty: true }) && !rendered(subject, { contentVisibilityAuto: true })) bring(subject);
      return no('hidden', { reason: hiddenReason(subject) });
    }
    if (!arg.disabled && disabled(el)) return no('disabled');
  }
  const done = { ok: true, ...what, ...valueNow(el), tag: localName(el), type: (el.type || '').toLowerCase() };

  if (arg.need === 'keys') {
    if (arg.origin && self.origin !== arg.origin) return { code: 'elsewhere', reason: self.origin, ...what };
    // What is chosen, set or ticked is not typed into; the caller knows what to do instead.
    if (done.tag === 'select' || (done.tag === 'input' && UNTYPED.has(done.type))) return { ...done, ok: false, code: 'untyped' };
    const field = fieldOf(el);
    if (isFrame(el) || (field && isFrame(field))) return { code: 'invalid', reason: 'it is a frame, and what is typed would go to the document in it; use the ref of a field there', ...what };
    if (!field) return { code: 'invalid', reason: 'it takes no text; click it, or use the ref of a field', ...what };
    if (field.readOnly || attr(field, 'aria-readonly') === 'true') return no('disabled', { reason: 'it is read-only' });
    if (field === el && what.role === 'combobox' && !takesText(el)) return { ...done, ok: false, code: 'untyped', type: 'list' }; // keys would only search its options
    bring(subject);
    const view = inView(el, arg);
    if (view.code) return { ...what, ...view };
    watch(el, field);
    if (!focusField(field, arg.clear)) return no('covered', { reason: 'it does not take the focus' });
    calm();
    hold(takesText(field) ? field : null, arg.sets ? [] : null); // letters set nothing off
    // What such an editor holds is only selected by its own keys.
    return { ...done, ...view, writes: takesText(field), all: Boolean(arg.clear) && painter(field) !== null };
  }
  if (arg.need === 'focus') {
    bring(subject);
    watch(el);
    if (!focusOn(el)) return { code: 'invalid', reason: 'it does not take the focus', ...what };
    calm();
    if (isFrame(el)) return { ...done, inner: frameNumber(el) };
    hold(null);
    return done;
  }
  if (arg.need === 'here') {
    watch(el);
    return { ...done, disabled: disabled(el) };
  }

  const lock = document.pointerLockElement;
  if (lock && !accepts(el, lock) && !accepts(subject, lock)) {
    document.exitPointerLock(); // as a hand would, by Escape: until then every press is the lock's
    return no('covered', { reason: 'the page keeps the pointer to itself' });
  }
  const spot = arg.need === 'place' ? beside(subject, arg) : place(subject, arg, localName(el) === 'area' ? el : null);
  if (spot.box && ((waited < MOVES && moving(subject)) || (waited < RESTLESS && restless(subject)))) {
    if (!still || !same(still.box, spot.box) || !proves(still)) return no('moving', { box: spot.box });
  }
  if (spot.code) return no(spot.code, spot);
  const drifts = arg.need === 'point' && !arg.at && (waited > 0 || drifting(subject));
  const view = inView(el, arg);
  if (view.code) return { ...what, ...view };
  const hit = elementAt(spot.x, spot.y);
  const sets = arg.sets ? pressedWith(hit) : null;
  if (arg.need === 'place') return { ...done, ...view, x: spot.x, y: spot.y, way: spot.way, there: spot.there, sets: sets && asked(sets), origin: sets && self.origin };
  const stir = unmoved();
  const named = arm(el, subject, spot, sets && withAll(sets, arg.also));
  callOff(Boolean(arg.undragged));
  if (arg.moves) heed(el, what.ref);
  watch(el);
  return { ...done, ...view, x: spot.x, y: spot.y, drifts: drifts || undefined, stir, sets: named && named.slice(0, sets.length), origin: sets && self.origin, ...(hit && isFrame(hit) ? inward(hit, spot.x, spot.y) : {}) };
}

/** The name an element has in views, for those who read them. With a code, what it has become, where it is no longer what was shown: scrolling makes lists use their rows again. */
function inView(el, { expect, who }) {
  const now = expect || who ? shownAs(el) : null;
  if (now === null) return {};
  if (!expect) return now.name ? { name: brief(now.name, 80) } : {};
  const same = now.role === expect.role && (now.name === expect.name || decorated(now.role, expect.name, now.name));
  const plain = sketch(el);
  if (!same && (plain.role !== expect.role || plain.name !== expect.name)) return { code: 'changed', ...now };
  return same && now.name ? { name: brief(now.name, 80) } : {};
}

/** The element people press in place of one that cannot be seen: the label of a hidden checkbox or radio button, or what is drawn for it, the editor of a field that only takes its keys, the picture of an area. */
export function standIn(el, need) {
  if (localName(el) === 'area') return pictureOf(el) || el;
  const host = painter(el);
  if (host !== null) return host;
  if (need !== 'point' || localName(el) !== 'input' || (el.type !== 'checkbox' && el.type !== 'radio')) return el;
  if (visible(el) && !covered(el)) return el;
  for (const label of el.labels || []) if (visible(label)) return label;
  return drawnFor(el) || el;
}

function covered(el) {
  const box = rectOf(el);
  const hit = elementAt(box.left + box.width / 2, box.top + box.height / 2);
  return hit !== null && !holds(el, hit);
}

/** Whether somebody who looks at the page, or scrolls to it, sees an element: one that is wholly transparent can be pressed, but not seen. */
export function seen(el) {
  return rendered(el, { opacityProperty: true }) && visible(el);
}

function visible(el) {
  if (!rendered(el, { visibilityProperty: true, contentVisibilityAuto: true })) return false;
  for (const r of rectsOf(el)) if (r.width > 0 && r.height > 0) return true;
  return overflowing(el) !== null;
}

/** A box without extent may hold children that have some: an anchor around a floating picture. */
export function overflowing(el) {
  for (let c = firstElementChild(el); c; c = nextElementSibling(c)) {
    const r = rectOf(c);
    if (r.width > 0 && r.height > 0) return c;
  }
  return null;
}

function hiddenReason(el) {
  const style = getComputedStyle(el);
  if (style.display === 'none') return 'display: none';
  if (style.visibility !== 'visible') return 'visibility: ' + style.visibility;
  if (!rendered(el)) return 'something around it is not shown';
  return 'it has no size';
}

function disabled(el) {
  if (matches(el, ':disabled')) return true;
  for (let n = el; n; n = around(n)) if (attr(n, 'aria-disabled') === 'true') return true;
  return hasAttr(el, 'inert') || closest(el, '[inert]') !== null;
}

/** Whether an animation or transition may be moving an element, and ends. */
function moving(el) {
  return animated(el, (end) => end !== Infinity);
}

/** Whether one that does not end may. */
function drifting(el) {
  return animated(el, (end) => end === Infinity);
}

function animated(el, ends) {
  for (const a of animations()) {
    const t = a.playState === 'running' && a.effect && a.effect.target;
    if (t && holds(t, el) && ends(a.effect.getComputedTiming().endTime)) return true;
  }
  return false;
}

/**
 * Whether a box that has not changed proves that nothing moves it: animations move on with frames, so that one or more must have been painted
 * since. Where none are (a tab in the background) time has to do; a busy machine, too, may paint none for a while.
 */
function proves(still) {
  return frameTime() - still.frame >= 8 || performance.now() - still.at >= (document.hidden ? 250 : 1000);
}

/** The time of the frame, as animations see it. A form by the name of timeline hides it. */
function frameTime() {
  const t = document.timeline && document.timeline.currentTime;
  return typeof t === 'number' ? t : 0;
}

function same(a, b) {
  return a.every((v, i) => Math.abs(v - b[i]) < 0.5);
}

export function bring(el) {
  const r = rectOf(el);
  if (r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth) {
    bringIntoView(el, { block: 'center', inline: 'center', behavior: 'instant' });
  }
}

/** A point of an element, or of an area of it, that a press would hit: {x, y, box}, or the reason there is none: {code, by, box}. */
function place(el, { at, held }, area) {
  const carried = held ? elementOf(held) : null; // what is dragged onto the element is no hindrance
  for (const block of [null, 'center', 'end', 'start']) {
    if (block) bringIntoView(el, { block, inline: block === 'center' ? 'center' : 'nearest', behavior: 'instant' });
    if (at && !area) bringPoint(el, at[0], at[1]);
    const box = rectOf(el);
    const whole = [box.left, box.top, box.width, box.height];
    let blocker = null;
    let onScreen = false;
    for (const [x, y] of points(el, box, at, area)) {
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const hit = elementAt(x, y);
      if (hit === null) continue;
      onScreen = true;
      if (accepts(area || el, hit) || (carried !== null && holds(carried, hit) && !holds(carried, el))) return { x, y, box: whole };
      blocker = blocker || hit;
    }
    if (block === 'start') {
      if (blocker) return { code: 'covered', by: culprit(blocker), box: whole };
      return { code: onScreen ? 'covered' : 'hidden', reason: 'it cannot be scrolled into view', box: whole };
    }
  }
}

/** Points worth trying: the middle of each of the element's boxes first, then others. */
function* points(el, box, at, area) {
  if (area) box = boxOfArea(area, el);
  if (at) {
    yield [box.left + at[0], box.top + at[1]];
    return;
  }
  let rects = area ? [box] : Array.from(rectsOf(linkOf(el) || el)).filter((r) => r.width > 0 && r.height > 0);
  if (rects.length === 0) {
    const child = overflowing(el);
    if (child) rects = [rectOf(child)];
  }
  const parts = rects.slice(0, 8).map(onScreenPart);
  for (const r of parts) yield [r.left + r.width / 2, r.top + r.height / 2];
  for (const r of parts) {
    for (const fx of [0.25, 0.75, 0.05, 0.95]) for (const fy of [0.5, 0.25, 0.75, 0.1, 0.9]) yield [r.left + r.width * fx, r.top + r.height * fy];
  }
}

/** The link that says all that an element says: a press on it is one on both, and look shows them as one. */
function linkOf(el) {
  if (!hasAttr(el, 'role') || localName(el) === 'a' || localName(el) === 'button') return null;
  const link = query(el, 'a[href], button, [role="link"], [role="button"]');
  return link !== null && link.textContent.trim() === el.textContent.trim() ? link : null;
}

function onScreenPart(r) {
  const left = Math.max(r.left, 0);
  const top = Math.max(r.top, 0);
  const width = Math.min(r.right, innerWidth) - left;
  const height = Math.min(r.bottom, innerHeight) - top;
  return width > 0 && height > 0 ? { left, top, width, height } : r;
}

/** The innermost element at a point, looked for inside shadow roots, closed ones too. */
export function elementAt(x, y) {
  let hit = elementFromPoint(x, y);
  for (;;) {
    const root = hit && shadowRootOf(hit);
    const inner = root && root.elementFromPoint(x, y);
    if (!inner || inner === hit) return hit;
    hit = inner;
  }
}

/** Whether a press on hit is one on el. */
export function accepts(el, hit) {
  if (holds(el, hit)) return true;
  // A label passes its clicks on.
  if (el.labels) for (const label of el.labels) if (holds(label, hit)) return true;
  return drawnOver(el, hit);
}
