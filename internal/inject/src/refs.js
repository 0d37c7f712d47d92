// Refs: numbers that name elements for as long as they live. A number is given
// once and never to another element; neither map keeps an element alive.

const elements = new Map(); // number → WeakRef<Element>
const numbers = new WeakMap(); // Element → number
const collected = new FinalizationRegistry(({ n, ref }) => {
  if (elements.get(n) === ref) elements.delete(n); // else it has gone over to another
});
let next = 1;

// reserve makes sure that numbers below n, given out elsewhere, are not given here.
export function reserve(n) {
  if (n > next) next = n;
}

export function nextNumber() {
  return next;
}

// refOf gives the number an element has, or gives it one.
export function refOf(el) {
  let n = numbers.get(el);
  if (n === undefined) {
    n = next++;
    numbers.set(el, n);
    hold(n, el);
  }
  return n;
}

function hold(n, el) {
  const ref = new WeakRef(el);
  elements.set(n, ref);
  collected.register(el, { n, ref });
}

// moveRef gives the number of an element that is gone to the one that took its place. Should the old one come back, it is a new one.
export function moveRef(n, el) {
  const old = elements.get(n)?.deref();
  if (old !== undefined) numbers.delete(old);
  numbers.set(el, n);
  hold(n, el);
}

// knownRef is the number an element already has, or 0.
export function knownRef(el) {
  return numbers.get(el) || 0;
}

// elementOf is the element of a number, or null when it is gone or no longer in the page.
export function elementOf(n) {
  const el = elements.get(n)?.deref();
  return el && el.isConnected ? el : null;
}

// lives says whether the element of a number may be in the page again: it was taken out, and somebody may still hold it.
export function lives(n) {
  return elements.get(n)?.deref() !== undefined;
}
