// Paths: how the driver says which elements it means. Each step is taken from
// the first element the step before found, or from the one of its number.

import { locate } from './locate.js';
import { beside } from './beside.js';
import { resolve } from './succession.js';

/**
 * @param {{ref: ?number, to: ?string, by: ?string, nth: ?number, within: ?number}[]} path
 * @returns {Element[]} what the last step finds, in order
 */
export function follow(path) {
  let found = [document];
  for (const step of path) {
    if (found.length === 0) return [];
    found = take(step, found[0]);
    if (step.nth !== undefined) found = found.slice(step.nth, step.nth + 1);
  }
  return found;
}

function take({ ref, to, by, within }, from) {
  if (ref) {
    const el = resolve(ref);
    return el ? [el] : [];
  }
  switch (to) {
    case undefined:
      return locate(by, from);
    case 'parent':
      return only(from.parentElement || (from.getRootNode && from.getRootNode().host));
    case 'children':
      return Array.from(from.children);
    case 'closest':
      return only(closestOut(from, by));
    default:
      return beside(to, from, locate(by), within);
  }
}

/** As closest, out of shadow trees too. */
function closestOut(el, by) {
  for (let at = el; at; at = at.getRootNode().host) {
    const found = at.closest(by);
    if (found) return found;
  }
  return null;
}

function only(el) {
  return el ? [el] : [];
}
