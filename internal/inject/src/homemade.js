// The state of controls that somebody made of divs: said by a class that turns on, by a data attribute, by a mark that a
// style puts in front, on the control itself or on what is wrapped around it.

import { attr, attrNames, childElementCount, className, firstChild, firstElementChild, hasAttrs, localName, matches, nextElementSibling, nextSibling, nodeType, parentElement } from './safe.js';
import { isControl, stateWord } from './statewords.js';
import { CHECKED, COLLAPSED, CURRENT, DISABLED, EXPANDED, MIXED, PRESSED, SELECTED } from './state.js';

// What the last word of a class, or a data attribute, says about a control.
const WORDS = new Map([
  ['active', SELECTED], ['selected', SELECTED], ['sel', SELECTED], ['chosen', SELECTED], ['picked', SELECTED], ['current', SELECTED],
  ['checked', CHECKED], ['ticked', CHECKED], ['indeterminate', MIXED],
  ['on', PRESSED], ['pressed', PRESSED], ['toggled', PRESSED],
  ['disabled', DISABLED],
  ['open', EXPANDED], ['opened', EXPANDED], ['expanded', EXPANDED], ['collapsed', COLLAPSED],
]);
// Words that are a theme where all siblings have them; the others are a state wherever they stand.
const THEMES = new Set(['active', 'current', 'on', 'open', 'opened']);
const STATES = new Set(['data-state', 'data-status']);
const FLAG = /^data-(?:is-|bs-)?(active|selected|current|checked|indeterminate|on|pressed|toggled|disabled|open|opened|expanded)$/;

const TICK = /[\u2713\u2714\u2705\u2611\u2612\u25C9\u{1F5F8}\u{1F5F9}]/u;

const MOST = 8; // siblings to compare with
const ALIKE = 60; // elements of a class on the page

const told = new Map(); // a class attribute → the tokens that say something, with what they do

function tokensOf(classes) {
  let list = told.get(classes);
  if (list === undefined) {
    list = [];
    for (const token of classes.split(/\s+/)) {
      const word = token && stateWord(token);
      if (word) list.push({ token, word, says: WORDS.get(word) });
    }
    if (told.size > 5000) told.clear();
    told.set(classes, list);
  }
  return list;
}

/** What classes say, but for those that are the theme of a list: they say nothing about its items. */
function fromClasses(el) {
  const classes = className(el);
  if (typeof classes !== 'string' || classes === '') return 0;
  let bits = 0;
  for (const { token, word, says } of tokensOf(classes)) if (!(bits & says) && !(THEMES.has(word) && isTheme(el, classes, token)) && !namedSo(el, token, word)) bits |= says;
  return bits;
}

/**
 * Whether a word that can be meant otherwise (an active user, an open ticket) is what all items of a list have. A control that is nothing but its
 * state is none of those, nor is one whose kind is without the word elsewhere on the page.
 */
function isTheme(el, classes, token) {
  return isForPressing(token) || (common(el, token) && !isControl(el, classes) && !varies(classes, token));
}

/** Whether the styles only say how a class looks while it is pressed: "lib-active:active". It is no state, then. */
function isForPressing(token) {
  const sheets = document.styleSheets.length;
  let known = pressing.get(token);
  if (known === undefined || known.sheets !== sheets) {
    let found = 0;
    for (const sheet of document.styleSheets) {
      try {
        found |= uses(sheet.cssRules, new RegExp('\\.' + CSS.escape(token) + '(?![\\w-])(:active)?', 'g'));
      } catch {
        // of another site
      }
    }
    pressing.set(token, (known = { sheets, so: found === PRESSING }));
  }
  return known.so;
}

const pressing = new Map(); // class → what is known of it
const PRESSING = 1;
const OTHERWISE = 2;

function uses(rules, selects) {
  let found = 0;
  for (let i = 0; i < rules.length && !(found & OTHERWISE); i++) {
    const { selectorText, cssRules } = rules[i];
    if (selectorText) for (const [, active] of selectorText.matchAll(selects)) found |= active ? PRESSING : OTHERWISE;
    else if (cssRules) found |= uses(cssRules, selects);
  }
  return found;
}

/** Whether some element of the same classes is there without one of them. */
function varies(classes, token) {
  const kind = classes.split(/\s+/).filter((c) => c && c !== token && !stateWord(c)).join(' ');
  if (kind === '') return false;
  const alike = document.getElementsByClassName(kind);
  for (let i = 0; i < alike.length && i < ALIKE; i++) if (!alike[i].classList.contains(token)) return true;
  return false;
}

/** Whether a class only says what an element is called: "col-active" of the column Active. */
function namedSo(el, token, word) {
  const before = token.slice(0, -word.length);
  return before !== '' && !/(?:^is-?|--|__)$/.test(before) && el.textContent.trim().toLowerCase() === word;
}

function common(el, token) {
  const parent = parentElement(el);
  if (parent === null) return false;
  let others = 0;
  for (let s = firstElementChild(parent); s !== null && others < MOST; s = nextElementSibling(s)) {
    if (s === el || localName(s) !== localName(el)) continue;
    const classes = className(s);
    if (typeof classes !== 'string' || !classes.split(/\s+/).includes(token)) return false;
    others++;
  }
  return others > 0;
}

function fromAttributes(el) {
  let bits = 0;
  const names = attrNames(el);
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (name.charCodeAt(0) === 97 /* a */) {
      const m = /^aria-(checked|pressed|selected|expanded|disabled|current)$/.exec(name);
      if (m && /^(?:true|page|step|mixed)$/.test(attr(el, name))) bits |= attr(el, name) === 'mixed' ? MIXED : WORDS.get(m[1]);
      continue;
    }
    if (name.charCodeAt(0) !== 100 /* d */) continue;
    const value = (attr(el, name) || '').toLowerCase();
    if (STATES.has(name)) bits |= WORDS.get(value) || 0;
    else {
      const m = FLAG.exec(name);
      if (m && value !== 'false' && value !== '0' && value !== 'no' && value !== 'off') bits |= WORDS.get(m[1]);
    }
  }
  return bits;
}

/** Whether a style puts a mark in front of an element, or behind it. */
function ticked(el) {
  return marks(getComputedStyle(el, '::before')) || marks(getComputedStyle(el, '::after'));
}

function marks({ content }) {
  return content !== 'none' && content !== 'normal' && TICK.test(content);
}

// A class of the page's own that went from one of several to another, as "sg-2" among the parts of a segmented control: who has it is chosen.
const had = new WeakMap(); // element → the classes it was seen with
const chosen = new Set(); // tag, first class and the class that says so
const PASSING = /hover|focus|over|near|anim|enter|leav|trans|drag|ripple|touch|down|move|high|cursor|asc|desc|sort|load|busy|first|last|even|odd/i;

function movedHere(el) {
  const classes = className(el);
  if (typeof classes !== 'string') return 0;
  const before = had.get(el);
  if (before === undefined) {
    had.set(el, ' ' + classes + ' ');
    if (chosen.size === 0) return 0;
  } else if (!before.endsWith(' ' + classes + ' ')) {
    for (const token of classes.split(/\s+/)) if (token && !before.includes(' ' + token + ' ') && !PASSING.test(token) && lostBeside(el, token)) chosen.add(kindOf(el, classes, token));
    had.set(el, before.slice(-400) + classes + ' ');
  } else if (chosen.size === 0) return 0;
  for (const token of classes.split(/\s+/)) if (chosen.has(kindOf(el, classes, token))) return SELECTED;
  return 0;
}

function kindOf(el, classes, token) {
  return localName(el) + ' ' + classes.split(/\s+/).find((c) => c && c !== token) + ' ' + token;
}

/** Whether one of those beside an element had a class, and none has it now. */
function lostBeside(el, token) {
  let lost = false;
  let left = 2 * MOST;
  for (let s = firstElementChild(parentElement(el)); s !== null && left > 0; s = nextElementSibling(s), left--) {
    if (s === el || localName(s) !== localName(el)) continue;
    const now = className(s);
    if (typeof now === 'string' && now.split(/\s+/).includes(token)) return false;
    lost ||= (had.get(s) || '').includes(' ' + token + ' ');
  }
  return lost;
}

const SAID = '[aria-checked],[aria-pressed],[aria-selected],[aria-expanded],[aria-current]';

/** The states of a control of the page's own making, as far as anything but ARIA and HTML says them. */
export function homemade(el, role) {
  if (matches(el, SAID)) return 0; // in the words that are meant for it
  let bits = parentElement(el) === null || !hasAttrs(el) ? 0 : movedHere(el);
  let at = el;
  for (let up = 0; at !== null && up < 3; up++) {
    if (hasAttrs(at)) bits |= fromClasses(at) | fromAttributes(at);
    const parent = parentElement(at);
    if (parent === null || childElementCount(parent) > 1 || hasRole(parent) || speaks(parent)) break;
    at = parent;
  }
  if (role === 'link' && bits & SELECTED) bits = (bits & ~SELECTED) | CURRENT;
  if (role !== 'clickable') return bits;
  if (!(bits & CHECKED) && ticked(el)) bits |= CHECKED;
  // A box or a knob inside, without words of its own.
  let left = 4;
  for (let c = firstElementChild(el); c !== null && left > 0; c = nextElementSibling(c), left--) {
    if (!hasAttrs(c) || speaks(c)) continue;
    bits |= (fromClasses(c) | fromAttributes(c)) & (CHECKED | PRESSED | SELECTED | MIXED);
    if (!(bits & CHECKED) && ticked(c)) bits |= CHECKED;
  }
  return bits;
}

/** Whether an element has a line of its own, and its states there. */
function hasRole(el) {
  const role = attr(el, 'role');
  return (role !== null && role !== 'none' && role !== 'presentation') || localName(el) === 'tr';
}

function speaks(el) {
  for (let n = firstChild(el); n !== null; n = nextSibling(n)) if (nodeType(n) === 3 && /\S/.test(n.data)) return true;
  return false;
}
