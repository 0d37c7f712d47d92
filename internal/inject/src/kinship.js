// Kinship: which lines of an earlier look at a page are which of a later one, though their elements may be others. It is decided box by
// box, from the outside in, by what is said in each; what could be this or that is neither.

import { bare } from './likeness.js';

/**
 * @param {object[]} old lines: role, name, value, desc, level, low; ref and alive
 * @param {object[]} cur the same of the page as it is
 * @returns {Array<[object, object]>} pairs of the same
 */
export function kin(old, cur) {
  if (old.length === 0 || cur.length === 0) return [];
  const ids = new Map(); // what boxes and lines say, numbered for both sides
  const a = boxes(old, ids);
  const b = boxes(cur, ids);
  const m = new Matching(old, cur);
  m.match(a, b);
  return m.pairs;
}

// What stands beside a page's content, on one page as on the next.
const BESIDE = new Set(['navigation', 'toolbar', 'menubar', 'menu', 'tablist', 'contentinfo', 'complementary']);

/** Pairs what stands beside the content of two pages and says the same in full. Lines have their depth, too. */
export function alongside(old, cur) {
  const theirs = parts(cur);
  const pairs = [];
  for (const [says, lines] of parts(old)) {
    const others = theirs.get(says);
    if (lines !== null && others) lines.forEach((line, i) => pairs.push([line, others[i]]));
  }
  return pairs;
}

/** Such parts by what they say; null for what is said twice. */
function parts(lines) {
  const found = new Map();
  lines.forEach(({ role, depth }, i) => {
    if (!BESIDE.has(role)) return;
    let end = i + 1;
    while (end < lines.length && lines[end].depth > depth) end++;
    const part = lines.slice(i, end);
    const says = part.map((line) => line.role + '\t' + line.name).join('\n');
    found.set(says, found.has(says) ? null : part);
  });
  return found;
}

/**
 * The boxes of a look, as a tree: lines that share a box of the document which others are not in. A box has its level, the lines from and
 * to, and kids; a line is a box without kids. says: what is in it; holds: that and what its fields hold.
 */
function boxes(lines, ids) {
  const stack = [{ level: -1, kids: [] }];
  const top = () => stack[stack.length - 1];
  const close = (kid) => {
    const box = stack.pop();
    box.kids.push(kid);
    box.from = box.kids[0].from;
    box.to = kid.to;
    box.anchor = box.kids.find((k) => k.anchor > 0)?.anchor || 0;
    box.says = number(ids, 'b' + box.kids.map((k) => k.says).join());
    box.holds = number(ids, 'h' + box.kids.map((k) => k.holds).join());
    return box;
  };
  let last = null;
  lines.forEach((line, i) => {
    if (last !== null) {
      while (top().level > line.low) last = close(last);
      if (top().level < line.low) stack.push({ level: line.low, kids: [] });
      top().kids.push(last);
    }
    const said = line.role + '\t' + (line.name || line.desc.replace(/ ?#\d+$/, ''));
    last = {
      level: Infinity, kids: null, vague: !line.name && FIELDS.has(line.role), from: i, to: i + 1, anchor: line.ref > 0 && (line.alive ?? true) ? line.ref : 0,
      says: number(ids, said), holds: number(ids, said + '\t' + line.value),
    };
  });
  while (stack.length > 1) last = close(last);
  return last;
}

function number(ids, key) {
  let n = ids.get(key);
  if (n === undefined) ids.set(key, (n = ids.size + 1));
  return n;
}

// What holds what was typed or chosen says nothing of which it is, where it has no name: fields without one are known by their neighbours.
const FIELDS = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'listbox']);

const WORD = /[\p{L}\p{N}]/u; // a star that is full now was empty

class Matching {
  constructor(old, cur) {
    this.old = old;
    this.cur = cur;
    this.pairs = [];
    this.at = new Map(); // ref → line, now
    cur.forEach((line, i) => line.ref > 0 && this.at.set(line.ref, i));
  }

  /** Pairs what is in two boxes that are one, and answers which boxes directly in them are in one only. */
  match(a, b) {
    if (a.says === b.says) {
      for (let i = 0; i < a.to - a.from; i++) this.pairs.push([this.old[a.from + i], this.cur[b.from + i]]);
      return new Row([], []);
    }
    // A box around one of them that the other has not: what it is beside came, or went.
    const mine = a.level > b.level || a.kids === null ? [a] : a.kids;
    const theirs = b.level > a.level || b.kids === null ? [b] : b.kids;
    const row = new Row(mine, theirs);
    this.byElement(row);
    row.byOnly('holds');
    row.byOnly('says');
    row.byNeighbours('holds');
    row.byNeighbours('says');
    this.byBareName(row);
    this.byWord(row);
    this.byMost(row);
    row.inPlace();
    row.between((i) => nameless(this.old, mine[i]), (j) => nameless(this.cur, theirs[j]));
    const lost = [];
    const come = [];
    for (let i = 0; i < mine.length; i++) {
      const j = row.mate[i];
      if (j < 0) continue;
      const [x, y] = [mine[i], theirs[j]];
      if (x.kids === null && y.kids === null) this.pairs.push([this.old[x.from], this.cur[y.from]]);
      else if (x !== a || y !== b) {
        const rest = this.match(x, y);
        lost.push(...rest.mine);
        come.push(...rest.theirs);
      }
    }
    // From one box to the one beside it, as a card goes to the next column.
    const went = new Row(lost, come);
    went.byOnly('says');
    went.mate.forEach((j, i) => j >= 0 && this.match(lost[i], come[j]));
    return row.rest();
  }

  /** Boxes that hold an element that is still the same. */
  byElement(row) {
    const claims = [];
    row.mine.forEach((x, i) => {
      const at = x.anchor > 0 ? this.at.get(x.anchor) : undefined;
      if (at === undefined) return;
      const j = holder(row.theirs, at);
      if (j >= 0) claims.push([i, j]);
    });
    row.settle(claims);
    row.fixed = row.mate.slice();
  }

  /** Lines whose names differ by a mark or a count, and that are the only ones called so. */
  byBareName(row) {
    const key = (lines) => (x) => (x.kids === null && !x.vague ? lines[x.from].role + '\t' + (WORD.test(lines[x.from].name) ? bare(lines[x.from].name) : '') : '');
    row.byKey(row.mine.map(key(this.old)), row.theirs.map(key(this.cur)), true);
  }

  /** Items among others alike: the first word that no other has. */
  byWord(row) {
    const mine = this.own(row.mine, this.old);
    const theirs = this.own(row.theirs, this.cur);
    const claims = [];
    mine.forEach((x, i) => {
      if (row.mate[i] >= 0 || x === null) return;
      theirs.forEach((y, j) => {
        if (row.back[j] < 0 && y !== null && x.role === y.role && y.words.has(x.first)) claims.push([i, j]);
      });
    });
    row.settle(claims);
  }

  /** Of each box among others alike: the words that it alone has; null for what is no such box. */
  own(kids, lines) {
    const kinds = new Map();
    const count = new Map();
    const words = kids.map((x) => {
      const said = wordsIn(x, lines);
      for (const w of said) count.set(w, (count.get(w) || 0) + 1);
      if (x.kids !== null) kinds.set(lines[x.from].role, (kinds.get(lines[x.from].role) || 0) + 1);
      return said;
    });
    return kids.map((x, i) => {
      const { role } = lines[x.from];
      if (x.kids === null || kinds.get(role) < 2) return null;
      const mine = Array.from(words[i]).filter((w) => count.get(w) === 1);
      return mine.length > 0 ? { role, first: mine[0], words: new Set(mine) } : null;
    });
  }

  /** Boxes that are no items: those that begin alike and have most of their words in common. */
  byMost(row) {
    const mine = alone(row.mine, row.mate, this.old);
    const theirs = alone(row.theirs, row.back, this.cur);
    const claims = [];
    for (const i of mine) {
      for (const j of theirs) {
        const [x, y] = [row.mine[i], row.theirs[j]];
        if ((x.kids !== null || y.kids !== null) && this.alike(x, y)) claims.push([i, j]);
      }
    }
    row.settle(claims);
  }

  alike(x, y) {
    const [a, b] = [this.old[x.from], this.cur[y.from]];
    if (a.role === b.role && lists(x, this.old) && lists(y, this.cur)) return this.mostly(x, y);
    if ((HEADS.has(a.role) || HEADS.has(b.role)) && (a.role !== b.role || bare(a.name) !== bare(b.name))) return false;
    const [was, is] = [wordsIn(x, this.old), wordsIn(y, this.cur)];
    const [first, now] = [titleOf(x, this.old), titleOf(y, this.cur)];
    if (first === null || now === null) {
      if (first !== now) return false;
    } else if (!is.has(first) && !was.has(now)) return uncounted(first) === uncounted(now) && this.nearly(x, y);
    if (was.size + is.size === 0 && (vague(x, this.old) || vague(y, this.cur))) return false;
    return this.mostly(x, y);
  }

  /** Whether most of the words in two boxes are in both. */
  mostly(x, y) {
    const [was, is] = [wordsIn(x, this.old), wordsIn(y, this.cur)];
    let common = 0;
    for (const w of was) if (is.has(w)) common++;
    return 2 * common >= was.size + is.size - common;
  }

  /** Whether four of five lines of the smaller of two boxes are in the other as well, with what their fields hold. */
  nearly(x, y) {
    const count = new Map();
    const key = ({ role, name, value }) => role + '\t' + name + '\t' + value;
    for (let i = x.from; i < x.to; i++) count.set(key(this.old[i]), (count.get(key(this.old[i])) || 0) + 1);
    let common = 0;
    for (let j = y.from; j < y.to; j++) {
      const left = count.get(key(this.cur[j])) || 0;
      if (left === 0) continue;
      common++;
      count.set(key(this.cur[j]), left - 1);
    }
    const fewer = Math.min(x.to - x.from, y.to - y.from);
    return fewer >= TWINS && 5 * common >= 4 * fewer;
  }
}

/** A title without how many of something there are, as it stands in it: Vehicles 4 updates. It may as well be a number that stands for something. */
function uncounted(title) {
  return title.replace(/\p{Nd}[\p{Nd}.,]*(?=\s+\p{Ll})/gu, '#');
}

const TWINS = 6; // lines: of fewer it can't be said that nearly all are the same

/** The role of a line that has no name and may be operated; '' for others. */
function nameless(lines, x) {
  const { role, name, ref, el } = lines[x.from];
  return x.kids === null && name === '' && (ref > 0 || el) && !FIELDS.has(role) ? role : '';
}

/** Which of several boxes beside each other a line is in; -1 for none. */
function holder(kids, line) {
  let [lo, hi] = [0, kids.length];
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (kids[mid].to <= line) lo = mid + 1;
    else hi = mid;
  }
  return lo < kids.length && kids[lo].from <= line ? lo : -1;
}

const FEW = 32; // more are a list, and its entries are items

/** Which boxes without a mate are no items: no other begins as they do. */
function alone(kids, mates, lines) {
  const kinds = new Map();
  for (const k of kids) if (k.kids !== null) kinds.set(lines[k.from].role, (kinds.get(lines[k.from].role) || 0) + 1);
  const found = [];
  kids.forEach((k, i) => {
    if (mates[i] < 0 && (k.kids === null || kinds.get(lines[k.from].role) < 2)) found.push(i);
  });
  return found.length > FEW ? [] : found;
}

// What a box is, where it begins so: another name, and it is another.
const HEADS = new Set(['dialog', 'alertdialog', 'form', 'region', 'tabpanel', 'menu', 'listitem', 'row', 'article', 'treeitem', 'option', 'table', 'grid', 'navigation']);

/** Whether a box holds several of what it begins with: it is none of them, and goes by no title. */
function lists(x, lines) {
  const { role, name } = lines[x.from];
  return x.kids !== null && name !== '' && x.kids.filter((k) => k.kids === null && lines[k.from].role === role && lines[k.from].name !== '').length > 1;
}

/** Whether a box has such a field in it. */
function vague(x, lines) {
  for (let i = x.from; i < x.to; i++) if (FIELDS.has(lines[i].role)) return true;
  return false;
}

/** The names in a box, without counts, in order and once. */
function wordsIn(x, lines) {
  const words = new Set();
  for (let i = x.from; i < x.to; i++) if (lines[i].name !== '') words.add(bare(lines[i].name));
  return words;
}

/** What a box is about: its heading, else its first words that do not announce others. */
function titleOf(x, lines) {
  let first = null;
  for (let i = x.from; i < x.to; i++) {
    const { role, name } = lines[i];
    if (name === '') continue;
    if (role === 'heading') return bare(name);
    if (first === null && !name.endsWith(':')) first = bare(name);
  }
  return first;
}

/** What is in two boxes, and which of it is paired. */
class Row {
  constructor(mine, theirs) {
    this.mine = mine;
    this.theirs = theirs;
    this.mate = mine.map(() => -1);
    this.back = theirs.map(() => -1);
  }

  /** A line that is on the other side now of what stayed is in another place. */
  inPlace() {
    let above = -1; // the mate of what stayed last
    const check = (i, wrong) => {
      const j = this.mate[i];
      if (this.fixed[i] >= 0) above = j;
      else if (j >= 0 && above >= 0 && this.mine[i].kids === null && this.theirs[j].kids === null && wrong(j)) {
        this.mate[i] = this.back[j] = -1;
      }
    };
    for (let i = 0; i < this.mine.length; i++) check(i, (j) => j < above);
    above = -1;
    for (let i = this.mine.length - 1; i >= 0; i--) check(i, (j) => j > above);
  }

  /** What has no name, by what is directly above and below it: a switch that looks otherwise now, after the word that says what it is for. */
  between(mine, theirs) {
    this.mate.forEach((have, i) => {
      if (have >= 0 || mine(i) === '') return;
      const above = i > 0 ? this.mate[i - 1] : -1;
      const below = i + 1 < this.mine.length ? this.mate[i + 1] : this.theirs.length;
      const j = above + 1;
      if (below === j + 1 && (i > 0 || i + 1 < this.mine.length) && this.back[j] < 0 && theirs(j) === mine(i)) this.pair(i, j);
    });
  }

  /** The boxes without a mate. */
  rest() {
    return new Row(this.mine.filter((x, i) => this.mate[i] < 0 && x.kids !== null), this.theirs.filter((y, j) => this.back[j] < 0 && y.kids !== null));
  }

  pair(i, j) {
    this.mate[i] = j;
    this.back[j] = i;
  }

  /** Pairs what is claimed once on either side. */
  settle(claims) {
    const of = new Map();
    const by = new Map();
    for (const [i, j] of claims) {
      of.set(i, of.has(i) && of.get(i) !== j ? -1 : j);
      by.set(j, by.has(j) && by.get(j) !== i ? -1 : i);
    }
    for (const [i, j] of of) if (j >= 0 && by.get(j) === i && this.mate[i] < 0 && this.back[j] < 0) this.pair(i, j);
  }

  /** What there is one of on either side. */
  byOnly(key) {
    const own = (x) => (x.vague ? '' : x[key]);
    this.byKey(this.mine.map(own), this.theirs.map(own), false);
  }

  /** all: those that have a mate already count, too. */
  byKey(mine, theirs, all) {
    const at = (keys, taken) => {
      const found = new Map();
      keys.forEach((k, i) => {
        if (k !== '' && (all || taken[i] < 0)) found.set(k, found.has(k) ? -1 : i);
      });
      return found;
    };
    const there = at(theirs, this.back);
    for (const [k, i] of at(mine, this.mate)) {
      const j = there.get(k);
      if (i >= 0 && j >= 0 && j !== undefined && this.mate[i] < 0 && this.back[j] < 0) this.pair(i, j);
    }
  }

  /**
   * What says the same as others do, by what it stands next to: counted from the one above and from the one below, the ends
   * too, it has to be the same.
   */
  byNeighbours(key) {
    const { mine, theirs, mate, back } = this;
    const claims = [];
    const chase = (i, j, step) => {
      for (i += step, j += step; i >= 0 && j >= 0 && i < mine.length && j < theirs.length; i += step, j += step) {
        if (mate[i] >= 0 || back[j] >= 0 || mine[i][key] !== theirs[j][key]) return;
        claims.push([i, j]);
      }
    };
    chase(-1, -1, 1);
    chase(mine.length, theirs.length, -1);
    mate.forEach((j, i) => {
      if (j < 0) return;
      chase(i, j, 1);
      chase(i, j, -1);
    });
    this.settle(claims);
  }
}
