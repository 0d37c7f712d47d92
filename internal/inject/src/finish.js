// Finishing a node once all below it is known: its name, its states, and
// whether what is below stays.

import { nameFromContentRoles, nameOf, nameSource } from './name.js';
import { MAYBE, POINTER, SURE } from './clickable.js';
import { clean } from './icons.js';
import { dissolve, extra, extras, giveRef, nodes, wanted } from './nodes.js';
import { unnamed } from './leaves.js';
import { attr, firstChild, hasAttr, hasAttrs, nextSibling, nodeType } from './safe.js';
import { COLLAPSED, DISABLED, EDITABLE, EXPANDED, HASVALUE, MODAL, OPERABLE, SCROLLABLE, statesOf, valueOf } from './state.js';
import { DISABLED_ABOVE, QUIET } from './walk.js';

// How the last name came about.
export const names = { placeholder: false };

let cache = new Map();

export function resetNames() {
  cache = new Map();
}

/** The accessible name, cleaned, and once per element. */
export function nameFor(el, role) {
  const known = cache.get(el);
  if (known !== undefined) {
    names.placeholder = known.placeholder;
    return known.name;
  }
  let name = '';
  names.placeholder = false;
  try {
    name = clean(nameOf(el, role));
    if (name !== '') names.placeholder = nameSource() === 'placeholder';
  } catch {
    // an element made to confuse; it stays nameless
  }
  cache.set(el, { name, placeholder: names.placeholder });
  return name;
}

/** Whether the author named an element outright. */
function labelled(el) {
  return hasAttr(el, 'aria-label') || hasAttr(el, 'aria-labelledby');
}

const BOXED = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider', 'listbox']);
const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);
const STRUCTURE = new Set(['table', 'list', 'grid', 'heading', 'listitem', 'row', 'iframe']);

// Roles whose content is told below them, though the specification lets it name them.
const OPEN = new Set(['row', 'listitem', 'treeitem']);

export function finish(node, at, how) {
  const { el, ln, style, sure, widget, mode } = how;
  const role = node.role;
  const attrs = hasAttrs(el);
  if (attrs) node.state |= statesOf(el, ln, role);
  if (mode & DISABLED_ABOVE && node.state & OPERABLE) node.state |= DISABLED;
  if (ln === 'summary') node.state |= el.parentElement.open ? EXPANDED : COLLAPSED;

  let inside = 0; // operable things below
  let own = false; // text or pictures below, outside of those
  let first = 0;
  let tops = 0;
  for (let i = at + 1; i < nodes.length; i++) {
    const n = nodes[i];
    if (n.dead) continue;
    if (n.depth === node.depth + 1) tops++;
    if (n.state & (OPERABLE | SCROLLABLE) || n.role === 'iframe') {
      inside++;
      if (first === 0) first = n.depth;
    } else if (n.name !== '' && n.role === 'text') own = true;
  }

  // Weak grounds give way to what is inside; a pointer around nothing but controls is only its padding.
  if (sure && !widget && inside > 0) {
    if (sure === MAYBE || (sure === POINTER && !own && role === 'clickable')) {
      node.state &= ~OPERABLE;
      if (role === 'clickable') {
        if (how.scrolls || how.crowd) node.role = 'generic';
        else {
          dissolve(at);
          return;
        }
      }
    }
  }
  const operable = (node.state & OPERABLE) !== 0;
  if (how.crowd && tops <= 12) how.crowd = false;
  if (node.role === 'generic' && !how.crowd && (!how.scrolls || tops === 0)) {
    dissolve(at);
    return;
  }

  const named = attrs && labelled(el);
  if (BOXED.has(role)) {
    node.name = nameFor(el, role);
    if (node.state & EDITABLE || ln !== 'input') boxed(node, at, how, inside);
  } else if (CELLS.has(role) || (nameFromContentRoles.has(role) && !OPEN.has(role)) || operable) {
    if (inside === 0 && !(CELLS.has(role) && holdsStructure(at)) && !(role === 'row' || role === 'list' || role === 'table')) {
      node.name = contentName(node, at, el, role, named);
      nodes.length = at + 1;
    } else {
      if (named) node.name = nameFor(el, role);
      if (node.name === '' && !OPEN.has(role)) absorb(node, at);
    }
  } else if (role !== 'generic') {
    node.name = attrs || ln === 'fieldset' || ln === 'table' || ln === 'figure' ? nameFor(el, role) : '';
    if (node.name !== '') dropCaption(node, at, ln);
  }
  if (!BOXED.has(role)) {
    const v = valueOf(el, ln, role, style);
    if (v.text !== '') {
      node.value = v.text;
      node.state |= v.bits;
    }
  }
  if (operable && node.name === '' && node.value === '' && at === nodes.length - 1) unnamed(node, el);
  if (at === nodes.length - 1 && !operable && node.name === '' && node.value === '' && !CELLS.has(role)) {
    nodes.length = at;
    return;
  }
  if (role === 'row' && emptyRow(at)) {
    nodes.length = at;
    return;
  }
  levels(node, el, ln, role, attrs);
  if ((role === 'dialog' || role === 'alertdialog') && (attr(el, 'aria-modal') === 'true' || (ln === 'dialog' && el.matches(':modal')))) node.state |= MODAL;
  if (operable || how.scrolls || how.crowd || wanted(node)) giveRef(node);
  extras(node, el);
}

/** A field that is not a native one: what it holds is its value. */
function boxed(node, at, how, inside) {
  const { el } = how;
  if (node.state & EDITABLE) {
    const s = clean(el.innerText);
    if (s !== '' && nodes.length === at + 1) {
      node.value = s;
      node.state |= HASVALUE;
    }
  } else if (node.role !== 'listbox') {
    const v = valueOf(el, how.ln, node.role, how.style);
    node.value = v.text || gather(at, true);
    if (node.value === node.name) node.value = '';
    if (node.value !== '') node.state |= HASVALUE;
    if (inside === 0) nodes.length = at + 1;
  }
  if (node.name === '' && node.value === '' && nodes.length === at + 1) unnamed(node, el);
}

/** The text below a node; with drop, the pieces are taken out. */
function gather(at, drop) {
  let s = '';
  for (let i = at + 1; i < nodes.length; i++) {
    const n = nodes[i];
    if (n.dead || n.name === '' || n.state & OPERABLE) continue;
    s += (s ? ' ' : '') + n.name;
    if (drop && n.role === 'text') n.dead = true;
  }
  return s;
}

/** The name of an element that stands for all its content. */
function contentName(node, at, el, role, named) {
  if (!named && at === nodes.length - 2 && nodes[at + 1].role === 'text') return nodes[at + 1].name;
  const given = named || (nameFromContentRoles.has(role) && !(nodes.length - at < 2 && !hasAttrs(el))) ? nameFor(el, role) : '';
  if (named && given !== '') return given;
  const text = gather(at, false);
  return text || given;
}

/** Text in front of the first part becomes the node's own name. */
function absorb(node, at) {
  let k = at + 1;
  let s = '';
  for (; k < nodes.length; k++) {
    const n = nodes[k];
    if (n.dead) continue;
    if (n.role !== 'text' || n.depth !== node.depth + 1 || n.ref !== 0) break;
    s += (s ? ' ' : '') + n.name;
  }
  if (s !== '') {
    node.name = s;
    nodes.splice(at + 1, k - at - 1);
  }
}

/** What named a group, table or figure from inside it is not told again. */
function dropCaption(node, at, ln) {
  if (nodes.length <= at + 1) return;
  for (let i = at + 1; i < nodes.length; i++) {
    const n = nodes[i];
    if (n.dead || n.name !== node.name || n.depth !== node.depth + 1) continue;
    if (n.role === 'text' || (n.role === 'heading' && (node.role === 'dialog' || node.role === 'alertdialog'))) {
      n.dead = true;
      return;
    }
    if (n.role === 'heading' && node.role === 'region') {
      node.name = '';
      return;
    }
  }
}

function holdsStructure(at) {
  for (let i = at + 1; i < nodes.length; i++) if (!nodes[i].dead && STRUCTURE.has(nodes[i].role)) return true;
  return false;
}

function emptyRow(at) {
  for (let i = at + 1; i < nodes.length; i++) {
    const n = nodes[i];
    if (!n.dead && (n.name !== '' || n.value !== '' || n.ref !== 0 || n.desc !== '')) return false;
  }
  return true;
}

function levels(node, el, ln, role, attrs) {
  if (role === 'heading') {
    const level = parseInt((attrs && attr(el, 'aria-level')) || (/^h[1-6]$/.test(ln) ? ln[1] : '2'), 10);
    if (level > 0) extra(node, 'l', level);
  } else if (attrs) {
    const level = parseInt(attr(el, 'aria-level'), 10);
    if (level > 0) extra(node, 'l', level);
    if (role === 'table' || role === 'grid' || role === 'treegrid') {
      const n = parseInt(attr(el, 'aria-rowcount'), 10);
      if (n > 0) extra(node, 'n', n);
    }
  }
}
