// describe: the role and name of one element, for locators.

import { beginPass, endPass } from './dom.js';
import { elementOf } from './refs.js';
import { docQuery } from './safe.js';
import { clean } from './icons.js';
import { roleOf } from './role.js';
import { nameOf } from './name.js';

export function describe({ css, ref }) {
  let el;
  try {
    el = ref ? elementOf(ref) : docQuery(css);
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
