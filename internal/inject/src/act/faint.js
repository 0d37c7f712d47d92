// Faint: letters that are there and that nobody sees, in the colour of what is behind them or as good as clear. Between the others
// they make another word of what is read.

import { flatParent } from '../dom.js';
import { documentElement, localName, rootOf } from '../safe.js';

const LEAST = 0.1; // of what is there, 0 to 1, that can be seen
const CLOSE = 48; // of 255, by which a letter has to differ from what is behind it

/**
 * How strongly the letters of an element are drawn, 0 to 1; unsure: something cuts or blends them, and no style says which.
 * @param {Element} el @param {CSSStyleDeclaration} style of it @param {Element} within what they are a part of
 */
export function drawnIn(el, style, within) {
  let strength = 1;
  let unsure = false;
  let inner = true;
  for (let n = el; n; n = flatParent(n)) {
    if (n.nodeType !== 1) continue;
    const s = n === el ? style : getComputedStyle(n);
    strength *= Number(s.opacity);
    inner = inner && n !== within; // what is done to the whole is done to all letters alike
    unsure ||= (inner && (s.filter !== 'none' || s.mixBlendMode !== 'normal')) || s.maskImage !== 'none' || !/^(none|inset\(0(px|%)?\))$/.test(s.clipPath);
  }
  if (strength >= LEAST && !outlined(el, style)) strength *= alpha(fillOf(el, style));
  return { seen: strength >= LEAST, unsure };
}

/**
 * What a letter looks like at its place: '' where it stands out from what is behind it, else what would have to be known. Where the letters
 * of a word do not all look the same, some of them may be the only ones that are seen.
 */
export function lookAt(el, style, x, y) {
  const fill = fillOf(el, style);
  const own = rgba(fill);
  const behind = behindAt(el, x, y);
  if (own !== null && behind !== null && own[3] >= LEAST && [0, 1, 2].some((i) => Math.abs(own[i] - behind[i]) >= CLOSE)) return '';
  return `${fill} ${behind === null ? '' : 'lost'} ${outlined(el, style) ? style.textShadow + style.webkitTextStroke : ''}`;
}

/** The colour behind a place of an element; null where it is a picture, or none that can be compared. */
function behindAt(el, x, y) {
  const stack = rootOf(el).elementsFromPoint(x, y);
  const list = stack.includes(el) ? stack.slice(stack.indexOf(el)) : [];
  for (let n = list.length > 0 ? rootOf(el).host : el; n; n = flatParent(n)) if (n.nodeType === 1) list.push(n);
  for (const n of list) {
    if (n !== el && PICTURES.has(localName(n))) return null;
    const s = getComputedStyle(n);
    const ground = rgba(s.backgroundColor);
    if (s.backgroundImage !== 'none' || ground === null) return null;
    if (ground[3] > 0.9) return ground;
  }
  return top === window && /^(normal|light|only light)$/.test(getComputedStyle(documentElement()).colorScheme) ? [255, 255, 255, 1] : null;
}

const PICTURES = new Set(['img', 'video', 'canvas', 'svg', 'iframe', 'object', 'embed', 'rect', 'circle', 'path', 'image', 'ellipse', 'polygon', 'use']);

/** Whether some letters of an element are drawn otherwise than its style says: the first ones, those that are selected, or that a script has marked. */
export function patched(el) {
  const own = getComputedStyle(el);
  for (const pseudo of ['::first-letter', '::first-line']) {
    const part = getComputedStyle(el, pseudo);
    if (part.webkitTextFillColor !== own.webkitTextFillColor || part.fontSize !== own.fontSize || part.opacity !== own.opacity) return true;
  }
  const chosen = getSelection();
  if (chosen && !chosen.isCollapsed && chosen.containsNode(el, true) && getComputedStyle(el, '::selection').color !== own.color) return true;
  const marks = globalThis.CSS?.highlights;
  return Boolean(marks) && Array.from(marks.values()).some((mark) => Array.from(mark).some((range) => touches(range, el)));
}

/** Whether a range, which may be one that does not follow the page, has some of an element. */
function touches(range, el) {
  const live = document.createRange();
  try {
    live.setStart(range.startContainer, range.startOffset);
    live.setEnd(range.endContainer, range.endOffset);
  } catch {
    return true;
  }
  return !live.collapsed && live.intersectsNode(el);
}

/** The colour of letters; those of a drawing have it by another name. */
function fillOf(el, style) {
  return el instanceof SVGElement ? style.fill : style.webkitTextFillColor;
}

/** Whether letters are seen by more than what fills them. */
function outlined(el, style) {
  return style.textShadow !== 'none' || style.webkitTextStrokeWidth !== '0px' || style.backgroundClip.includes('text') || (el instanceof SVGElement && style.stroke !== 'none');
}

/** A colour as numbers; null where it is written in another way. */
function rgba(text) {
  const m = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text);
  return m && [Number(m[1]), Number(m[2]), Number(m[3]), alpha(text)];
}

function alpha(text) {
  const m = /^rgba\(.*, ([\d.]+)\)$|\/ ([\d.]+)\)$/.exec(text);
  return text === 'none' ? 0 : m ? Number(m[1] ?? m[2]) : 1;
}
