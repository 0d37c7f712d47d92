// Names for what has no words: the tooltip, the icon's class, the symbol's id.

import {
  attr, attrNames, childElementCount, closest, firstChild, hasAttr, localName, matches, nextElementSibling, nextSibling, nodeType, parentElement, previousElementSibling, query, rectOf, rendered,
} from './safe.js';
import { isSwitch, stateWord } from './statewords.js';

const VISIBLE = { visibilityProperty: true };

// Icon fonts put their glyphs in the private-use areas; they say nothing to a reader.
const PRIVATE = /[\uE000-\uF8FF]|[\uDB80-\uDBFF][\uDC00-\uDFFF]/g;
const SPACE = /[\s\u200B\uFEFF]+/g;
const PLAIN = /^[!-~\u00A1-\u167F]+(?: [!-~\u00A1-\u167F]+)*$/;

// clean collapses white space and drops private-use glyphs and invisible marks.
export function clean(s) {
  if (!s || PLAIN.test(s)) return s || '';
  return s.replace(PRIVATE, '').replace(SPACE, ' ').trim();
}

// brief cuts a text, and says so: who takes secrets out of it must know that it was cut.
export function brief(s, most) {
  return s.length > most ? s.slice(0, most) + '…' : s;
}

// cleanPre does what clean does for preformatted text, whose line breaks count.
export function cleanPre(s) {
  return s
    .replace(PRIVATE, '')
    .replace(/\r\n?/g, '\n')
    .replace(/^\n+|\s+$/g, '')
    .replace(/\t/g, '    ')
    .replace(/\n/g, '\u2028');
}

const TOOLTIPS = [
  'data-original-title', 'data-bs-original-title', 'data-bs-title', 'data-tooltip', 'data-tip', 'data-tippy-content', 'data-title', 'data-tooltip-content', 'data-hint', 'data-balloon', 'data-label',
  'tooltip', 'mattooltip', 'ng-reflect-message', 'aria-description',
];

// tooltipOf is what a person would see on hovering.
export function tooltipOf(el) {
  const title = clean(attr(el, 'title'));
  if (title) return title;
  for (const t of TOOLTIPS) {
    const s = clean(attr(el, t));
    if (s) return s;
  }
  return '';
}

const TIP = '[role="tooltip"],[class*="tooltip" i]';

// hintOf is what hovering would tell of a control that shows no more than a glyph: its own tooltip, that of a wrapper
// around nothing else, a tip that waits inside or beside it, or what describes it.
export function hintOf(el) {
  let at = el;
  for (let up = 0; at !== null && up < 3; up++) {
    const tip = tooltipOf(at);
    if (tip) return tip;
    const around = parentElement(at);
    if (around === null || childElementCount(around) > 1) break;
    at = around;
  }
  const described = attr(el, 'aria-describedby');
  if (described) {
    const words = described.split(/\s+/).map((id) => document.getElementById(id)).filter(Boolean);
    const said = clean(words.map((w) => w.textContent).join(' '));
    if (said) return said.slice(0, 80);
  }
  const next = nextElementSibling(el);
  const inside = query(el, TIP) || (next !== null && matches(next, TIP) ? next : null);
  return inside === null ? '' : clean(inside.textContent).slice(0, 80);
}

// Families whose second class, or the part behind the prefix, says what the icon shows.
const PREFIXED =
  /(?:^|\s)(?:fa[srlbdt]?-|bi-|mdi-|glyphicon-|ti-|icon-|icofont-|ion-(?:md-|ios-)?|la-|lni-|ri-|bx[sl]?-|feather-|octicon-|codicon-|pi-|uil-|ph-|tabler-icon-|lucide-|anticon-|cil-|cib-|el-icon-|dx-icon-|wxi-|k-i-|dashicons-|zmdi-|typcn-|material-icons-|oi-|ki-|flaticon-|simple-line-icon-|nc-|si-|eva-|iconoir-|heroicon-|svg-icon-|fi-)([a-z0-9][a-z0-9-]*)/gi;
// Classes of the same families that only say size, weight or motion.
const MODIFIER =
  /^(?:fw|lg|sm|xs|xl|[0-9.]+x|spin|pulse|solid|regular|light|thin|brands|duotone|inverse|border|li|ul|stack.*|rotate.*|flip.*|pull.*|fixed-width|outlined|round|sharp|two-tone|[0-9]+px|small|large|medium|btn|button|only|wrapper|container|box|icon|svg|font|left|right)$/i;
const LIGATURE = /(?:^|\s)(?:material-icons|material-symbols|google-symbols)/;
export const LIGATURES = '[class*="material-icons"],[class*="material-symbols"],[class*="google-symbols"]';
const TRAILING = /-(?:alt|fill|outline|line|o)$/;

// isLigature tells whether an element's text is the name of a glyph, not words.
export function isLigature(cls) {
  return cls !== null && LIGATURE.test(cls);
}

function classOf(el) {
  return attr(el, 'class') || '';
}

function fromClass(cls) {
  if (!cls) return '';
  PREFIXED.lastIndex = 0;
  for (let m; (m = PREFIXED.exec(cls)); ) {
    if (!MODIFIER.test(m[1])) return m[1].replace(TRAILING, '').replace(/-/g, ' ');
    PREFIXED.lastIndex = m.index + m[0].length;
  }
  return '';
}

function fromSymbol(use) {
  const href = attr(use, 'href') || attr(use, 'xlink:href') || '';
  const id = href.slice(href.lastIndexOf('#') + 1);
  if (href.indexOf('#') < 0 || !id) return '';
  return id.replace(/^(?:icon|ico|svg|symbol|i)[-_]+/i, '').replace(TRAILING, '').replace(/[-_]+/g, ' ');
}

// fromTestId reads what icons that have no class call themselves for tests: ArrowBackIcon.
function fromTestId(el) {
  const m = /^([A-Z][A-Za-z]+)Icon$/.exec(attr(el, 'data-testid') || '');
  return m === null ? '' : m[1].replace(/(?:Outlined|Rounded|Sharp|TwoTone)$/, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

// iconName is what the icon inside an element is called: the first tooltip or
// alternative text below it, then the first telling class or symbol.
export function iconName(el) {
  let words = '';
  let icon = '';
  let left = 24; // an icon is small; whatever is larger has words
  const scan = (node) => {
    for (let n = firstChild(node); n && left > 0 && !words; n = nextSibling(n)) {
      if (nodeType(n) !== 1) continue;
      left--;
      const ln = localName(n);
      const cls = classOf(n);
      words = clean(attr(n, 'aria-label')) || clean(attr(n, 'alt')) || tooltipOf(n) || (ln === 'title' ? clean(n.textContent) : '');
      if (words && ln !== 'title' && !rendered(n, VISIBLE)) words = ''; // it takes up room for one that will be seen
      if (words) return;
      if (!icon) {
        if (isLigature(cls)) icon = clean(n.textContent).replace(/_/g, ' ');
        else if (ln === 'use') icon = fromSymbol(n);
        else icon = fromClass(cls) || clean(attr(n, 'data-icon')) || clean(attr(n, 'data-lucide')) || clean(attr(n, 'data-feather')) || fromTestId(n);
      }
      scan(n);
    }
  };
  scan(el);
  if (words) return words;
  const own = classOf(el);
  if (isLigature(own)) return clean(el.textContent).replace(/_/g, ' ');
  return icon || fromClass(own);
}

const DULL = /^(?:btn|button|form|col|row|d|p|m|mt|mb|ms|me|mx|my|pt|pb|ps|pe|px|py|flex|active|item|ng|css|sc|jsx|svelte|v|is|has|js|clickable|pointer|cursor)(?:-|$)|(?:^|-)root$|[0-9a-f]{5,}|[A-Za-z]+_[A-Za-z]+__[\w-]+$|[:[\]]/;

// An id that somebody wrote, not a program: words, and at most a small number behind them.
const SPOKEN = /^[A-Za-z]{2,}(?:[-_ ]?[A-Z]?[a-z]+)*(?:[-_]?\d{1,2})?$/;
// Attributes that say how something is drawn, or how a program knows it.
const DRAWING = /^(?:class|id|style|d|points|transform|[rxy]|[cdfr][xy]|[xy][12]|width|height|fill.*|stroke.*|clip.*|opacity|cursor|role|tabindex|href|xlink:href|onclick|on.*|aria-.*|path.*|draggable|title|data-v-.*|data-reactid|data-testid|bar.*|index|j|i|data:.*)$/i;

// tellApart describes an element without a name by what it has and those beside it have not: a class, an id that
// somebody wrote, an attribute; else by its place among those that look the same.
export function tellApart(el) {
  const column = columnOf(el);
  if (column) return column;
  const cls = classOf(el);
  const beside = besides(el);
  if (isSwitch(cls)) {
    const label = labelBefore(el);
    if (label && beside.every(labelBefore)) return label;
  }
  const own = (attr(el, 'id') || attr(el, 'name') || attr(el, 'data-testid') || aroundOnly(el)).replace(/^[_.:@$-]+/, '');
  if (SPOKEN.test(own) && own.length <= 31) return own;
  const said = classHint(cls, beside);
  const place = placeOf(el, cls);
  if (!place) return said || (/^(?:div|span|button|a|input)$/.test(localName(el)) ? '' : isIcon(el) ? 'icon' : localName(el));
  const differs = attributeHint(el, beside);
  if (differs) return clean((said ? said + ': ' : '') + differs).slice(0, 48);
  return clean((said ? said + ' ' : '') + '#' + place).slice(0, 48);
}

const LABEL = 31; // characters
const WORDS = /^(?:span|b|strong|label|div|em|i|small)$/;

/** The words right before a switch, which say what it switches. */
function labelBefore(el) {
  let before = el.previousSibling;
  while (before !== null && (nodeType(before) === 8 || (nodeType(before) === 3 && !/\S/.test(before.data)))) before = before.previousSibling;
  if (before === null) return '';
  let said = '';
  if (nodeType(before) === 3) said = before.data;
  else if (WORDS.test(localName(before)) && query(before, CONTROLS) === null && !isSwitch(classOf(before))) said = before.textContent;
  said = clean(said).replace(/\s*[:：]$/, '');
  return said.length <= LABEL && /\p{L}/u.test(said) ? said : '';
}

const SMALL = 32; // px

/** Whether an element is a drawing as small as an icon, or a part of one. */
export function isIcon(el) {
  const drawing = localName(el) === 'svg' ? el : el.ownerSVGElement;
  const r = drawing ? rectOf(drawing) : null;
  return r !== null && r.width <= SMALL && r.height <= SMALL;
}

/** What a cell that holds an element and nothing else calls itself for tests. */
function aroundOnly(el) {
  for (let at = el, up = 0; up < 3; up++) {
    const around = parentElement(at);
    if (around === null || childElementCount(around) > 1) return '';
    const id = attr(around, 'data-testid');
    if (id) return id;
    at = around;
  }
  return '';
}

/** Two of the elements beside one, of its tag. */
function besides(el) {
  const found = [];
  for (const next of [nextElementSibling, previousElementSibling]) {
    for (let s = next(el), left = 3; s !== null && left > 0; s = next(s), left--) {
      if (localName(s) !== localName(el)) continue;
      found.push(s);
      break;
    }
  }
  return found;
}

// What state an element is in, which is no name: it goes with the pointer or the focus.
const STATE = /^(?:is-|has-|ui-)?(?:focus(?:ed)?|hover(?:ed)?|press(?:ed)?|visited|touched|dirty|pristine|valid|untouched|loaded|mounted|animated|transition|on|off|active|inactive|selected|sel|chosen|current|checked|unchecked|open|closed|expanded|collapsed|disabled|enabled|toggled)(?:-(?:visible|within|in))?$|^(?:ui-)?widget(?:-content)?$/i;

const EVERYWHERE = 8; // a class that every eighth element has, or more, says nothing of any
let common = new Map(); // class → whether it is one of those

function everywhere(name) {
  let is = common.get(name);
  if (is === undefined) {
    const n = document.getElementsByClassName(name).length;
    is = n > 40 && n * EVERYWHERE > document.getElementsByTagName('*').length;
    common.set(name, is);
  }
  return is;
}

/** The class that says most: one that those beside have not, else the first of some meaning. */
function classHint(cls, beside) {
  if (!cls) return '';
  const telling = cls.split(/\s+/).filter((c) => c && !DULL.test(c) && !STATE.test(c) && !stateWord(c) && !everywhere(c) && !cls.includes(c + '-') && !cls.includes(c + '_')); // "handle" says less than "handle-left"
  if (telling.length === 0) return '';
  telling.sort((a, b) => (a.length < 3) - (b.length < 3));
  const others = beside.map((s) => ' ' + classOf(s) + ' ');
  const own = telling.filter((c) => !others.some((o) => o.includes(' ' + c + ' ')));
  const says = clean((others.length > 0 && own.length > 0 ? own : telling)[0]).replace(/^[\w-]*__(?=[a-z])/i, ''); // a part by itself, not what it is a part of
  if (/^(?:input|inner|core|original|wrapper|control|element|icon)$/.test(says)) return '';
  return (/^[a-z]+-[a-z]+-./i.test(says) ? says.slice(says.indexOf('-') + 1) : says).slice(0, 32); // without the library's name
}

/** An attribute that says in a word what those beside say otherwise. */
function attributeHint(el, beside) {
  for (const name of attrNames(el)) {
    if (DRAWING.test(name)) continue;
    const value = clean(attr(el, name));
    if (!value || value.length > 24 || /\d{5,}|[0-9a-f]{8,}|[{}<>]|^(?:true|false)$/i.test(value)) continue; // a state is no name
    if (beside.length > 0 && beside.every((s) => hasAttr(s, name) && attr(s, name) !== attr(el, name))) return value;
  }
  const name = sorting(el);
  return name ? clean(attr(el, name)) : '';
}

const WORD = /^\p{L}[\p{L} -]{0,23}$/u;
const SOME = 60; // siblings that are looked at

/** The attribute that sorts an element and those beside it into kinds, by a word that some of them share: told of all, as one without it would look like another kind. */
function sorting(el) {
  const counted = places.get(el.parentNode);
  const tag = localName(el);
  if (!counted || counted.sorted.has(tag)) return counted ? counted.sorted.get(tag) : '';
  const all = Array.from(counted.of.keys()).filter((s) => localName(s) === tag).slice(0, SOME);
  const name = attrNames(el).find((a) => !DRAWING.test(a) && all.every((s) => WORD.test(attr(s, a) || '')) && new Set(all.map((s) => attr(s, a))).size > 1) || '';
  counted.sorted.set(tag, name);
  return name;
}

let places = new Map(); // parent → its children of one tag and class, counted

export function resetPlaces() {
  places = new Map();
  headers = new Map();
  common = new Map();
}

const CONTROLS = 'button, a, input, select, [role="button"], [role="switch"], [role="checkbox"], [tabindex]';
const CELL = 'td, [role="gridcell"], [role="cell"]';
let headers = new Map(); // table → what its columns are called

/** What the column of a cell is called, or of the box to tick in it, where every cell of its row has one. */
function columnOf(el) {
  const cell = matches(el, CELL) ? el : closest(el, CELL);
  if (cell && cell !== el && localName(el) !== 'input' && (clean(cell.textContent) !== '' || cell.querySelectorAll(CONTROLS).length > 1)) return '';
  const row = cell && parentElement(cell);
  const table = row && matches(cell, CELL) && closest(row, 'table, [role="grid"], [role="table"], [role="treegrid"]');
  if (!table) return '';
  if (!headers.has(table)) {
    const all = table.querySelectorAll('thead th, [role="columnheader"]');
    headers.set(table, Array.from(all, (th) => clean(th.textContent)));
  }
  const names = headers.get(table);
  const cells = Array.from(row.children).filter((c) => matches(c, CELL));
  return cells.length === names.length ? (names[cells.indexOf(cell)] || '').slice(0, 24) : '';
}

/** The tag and classes of an element, whatever state it is in. */
function kindOf(el, cls) {
  return localName(el) + ' ' + (cls === '' ? '' : cls.split(/\s+/).filter((c) => c && !stateWord(c)).join(' '));
}

/** The place of an element among siblings of its tag and class, from 1; 0 if it is the only one. */
function placeOf(el, cls) {
  const parent = el.parentNode;
  if (!parent) return 0;
  let counted = places.get(parent);
  if (counted === undefined) {
    counted = { of: new Map(), kinds: new Map(), sorted: new Map() }; // sorted: by tag
    for (let s = firstChild(parent); s; s = nextSibling(s)) {
      if (nodeType(s) !== 1) continue;
      const kind = kindOf(s, classOf(s));
      const n = (counted.kinds.get(kind) || 0) + 1;
      counted.kinds.set(kind, n);
      counted.of.set(s, n);
    }
    places.set(parent, counted);
  }
  return counted.kinds.get(kindOf(el, cls)) > 1 ? counted.of.get(el) : 0;
}
