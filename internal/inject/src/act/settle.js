// settle: waits until the page has come to rest after an action, by what is seen
// to change and by what is painted, and tells how the action went.

import { bare, filledByScripts } from './shell.js';
import { elementOf, knownRef } from '../refs.js';
import { resolve } from '../succession.js';
import { sketch } from './target.js';
import { animations, around, attr, closest, contains, listen, localName, rectOf, rendered, rootOf } from '../safe.js';
import { shadowRootOf } from '../dom.js';
import { painter } from '../painted.js';
import { arrived, disarm, heldBack, lost, slipped, unclicked } from './guard.js';
import { release } from './closed.js';
import { letGo } from './keys.js';
import { asked } from './setoff.js';
import { unfilled, valueNow } from './field.js';
import { nextFrame } from './ready.js';
import { outside } from './outside.js';
import { dragged, overlaps, shift } from './overlap.js';
import { clean, drawn, redrawn } from './drawn.js';
import { calm, stirred } from './stir.js';
import { begin, beginStage, endStage, idle, later, started } from './timers.js';

// How long a page may go on by itself because of an action, in ms: with an
// animation that moves what is there, and with changes of any other kind.
const MOVES = 1000;
const CHANGES = 250;

// How long to wait for the first sign of something, in ms: where a press has done nothing that is seen, as with a timer, and
// where a list is to come of what was typed, as it does when the keys have stopped for a while; where the page has set a timer because
// of the action; and where it has got an answer.
const SIGN = 150;
const LIST = 600;
const TIMER = 600;
const SEARCH = 1000; // of which the field is one to search or filter by, and the answer all that it is for
const ANSWER = 60;
const FRAMES = 4; // and at least so many: on a busy machine an answer is read late, and frames come late too
// And before the next of several actions.
const NEXT = 300;

let changes = 0;
let observer = null;
let latest = new Set(); // what changed since the last frame
let animated = false; // and whether something of it moved
let styled = false; // whether something moved at all, as with the first step of an animation
let changed = 0; // when something did last, ms
let over = 0; // since when nobody waits for changes; they are still seen for a while, as an answer may be on its way
const LINGER = 5000; // ms

const MOTION = /^(style|transform|d|points|width|height|c?[xy]|[xy][12]|r|[a-z-]*opacity)$/;
const STILL = 3; // frames without a change after something moved: a timer's steps and the frames do not keep time

let selected = null; // in an editor, before the action
let address = ''; // before the action
let held = ''; // what the element held before it
let sent = false; // whether a form was, since
let plain = false; // whether the action is to type into a field that needs nobody to show what it holds
let list = null; // the field to be typed into, where it says that a list comes of that
let seeks = false; // whether it is one to search by
let grown = false; // whether something was added to the page, since
let spread = false; // whether something was added outside of the element acted on
let telling = false; // whether something changed that a view may tell, and not only how something looks: a ripple, a shade
let spoken = 0; // changes of what is only said to readers
let actedOn = null;
let box = null; // the box or button that a press of its label is to choose
let ticked = false; // and whether it was before
let typing = false; // whether the action is to type
let typed = 0; // until when the page may still make something of what was typed before

// Editors take note of a selection after a while, by a timer that nothing tells
// of; what is done to it before that is done to the one before. Nobody waits for
// that here: the next action does, for what is left of the time.
const NOTED = 120;

const ALL = { subtree: true, childList: true, attributes: true, characterData: true };

const PART = 500; // ms that an application takes at most from one part of what it shows to the next

// What changes without end, whatever is done: a clock, a chart, a spinner.
const endless = new WeakSet();

/** Whether an element, or something around it, was still changing when the page was given up on. */
export function restless(el) {
  for (let n = el; n; n = around(n)) if (endless.has(n)) return true;
  return false;
}

/** Begins to count changes: of the document and of the shadow roots around an element. field: what is to be typed into. */
export function watch(el, field = null) {
  if (observer) {
    note(observer.takeRecords());
    observer.disconnect();
  }
  over = changes = spoken = 0;
  latest.clear();
  clean();
  styled = sent = grown = false;
  spread = telling = false;
  actedOn = el;
  box = labelled(el);
  ticked = box !== null && box.checked;
  typing = field !== null;
  begin();
  outside();
  calm();
  selected = selectionNow();
  address = location.href;
  held = el ? JSON.stringify(valueNow(el)) : '';
  list = field !== null && offers(field) ? field : null;
  seeks = field !== null && searches(field);
  plain = field !== null && list === null && showsItself(field);
  observer = new MutationObserver(note);
  const roots = [document];
  for (let root = el && rootOf(el); root && root.host; root = rootOf(root.host)) roots.push(root);
  const own = el && shadowRootOf(el);
  if (own) roots.push(own);
  for (const root of roots) {
    observer.observe(root, ALL);
    listen(root, 'formdata', gathered, true); // once, however often
  }
}

function labelled(el) {
  const label = el && closest(el, 'label');
  const of = label && label.control;
  return of && of !== el && localName(of) === 'input' && /^(?:checkbox|radio)$/.test(of.type) && !of.disabled ? of : null;
}

/** The box or button that a press of its label has not chosen. */
function unchosen() {
  if (box === null || ticked && box.type === 'radio') return undefined;
  const now = box.isConnected ? box : resolve(knownRef(box));
  return now && now.checked === ticked ? sketch(now) : undefined;
}

function note(records) {
  for (const r of records) {
    if (endless.has(r.target)) continue;
    changed = performance.now();
    if (over > 0) {
      if (changed - over > LINGER) observer.disconnect();
      return;
    }
    changes++;
    latest.add(r.target);
    if (changes < MOST && announces(r.target)) spoken++;
    else telling = telling || tells(r);
    if (r.type === 'attributes' && MOTION.test(r.attributeName)) animated = styled = true;
    if (r.type !== 'childList') continue;
    redrawn(r);
    if (r.addedNodes.length === 0) continue;
    grown = true;
    spread = spread || actedOn === null || !contains(actedOn, r.target);
  }
}

const MOST = 1000; // changes that are looked at one by one

// What a page makes of an answer while it loads is known from when it changed last.
addEventListener('DOMContentLoaded', () => {
  if (observer) return;
  observer = new MutationObserver(note);
  observer.observe(document, ALL);
  over = performance.now();
}, { once: true });

const STATES = /^(?:aria-(?!busy$|activedescendant$)|value$|checked$|selected$|disabled$|hidden$|open$|href$|src$|title$)/;

/** Whether a node is in a region that is there for screen readers, and nobody sees: what is said there comes beside what an action does, and is no sign of it. */
function announces(node) {
  const el = node.nodeType === 1 ? node : node.parentElement;
  const region = el && closest(el, '[aria-live], [role="status"], [role="alert"], [role="log"]');
  if (!region) return false;
  const r = rectOf(region);
  return r.width <= 1 || r.height <= 1 || r.right <= 0 || r.bottom <= 0;
}

function tells(r) {
  if (r.type === 'characterData') return true;
  if (r.type === 'attributes') return STATES.test(r.attributeName);
  return actedOn === null || !contains(actedOn, r.target);
}

/**
 * @param {object} arg ref: the element acted on; cap: ms at most; until: 'rest'; 'frame', for what comes with the next
 *   one; 'reaction', for the first sign of one; 'sign', for rest after one that is late, where nothing was seen so far; 'handled', until the page
 *   has made of it what it will, and 'chosen', the same of a choice, which it may not care for; 'answer', the same of an answer that it got, 'stage',
 *   of one that it got while it loads, and 'answered', for rest after one; 'pause', for timers that are due within the cap;
 *   'worked', for rest after something that a worker may have for the page; 'content', for rest after the first that an application shows; answers: how many the page has got of which address, for a stage
 * @returns {Promise<string>} JSON: {changes, waits: for a timer, sure: that it has read the answers, missed, note: ms before the next action, value…}
 */
export async function settle({ ref, cap = 2000, until = 'rest', answers = {} }) {
  const start = performance.now();
  const left = (limit) => start + Math.min(cap, limit) - performance.now();
  if (until === 'pause') {
    // Of one document the timer that is due first comes first, however late that is.
    await timeout(cap);
    return {};
  }
  const rested = over;
  if (!observer || over > 0) watch(null);
  if (until === 'worked' && rested > 0 && changed > rested) changes++; // while nobody waited
  const stage = until === 'stage';
  if (stage) beginStage();
  if (until === 'content') {
    if (!filledByScripts()) return {};
    await sign(cap, () => !bare(), FRAMES);
    if (bare()) return {};
    // It comes in parts, and nothing tells which is the last.
    for (let before = -1; before !== count() && left(cap) > 0; ) {
      before = changes;
      await sign(PART, () => changes > before, FRAMES);
    }
    changes++; // whether or not it was seen
    until = 'rest';
  }
  if (until === 'sign') {
    await sign(SIGN, () => changes > 0, FRAMES, start + cap);
    until = changes > 0 ? 'rest' : 'frame';
  }
  if (until === 'worked') {
    await sign(ANSWER, () => changes > 0, FRAMES);
    until = changes > 0 ? 'rest' : 'frame';
  }
  let sure;
  if (stage) {
    sure = await read(answers, start + cap);
    until = 'handled';
  }
  if (until === 'answer' || until === 'answered') {
    const [had, answer] = [count(), lastAnswer()];
    await sign(ANSWER, () => changes > had || answer > 0 && changed > answer, FRAMES, start + cap);
    until = until === 'answered' ? 'rest' : 'handled';
  }
  // What the action caused at once is there. What it put off to the next frame,
  // or to a task, is there a frame later; and so on while changes keep coming.
  let put = true; // what the action asked for may have been put off: a timer was set, and nothing came but a mark on what was there
  for (let quiet = 0; ; ) {
    const before = count();
    latest.clear();
    animated = false;
    if (until === 'reaction' && (before > 0 || reacted(ref)) && !mayGo(ref)) {
      // What is typed on is waited for by the action that makes use of it.
      if (started()) typed = performance.now() + LIST; // the timer, and the answer that it asks for
      break;
    }
    if (until === 'chosen') {
      until = 'handled';
      await task();
      if (count() === 0 && location.href === address && !started() && !mayGo(ref)) break;
    }
    // A page that made nothing of so many keys has nobody who would in the next frame.
    if (plain && before === 0 && !sent) {
      plain = false;
      await task();
      if (count() === 0 && location.href === address && !started()) break;
    }
    await nextFrame();
    await task();
    if (until === 'handled') {
      if (count() !== before && left(CHANGES) > 0 || location.href !== address && ++quiet < 2) continue;
      if (count() !== before) for (const node of latest) endless.add(node);
      if (!put || spread || stage || !started()) break; // whoever waits for a stage waits for timers as well
      put = false;
      await sign(left(NEXT), () => changes > before);
      continue;
    }
    if (until !== 'rest') {
      // An address that changed is heard of by a task, which may put off the rest to a frame.
      if (++quiet < 2 && location.href !== address) continue;
      break;
    }
    if (count() !== before) {
      quiet = 0;
      if (left(animated ? MOVES : CHANGES) > 0) continue;
      for (const node of latest) endless.add(node);
      break;
    }
    if (++quiet < STILL && styled || quiet < 2 && location.href !== address) continue;
    const moving = left(MOVES) <= 0 ? [] : movements(ref ? elementOf(ref) : null);
    if (moving.length === 0) {
      if (!listed()) {
        await sign(left(LIST), listed);
        list = null;
        continue;
      }
      if (!put || spread && !typing || !started()) break;
      put = false;
      const told = telling;
      const silent = spoken;
      await sign(left(seeks ? SEARCH : TIMER), () => (told ? changes - spoken > before - silent : telling));
      continue;
    }
    await Promise.race([Promise.allSettled(moving.map((a) => a.finished)), timeout(left(MOVES))]);
  }
  const total = count();
  const waits = started();
  if (stage) endStage();
  else idle();
  const note = marked() ? Math.max(0, NOTED - (performance.now() - start)) : undefined;
  list = null;
  latest.clear();
  over = performance.now();
  const el = ref ? resolve(ref) : null;
  return { changes: total, waits, sure, note, unclicked: unclicked() || undefined, ...ended(), outside: outside() || undefined, stirred: stirred() || undefined, spread: spread || undefined, shift: shift(), covers: overlaps(), drawn: drawn() || undefined, gone: Boolean(ref) && !el, unchosen: unchosen(), ...(el ? { ...valueNow(el), unfilled: unfilled(el) } : {}) };
}

/** Waits until the page has made something of what was typed before, where it has set a timer for that. */
export async function heard() {
  const end = typed;
  typed = 0;
  if (performance.now() >= end) return;
  let came = false;
  const watcher = new MutationObserver(() => (came = true));
  watcher.observe(document, ALL);
  while (!came && performance.now() < end) await nextFrame();
  watcher.disconnect();
}

/** What the guards kept from whom, which let everything through from here on. */
export function ended() {
  release();
  const had = arrived();
  const held = heldBack();
  return { ...had, lost: lost() || undefined, slipped: slipped(), missed: disarm(), astray: letGo(), held: held === null ? undefined : asked(held.filter((el) => el.isConnected)) };
}

/** Whether a field is one that people see what they type in: not the hidden one of an editor or a terminal that paints. */
function showsItself(field) {
  if (localName(field) === 'input') return true;
  const r = rectOf(field);
  return localName(field) === 'textarea' && r.width > 20 && r.height > 12 && rendered(field, { opacityProperty: true, visibilityProperty: true }) && painter(field) === null;
}

/** Whether a field says of itself that a list comes of what is typed. */
function offers(field) {
  return attr(field, 'role') === 'combobox' || /^(?:list|both)$/.test(attr(field, 'aria-autocomplete') || '') || attr(field, 'aria-haspopup') === 'listbox';
}

/** Whether a field is there to search or to filter by, as far as its words tell. */
function searches(field) {
  if (field.type === 'search' || attr(field, 'role') === 'searchbox' || closest(field, '[role="search"]')) return true;
  return ['aria-label', 'placeholder', 'name', 'id'].some((name) => SEEKS.test(attr(field, name) || ''));
}

const SEEKS = /search|filter|\bfind\b|such|filtr|busca|recherch|cerca|zoek|szuk|поиск|搜索|検索/i;

/** Whether that list may have come, or none is to. */
function listed() {
  return list === null || (grown && attr(list, 'aria-expanded') !== 'false');
}

/** Waits until something is so, or the time is up and some frames have gone by: by frames, as a document that may run no scripts has no timers. */
async function sign(ms, so, frames = 0, limit = Infinity) {
  for (const end = performance.now() + ms; !so() && performance.now() < limit && (performance.now() < end || frames > 0); count(), frames--) await nextFrame();
}

/**
 * Waits until the page has made something of answers, or has had the time for it, and says whether it surely has read them: the browser may tell of
 * an answer that the page, on a busy machine, has still to read.
 */
async function read(answers, limit) {
  const had = count();
  const began = performance.now();
  let asked = 0;
  let turns = 0; // that it has had since it got them
  await sign(ANSWER, () => {
    asked++;
    if (!got(answers)) return false;
    turns++;
    return changes > had || changed > lastAnswer();
  }, FRAMES, limit);
  // Where frames come late so does what the page is to read.
  const late = performance.now() - began > asked * LATE;
  return got(answers) && (changes > had || changed > lastAnswer() || (turns > TURNS && !late));
}

const TURNS = 2;
const LATE = 40; // ms between two frames of a machine that has too much to do

/** Whether the page has got so many answers of these addresses. */
function got(answers) {
  const left = new Map(Object.entries(answers));
  for (const { name, initiatorType } of performance.getEntriesByType('resource')) if (scripted(initiatorType) && left.has(name)) left.set(name, left.get(name) - 1);
  for (const n of left.values()) if (n > 0) return false;
  return true;
}

function scripted(initiator) {
  return initiator === 'fetch' || initiator === 'xmlhttprequest';
}

const KEPT = 250; // requests that a browser keeps the times of, at most

/** When the last answer to a script came in, in ms; 0 where that is not known. */
function lastAnswer() {
  const all = performance.getEntriesByType('resource');
  if (all.length >= KEPT) return 0;
  return all.reduce((last, r) => (scripted(r.initiatorType) ? Math.max(last, r.responseEnd) : last), 0);
}

/** Whether the page may be about to leave: links and forms go by a task, which comes after the next frame. */
function mayGo(ref) {
  const el = ref ? elementOf(ref) : null;
  return sent || el === null || closest(el, 'a[href]') !== null;
}

// A form that is sent, by a press, by Enter or by a script, gathers its data first.
function gathered() {
  sent = true;
}

/** Whether the element acted on holds something else than before. */
function reacted(ref) {
  const el = ref ? elementOf(ref) : null;
  return el !== null && held !== '' && JSON.stringify(valueNow(el)) !== held;
}

/** The ends of the selection, where there is some text in an editor between them; null else. */
function selectionNow() {
  const s = getSelection();
  const el = s && !s.isCollapsed && s.anchorNode && (s.anchorNode.nodeType === 1 ? s.anchorNode : s.anchorNode.parentElement);
  return el && el.isContentEditable ? [s.anchorNode, s.anchorOffset, s.focusNode, s.focusOffset] : null;
}

/** Whether the action selected something in an editor. */
function marked() {
  const now = selectionNow();
  return now !== null && !(selected && selected.every((v, i) => v === now[i]));
}

function count() {
  note(observer.takeRecords());
  return changes;
}

const MOVING = /^(height|width|max|min|block|inline|opacity|visibility|display|transform|translate|scale|rotate|top|left|right|bottom|inset|margin|clip|grid|flex|offset)/;

/**
 * Transitions and animations that end soon and change where or whether something is to be read: a section that unfolds, a
 * menu that fades. Not the ripple and the shades of the element acted on, nor what goes round for ever.
 */
function movements(actedOn) {
  return animations().filter((a) => {
    const { effect } = a;
    const target = effect && effect.target;
    if (a.playState !== 'running' || !target || endless.has(target)) return false;
    if (actedOn && contains(actedOn, target) && !(target === actedOn && dragged())) return false; // what is let go may glide to its place
    const rest = (effect.getComputedTiming().endTime - a.currentTime) / a.playbackRate;
    if (!(rest > 0 && rest <= MOVES)) return false;
    const moves = a.transitionProperty ? MOVING.test(a.transitionProperty) : effect.getKeyframes().some((k) => Object.keys(k).some((name) => MOVING.test(name)));
    return moves && (/\S/.test(target.textContent) || spreads(target));
  });
}

/** Whether something takes much of the screen, as the shade that comes before a dialog. */
function spreads(el) {
  const r = rectOf(el);
  return r.width * r.height > (innerWidth * innerHeight) / 2;
}

function timeout(ms) {
  return new Promise((resolve) => later(resolve, ms));
}

/** Lets the tasks that are waiting have their turn. */
function task() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}
