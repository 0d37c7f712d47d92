// The role of an element, as browsers report it: what the author wrote where that is valid, else what HTML, SVG or MathML imply.

import { flatParent, onNewPass } from './dom.js';
import { authorRoles, globalAttributes, nameRequired, requiredParents } from './aria_roles.js';
import { htmlRoles, svgRoles } from './native_roles.js';
import { isNamed } from './name.js';
import { attr, attributeNames, hasAttr, hasAttrs, localName, matches, namespaceURI } from './reads.js';

export { childrenPresentational } from './aria_roles.js';

const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * The element's role; 'generic' or 'none' where it has none worth telling.
 * @param {Element} el
 * @returns {string}
 */
export function roleOf(el) {
  if (hasAttrs(el)) {
    const written = attr(el, 'role');
    if (written !== null && written !== '') {
      const role = explicitRole(el, written);
      if (role !== '') return role;
    }
  }
  return implicitRole(el);
}

/**
 * The role the element has without a role attribute.
 * @param {Element} el
 * @returns {string}
 */
export function implicitRole(el) {
  const rule = (namespaceURI(el) === svgNamespace ? svgRoles : htmlRoles).get(localName(el));
  if (rule === undefined) return 'generic';
  return typeof rule === 'string' ? rule : rule(el);
}

/** The first token that is a role and may stand here; '' if none does. */
function explicitRole(el, written) {
  const single = authorRoles.get(written);
  if (single !== undefined) return stands(el, single) ? single : '';
  for (const token of written.toLowerCase().split(/[\t\n\f\r ]+/)) {
    const role = authorRoles.get(token);
    if (role === undefined) continue;
    if (stands(el, role)) return role;
    if (role === 'none') return ''; // overridden: the native role counts, not the tokens after it
  }
  return '';
}

function stands(el, role) {
  if (role === 'none') return !presentationOverridden(el);
  if (nameRequired.has(role)) return isNamed(el);
  const parents = requiredParents.get(role);
  return parents === undefined || hasContext(el, parents);
}

// Siblings ask the same about the same parent, often thousands of them in a row.
let askedParent = null;
let askedFor = null;
let answer = false;
onNewPass(() => { askedParent = askedFor = null; });

/**
 * Whether one of the parents a role needs is above the element. Anything may stand between, since authors put lists and
 * wrappers there; only a list ends where another thing begins.
 */
function hasContext(el, parents) {
  const parent = flatParent(el);
  if (parent !== askedParent || parents !== askedFor) {
    const found = contextAbove(parent, parents);
    askedParent = parent;
    askedFor = parents;
    answer = found;
  }
  return answer;
}

function contextAbove(parent, parents) {
  for (let node = parent; node !== null; node = flatParent(node)) {
    const role = roleOf(node);
    if (parents.has(role)) return true;
    if (parents.has('list') && role !== 'generic' && role !== 'none') return false;
  }
  return false;
}

/**
 * Whether an element marked as presentation is exposed all the same: it can have focus, or carries a global ARIA attribute.
 * @param {Element} el
 */
export function presentationOverridden(el) {
  if (isFocusable(el)) return true;
  for (const name of attributeNames(el)) {
    if (name.startsWith('aria-') && globalAttributes.has(name) && attr(el, name).trim() !== '') return true;
  }
  return false;
}

/** @param {Element} el */
export function isFocusable(el) {
  const tabindex = attr(el, 'tabindex');
  if (tabindex !== null && !Number.isNaN(parseInt(tabindex, 10))) return true;
  switch (localName(el)) {
    case 'a': case 'area':
      return hasAttr(el, 'href');
    case 'button': case 'select': case 'textarea':
      return !matches(el, ':disabled');
    case 'input':
      return attr(el, 'type') !== 'hidden' && !matches(el, ':disabled');
    case 'iframe':
      return true;
    case 'summary':
      return el.parentElement?.localName === 'details';
    case 'audio': case 'video':
      return hasAttr(el, 'controls');
  }
  return hasAttr(el, 'contenteditable') && /** @type {HTMLElement} */ (el).isContentEditable;
}
