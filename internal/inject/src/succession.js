// Succession: pages rebuild what they show, and what was an element a moment ago is another one that says the same in the same
// place. Its ref goes over to that one, where there is no doubt which it is. Two looks are compared: the last one that was told,
// and the page as it is now (kinship.js).

import { beginPass, endPass } from './dom.js';
import { alongside, kin } from './kinship.js';
import { bare, unmarked } from './likeness.js';
import { elementOf, knownRef, moveRef } from './refs.js';
import { walk } from './walk.js';

/**
 * What was told of the document, and of a modal dialog of the browser's kind, which hides the document: the answer, and three numbers
 * for each of its lines, the ref and the place in the document. Elements are not kept. passing: a look since then that was told nobody.
 */
const told = { page: null, dialog: null, passing: null };

/**
 * Takes over what was told of the document before this one, where nothing was told of this one yet: a page that comes again has the refs that
 * it had. Of another page of the site that holds for what stands beside the content and is the same in full: menus, footers. A page of
 * another origin takes over nothing.
 */
export function inherit(answer) {
  if (told.page !== null || told.dialog !== null) return;
  const [head, ...lines] = answer.split('\n');
  let was;
  try {
    was = new URL(head.split('\t')[1]);
  } catch {
    return;
  }
  if (!/^https?:$/.test(was.protocol) || was.origin !== location.origin) return;
  const where = new Int32Array(lines.length * 3);
  lines.forEach((line, i) => {
    const [place, , ref] = line.split('\t', 3);
    const [, level, low] = place.split(',');
    where.set([ref || 0, level, low], 3 * i);
  });
  told.page = { answer, where, elsewhere: was.pathname !== location.pathname };
}

let before = null; // what told was before the last look, which may be taken back

/** Keeps an answer of look to compare with. */
export function remember(answer, nodes, over, passing) {
  const where = new Int32Array(nodes.length * 3);
  for (let i = 0; i < nodes.length; i++) {
    const n = nodes[i];
    where[3 * i] = n.ref ? knownRef(n.el) : 0;
    where[3 * i + 1] = n.level;
    where[3 * i + 2] = n.low;
  }
  before = { ...told };
  told.passing = passing ? { answer, where, over } : null;
  if (!passing) told[over ? 'dialog' : 'page'] = { answer, where };
}

/** Forgets the last look: it told nobody anything, and is made again. */
export function takeBackLook() {
  if (before !== null) Object.assign(told, before);
}

/**
 * Nodes of a walk that are written, with their place in the document as far as it can be told from them alone: how deep each is,
 * and how many levels it shares with the one before.
 */
export function placed(nodes, written) {
  const list = [];
  let low = Infinity;
  let last = -1;
  for (const n of nodes) {
    low = Math.min(low, n.low);
    if (!written(n)) continue;
    n.low = Math.min(low, last + 1);
    low = Infinity;
    last = n.level;
    list.push(n);
  }
  return list;
}

/** Lets the refs of elements that are gone go over to those that took their place among the nodes of a walk. */
export function succeed(nodes, over) {
  if (told.passing !== null && told.passing.over === over) goOver(told.passing, nodes);
  goOver(told[over ? 'dialog' : 'page'], nodes);
}

function goOver(was, nodes) {
  if (was === null || !widowed(was)) return;
  const old = linesOf(was);
  const cur = nodes.map((n) => ({ depth: n.depth, role: n.role, name: n.name, value: n.value, desc: n.desc, level: n.level, low: n.low, ref: n.ref ? knownRef(n.el) : 0, el: n.ref ? n.el : null }));
  for (const [a, b] of was.elsewhere ? alongside(old, cur) : kin(old, cur)) {
    if (a.ref > 0 && !a.alive && b.el !== null && b.ref === 0 && knownRef(b.el) === 0) moveRef(a.ref, b.el);
  }
}

/** The element of a ref, or the one that took its place. Null where there is none. */
export function resolve(n) {
  const el = elementOf(n);
  if (el !== null || !n || !knows(n)) return el;
  const now = performance.now();
  if (missed.n === n && now - missed.at < AGAIN) return null;
  catchUp();
  const heir = elementOf(n);
  missed = { n: heir === null ? n : 0, at: now };
  return heir;
}

// Who waits for one asks often; the whole page is not read each time.
const AGAIN = 50;
let missed = { n: 0, at: 0 };

/** Has refs go over now, for an element that has none yet. */
export function settleRefs(el) {
  if (knownRef(el) === 0 && looks().some(widowed)) catchUp();
}

function catchUp() {
  beginPass();
  try {
    const { nodes, over } = walk(null, {});
    succeed(placed(nodes, (n) => !n.dead), over);
  } catch {
    // They stay with what is gone.
  } finally {
    endPass();
  }
}

function looks() {
  return [told.page, told.dialog, told.passing].filter((was) => was !== null);
}

function knows(n) {
  for (const was of looks()) for (let i = 0; i < was.where.length; i += 3) if (was.where[i] === n) return true;
  return false;
}

/** Whether the element of some ref is gone. */
function widowed({ where }) {
  for (let i = 0; i < where.length; i += 3) if (where[i] > 0 && elementOf(where[i]) === null) return true;
  return false;
}

function linesOf({ answer, where }) {
  const lines = answer.split('\n');
  const list = [];
  for (let i = 1; i < lines.length; i++) {
    const [place, , , role, name = '', value = '', desc = ''] = lines[i].split('\t');
    const at = 3 * (i - 1);
    const ref = where[at];
    list.push({ depth: parseInt(place, 10), role, name, value, desc, ref, alive: ref > 0 && elementOf(ref) !== null, level: where[at + 1], low: where[at + 2] });
  }
  return list;
}

/**
 * Whether an element that was shown with one name and has another now is still the one: the names differ by a mark, or by figures that
 * change by themselves. Figures tell things apart where several are called so.
 */
export function decorated(role, was, now) {
  if (unmarked(was) === unmarked(now)) return unmarked(was) !== '';
  const plain = bare(was);
  if (plain !== bare(now)) return false;
  let alike = 0;
  for (const look of [told.page, told.dialog]) if (look !== null) for (const line of linesOf(look)) if (line.role === role && bare(line.name) === plain) alike++;
  return alike <= 1;
}
