// The page script's one global, in its isolated world only.

import { setClosedRoot } from './dom.js';
import { addListeners } from './clickable.js';
import { describe, shown } from './describe.js';
import { look } from './look.js';
import { setFrames } from './frames.js';
import { adopt, assign, fact, find, frameList, highlight, leave, meet } from './element.js';
import { elementOf, nextNumber, reserve } from './refs.js';
import { person } from './person.js';
import { seek } from './seek.js';
import { suspects } from './suspects.js';
import { outward } from './act/frame.js';
import { close, open, release } from './act/closed.js';
import { dragging } from './act/guard.js';
import { focusedOn, insert, keyed, pressedAt } from './act/keys.js';
import { option } from './act/option.js';
import { mark, marked } from './act/mark.js';
import { prepare } from './act/ready.js';
import { until } from './act/until.js';
import { ended, settle, watch } from './act/settle.js';
import { scroll, shows } from './act/scroll.js';
import { spot, view } from './act/spot.js';
import { zone } from './act/zone.js';
import { boxOf, read, select, setValue } from './act/set.js';

/**
 * An action's answer is JSON. It carries the next free ref number, as its messages may give refs,
 * and a sentence in place of an exception.
 */
function acting(fn) {
  return async (arg) => {
    reserve(arg.next || 1);
    let answer;
    try {
      answer = await fn(arg);
    } catch (e) {
      answer = { code: 'invalid', reason: String((e && e.message) || e) };
    }
    return JSON.stringify({ ...answer, next: nextNumber() });
  };
}

/** Reads the document's cookies: what it has set before that has reached the browser then. */
function cookies() {
  try {
    return String(document.cookie.length);
  } catch {
    return ''; // a document that may have none
  }
}

globalThis.rove = Object.freeze({
  look,
  describe,
  shown,
  suspects,
  /** The element a ref stands for, or null. For the host, which wants the object. */
  element: elementOf,
  frames: setFrames,
  shadow(...pairs) {
    for (let i = 0; i + 1 < pairs.length; i += 2) setClosedRoot(pairs[i], pairs[i + 1]);
  },
  listeners: addListeners,
  prepare: acting(prepare),
  settle: acting(settle),
  /** Begins to watch the page, for an action that is about no element. */
  attend: acting(() => (watch(null), { ok: true })),
  outward: acting(outward),
  select: acting(select),
  set: acting(setValue),
  mark: acting(mark),
  marked: acting(marked),
  read: acting(read),
  box: acting(boxOf),
  scroll: acting(scroll),
  shows: acting(shows),
  spot: acting(spot),
  view: acting(view),
  zone: acting(zone),
  option: acting(option),
  dragging: acting(dragging),
  close: acting(close),
  open: acting(open),
  release: acting(release),
  insert: acting(insert),
  keyed: acting(keyed),
  focusedOn: acting(focusedOn),
  pressedAt: acting(pressedAt),
  ended: acting(() => ({ ok: true, ...ended() })),
  until,
  cookies,
  find: acting(find),
  seek: acting(seek),
  person: acting(person),
  fact: acting(fact),
  meet: acting(meet),
  assign: acting(assign),
  leave: acting(leave),
  highlight: acting(highlight),
  frameList: acting(frameList),
  /** Numbers for elements that the host brings from the page's own world. */
  adopt: (next, ...elements) => acting(() => adopt(...elements))({ next }),
});
