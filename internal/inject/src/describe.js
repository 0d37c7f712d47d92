// describe: the role and name of one element, for locators.

import { beginPass, endPass } from './dom.js';
import { resolve } from './succession.js';
import { docQuery } from './safe.js';
import { clean } from './icons.js';
import { roleOf } from './role.js';
import { nameOf } from './name.js';
import { unmarked } from './likeness.js';
import { OPERABLE } from './state.js';
import { walk } from './walk.js';

export function describe({ css, ref }) {
  let el;
  try {
    el = ref ? resolve(ref) : docQuery(css);
  } catch (e) {
    return 'error\t' + clean(e.message);
  }
  if (!el) return ref ? 'error\tstale' : 'error\tnotfound';
  beginPass();
  try {
    const role = roleOf(el) || 'generic';
    return role + '\t' + nameOf(el, role); // collapsed already; a no-break space in it is meant
  } catch (e) {
    return 'error\t' + clean(String((e && e.message) || e));
  } finally {
    endPass();
  }
}

/**
 * The role and name under which look shows an element now: what it was called when it was shown may have changed since.
 * @param {number} ref
 */
export function shown(ref) {
  const el = resolve(ref);
  if (!el) return 'error\tstale';
  try {
    const now = shownAs(el);
    return now ? now.role + '\t' + now.name : 'error\thidden';
  } catch (e) {
    return 'error\t' + clean(String((e && e.message) || e));
  }
}

/** The role and name an element is shown with, or null where it is not. */
export function shownAs(el) {
  beginPass();
  try {
    for (const n of walk(el, { only: true }).nodes) if (!n.dead && n.el === el) return { role: n.role, name: asLabelled(el, n.name) };
    return null;
  } finally {
    endPass();
  }
}

/** What a view shows under a name and can be acted on, whatever its role. */
export function operableNamed(name) {
  const plain = unmarked(clean(name));
  if (plain === '') return [];
  beginPass();
  try {
    return walk(null, {}).nodes.filter((n) => !n.dead && n.state & OPERABLE && unmarked(n.name) === plain).map((n) => n.el);
  } finally {
    endPass();
  }
}

/** A name as the label of the element is read in a view: without the marks that a style adds. */
function asLabelled(el, name) {
  for (const label of el.labels || []) {
    const text = clean(label.textContent);
    if (text !== '' && unmarked(text) === unmarked(name)) return text;
  }
  return name;
}
