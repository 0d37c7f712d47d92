// suspects: elements that may have a closed shadow root. Only the host can tell
// (through the DOM domain), so it is asked about few, and about each only once.

import { beginPass, endPass, shadowRootOf, styleOf } from './dom.js';
import { follow, scanned } from './growth.js';
import { childElementCount, closest, docQueryAll, documentBody, firstChild, firstElementChild, localName, parentElement, rectOf, rendered } from './safe.js';

const LIMIT = 200;
const HOSTS = 'div,span,section,p,article,aside,main,nav,header,footer,body,blockquote,h1,h2,h3,h4,h5,h6';
const CLOSED = 'details:not([open])';
const FOLDED = CLOSED + ' > :not(summary)'; // without a layout: each question about it would lay out all of it
const asked = new WeakSet();

export function suspects() {
  const found = [];
  scanned();
  beginPass();
  try {
    collect(document, found);
  } finally {
    endPass();
  }
  return found;
}

function collect(root, found) {
  const all = root === document ? docQueryAll('*') : root.querySelectorAll('*');
  const tags = new Set(HOSTS.split(','));
  const folded = root.querySelector(CLOSED) !== null;
  for (let i = 0; i < all.length && found.length < LIMIT; i++) {
    const el = all[i];
    const ln = localName(el);
    const custom = ln.indexOf('-') > 0;
    if (!custom && !tags.has(ln)) continue;
    const shadow = shadowRootOf(el);
    if (shadow) {
      follow(shadow);
      collect(shadow, found);
      continue;
    }
    if (asked.has(el) || (folded && closest(el, FOLDED) !== null)) continue;
    if (custom ? customElements && !el.matches(':defined') : !unexplained(el)) continue;
    asked.add(el);
    found.push(el);
  }
}

/** Whether an element has a box that its children cannot account for: they have none, or there are none. */
function unexplained(el) {
  const first = firstElementChild(el);
  if (first !== null) {
    if (childElementCount(el) > 8 || rendered(first)) return false;
    for (let c = first; c; c = c.nextElementSibling) {
      if (rendered(c) || styleOf(c).display === 'none') return false;
    }
  } else if (firstChild(el) !== null) {
    return false; // plain text; a closed root over text alone is not worth asking for
  }
  const style = styleOf(el);
  if (style.display === 'none' || style.display === 'inline') return false;
  if (style.height !== 'auto' && first === null && el.hasAttribute('style')) return false;
  const box = rectOf(el);
  // What will be shown above the page, as a toast, has no room of its own: its host is put at the page's end.
  return box.width > 1 && (box.height > 1 || (first === null && parentElement(el) === documentBody()));
}
