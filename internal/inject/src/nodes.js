// The nodes found so far, and the run of text being gathered.

import { styleOf } from './dom.js';
import { boxFor, layer } from './layers.js';
import { clean, cleanPre } from './icons.js';
import { ACTIVE, BLOCK, DRAWN, FLOATS, INVIEW, PRE } from './state.js';
import { DRAWN as IN_DRAWING, FLOATS as FLOATING, PRE as PREFORMATTED, QUIET, UNSEEN } from './modes.js';
import { inView } from './visible.js';

const LONG = 400; // characters; longer text gets a ref, so that a cut can be looked into
const WORDS = /[^\s\u200B\uFEFF\uE000-\uF8FF]/;

export let nodes = [];
let options = {};
let rootElement = null;
let active = null;
let find = null;

// The run: text of inline content that belongs together.
let run = '';
let runElement = null;
let runStartsBlock = false;
let runPre = false;
let runMode = 0;

let block = true; // nothing was written yet since the last block boundary
let blockElement = null;

// How deep in the document the walk is, and how far up it came since the last node: from these two one knows what is in one
// box with what, though most boxes are no nodes.
export let level = 0;
let low = 0;
let runLevel = 0;
let runLow = 0;

export function down() {
  level++;
}

export function up() {
  if (--level < low) low = level;
}

export function reset(opts, root, focus) {
  nodes = [];
  options = opts;
  rootElement = root;
  active = focus;
  find = null;
  if (opts.find) find = new RegExp(opts.find.source, (opts.find.flags || '').replace(/[gy]/g, ''));
  run = '';
  runElement = blockElement = null;
  block = true;
  level = low = 0;
}

function Item(depth, role) {
  this.depth = depth;
  this.state = 0;
  this.ref = false;
  this.role = role;
  this.name = '';
  this.value = '';
  this.desc = '';
  this.extra = '';
  this.dead = false;
  this.el = null;
  this.level = level;
  this.low = low;
}

/** Adds a node for an element. */
export function push(el, depth, role, mode) {
  const node = new Item(depth, role);
  node.el = el;
  if (inView(el, mode)) node.state |= INVIEW;
  if (mode & IN_DRAWING) node.state |= DRAWN;
  if (mode & FLOATING) node.state |= FLOATS;
  if (block) {
    node.state |= BLOCK;
    block = false;
  }
  if (el === active) node.state |= ACTIVE;
  low = level;
  nodes.push(node);
  return node;
}

/** Says that a node shall have a ref. The number is given when the node is written, so that numbers run with the page. */
export function giveRef(node) {
  node.ref = true;
}

/** The ref of a node that needs none for itself; see wanted. */
export const WEAK = 'weak';

/** Whether plain things get refs too: inside the root asked for, or where a search matches. */
export function wanted(node) {
  return rootElement !== null || (find !== null && find.test(node.name));
}

/** Whether an element is the one that was asked for. */
export function isRoot(el) {
  return el === rootElement;
}

export function startBlock() {
  block = true;
}

export function enterBlock(el) {
  const before = blockElement;
  blockElement = el;
  return before;
}

export function leaveBlock(before) {
  blockElement = before;
}

/** Adds a text node to the run. */
export function text(n, parent, mode) {
  if (mode & (QUIET | UNSEEN)) return;
  const data = n.data;
  if (!WORDS.test(data)) {
    if (run !== '') run += runPre ? data : ' ';
    return;
  }
  if (run === '') {
    runElement = parent;
    runStartsBlock = block;
    block = false;
    runMode = mode;
    runLevel = level;
    runLow = low;
    low = level;
    runPre = (mode & PREFORMATTED) !== 0 || (data.indexOf('\n') >= 0 && styleOf(parent).whiteSpace.startsWith('pre'));
  } else if (runElement !== parent && blockElement !== null) {
    runElement = blockElement;
  }
  run += data;
}

/** Puts a space between two parts of a run, as between inline blocks. */
export function space() {
  if (run !== '') run += ' ';
}

/** A line break inside a run. */
export function lineBreak() {
  if (run !== '') run += runPre ? '\n' : ' ';
}

/** Ends the run and adds it as a node. */
export function endRun(depth) {
  if (run === '') return;
  const s = runPre ? cleanPre(run) : clean(run);
  run = '';
  if (s === '') {
    low = Math.min(low, runLow);
    return;
  }
  const node = new Item(depth, 'text');
  node.el = runElement;
  node.name = s;
  node.level = runLevel;
  node.low = runLow;
  if (runStartsBlock) node.state |= BLOCK;
  if (runPre && s.indexOf('\u2028') >= 0) node.state |= PRE;
  if (inView(runElement, runMode)) node.state |= INVIEW;
  if (runMode & IN_DRAWING) node.state |= DRAWN;
  if (runMode & FLOATING) node.state |= FLOATS;
  if (s.length > LONG || wanted(node)) node.ref = true;
  if (options.boxes) extras(node, runElement);
  nodes.push(node);
}

/** Takes a node out and lifts what is below it. */
export function dissolve(at) {
  nodes[at].dead = true;
  for (let i = at + 1; i < nodes.length; i++) nodes[i].depth--;
  if (at === nodes.length - 1) takeBack(at);
}

/** Takes the last nodes back, from one on. */
export function takeBack(at) {
  low = Math.min(low, nodes[at].low);
  nodes.length = at;
}

/** Adds `key=value` to a node's extra field. */
export function extra(node, key, value) {
  node.extra += (node.extra ? ';' : '') + key + '=' + value;
}

/** Adds what was asked for of every node: its box and layer, its address. The address goes last. */
export function extras(node, el) {
  if (options.boxes) {
    extra(node, 'b', boxFor(node, el));
    if (layer > 0) extra(node, 'o', layer);
  }
  if (options.links && node.role === 'link' && el.href) {
    const href = typeof el.href === 'string' ? el.href : el.href.baseVal;
    if (href) extra(node, 'u', clean(href));
  }
}
