// Layers: what floats above the page, as a banner, a toast or a dialog does. People see that it does; the tree of roles does not say.
// They are told with boxes only, as nothing else needs them.

import { holds } from './act/target.js';
import { elementAt, overflowing, standIn } from './act/ready.js';
import { localName, rectOf } from './safe.js';
import { OFFSCREEN } from './state.js';

export const HIGH = 10; // z-index; what is placed on the page below that is a part of it

let wanted = false;
let layers = []; // their elements; the first is number 1

/** The number of the layer that the walk is in, 0 for the page. */
export let layer = 0;

export function resetLayers(boxes) {
  wanted = !!boxes;
  layers = [];
  layer = 0;
}

/** Whether an element floats above the page. */
export function floats(style) {
  if (!wanted) return false;
  const { position } = style;
  return position === 'fixed' || position === 'sticky' || (position === 'absolute' && +style.zIndex >= HIGH);
}

/** Whether something without a name or value is worth a node: a spinner is, to who sees the page. */
export function tells(role) {
  return wanted && role === 'progressbar';
}

export function enterLayer(el) {
  layer = layers.push(el);
}

export function leaveLayer(before) {
  layer = before;
}

/** The layers as the header has them: x,y,w,h and whether it covers the screen. */
export function layerList() {
  return layers.map((el) => boxOf(rectOf(el)) + ',' + (covers(el) ? 1 : 0)).join(';');
}

/** Whether a press anywhere on the screen would be one on an element. */
function covers(el) {
  const r = rectOf(el);
  if (r.width < innerWidth * 0.9 || r.height < innerHeight * 0.9) {
    // The backdrop of a dialog is a part of it.
    if (localName(el) !== 'dialog') return false;
  }
  for (const [fx, fy] of [[0.04, 0.04], [0.96, 0.04], [0.5, 0.5], [0.04, 0.96], [0.96, 0.96]]) {
    const hit = elementAt(innerWidth * fx, innerHeight * fy);
    if (hit === null || !holds(el, hit)) return false;
  }
  return true;
}

/** Where an element is to be pressed: its own box, that of its label or of what hangs out of it; of a frame, what is inside of its border. */
export function boxFor(node, el) {
  if (node.role === 'iframe') return innerBox(el);
  const subject = node.state & OFFSCREEN || localName(el) === 'input' ? standIn(el, 'point') : el;
  let r = rectOf(subject);
  if (r.width === 0 || r.height === 0) {
    const child = overflowing(subject);
    if (child !== null) r = rectOf(child);
  }
  return boxOf(r);
}

function boxOf(r) {
  return [r.x, r.y, r.width, r.height].map(Math.round).join(',');
}

/** The box that a frame's own viewport fills. A frame may be drawn larger or smaller than it is. */
function innerBox(el) {
  const r = rectOf(el);
  const sx = el.offsetWidth ? r.width / el.offsetWidth : 1;
  const sy = el.offsetHeight ? r.height / el.offsetHeight : 1;
  const style = getComputedStyle(el);
  const [top, right, bottom, left] = ['Top', 'Right', 'Bottom', 'Left'].map((side) => parseFloat(style['padding' + side]) || 0);
  return boxOf({
    x: r.x + (el.clientLeft + left) * sx,
    y: r.y + (el.clientTop + top) * sy,
    width: (el.clientWidth - left - right) * sx,
    height: (el.clientHeight - top - bottom) * sy,
  });
}
