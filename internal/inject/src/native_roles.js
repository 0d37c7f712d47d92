// The roles elements have by themselves: HTML-AAM and SVG-AAM. A rule is a role, or a function of the element where its place or attributes decide.

import { flatParent, summaryOf } from './dom.js';
import { isNamed } from './name.js';
import { presentationOverridden, roleOf } from './role.js';
import { attr, firstElementChild, hasAttr, localName, nextElementSibling, nodeType, parentNode, query } from './reads.js';

/** @typedef {string | ((el: any) => string)} Rule */

/** @type {Map<string, Rule>} */
export const htmlRoles = new Map();

const plain = {
  address: 'group', article: 'article', audio: 'audio', blockquote: 'blockquote', button: 'button', canvas: 'canvas', code: 'code', datalist: 'listbox',
  dd: 'definition', del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dir: 'list', dt: 'term', em: 'emphasis',
  fieldset: 'group', figcaption: 'caption', figure: 'figure', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
  hgroup: 'group', hr: 'separator', html: 'document', iframe: 'iframe', ins: 'insertion', main: 'main', mark: 'mark', math: 'math',
  menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list', optgroup: 'group', option: 'option', output: 'status', p: 'paragraph',
  progress: 'progressbar', s: 'deletion', search: 'search', strong: 'strong', sub: 'subscript', sup: 'superscript', table: 'table',
  textarea: 'textbox', time: 'time', ul: 'list', video: 'video',
};
for (const [name, role] of Object.entries(plain)) htmlRoles.set(name, role);

const linked = (el) => (hasAttr(el, 'href') ? 'link' : 'generic');
htmlRoles.set('a', linked);
htmlRoles.set('area', linked);
htmlRoles.set('form', (el) => (isNamed(el) ? 'form' : 'generic'));
htmlRoles.set('section', (el) => (isNamed(el) ? 'region' : 'generic'));
htmlRoles.set('summary', (el) => {
  const parent = el.parentElement;
  return parent?.localName === 'details' && summaryOf(parent) === el ? 'button' : 'generic';
});
htmlRoles.set('select', (el) => (el.multiple || el.size > 1 ? 'listbox' : 'combobox'));
htmlRoles.set('img', (el) => (attr(el, 'alt') === '' && !presentationOverridden(el) ? 'none' : 'image'));

// ---- input ----

const inputRoles = new Map(Object.entries({
  button: 'button', checkbox: 'checkbox', file: 'button', hidden: 'none', image: 'button', number: 'spinbutton', radio: 'radio',
  range: 'slider', reset: 'button', search: 'searchbox', submit: 'button',
}));

htmlRoles.set('input', (el) => {
  const type = el.type;
  const role = inputRoles.get(type) ?? 'textbox';
  if (type === 'checkbox' && hasAttr(el, 'switch')) return 'switch';
  const suggests = (role === 'textbox' || role === 'searchbox') && hasAttr(el, 'list') && el.list !== null;
  return suggests ? 'combobox' : role;
});

// ---- landmarks that depend on where they are ----

const sectioning = new Set(['article', 'aside', 'nav', 'section']);
const partRoles = new Set(['article', 'complementary', 'main', 'navigation', 'region']);

/** Whether a header or footer belongs to a part of the page and not to the page. */
function inPart(el) {
  for (let node = flatParent(el); node !== null; node = flatParent(node)) {
    const name = localName(node);
    if (hasAttr(node, 'role') ? partRoles.has(roleOf(node)) : name === 'main' || sectioning.has(name)) return true;
  }
  return false;
}

/** Whether an aside lies in sectioning content; there it is only a landmark when it has a name. */
function inSectioning(el) {
  for (let node = flatParent(el); node !== null; node = flatParent(node)) {
    if (sectioning.has(localName(node))) return true;
  }
  return false;
}

htmlRoles.set('header', (el) => (inPart(el) ? 'sectionheader' : 'banner'));
htmlRoles.set('footer', (el) => (inPart(el) ? 'sectionfooter' : 'contentinfo'));
htmlRoles.set('aside', (el) => (!inSectioning(el) || isNamed(el) ? 'complementary' : 'generic'));

// ---- lists ----

const listElements = new Set(['ul', 'ol', 'menu', 'dir']);

htmlRoles.set('li', (el) => {
  const parent = flatParent(el);
  if (parent === null) return 'generic';
  if (listElements.has(localName(parent)) && !hasAttr(parent, 'role')) return 'listitem';
  for (let node = parent; node !== null; node = flatParent(node)) {
    const role = roleOf(node);
    if (role === 'list') return 'listitem';
    if (role === 'none' && listElements.has(localName(node))) return 'none';
    if (role !== 'generic' && role !== 'none') break;
  }
  return 'generic';
});

// ---- tables ----

/** The role of the table an element belongs to: '' for none, 'none' for one laid out with role=presentation. */
function tableRole(el) {
  for (let node = parentNode(el); node !== null && nodeType(node) === 1; node = parentNode(node)) {
    if (localName(node) === 'table') return hasAttr(node, 'role') ? roleOf(node) : 'table';
  }
  return '';
}

/** A table part's role by its table's, where `role(tableRole)` says what it is in a real one. */
function tablePart(el, role) {
  switch (tableRole(el)) {
    case 'table':
      return role(el, false);
    case 'grid': case 'treegrid':
      return role(el, true);
    case 'none':
      return 'none';
  }
  return 'generic';
}

const rowgroup = (el) => tablePart(el, () => 'rowgroup');
for (const name of ['tbody', 'thead', 'tfoot']) htmlRoles.set(name, rowgroup);
htmlRoles.set('tr', (el) => tablePart(el, () => 'row'));
htmlRoles.set('td', (el) => tablePart(el, (_, grid) => (grid ? 'gridcell' : 'cell')));
htmlRoles.set('th', (el) => tablePart(el, headerRole));
htmlRoles.set('caption', (el) => (el.parentNode?.localName === 'table' ? 'caption' : 'generic'));

/** A th heads its column, unless it says otherwise or shares its row with data. */
function headerRole(el) {
  switch (el.scope) {
    case 'col': case 'colgroup':
      return 'columnheader';
    case 'row': case 'rowgroup':
      return 'rowheader';
  }
  const row = el.parentNode;
  if (row.parentNode?.localName === 'thead') return 'columnheader';
  for (let cell = row.firstElementChild; cell !== null; cell = cell.nextElementSibling) {
    if (cell.localName === 'td' && !isEmptyCell(cell)) return 'rowheader';
  }
  return 'columnheader';
}

/** The corner above a column of row headers is a td as a rule, and no data. */
function isEmptyCell(cell) {
  return cell.firstElementChild === null && cell.textContent.trim() === '';
}

// ---- SVG ----

/** SVG exposes drawing elements only when something about them is meant for people: a name, a description, focus. */
function included(el) {
  for (let child = firstElementChild(el); child !== null; child = nextElementSibling(child)) {
    if ((child.localName === 'title' || child.localName === 'desc') && child.textContent.trim() !== '') return true;
  }
  return presentationOverridden(el);
}

const whenIncluded = (role) => (el) => (included(el) ? role : 'generic');

/** What makes a drawing more than a picture: parts that are exposed themselves. Its own title only names it. */
const svgContent = 'text, a, foreignObject, * > title:not(:scope > title), [role], [tabindex], [aria-label], [aria-labelledby]';

/** @type {Map<string, Rule>} */
export const svgRoles = new Map([
  ['svg', (el) => (query(el, svgContent) === null ? 'image' : 'graphics-document')],
  ['a', (el) => (hasAttr(el, 'href') || hasAttr(el, 'xlink:href') ? 'link' : whenIncluded('group')(el))],
  ['image', whenIncluded('image')],
  ['use', whenIncluded('graphics-object')],
  ['symbol', whenIncluded('graphics-object')],
]);
for (const name of ['circle', 'ellipse', 'line', 'path', 'polygon', 'polyline', 'rect']) svgRoles.set(name, whenIncluded('graphics-symbol'));
for (const name of ['g', 'foreignObject', 'text', 'tspan', 'textPath']) svgRoles.set(name, whenIncluded('group'));
