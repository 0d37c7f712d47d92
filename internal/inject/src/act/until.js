// until: waits in the page for something to be seen, or to be no more.

import { documentBody, rectsOf, rendered } from '../safe.js';
import { elementOf } from '../refs.js';
import { clean } from '../icons.js';
import { locate } from '../locate.js';
import { nextFrame } from './ready.js';

/**
 * @param {object} arg ref, locator or text; gone; timeout in ms
 * @returns {Promise<string>} '' when it is so, 'timeout', or what is wrong with the condition
 */
export async function until(arg) {
  const deadline = performance.now() + arg.timeout;
  // A change wakes the wait; what changes without one (layout, a class far up) is seen a moment later.
  let wake = null;
  const observer = new MutationObserver(() => wake && wake());
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  try {
    for (;;) {
      if (holds(arg) !== Boolean(arg.gone)) return '';
      if (performance.now() >= deadline) return 'timeout';
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, Math.min(100, deadline - performance.now()));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = null;
      await nextFrame();
    }
  } catch (e) {
    return String((e && e.message) || e);
  } finally {
    observer.disconnect();
  }
}

function holds({ ref, locator, text }) {
  if (text) return shown(clean(text).toLowerCase());
  if (ref) return visible(elementOf(ref));
  return locate(locator).some(visible);
}

function visible(el) {
  return el !== null && rendered(el, { visibilityProperty: true }) && rectsOf(el).length > 0;
}

function shown(want) {
  return documentBody() !== null && clean(documentBody().innerText).toLowerCase().includes(want);
}
