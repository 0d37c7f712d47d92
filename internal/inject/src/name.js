// The accessible name and description: accname 1.2 with the rules of HTML-AAM and SVG-AAM.
//
// The steps carry the spec's letters. One computation visits a node once, which is what ends cycles.

import { composedChildren, hiddenState, isMoved, referenced, styleOf, invisible, muted, subtreeHidden, unrendered } from './dom.js';
import { nameFromContentRoles } from './aria_roles.js';
import { generatedText, replacedText, transformText } from './css_text.js';
import { nativeName, placeholder } from './native_names.js';
import { valueRoles, valueText } from './embedded.js';
import { roleOf } from './role.js';
import { attr, hasAttr, hasAttrs, localName, namespaceURI, nodeType } from './reads.js';

export { nameFromContentRoles };

/** Below a node whose name is being computed: everything found there counts as text. */
const nested = 1;
/** The node itself was pointed at (aria-labelledby, label): it may be seen a second time. */
const direct = 2;
/** Within an aria-labelledby traversal: no further aria-labelledby is followed. */
const labelling = 4;
/** The node pointed at was hidden, so hiding does not count below it. */
const hiddenToo = 8;
/** The named element itself is aria-hidden but there to be seen and used: that alone does not count below it. */
const mutedToo = 16;

/** @typedef {'' | 'labelledby' | 'aria-label' | 'label' | 'alt' | 'caption' | 'value' | 'content' | 'title' | 'placeholder'} NameSource */

/** The nodes of the computation under way. @type {Set<Element>} */
const visited = new Set();
/** The element whose name is computed; null between computations. @type {?Element} */
let subject = null;
/** @type {NameSource} */
let source = '';

/**
 * The accessible name, white space collapsed and trimmed.
 * @param {Element} el
 * @param {string} [role] its role, if the caller has it
 * @returns {string}
 */
export function nameOf(el, role = roleOf(el)) {
  const state = hiddenState(el);
  const mode = state === 0 ? 0 : state === muted ? mutedToo : hiddenToo;
  const name = computation(el, () => alternative(el, role, mode));
  if (name === '') source = '';
  return name;
}

/**
 * Where the name that nameOf gave last came from: 'content' means that the children's text is in it, 'caption' that a child element's
 * (legend, caption, svg title) is, 'label' that label elements gave it.
 * @returns {NameSource}
 */
export function nameSource() {
  return source;
}

/**
 * Whether an author named the element, by aria-labelledby, aria-label or title; regions and forms are only such with a name.
 * @param {Element} el
 * @returns {boolean}
 */
export function isNamed(el) {
  if (!hasAttrs(el)) return false;
  if (isLabelled(el)) {
    // While a name is computed, roles along the way must not start the next computation: labels that contain each other would
    // never end, or end after ages. What is pointed at is taken to have text.
    if (subject !== null) return labelsOf(el).length > 0;
    if (computation(el, () => labelledBy(el)) !== '') return true;
  }
  return !isBlank(attr(el, 'aria-label') ?? '') || !isBlank(attr(el, 'title') ?? '');
}

/**
 * The accessible description, white space collapsed and trimmed.
 * @param {Element} el
 * @param {NameSource} nameFrom where the name came from: a title that is the name does not describe as well
 * @returns {string}
 */
export function descriptionOf(el, nameFrom) {
  if (!hasAttrs(el)) return '';
  const targets = referenced(el, 'aria-describedby', 'ariaDescribedByElements');
  if (targets.length > 0) {
    const text = computation(el, () => textOfAll(targets, labelling));
    if (text !== '') return text;
  }
  const written = collapse(attr(el, 'aria-description') ?? '');
  if (written !== '') return written;
  return nameFrom === 'title' ? '' : collapse(attr(el, 'title') ?? '');
}

/** Runs one computation. */
function computation(el, compute) {
  subject = el;
  source = '';
  try {
    return collapse(compute());
  } finally {
    subject = null;
    visited.clear();
  }
}

/** Step 2, for one node. */
function alternative(el, role, mode) {
  if (visited.has(el) && (mode & direct) === 0) return '';
  visited.add(el);
  const top = (mode & nested) === 0;
  const attrs = hasAttrs(el);

  // 2A, hidden and not referenced. Below visibility:hidden something may be visible again.
  const state = top ? 0 : hiding(el, mode);
  if ((state & subtreeHidden) !== 0) return '';
  if (state === invisible) return content(el, role, mode);

  // 2B, aria-labelledby.
  if (attrs && (mode & labelling) === 0 && isLabelled(el)) {
    const text = labelledBy(el);
    if (!isBlank(text)) return found('labelledby', top, text);
  }

  // 2C, a control within the label of another.
  if (!top && el !== subject && valueRoles.has(role)) {
    return valueText(el, role, (part) => alternative(part, roleOf(part), mode & ~direct | nested));
  }

  // 2D, aria-label.
  if (attrs) {
    const label = attr(el, 'aria-label');
    if (label !== null && !isBlank(label)) return found('aria-label', top, label);
  }

  // 2E, what the host language has for it.
  if (role !== 'none') {
    const text = nativeName(el, nativeTools);
    if (!isBlank(text)) return found(nativeTools.source, top, text);
  }

  // 2F to 2H, the content. A space alone names nothing, but keeps the words around it apart.
  let gap = '';
  if (!top || nameFromContentRoles.has(role) || localName(el) === 'summary') {
    const text = content(el, role, mode);
    if (!isBlank(text)) return found('content', top, text);
    if (!top && space.test(text)) gap = ' ';
  }

  // 2I, the tooltip; then what stands in for a label in an empty field.
  if (!attrs) return gap;
  const title = attr(el, 'title');
  if (title !== null && !isBlank(title) && !(role === 'none' && localName(el) === 'img')) return found('title', top, title);
  const hint = placeholder(el, role);
  return isBlank(hint) ? gap : found('placeholder', top, hint);
}

/** Why the element does not count here, as bits of hiddenState. */
function hiding(el, mode) {
  if ((mode & hiddenToo) !== 0) return 0;
  const state = hiddenState(el);
  return (mode & mutedToo) === 0 ? state : state & ~muted;
}

/** @param {NameSource} from */
function found(from, top, text) {
  if (top) source = from;
  return text;
}

/** What native_names.js needs of this computation. */
const nativeTools = {
  /** @type {NameSource} */
  source: '',
  /** The text of an element that names another. */
  text(el) {
    return textOfAll([el], 0);
  },
};

// ---- references ----

function isLabelled(el) {
  return hasAttr(el, 'aria-labelledby') || hasAttr(el, 'aria-labeledby');
}

/** The elements aria-labelledby points at. The misspelling counts where the right spelling is not used. */
function labelsOf(el) {
  const attribute = hasAttr(el, 'aria-labelledby') ? 'aria-labelledby' : 'aria-labeledby';
  return referenced(el, attribute, 'ariaLabelledByElements');
}

function labelledBy(el) {
  return textOfAll(labelsOf(el), labelling);
}

/** The texts of elements that were pointed at, joined. */
function textOfAll(elements, mode) {
  let out = '';
  for (const el of elements) {
    const hidden = hiddenState(el) === 0 ? 0 : hiddenToo;
    const text = alternative(el, roleOf(el), mode | hidden | direct | nested);
    if (!isBlank(text)) out += (out === '' ? '' : ' ') + text;
  }
  return out;
}

// ---- content ----

/** Popups a control may contain: they open from it and do not name it. */
const popups = new Set(['menu', 'tree', 'dialog', 'alertdialog']);
/** Items that may contain further items in a group, which do not name them either. */
const nestingItems = new Set(['treeitem', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'tab']);

/** 2F and 2H: the text of the children, in flat-tree order, with generated content around it. */
function content(el, role, mode) {
  const shown = hiding(el, mode) === 0;
  const below = mode & ~direct | nested;
  const style = styleOf(el);
  const replaced = replacedText(el, style);
  if (replaced !== null) return shown ? ' ' + replaced + ' ' : '';
  let out = shown ? generatedText(el, '::before') : '';
  const children = composedChildren(el, (mode & hiddenToo) !== 0);
  for (let i = 0; i < children.length; i++) {
    const child = children[i];
    const type = nodeType(child);
    if (type === 3) {
      if (shown) out += transformText(/** @type {Text} */ (child).data, style);
    } else if (type === 1) {
      out += childText(/** @type {Element} */ (child), role, below);
    }
  }
  return shown ? out + generatedText(el, '::after') : out;
}

function childText(el, parentRole, mode) {
  switch (localName(el)) {
    case 'br': case 'hr':
      return ' ';
    case 'wbr': case 'script': case 'style': case 'template': case 'noscript': case 'datalist': // never text
    case 'rp': case 'rt': // how to read what stands there already
    case 'title': case 'desc': case 'metadata': // of SVG: about the drawing, used by nativeName
      return '';
  }
  if ((hiding(el, mode) & subtreeHidden) !== 0) return '';
  const role = roleOf(el);
  if (popups.has(role) || (role === 'group' && nestingItems.has(parentRole))) return '';
  let text = alternative(el, role, mode);
  if (text === ' ' && !inLine(el, role)) text = '';
  return flows(el, role, text) ? text : ' ' + text + ' ';
}

/** Roles of words in a line of text. Anything else (a button, a picture) stands apart from the words around it. */
const words = new Set([
  'generic', 'none', 'link', 'strong', 'emphasis', 'code', 'mark', 'deletion', 'insertion', 'suggestion', 'subscript', 'superscript', 'term', 'time',
]);

/** Whether a space in the element is one of the line of text around it. */
function inLine(el, role) {
  const { display } = styleOf(el);
  return (display === 'inline' || display === 'contents') && words.has(role) && namespaceURI(el) === 'http://www.w3.org/1999/xhtml';
}

/** Whether the text before and after the element runs on without a gap. */
function flows(el, role, text) {
  if ((hiddenState(el) & unrendered) !== 0 || isMoved(el)) return false; // not laid out here
  const display = styleOf(el).display;
  const inline = display === 'inline' || display === 'contents' || display.startsWith('ruby');
  if (text === '') return inline || display.startsWith('inline');
  return inline && words.has(role) && !(hasAttrs(el) && (hasAttr(el, 'aria-label') || isLabelled(el)));
}

// ---- white space ----

/**
 * Whether a text has nothing to read. ASCII white space alone separates, a no-break space is part of a name;
 * private-use glyphs mean something in one icon font only.
 */
function isBlank(text) {
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c >= 0xdb80 && c <= 0xdbff) i++; // the first half of a private-use glyph beyond the basic plane
    else if (c !== 32 && (c < 9 || c > 13 || c === 11) && (c < 0xe000 || c > 0xf8ff)) return false;
  }
  return true;
}

/** Collapses white space and drops private-use glyphs. */
function collapse(text) {
  if (text === '') return '';
  let out = text;
  if (untidy.test(out)) out = out.replace(glyphs, '').replace(spaces, ' ');
  if (out.charCodeAt(0) === 32) out = out.slice(1);
  return out.charCodeAt(out.length - 1) === 32 ? out.slice(0, -1) : out;
}
const untidy = /[\t\n\f\r\uE000-\uF8FF\uDB80-\uDBFF]| {2}/;
const glyphs = /[\uE000-\uF8FF]|[\uDB80-\uDBFF][\uDC00-\uDFFF]/g;
const spaces = /[\t\n\f\r ]+/g;
const space = /[\t\n\f\r ]/;
