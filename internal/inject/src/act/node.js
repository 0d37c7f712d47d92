// Nodes as somebody agreed to them. A ref may pass to the element that takes another's place; a yes does not.

const ids = new WeakMap();
const byID = new Map(); // WeakRefs
let next = 1;

/** The number of one very node. */
export function idOf(el) {
  if (!ids.has(el)) {
    byID.set(next, new WeakRef(el));
    ids.set(el, next++);
  }
  return ids.get(el);
}

/** The node of a number, or null when it is gone. */
export function nodeOf(id) {
  const el = byID.get(id)?.deref();
  return el && el.isConnected ? el : null;
}
