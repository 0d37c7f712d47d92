// Scrolling: of the page, of what scrolls inside it, and to where a text is seen.

import { around, bringIntoView, closest, documentBody, documentElement, pageScroller, rectOf, rendered } from '../safe.js';
import { queryAll, shadowRoots } from '../locate.js';
import { brief, clean } from '../icons.js';
import { elementAt } from './ready.js';
import { watch } from './settle.js';
import { sketch, targetOf, told } from './target.js';

/** Scrolls an element, or the page, by an amount; answers how far it went. */
export function scroll(arg) {
  let el = arg.ref || arg.locator ? null : pane(arg.dx ? 'x' : 'y');
  let what = {};
  if (arg.ref || arg.locator) {
    const t = targetOf(arg);
    if (t.failure) return t.failure;
    el = t.el;
    what = sketch(el);
    if (!arg.dx && !arg.dy) {
      watch(el);
      // What moved: the list it is in, or the page.
      const moving = [scroller(around(el) || el), pageScroller()].map((s) => ({ s, left: s.scrollLeft, top: s.scrollTop }));
      bringIntoView(el, { block: 'center', inline: 'center', behavior: 'instant' });
      const by = moving.find(({ s, left, top }) => s.scrollLeft !== left || s.scrollTop !== top);
      if (!by) return { ok: true, ...what };
      return { ok: true, ...what, moved: [by.s.scrollLeft - by.left, by.s.scrollTop - by.top], top: Math.round(by.s.scrollTop), height: by.s.scrollHeight };
    }
    el = scroller(el);
  }
  watch(el);
  const before = [el.scrollLeft, el.scrollTop];
  const page = el === pageScroller();
  const dx = arg.pages ? arg.dx * (page ? innerWidth : el.clientWidth) * 0.9 : arg.dx;
  const dy = arg.pages ? arg.dy * (page ? innerHeight : el.clientHeight) * 0.9 : arg.dy;
  el.scrollBy({ left: dx, top: dy, behavior: 'instant' });
  const moved = [el.scrollLeft - before[0], el.scrollTop - before[1]];
  const end = Math.ceil(el.scrollTop + (page ? innerHeight : el.clientHeight)) >= el.scrollHeight - 1;
  return { ok: true, ...what, moved, top: Math.round(el.scrollTop), height: el.scrollHeight, end, scrollX, scrollY };
}

/**
 * What a person who turns the wheel over the page would scroll: the page, or, in one that is a window with panes, the pane in the
 * middle, or else the largest.
 */
function pane(axis) {
  const page = pageScroller();
  const locked = [documentElement(), documentBody()].some((n) => n && /^(?:hidden|clip)$/.test(getComputedStyle(n)['overflow-' + axis]));
  if (exceeds(page, axis) && !locked) return page;
  const middle = elementAt(innerWidth / 2, innerHeight / 2);
  let best = middle ? scroller(middle, axis) : page;
  if (best !== page) return best;
  let most = 0;
  for (const root of [document, ...shadowRoots(document)]) {
    for (const el of queryAll(root, '*')) {
      if (el === page || !scrolls(el, axis) || !rendered(el, { visibilityProperty: true })) continue;
      const r = rectOf(el);
      const size = Math.max(0, Math.min(r.right, innerWidth) - Math.max(r.left, 0)) * Math.max(0, Math.min(r.bottom, innerHeight) - Math.max(r.top, 0));
      if (size > most) [best, most] = [el, size];
    }
  }
  return best;
}

/** The nearest thing around an element that scrolls, itself included; in either direction, or in one. */
function scroller(el, axis) {
  for (let n = el; n; n = around(n)) if (scrolls(n, axis)) return n;
  return pageScroller();
}

function scrolls(el, axis) {
  if (!exceeds(el, axis)) return false;
  const { overflowX, overflowY } = getComputedStyle(el);
  return /auto|scroll|overlay/.test(axis === 'x' ? overflowX : axis === 'y' ? overflowY : overflowX + overflowY);
}

/** Whether there is more in an element than it has room for. */
function exceeds(el, axis) {
  return (axis !== 'x' && el.scrollHeight > el.clientHeight + 1) || (axis !== 'y' && el.scrollWidth > el.clientWidth + 1);
}

/** Whether a text is on screen now, and where. */
export function shows({ value }) {
  const want = clean(value).toLowerCase();
  for (const root of [documentBody(), ...shadowRoots(document)]) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let n; (n = walker.nextNode()); ) {
      if (!clean(n.data).toLowerCase().includes(want)) continue;
      const el = around(n);
      const r = rectOf(el);
      if (r.height > 0 && r.bottom > 0 && r.top < innerHeight && rendered(el, { visibilityProperty: true }) && !scrolledOut(el, r)) return { ok: true, ...told(el), text: brief(lineOf(el), 200) };
    }
  }
  return { code: 'notfound' };
}

/** The words of the row, item or card that an element is in, or its own. */
function lineOf(el) {
  const row = closest(el, 'tr, li, [role="row"], [role="listitem"], [role="option"], [role="article"], article') || el;
  const words = clean((row.innerText || row.textContent || '').slice(0, 2000));
  return words.length > 400 ? clean(el.textContent.slice(0, 2000)) : words;
}

/** Whether something around an element cuts all of it off: a list that has not been scrolled there. */
function scrolledOut(el, r) {
  for (let n = around(el); n && n !== documentBody() && n !== documentElement(); n = around(n)) {
    if (getComputedStyle(n).overflowY === 'visible') continue;
    const c = rectOf(n);
    if (r.bottom <= c.top + 1 || r.top >= c.bottom - 1) return true;
  }
  return false;
}
