// What is drawn in place of a checkbox or radio button that nobody sees: a switch made of a span beside an input without extent.

import { NO, evidence, listens } from './clickable.js';
import { contains, firstChild, localName, matches, nextElementSibling, nextSibling, nodeType, parentElement, previousElementSibling, rectOf, rendered } from './safe.js';

const CONTROL = 'input, select, textarea, button, a[href], [role]';

/** The element that is pressed in place of a hidden checkbox or radio button without a label; null where it can be seen, or there is none. */
export function drawnFor(input) {
  if (localName(input) !== 'input' || (input.type !== 'checkbox' && input.type !== 'radio') || shows(input)) return null;
  for (const next of [nextElementSibling, previousElementSibling]) {
    for (let s = next(input); s !== null; s = next(s)) if (shows(s)) return alone(s) ? s : null;
  }
  const around = parentElement(input);
  return around !== null && shows(around) && around.querySelectorAll(CONTROL).length === 1 ? around : null;
}

const TICKED = '[role="radio"], [role="checkbox"], [role="switch"]';

/** Whether a hidden checkbox or radio button only keeps the value of an element beside it that has such a role itself. */
export function keepsFor(input) {
  for (let box = parentElement(input), i = 0; box !== null && i < 2; box = parentElement(box), i++) {
    const inputs = box.querySelectorAll('input');
    if (inputs.length !== 1) return false;
    const drawn = Array.from(box.querySelectorAll(TICKED)).filter((el) => el !== input);
    if (drawn.length > 0) return drawn.length === 1 && shows(drawn[0]);
  }
  return false;
}

const LEVELS = 4; // from a field to the box that is drawn around it

/** Whether something that lies over a field is only drawn there, inside of the same box, and the box is the field's alone: the placeholder of a list to choose from. */
export function drawnOver(field, hit) {
  if (!matches(field, 'input, textarea, [role="combobox"]')) return false;
  for (let box = parentElement(field), i = 0; box !== null && i < LEVELS; box = parentElement(box), i++) {
    if (box.querySelectorAll(CONTROL).length > 1) return false;
    if (!contains(box, hit)) continue;
    for (let n = hit; n !== box; n = parentElement(n)) if (n === null || listens(n) || evidence(n) !== NO || matches(n, CONTROL)) return false;
    return true;
  }
  return false;
}

/** Whether an element is only what is drawn in place of a control beside it, which has a line already. */
export function isDrawnFor(el) {
  if (speaks(el)) return false;
  if (stands(previousElementSibling(el), el) || stands(nextElementSibling(el), el)) return true;
  // Or the control is in a box beside it, and nothing else is: the track of a switch.
  const around = parentElement(el);
  if (around === null || speaks(around) || el.querySelector(CONTROL) !== null) return false;
  const all = around.querySelectorAll(CONTROL);
  return all.length === 1 && matches(all[0], 'input[type="checkbox"], input[type="radio"]');
}

/** Whether an element is what is pressed in place of an input. */
function stands(input, el) {
  return input !== null && localName(input) === 'input' && drawnFor(input) === el;
}

const WORD = /[\p{L}\p{N}]/u;

/** Whether there are words in an element; the first one settles it, however much there is. */
function speaks(el) {
  for (let n = firstChild(el); n !== null; n = nextSibling(n)) {
    const type = nodeType(n);
    if ((type === 3 && WORD.test(n.data)) || (type === 1 && speaks(n))) return true;
  }
  return false;
}

function alone(el) {
  return !matches(el, CONTROL) && el.querySelector(CONTROL) === null;
}

function shows(el) {
  const r = rectOf(el);
  return r.width > 1 && r.height > 1 && rendered(el, { visibilityProperty: true, opacityProperty: true });
}
