// What nobody can see although it is rendered: put away from the page to be measured, clipped to nothing, faded out of reach,
// or below an opaque layer. Its words do not count; what can be operated all the same does, and labels still name.

import { contains, documentElement, elementFromPoint, firstElementChild, matches, nextElementSibling, parentElement, rectOf } from './safe.js';
import { flatParent } from './dom.js';
import { INVIEW, OPERABLE } from './state.js';

const LIVE = '[aria-live],[role="status"],[role="alert"],[role="log"]';
const NOTHING = /^(?:inset\((?:5\d|[6-9]\d|\d{3,})(?:\.\d+)?%|circle\(0|ellipse\(0)/;

let leftwards = false; // a page that is read from right to left scrolls to the left

/** Whether the words of a box are out of everybody's sight. */
export function outOfSight(el, style, placed) {
  const { clipPath, transform } = style;
  if (!placed && clipPath === 'none' && transform === 'none') return false;
  const r = rectOf(el);
  if (/^matrix\(0, 0, 0, 0,/.test(transform)) return true; // scaled to nothing
  if (r.width <= 2 && r.height <= 2) return false; // made for screen readers
  if (clipPath !== 'none' && NOTHING.test(clipPath)) return true;
  if (!placed) return false;
  if (/^rect\(0(?:px)?,? 0(?:px)?,? 0(?:px)?,? 0(?:px)?\)$/.test(style.clip)) return true;
  if (r.width === 0 || r.height === 0) return false; // what is placed in it is where it is
  const holder = el.offsetParent;
  if (holder && holder !== document.body && holder !== documentElement()) return apart(r, rectOf(holder)) && !matches(el, LIVE); // a box around it may move it into view
  return (r.bottom + scrollY <= 0 || (r.right + scrollX <= 0 && !leftwards)) && !matches(el, LIVE);
}

// How far above or before what holds it nothing is put that is to come into view, in px: slides of a carousel wait nearer by.
const ABOVE = 900;
const BEFORE = 4000;

function apart(r, holder) {
  return holder.top - r.bottom >= ABOVE || (holder.left - r.right >= BEFORE && !leftwards);
}

/** Whether a field was put where no pointer gets to: it is there to mislead programs that fill in forms. */
export function putAway(el) {
  const holder = el.offsetParent;
  const around = holder && holder.offsetParent;
  return around !== null && around !== undefined && apart(rectOf(el), rectOf(around));
}

/** Whether a box is faded out, and lets the pointer through: a menu that is not open. */
export function faded(el, style, placed) {
  if (style.opacity !== '0' || style.pointerEvents !== 'none') return false;
  if (placed) return true;
  const r = rectOf(el); // what is further down may be waiting to be scrolled to
  return r.top < innerHeight && r.bottom > 0 && r.left < innerWidth && r.right > 0;
}

const FEW = 60; // elements of a box without extent that are asked for their place

/**
 * What an element that clips does not clip, as it is placed on a box around that one: the buttons in the corner of a dialog, in a heading that
 * is nothing but their parent.
 */
export function unclipped(el, style) {
  const found = [];
  if (style.position !== 'static' || style.transform !== 'none' || style.filter !== 'none' || style.contain !== 'none') return found;
  let asked = 0;
  const seek = (parent) => {
    for (let c = firstElementChild(parent); c !== null && ++asked <= FEW; c = nextElementSibling(c)) {
      const { position, display } = getComputedStyle(c);
      if (display === 'none') continue;
      if (position === 'fixed' || (position === 'absolute' && !contains(el, c.offsetParent))) found.push(c);
      else if (position === 'static') seek(c);
    }
  };
  seek(el);
  return found;
}

let cover = null;
let everything = false;

/** Looks for an opaque layer over the page. */
export function resetCover() {
  const whole = documentElement();
  leftwards = whole !== null && getComputedStyle(whole).direction === 'rtl'; // one that is being written anew has nothing yet
  cover = null;
  everything = false;
  const hits = new Set();
  for (const [fx, fy] of [[0.5, 0.5], [0.2, 0.3], [0.8, 0.7]]) {
    const hit = elementFromPoint(innerWidth * fx, innerHeight * fy);
    if (hit !== null) hits.add(hit);
  }
  for (const hit of hits) {
    for (let n = hit; n !== null && n !== document.body; n = parentElement(n)) {
      if (covers(n)) cover = n; // the outermost
    }
    if (cover) break;
  }
  if (cover === null) return;
  const r = rectOf(cover);
  everything = getComputedStyle(cover).position === 'fixed' && r.left <= 0 && r.top <= 0 && r.right >= innerWidth && r.bottom >= innerHeight;
}

function covers(el) {
  const style = getComputedStyle(el);
  if (style.position !== 'fixed' && style.position !== 'absolute') return false;
  const r = rectOf(el);
  if (r.width < innerWidth * 0.6 || r.height < innerHeight * 0.6) return false;
  return opaque(el, style);
}

function opaque(el, style) {
  for (let n = el; n !== null; n = parentElement(n)) if (getComputedStyle(n).opacity !== '1') return false;
  const { backgroundColor } = style;
  return /^rgb\(/.test(backgroundColor);
}

/** Drops words that lie below the layer. Backwards, so that what held nothing else goes with them. */
export function dropCovered(nodes) {
  if (cover === null) return;
  const kept = []; // by depth: whether something below is
  for (let i = nodes.length - 1; i >= 0; i--) {
    const n = nodes[i];
    if (n.dead) continue;
    const holds = kept[n.depth + 1] === true;
    kept.length = n.depth + 1;
    if (!holds && !(n.state & OPERABLE) && n.role !== 'iframe' && below(n)) n.dead = true;
    else kept[n.depth] = true;
  }
}

function below(node) {
  for (let n = node.el; n; n = flatParent(n)) if (n === cover) return false;
  for (let n = cover; n; n = flatParent(n)) if (n === node.el) return false;
  if (!(node.state & INVIEW)) return everything;
  const r = rectOf(node.el);
  const x = Math.min(Math.max(r.left + Math.min(r.width / 2, 40), 0), innerWidth - 1);
  const y = Math.min(Math.max(r.top + r.height / 2, 0), innerHeight - 1);
  for (let n = elementFromPoint(x, y); n; n = flatParent(n)) if (n === cover) return true;
  return false;
}

// How many boxes around a dialog may be the layer that it stands in.
const LAYERS = 4;

/** Whether a dialog stands in a layer over the whole page that takes every press beside it: then it is modal, also where the page does not say so. */
export function overAll(el) {
  if (top !== window) return false;
  const { clientWidth: w, clientHeight: h } = documentElement();
  for (let n = el, i = 0; n !== null && n !== document.body && i < LAYERS; n = parentElement(n), i++) {
    if (getComputedStyle(n).position !== 'fixed') continue;
    const r = rectOf(n);
    if (r.left > 0 || r.top > 0 || r.right < w || r.bottom < h) continue;
    const layer = n;
    return [[1, 1], [w - 2, 1], [1, h - 2], [w - 2, h - 2]].every(([x, y]) => {
      const hit = elementFromPoint(x, y);
      return hit !== null && contains(layer, hit);
    });
  }
  return false;
}
