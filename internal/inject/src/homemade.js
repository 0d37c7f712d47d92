// The state of controls that somebody made of divs: said by a class that turns on, by a data attribute, by a mark that a
// style puts in front, on the control itself or on what is wrapped around it.

import { attr, attrNames, childElementCount, className, firstChild, firstElementChild, hasAttrs, localName, matches, nextElementSibling, nextSibling, nodeType, parentElement } from './safe.js';
import { CHECKED, COLLAPSED, CURRENT, DISABLED, EXPANDED, MIXED, PRESSED, SELECTED } from './state.js';

// What the last word of a class, or a data attribute, says about a control.
const WORDS = new Map([
  ['active', SELECTED], ['selected', SELECTED], ['current', SELECTED],
  ['checked', CHECKED], ['ticked', CHECKED], ['indeterminate', MIXED],
  ['on', PRESSED], ['pressed', PRESSED], ['toggled', PRESSED],
  ['disabled', DISABLED],
  ['open', EXPANDED], ['opened', EXPANDED], ['expanded', EXPANDED], ['collapsed', COLLAPSED],
]);
const STATES = new Set(['data-state', 'data-status']);
const FLAG = /^data-(?:is-|bs-)?(active|selected|current|checked|indeterminate|on|pressed|toggled|disabled|open|opened|expanded)$/;

// A class in words: "btn--active", "isOpen", "Mui-selected". What has a colon is for a state to come ("disabled:opacity-50").
const WORD = /[A-Z]?[a-z]+$/;
// "on" alone ends many words that are no states.
const ON = /^(?:is-?|(?:[\w-]+[-_])?(?:toggle|switch|turned|state|btn|button|check|box)[-_]+|[\w-]*--|[\w-]*__)?on$/i;
// Icons show an open folder, or a check mark, whatever is the matter.
const ICON = /^(?:fa|bi|mdi|icon|glyphicon|ti|ri|la|bx|ion|material)-/;
const TICK = /[\u2713\u2714\u2705\u2611\u2612\u25C9\u{1F5F8}\u{1F5F9}]/u;

function saysOfClass(token) {
  if (token.indexOf(':') >= 0 || ICON.test(token)) return 0;
  const m = WORD.exec(token);
  if (m === null) return 0;
  const word = m[0].toLowerCase();
  if (word === 'on' && !ON.test(token)) return 0;
  if (/(?:^|[-_])(?:not|no|un|hover|focus|can|if|when)[-_]?$/i.test(token.slice(0, m.index))) return 0;
  return WORDS.get(word) || 0;
}

const MOST = 8; // siblings to compare with

const told = new Map(); // a class attribute → the tokens that say something, with what they do

function tokensOf(classes) {
  let list = told.get(classes);
  if (list === undefined) {
    list = [];
    for (const token of classes.split(/\s+/)) {
      const says = token && saysOfClass(token);
      if (says) list.push({ token, says });
    }
    if (told.size > 5000) told.clear();
    told.set(classes, list);
  }
  return list;
}

/** What classes say, but for those that all of an element's siblings have as well: they say nothing about it. */
function fromClasses(el) {
  const classes = className(el);
  if (typeof classes !== 'string' || classes === '') return 0;
  let bits = 0;
  for (const { token, says } of tokensOf(classes)) if (!(bits & says) && !common(el, token) && !namedSo(el, token)) bits |= says;
  return bits;
}

/** Whether a class only says what an element is called: "col-active" of the column Active. */
function namedSo(el, token) {
  const [word] = WORD.exec(token);
  const before = token.slice(0, -word.length);
  return before !== '' && !/(?:^is-?|--|__)$/.test(before) && el.textContent.trim().toLowerCase() === word.toLowerCase();
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

const SAID = '[aria-checked],[aria-pressed],[aria-selected],[aria-expanded],[aria-current]';

/** The states of a control of the page's own making, as far as anything but ARIA and HTML says them. */
export function homemade(el, role) {
  if (matches(el, SAID)) return 0; // in the words that are meant for it
  let bits = 0;
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
