// Grids whose rows are not where a reader looks for them: placed by number, or written column by column.

import { attr, childElementCount, className, firstElementChild, hasAttr, localName, matches, nextElementSibling, previousElementSibling } from './safe.js';

const ROW_NUMBER = 'aria-rowindex';
const CELL = '[role="gridcell"], [role="cell"], [role="rowheader"], [role="columnheader"]';

/** The rows of a grid that places them by itself, in the order of their numbers: that is how people see them. Null where they stand in it. */
export function counted(first) {
  if (first === null || !hasAttr(first, ROW_NUMBER)) return null;
  const rows = [];
  let sorted = true;
  for (let c = first; c !== null; c = nextElementSibling(c)) {
    const row = { el: c, at: +attr(c, ROW_NUMBER) };
    if (!(row.at > 0)) return null;
    sorted = sorted && (rows.length === 0 || row.at >= rows[rows.length - 1].at);
    rows.push(row);
  }
  return sorted ? null : rows.sort((a, b) => a.at - b.at).map((row) => row.el);
}

/** The rows of a grid that is written column by column, each as its cells from left to right; null for any other. */
export function acrossColumns(first) {
  if (first === null || !cellOfColumn(firstElementChild(first))) return null;
  const rows = new Map();
  let columns = 0;
  for (let column = first; column !== null; column = nextElementSibling(column)) {
    if (childElementCount(column) === 0) continue;
    columns++;
    for (let cell = firstElementChild(column); cell !== null; cell = nextElementSibling(cell)) {
      if (!cellOfColumn(cell)) return null;
      const at = +attr(cell, ROW_NUMBER);
      const row = rows.get(at);
      if (row === undefined) rows.set(at, [cell]);
      else row.push(cell);
    }
  }
  return columns < 2 ? null : [...rows].sort((a, b) => a[0] - b[0]).map((row) => row[1]);
}

/** Whether an element is a cell that says which row it belongs to, as one in a row needs not. */
function cellOfColumn(el) {
  return el !== null && hasAttr(el, ROW_NUMBER) && matches(el, CELL);
}

/**
 * Whether a box without a role is one of several that are told apart by labels alone: the days of a week, each with what is in it. What the
 * label says can be read nowhere in the box.
 */
export function isPartByLabel(el) {
  const label = attr(el, 'aria-label');
  if (!label || firstElementChild(el) === null || !/\p{L}{3}/u.test(el.textContent) || el.textContent.includes(label)) return false;
  for (const beside of [previousElementSibling(el), nextElementSibling(el)]) {
    if (beside === null || localName(beside) !== localName(el)) continue;
    const other = attr(beside, 'aria-label');
    if (other && other !== label && firstWord(className(beside)) === firstWord(className(el))) return true;
  }
  return false;
}

function firstWord(classes) {
  return typeof classes === 'string' ? classes.trim().split(/\s/, 1)[0] : '';
}
