// Growth: whether elements came to the document since the host last scanned it, or were unfolded.
// What listens for the pointer among them only the host can find out.

import { listen } from './safe.js';

let grown = false;

const observer = new MutationObserver((records) => {
  if (!grown && records.some(brings)) grow();
});

function brings(record) {
  for (const n of record.addedNodes) if (n.nodeType === 1) return true;
  return false;
}

// One is enough to know; from then on changes cost nothing.
function grow() {
  grown = true;
  observer.disconnect();
}

/** Begins anew: the host is about to scan. Shadow roots are to be named with follow. */
export function scanned() {
  grown = false;
  observer.disconnect();
  follow(document);
listen(document, 'toggle', grow, true);
}

/** Follows a tree of its own, too: a shadow root. */
export function follow(root) {
  observer.observe(root, { childList: true, subtree: true });
}

/** Whether there are elements that the host has not seen. */
export function hasGrown() {
  if (!grown && observer.takeRecords().some(brings)) grow();
  return grown;
}

follow(document);
listen(document, 'toggle', grow, true);
