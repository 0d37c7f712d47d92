// look: the frame as one string, in the form CONTRACT.md describes.

import { beginPass, endPass } from './dom.js';
import { elementOf, nextNumber, refOf, reserve } from './refs.js';
import { documentTitle } from './safe.js';
import { clean } from './icons.js';
import { hasGrown } from './growth.js';
import { layerList } from './layers.js';
import { walk } from './walk.js';
import { INVIEW } from './state.js';

export function look(opts = {}) {
  try {
    reserve(opts.next || 1);
    let root = null;
    if (opts.root) {
      root = elementOf(opts.root);
      if (root === null) return 'error\tstale';
    }
    beginPass();
    const { nodes, more } = walk(root, opts);
    const lines = [''];
    for (const n of nodes) {
      if (n.dead || (opts.viewport && !(n.state & INVIEW))) continue;
      lines.push(line(n));
    }
    lines[0] = header(more) + (opts.boxes ? '\t' + devicePixelRatio + '\t' + layerList() : '');
    return lines.join('\n');
  } catch (e) {
    return 'error\t' + clean(String((e && e.message) || e));
  } finally {
    endPass();
  }
}

function header(more) {
  const el = document.scrollingElement || document.documentElement;
  const size = el ? [el.scrollWidth, el.scrollHeight] : [0, 0];
  return [nextNumber(), clean(location.href), clean(documentTitle()), innerWidth, innerHeight, Math.round(scrollX), Math.round(scrollY), ...size, more ? 1 : 0, hasGrown() ? 1 : 0].join('\t');
}

// line writes a node, without the empty fields at its end.
function line(n) {
  const head = n.depth + '\t' + n.state + '\t' + (n.ref ? refOf(n.el) : '') + '\t' + n.role;
  if (n.extra) return head + '\t' + n.name + '\t' + n.value + '\t' + n.desc + '\t' + n.extra;
  if (n.desc) return head + '\t' + n.name + '\t' + n.value + '\t' + n.desc;
  if (n.value) return head + '\t' + n.name + '\t' + n.value;
  if (n.name) return head + '\t' + n.name;
  return head;
}
