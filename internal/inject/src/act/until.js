// until: waits in one frame for something to be seen, or to be no more.

import { attr, documentBody, documentElement, localName, rectsOf, rendered } from '../safe.js';
import { lives } from '../refs.js';
import { resolve } from '../succession.js';
import { ownerOf } from '../frames.js';
import { clean } from '../icons.js';
import { locate, queryAll, shadowRoots } from '../locate.js';
import { valueNow } from './field.js';
import { nextFrame } from './ready.js';
import { later } from './timers.js';

/**
 * @param {object} arg ref, locator, text, or owner: the number of a frame inside; gone; timeout in ms
 * @returns {Promise<string>} '' when it is so, 'timeout', 'stale' for a ref that cannot come any more, or what is wrong with the condition
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
      if (arg.ref && !lives(arg.ref)) return 'stale';
      if (performance.now() >= deadline) return 'timeout';
      await new Promise((resolve) => {
        const timer = later(resolve, Math.min(100, deadline - performance.now()));
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

function holds({ ref, owner, locator, text }) {
  if (text) return shown(clean(text).toLowerCase());
  if (ref) return visible(resolve(ref));
  if (owner) return visible(ownerOf(owner));
  return locate(locator).some(visible);
}

function visible(el) {
  return el !== null && rendered(el, { visibilityProperty: true }) && rectsOf(el).length > 0;
}

/** Whether a person could read it: as text, in shadow roots too, in a field, or as what a picture or a button is called. */
function shown(want) {
  const has = (s) => clean(s).toLowerCase().includes(want);
  const body = documentBody();
  // The document of a frame that is not drawn has no box, and all of its source for text.
  if (body === null || rectsOf(documentElement()).length === 0) return false;
  if (has(body.innerText)) return true;
  const roots = Array.from(shadowRoots(document));
  return roots.some((root) => has(textIn(root))) || [document, ...roots].some((root) => labelled(root, has));
}

/** What is drawn of a shadow root's own; the text of its host is that of the light tree. */
function textIn(root) {
  return Array.from(root.childNodes, (node) => {
    if (node.nodeType === 3) return drawn(node) ? node.data : '';
    if (node.nodeType !== 1) return '';
    const { display } = getComputedStyle(node);
    if (display === 'contents') return textIn(node);
    if (!rendered(node, { visibilityProperty: true })) return '';
    const text = node.innerText ?? node.textContent; // SVG has no innerText
    return display.startsWith('inline') ? text : ' ' + text + ' ';
  }).join('');
}

function drawn(text) {
  const range = document.createRange();
  range.selectNode(text);
  return range.getClientRects().length > 0;
}

function labelled(root, has) {
  for (const el of queryAll(root, 'input, textarea, [aria-label], [alt]')) {
    if ((has(attr(el, 'aria-label')) || has(attr(el, 'alt')) || has(written(el))) && visible(el)) return true;
  }
  return false;
}

/** What a field shows: its value, or the placeholder where it is empty. */
function written(el) {
  const ln = localName(el);
  if (ln !== 'input' && ln !== 'textarea') return '';
  const { value } = valueNow(el);
  return value || attr(el, 'placeholder');
}
