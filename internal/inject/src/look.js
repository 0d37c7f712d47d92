// look: the frame as one string, in the form CONTRACT.md describes.

import { beginPass, endPass } from './dom.js';
import { nextNumber, refOf, reserve } from './refs.js';
import { inherit, placed, remember, resolve, succeed, takeBackLook } from './succession.js';
import { documentTitle } from './safe.js';
import { clean } from './icons.js';
import { hasGrown } from './growth.js';
import { layerList } from './layers.js';
import { WEAK } from './nodes.js';
import { walk } from './walk.js';
import { INVIEW } from './state.js';

export function look(opts = {}) {
  try {
    reserve(opts.next || 1);
    if (opts.again) takeBackLook();
    if (opts.was) inherit(opts.was);
    let root = null;
    if (opts.root) {
      root = resolve(opts.root);
      if (root === null) return 'error\tstale';
    }
    beginPass();
    const { nodes, more, over } = walk(root, opts);
    const shown = placed(nodes, (n) => !n.dead && (!opts.viewport || n.state & INVIEW));
    refsOnce(shown);
    const whole = root === null && !opts.viewport;
    if (whole) succeed(shown, over);
    const lines = ['', ...shown.map(line)];
    lines[0] = header(more) + (opts.boxes ? '\t' + devicePixelRatio + '\t' + layerList() : '');
    const answer = lines.join('\n');
    if (whole) remember(answer, shown, over, opts.passing === true);
    return answer;
  } catch (e) {
    return 'error\t' + clean(String((e && e.message) || e));
  } finally {
    endPass();
  }
}

/**
 * Leaves a ref on one line. A text shows its element's where no line around it has to, which may be one that is not
 * written; and the first text of several does.
 */
function refsOnce(nodes) {
  const above = []; // the lines around a line, by their depth
  const told = new Set(); // elements that a text has the ref of
  for (const n of nodes) {
    above[n.depth] = n;
    if (!n.ref || n.role !== 'text') continue;
    for (let i = 0; i < n.depth; i++) {
      const around = above[i];
      if (!around || around.el !== n.el || !around.ref) continue;
      if (around.ref === WEAK) around.ref = false;
      else n.ref = false;
    }
    if (told.has(n.el)) n.ref = false;
    else if (n.ref) told.add(n.el);
  }
}

function header(more) {
  const el = document.scrollingElement || document.documentElement;
  const size = el ? [el.scrollWidth, el.scrollHeight] : [0, 0];
  return [nextNumber(), clean(location.href), clean(documentTitle()), innerWidth, innerHeight, Math.round(scrollX), Math.round(scrollY), ...size, more ? 1 : 0, hasGrown() ? 1 : 0].join('\t');
}

// line writes a node, without the empty fields at its end.
function line(n) {
  const head = place(n) + n.state + '\t';
  if (!n.ref && n.role === 'text' && !n.extra) return head + '\ttext\t' + n.name; // which has nothing else
  const start = n.ref ? head + refOf(n.el) + '\t' + n.role : head + '\t' + n.role;
  if (n.extra) return start + '\t' + n.name + '\t' + n.value + '\t' + n.desc + '\t' + n.extra;
  if (n.desc) return start + '\t' + n.name + '\t' + n.value + '\t' + n.desc;
  if (n.value) return start + '\t' + n.name + '\t' + n.value;
  if (n.name) return start + '\t' + n.name;
  return start;
}

const places = new Map(); // most lines of a page share theirs with others

function place({ depth, level, low }) {
  const key = (depth * 1024 + level) * 1024 + low; // walk.js goes no deeper
  let s = places.get(key);
  if (s === undefined) places.set(key, (s = depth + ',' + level + ',' + low + '\t'));
  return s;
}
