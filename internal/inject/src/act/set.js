// Values that are not typed: chosen options, dates, colours, numbers of a slider.

import { attr, bringIntoView, localName, matches, rendered, rootOf } from '../safe.js';
import { locate } from '../locate.js';
import { clean } from '../icons.js';
import { idOf } from './node.js';
import { valueNow } from './field.js';
import { asked } from './setoff.js';
import { sketch, targetOf } from './target.js';
import { watch } from './settle.js';

/** The setter of the platform: frameworks put one of their own on the element. */
export function nativeSet(el, name, value) {
  let proto = Object.getPrototypeOf(el);
  while (proto && !Object.getOwnPropertyDescriptor(proto, name)) proto = Object.getPrototypeOf(proto);
  Object.getOwnPropertyDescriptor(proto, name).set.call(el, value);
}

function fire(el, ...types) {
  for (const type of types) el.dispatchEvent(new Event(type, { bubbles: true, composed: type === 'input' }));
}

/**
 * Chooses options of a native select, or one of the suggestions of a field that has a datalist.
 * @param {object} arg ref or locator; values: each a value, a text, {}text (exact), {^}text (contained), or with index: a number
 */
export function select(arg) {
  const { el, failure } = targetOf(arg);
  if (failure) return failure;
  if (localName(el) === 'input' && el.list) return suggested(el, arg);
  if (localName(el) !== 'select') return { code: 'notnative' };
  const options = Array.from(el.options);
  const chosen = new Set();
  for (const v of arg.values) {
    const found = match(options, v, arg.index);
    if (!found) return without(options);
    if (found.disabled || (found.parentElement && found.parentElement.disabled)) return { code: 'disabled', reason: 'the option ' + clean(found.label) + ' is disabled' };
    chosen.add(found);
  }
  if (chosen.size > 1 && !el.multiple) return { code: 'invalid', reason: 'it takes one option only' };
  // Of several, those that are let go of are pressed as well as those that are taken.
  const pressed = [...chosen, ...(el.multiple ? options.filter((o) => o.selected && !chosen.has(o)) : [])];
  if (arg.sets) return { code: 'sets', origin: self.origin, sets: asked([...pressed, el]) };
  if (arg.also && pressed.some((o) => !arg.also.includes(idOf(o)))) return { code: 'stale' };
  const before = valueNow(el);
  watch(el);
  el.focus({ preventScroll: true });
  const changed = options.some((o) => o.selected !== chosen.has(o));
  for (const o of options) if (o.selected !== chosen.has(o) && (el.multiple || chosen.has(o))) nativeSet(o, 'selected', chosen.has(o));
  if (changed) fire(el, 'input', 'change');
  return { ok: true, from: before.value, to: valueNow(el).value };
}

/** The browser shows suggestions where nobody can press them; whoever chooses one has its value in the field. */
function suggested(el, arg) {
  const options = Array.from(el.list.options);
  if (arg.values.length > 1) return { code: 'invalid', reason: 'it takes one option only' };
  const found = match(options, arg.values[0], arg.index);
  if (!found) return { ...without(options), tag: 'input' };
  if (el.readOnly) return { code: 'disabled', reason: 'it is read-only', ...sketch(el) };
  if (arg.sets) return { code: 'sets', origin: self.origin, sets: asked([found, el]) };
  if (arg.also && !arg.also.includes(idOf(found))) return { code: 'stale' };
  const before = el.value;
  watch(el);
  el.focus({ preventScroll: true });
  nativeSet(el, 'value', found.value);
  fire(el, 'input', 'change'); // where it was typed, too: now it is chosen
  return { ok: true, from: before, to: el.value };
}

function without(options) {
  return { code: 'nooption', options: options.slice(0, 12).map((o) => clean(o.label) || o.value), count: options.length };
}

function match(options, v, index) {
  if (index) return options[Number(v)];
  const text = (o) => clean(o.label || o.text);
  if (v.startsWith('{}')) return options.find((o) => text(o) === v.slice(2));
  if (v.startsWith('{^}')) return options.find((o) => text(o).includes(v.slice(3)));
  const want = clean(v);
  return (
    options.find((o) => o.value === v) ||
    options.find((o) => text(o) === want) ||
    options.find((o) => text(o).toLowerCase() === want.toLowerCase()) ||
    options.find((o) => o.value.toLowerCase() === want.toLowerCase())
  );
}

/** Sets a field that is not typed into: range, number, date, time, month, week, colour. */
export function setValue(arg) {
  const { el: target, failure } = targetOf(arg);
  if (failure) return failure;
  const el = fieldIn(target);
  const value = arg.value ?? '';
  if (arg.origin && self.origin !== arg.origin) return { code: 'elsewhere', reason: self.origin };
  if (localName(el) !== 'input' && localName(el) !== 'textarea') return { code: 'notnative', min: attr(el, 'aria-valuemin'), max: attr(el, 'aria-valuemax'), now: attr(el, 'aria-valuenow') };
  if (el.type === 'checkbox' || el.type === 'radio') return { code: 'invalid', reason: 'it has no value to set; use check or click', ...sketch(el) };
  if (el.readOnly) return { code: 'disabled', reason: 'it is read-only', ...sketch(el) };
  const before = el.value;
  watch(el);
  el.focus({ preventScroll: true });
  nativeSet(el, 'value', value);
  if (el.value !== value && refused(el, value)) {
    const got = el.value;
    nativeSet(el, 'value', before);
    return { code: 'invalid', reason: 'a field of type ' + el.type + ' does not take ' + JSON.stringify(value) + expected(el.type), got };
  }
  if (el.value !== before) fire(el, 'input', 'change');
  return { ok: true, from: before, to: el.value };
}

/** The only field of a box that says of itself that it is a number to set; else the element itself. */
function fieldIn(el) {
  if (attr(el, 'role') !== 'spinbutton' || localName(el) === 'input') return el;
  const inner = el.querySelectorAll('input:not([type="hidden"])');
  return inner.length === 1 ? inner[0] : el;
}

function refused(el, value) {
  if (el.type === 'color') return el.value.toLowerCase() !== value.toLowerCase();
  if (el.type === 'range') return !(Number(value) >= Number(el.min || 0) && Number(value) <= Number(el.max || 100));
  return el.value === '' && value !== '';
}

const shapes = {
  date: '2026-01-31', time: '13:45', 'datetime-local': '2026-01-31T13:45', month: '2026-01', week: '2026-W05', color: '#3366ff', number: '12.5', range: 'a number between its minimum and maximum',
};

function expected(type) {
  return shapes[type] ? '; write it as ' + shapes[type] : '';
}

/** Reads an element: its text, an attribute, or all that can be said of its state. */
export function read(arg) {
  if (arg.count) return { ok: true, count: locate(arg.locator).length };
  const { el, failure } = targetOf(arg);
  if (failure) return failure;
  if (arg.attribute) return { ok: true, text: attr(el, arg.attribute), ...sketch(el) };
  const now = valueNow(el);
  const field = localName(el) === 'input' || localName(el) === 'textarea' || localName(el) === 'select';
  const text = field ? now.value : el.innerText !== undefined ? el.innerText.trim() : el.textContent.trim();
  return { ok: true, text, origin: self.origin, id: idOf(el), ...sketch(el), ...now, disabled: matches(el, ':disabled') || attr(el, 'aria-disabled') === 'true', visible: rendered(el, { visibilityProperty: true }), focused: rootOf(el).activeElement === el };
}

/** Where an element is, for pictures and drags: its box in the viewport and the page. */
export function boxOf(arg) {
  const { el, failure } = targetOf(arg);
  if (failure) return failure;
  bringIntoView(el, { block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const r = el.getBoundingClientRect();
  return { ok: true, ...sketch(el), x: r.left, y: r.top, width: r.width, height: r.height, scrollX, scrollY };
}

