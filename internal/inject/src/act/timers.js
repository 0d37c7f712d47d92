// Timers: whether the page has set some since an action began. Nobody tells; but all timers of a document are numbered together, those of
// this script too, so that the number of one that is set and cleared at once says how many there were before it.

let mine = 0; // that this script has set

/** As setTimeout, for this script. */
export function later(fn, ms) {
  mine++;
  return setTimeout(fn, ms);
}

function total() {
  const id = later(() => {}, 60000);
  clearTimeout(id);
  return id - mine;
}

// What a page sets by itself, as a ticker does, is known from the time in which nobody acts on it.
let since = null; // {count, at} when that time began
let pace = 0; // timers a millisecond
let start = null; // {count, at} when the action began

// A page that is loading asks for one thing after the other, and may set a timer in between, after an answer that it reads before
// anybody here hears of it: so it is counted from the stage before, whatever the pace.
let stage = null; // {count, at} when that ended, or the page was loaded

addEventListener('load', () => (stage = { count: total(), at: performance.now() }), { once: true });

/** A stage of a load begins: the page has got an answer. */
export function beginStage() {
  start = stage || { count: total(), at: performance.now() };
  pace = 0;
}

/** It ends. */
export function endStage() {
  idle();
  stage = since;
}

/** Begins the time in which nobody acts. */
export function idle() {
  since = { count: total(), at: performance.now() };
  start = null;
}

/** An action begins. */
export function begin() {
  start = { count: total(), at: performance.now() };
  if (since !== null && start.at - since.at >= LONG) pace = (start.count - since.count) / (start.at - since.at);
}

const LONG = 100; // ms; what is shorter says little of a pace

/** Whether the page has set timers since the action began that it would not have set by itself. */
export function started() {
  if (start === null) return false;
  const count = total() - start.count;
  return count > 0 && count > Math.ceil(1.5 * pace * (performance.now() - start.at));
}
