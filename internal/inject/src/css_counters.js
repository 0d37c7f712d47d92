// CSS counters. The computed style only says counter(name); the number has to be counted. That takes a walk over the page,
// so it is done once a pass and only when a name needs it.

import { onNewPass, styleOf } from './dom.js';
import { documentElement, firstElementChild, nextElementSibling } from './reads.js';

/** Pages of many thousand elements are not counted to the end: a number in a name is not worth a slow look. */
const maxElements = 20000;

/** The text of each counter() and counters() per generated box; null before it was counted. @type {?Map<Element, Map<string, string>>} */
let texts = null;
onNewPass(() => { texts = null; });

/**
 * The text of a counter() or counters() in the content of el's pseudo-element.
 * @param {Element} el @param {string} pseudo @param {string} call as the computed style has it
 * @returns {string}
 */
export function counterText(el, pseudo, call) {
  if (texts === null) {
    texts = new Map();
    count(documentElement());
  }
  return texts.get(el)?.get(pseudo + call) ?? '';
}

/**
 * A counter is seen by the siblings after the one that made it and by all they contain: by everything below `scope`.
 * @typedef {{scope: ?Element, value: number}} Counter
 */

function count(root) {
  /** @type {Map<string, Counter[]>} */
  const counters = new Map();
  let left = maxElements;

  const top = (name, scope) => {
    let stack = counters.get(name);
    if (stack === undefined) counters.set(name, stack = []);
    if (stack.length === 0) stack.push({ scope, value: 0 });
    return stack[stack.length - 1];
  };
  const reset = (name, value, scope) => {
    const stack = counters.get(name) ?? [];
    counters.set(name, stack);
    if (stack.length > 0 && stack[stack.length - 1].scope === scope) stack[stack.length - 1].value = value;
    else stack.push({ scope, value });
  };
  const apply = (style, scope) => {
    each(style.counterReset, 0, (name, value) => reset(name, value, scope));
    each(style.counterIncrement, 1, (name, value) => { top(name, scope).value += value; });
    each(style.counterSet, 0, (name, value) => { top(name, scope).value = value; });
  };
  const generated = (el, pseudo) => {
    const style = getComputedStyle(el, pseudo);
    const content = style.content;
    if (content === 'none' || content === 'normal') return;
    apply(style, el);
    for (const [call, kind, args] of content.matchAll(/(counters?)\(([^)]*)\)/g)) {
      const of = texts.get(el) ?? new Map();
      texts.set(el, of);
      of.set(pseudo + call, format(kind, args, counters));
    }
  };
  const visit = (el, scope) => {
    if (left-- <= 0) return;
    const style = styleOf(el);
    if (style.display === 'none') return;
    apply(style, scope);
    generated(el, '::before');
    for (let child = firstElementChild(el); child !== null; child = nextElementSibling(child)) visit(child, el);
    generated(el, '::after');
    for (const stack of counters.values()) {
      while (stack.length > 0 && stack[stack.length - 1].scope === el) stack.pop();
    }
  };
  visit(root, null);
}

/** Calls with each name and number of a counter-reset, -increment or -set. */
function each(value, missing, call) {
  if (value === 'none' || value === '') return;
  const words = value.split(' ');
  for (let i = 0; i < words.length; i++) {
    const number = Number(words[i + 1]);
    if (i + 1 < words.length && !Number.isNaN(number)) call(words[i++], number);
    else call(words[i], missing);
  }
}

/** @param {string} kind @param {string} args @param {Map<string, Counter[]>} counters */
function format(kind, args, counters) {
  const name = args.split(',', 1)[0].trim();
  const stack = counters.get(name) ?? [];
  const style = /,\s*([a-z-]+)\s*$/.exec(args)?.[1] ?? 'decimal';
  if (kind === 'counter' || stack.length === 0) return numeral(stack.length === 0 ? 0 : stack[stack.length - 1].value, style);
  const separator = /"((?:[^"\\]|\\[^])*)"/.exec(args)?.[1] ?? '';
  return stack.map((counter) => numeral(counter.value, style)).join(separator);
}

const roman = [[1000, 'm'], [900, 'cm'], [500, 'd'], [400, 'cd'], [100, 'c'], [90, 'xc'], [50, 'l'], [40, 'xl'], [10, 'x'], [9, 'ix'], [5, 'v'], [4, 'iv'], [1, 'i']];

/** A number in a counter style; those of other scripts are given in digits. */
function numeral(value, style) {
  switch (style) {
    case 'none':
      return '';
    case 'disc':
      return '•';
    case 'circle':
      return '◦';
    case 'square':
      return '▪';
    case 'decimal-leading-zero':
      return value >= 0 && value < 10 ? '0' + value : String(value);
    case 'lower-roman': case 'upper-roman':
      return cased(value, style, 3999, () => {
        let out = '';
        let rest = value;
        for (const [worth, sign] of roman) for (; rest >= worth; rest -= worth) out += sign;
        return out;
      });
    case 'lower-alpha': case 'lower-latin': case 'upper-alpha': case 'upper-latin':
      return cased(value, style, Infinity, () => {
        let out = '';
        for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26)) out = String.fromCharCode(97 + (rest - 1) % 26) + out;
        return out;
      });
  }
  return String(value);
}

function cased(value, style, max, write) {
  if (value < 1 || value > max) return String(value);
  return style.startsWith('upper') ? write().toUpperCase() : write();
}
