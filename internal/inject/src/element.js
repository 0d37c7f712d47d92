// What the driver asks about elements, and the waits it makes for them.

import { beginPass, endPass, shadowRootOf } from './dom.js';
import { frameNumber } from './frames.js';
import { brief, clean } from './icons.js';
import { nameOf } from './name.js';
import { countOf } from './locate.js';
import { follow } from './path.js';
import { refOf } from './refs.js';
import { roleOf } from './role.js';
import { attr, docQueryAll, localName, matches, rectOf } from './safe.js';
import { seen } from './act/ready.js';
import { nativeSet } from './act/set.js';
import { later } from './act/timers.js';

/** How many elements a path finds, and with refs: their numbers; with visible, only those that can be seen, and how many cannot. */
export function find({ path, refs, visible }) {
  const [first] = path;
  const quick = refs || visible || path.length > 1 || first.by === undefined || first.to || first.nth !== undefined ? -1 : countOf(first.by);
  if (quick > 0) return { ok: true, count: quick, unseen: 0 };
  const all = follow(path);
  const found = visible ? all.filter(seen) : all;
  return { ok: true, count: found.length, unseen: all.length - found.length, refs: refs ? found.map(refOf) : undefined };
}

const FACTS = {
  text: (el) => el.textContent,
  html: (el) => el.outerHTML,
  value: (el) => (el.value === undefined ? (el.isContentEditable ? el.innerText : null) : String(el.value)),
  attribute: (el, { name }) => attr(el, name),
  enabled: (el) => !disabled(el),
  position: (el, { relative }) => box(el, relative),
  matches: (el, { name }) => matches(el, name),
  tag: (el) => localName(el),
  role: (el) => named(el, (role) => role),
  name: (el) => named(el, (role) => nameOf(el, role)),
  focused: (el) => el.getRootNode().activeElement === el,
  frame: (el) => frameNumber(el),
};

/** One fact about the first element of a path, as soon as there is one. */
export async function fact(arg) {
  return poll(arg.timeout, () => {
    const el = follow(arg.path)[0];
    return el ? { ok: true, data: FACTS[arg.what](el, arg) } : { code: 'notfound' };
  });
}

function named(el, give) {
  beginPass();
  try {
    return give(roleOf(el) || 'generic');
  } finally {
    endPass();
  }
}

function box(el, relative) {
  const r = rectOf(el);
  const dx = relative ? 0 : scrollX;
  const dy = relative ? 0 : scrollY;
  return { x: r.left + dx, y: r.top + dy, width: r.width, height: r.height };
}

function disabled(el) {
  return matches(el, ':disabled') || attr(el, 'aria-disabled') === 'true';
}

/**
 * Waits until a condition holds for what paths find.
 * @param {object} arg paths; want: exists, visible, text, enabled, count, ready; text, count; timeout in ms
 */
export async function meet(arg) {
  return poll(arg.timeout, () => CONDITIONS[arg.want](arg));
}

const CONDITIONS = {
  exists({ paths }) {
    const which = paths.findIndex((p) => follow(p).length > 0);
    return which < 0 ? { code: 'timeout' } : { ok: true, which };
  },
  visible({ paths }) {
    const which = paths.findIndex((p) => follow(p).some(seen));
    return which < 0 ? { code: 'timeout' } : { ok: true, which };
  },
  text({ paths, text }) {
    const found = follow(paths[0]);
    const el = found.find((e) => e.textContent.includes(text) || clean(e.textContent).includes(clean(text)));
    if (el) return { ok: true };
    return { code: 'timeout', count: found.length, found: found.length ? brief(clean(found[0].textContent), 120) : '' };
  },
  enabled({ paths }) {
    const el = follow(paths[0])[0];
    return el && !disabled(el) ? { ok: true } : { code: 'timeout', count: el ? 1 : 0 };
  },
  count({ paths, count }) {
    const n = follow(paths[0]).length;
    return n === count ? { ok: true, count: n } : { code: 'timeout', count: n };
  },
  ready({ text }) {
    const state = document.readyState;
    return state === 'complete' || (text === 'parsed' && state !== 'loading') ? { ok: true } : { code: 'timeout', found: state };
  },
};

/** Asks again after every change of the document, and now and then for what changes without one. */
export async function poll(timeout, ask) {
  const deadline = performance.now() + (timeout || 0);
  let answer = ask();
  if (answer.ok || !timeout) return answer;
  let wake = null;
  const observer = new MutationObserver(() => wake && wake());
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  try {
    while (!answer.ok && performance.now() < deadline) {
      await new Promise((resolve) => {
        const timer = later(resolve, Math.max(0, Math.min(50, deadline - performance.now())));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = null;
      answer = ask();
    }
    return answer;
  } finally {
    observer.disconnect();
  }
}

/** Gives an element a value as a script would, with the events a page listens for. */
export async function assign(arg) {
  return poll(arg.timeout, () => {
    const el = follow(arg.path)[0];
    if (!el) return { code: 'notfound' };
    const ln = localName(el);
    if (ln === 'input' && (el.type === 'checkbox' || el.type === 'radio' || el.type === 'file')) throw new Error('its value is not for setting; check it, or give it a file');
    if (ln === 'input' || ln === 'textarea' || ln === 'select') nativeSet(el, 'value', arg.value);
    else if (el.isContentEditable) el.textContent = arg.value;
    else throw new Error('a ' + ln + ' has no value');
    for (const type of ['input', 'change']) el.dispatchEvent(new Event(type, { bubbles: true, composed: type === 'input' }));
    return { ok: true };
  });
}

/** Takes the focus from an element. */
export function leave({ path }) {
  const el = follow(path)[0];
  if (el) el.blur();
  return { ok: true };
}

/** Makes an element stand out for a while, by an animation: nothing in the page is changed for it. */
export async function highlight(arg) {
  return poll(arg.timeout, () => {
    const el = follow(arg.path)[0];
    if (!el) return { code: 'notfound' };
    el.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const look = { outline: '3px solid rgb(220, 38, 38)', outlineOffset: '1px', backgroundColor: 'rgba(253, 224, 71, 0.6)' };
    el.animate([look, look], { duration: arg.duration });
    return { ok: true };
  });
}

/** The numbers of the frames in this document, in the order of their elements. */
export function frameList() {
  const list = [];
  gather(Array.from(docQueryAll('*')), list);
  return { ok: true, refs: list.map(frameNumber) };
}

function gather(elements, list) {
  for (const el of elements) {
    const ln = localName(el);
    if (ln === 'iframe' || ln === 'frame' || ((ln === 'object' || ln === 'embed') && frameNumber(el))) list.push(el);
    const root = shadowRootOf(el);
    if (root) gather(Array.from(root.querySelectorAll('*')), list);
  }
}

/** Numbers for elements the host brings from the page's own world. */
export function adopt(...elements) {
  return { ok: true, refs: elements.filter((el) => el && el.nodeType === 1).map(refOf) };
}
