// The options of an ARIA combobox or listbox: what a person would see listed.

import { beginPass, endPass } from '../dom.js';
import { attr, docQueryAll, rendered } from '../safe.js';
import { clean } from '../icons.js';
import { nameOf } from '../name.js';
import { roleOf } from '../role.js';
import { sketch, targetOf } from './target.js';

const OPTIONS = '[role="option"], [role="treeitem"], [role="menuitem"], [role="menuitemradio"], [role="gridcell"]';

/** Finds the option that an element's list shows under a text: exact, then whatever its case, then at its beginning or within. */
export function option(arg) {
  const { el, failure } = targetOf(arg);
  if (failure) return failure;
  const listed = optionsOf(el).filter((o) => rendered(o, { visibilityProperty: true }));
  if (listed.length === 0) return { code: 'closed', reason: 'its list is not open', ...sketch(el) };
  beginPass();
  let named;
  try {
    named = listed.map((o) => [clean(nameOf(o, roleOf(o)) || o.textContent), o]);
  } finally {
    endPass();
  }
  const want = clean(arg.value).toLowerCase();
  const found =
    named.find(([n]) => n === clean(arg.value)) ||
    named.find(([n]) => n.toLowerCase() === want) ||
    named.find(([, o]) => attr(o, 'data-value') === arg.value || attr(o, 'value') === arg.value) ||
    named.find(([n]) => n.toLowerCase().startsWith(want)) ||
    named.find(([n]) => n.toLowerCase().includes(want));
  if (!found) return { code: 'nooption', options: named.slice(0, 12).map(([n]) => n), count: named.length };
  return { ok: true, ...sketch(found[1]) };
}

/** The options in an element itself, in what it controls, or in the list that has opened. */
function optionsOf(el) {
  const own = el.querySelectorAll(OPTIONS);
  if (own.length > 0) return Array.from(own);
  const ids = ((attr(el, 'aria-controls') || '') + ' ' + (attr(el, 'aria-owns') || '')).split(/\s+/).filter(Boolean);
  const root = el.getRootNode();
  const found = [];
  for (const id of ids) {
    const list = root.getElementById(id);
    if (list) found.push(...list.querySelectorAll(OPTIONS));
  }
  if (found.length > 0) return found;
  // A list that is put somewhere else, by the end of the body as a rule.
  return Array.from(docQueryAll('[role="listbox"] [role="option"], [role="menu"] [role^="menuitem"], [role="tree"] [role="treeitem"], [role="grid"] [role="gridcell"]'));
}
