// settle: waits until the page has come to rest after an action, by what is seen
// to change and by what is painted, and tells how the action went.

import { elementOf } from '../refs.js';
import { shadowRootOf } from '../dom.js';
import { disarm } from './guard.js';
import { valueNow } from './field.js';
import { nextFrame } from './ready.js';

let changes = 0;
let observer = null;

/** Begins to count changes: of the document and of the shadow roots around an element. */
export function watch(el) {
  if (observer) observer.disconnect();
  changes = 0;
  observer = new MutationObserver((records) => {
    changes += records.length;
  });
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  observer.observe(document, all);
  for (let root = el && el.getRootNode(); root && root.host; root = root.host.getRootNode()) observer.observe(root, all);
  const own = el && shadowRootOf(el);
  if (own) observer.observe(own, all);
}

/**
 * @param {object} arg ref: the element acted on; cap: ms at most
 * @returns {Promise<string>} JSON: {changes, missed, value…}
 */
export async function settle({ ref, cap = 2000 }) {
  const deadline = performance.now() + cap;
  if (!observer) watch(null);
  // What the action caused at once is there. What it put off to the next frame,
  // or to a task, is there a frame later; and so on while changes keep coming.
  let quiet = 0;
  let restless = 0;
  while (quiet < 1 && performance.now() < deadline) {
    const before = count();
    await nextFrame();
    await task();
    quiet = count() === before ? quiet + 1 : 0;
    // A page that changes with every frame (a clock, an animation) is at rest.
    if (quiet === 0 && ++restless > 12) break;
  }
  const total = count();
  observer.disconnect();
  observer = null;
  const el = ref ? elementOf(ref) : null;
  return { changes: total, missed: disarm(), gone: Boolean(ref) && !el, ...(el ? valueNow(el) : {}) };
}

function count() {
  changes += observer.takeRecords().length;
  return changes;
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
