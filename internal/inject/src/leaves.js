// Elements without children of their own to walk: fields, pictures, frames, media.

import { styleOf } from './dom.js';
import { roleOf } from './role.js';
import { keepsFor } from './standin.js';
import { nameOf } from './name.js';
import { captionOf } from './caption.js';
import { NO, POINTER, evidence, inviting, isGrip, listens } from './clickable.js';
import { frameName, frameNumber } from './frames.js';
import { clean, hintOf, iconName, tellApart } from './icons.js';
import { tells } from './layers.js';
import { labelledOnce } from './native_names.js';
import { endRun, extra, extras, giveRef, isRoot, lineBreak, nodes, push, startBlock, takeBack, wanted } from './nodes.js';
import { attr, clientHeight, clientWidth, docQueryAll, firstChild, hasAttr, hasAttrs, localName, matches, nextSibling, nodeType, parentElement, previousElementSibling, rectOf, rendered } from './safe.js';
import { allIn, byId, rootOf } from './reads.js';
import * as modes from './modes.js';
import { LABEL, QUIET, UNSEEN, WIDGET } from './modes.js';
import { BLOCK, DISABLED, DRAGGABLE, EXPANDED, OFFSCREEN, OPERABLE, PLACEHOLDER, statesOf, valueOf } from './state.js';
import { nameFor, names, presetName } from './finish.js';
import { putAway } from './unseen.js';

const written = new Set(); // controls put in ahead of their place, by their label

export function resetLeaves() {
  written.clear();
}

export function leaf(el, ln, depth, cursor, mode, style) {
  switch (ln) {
    case 'br':
      lineBreak();
      return;
    case 'hr':
      endRun(depth);
      startBlock();
      return;
    case 'input':
      if (el.type === 'hidden') return;
      // Under a pointer, an invisible checkbox is what is clicked.
      if (mode & UNSEEN && !operableUnseen(el) && !(cursor === 'pointer' && el.type === 'checkbox')) return;
      if (mode & QUIET && el.type !== 'file' && (faint(el, style) || (!unseenTypes.has(el.type) && putAway(el)))) return;
      field(el, ln, depth, mode, style);
      return;
    case 'textarea':
    case 'select':
      // Hidden from readers and from the keyboard, or from everybody: it is meant for nobody.
      if (ln === 'select' && attr(el, 'tabindex') === '-1' && faint(el, style)) return;
      if (!(mode & UNSEEN) && !(mode & QUIET && (faint(el, style) || attr(el, 'tabindex') === '-1'))) field(el, ln, depth, mode, style);
      return;
    case 'img':
    case 'canvas':
    case 'object':
    case 'embed':
    case 'area':
      if (!(mode & UNSEEN)) picture(el, ln, depth, cursor, mode, style);
      return;
    case 'video':
    case 'audio':
      if (!(mode & UNSEEN)) media(el, ln, depth, cursor, mode, style);
      return;
    case 'iframe':
    case 'frame':
      if (!(mode & (UNSEEN | QUIET))) frame(el, depth, mode);
      return;
    default:
      if (!(mode & (UNSEEN | QUIET))) gauge(el, ln, depth, mode, style);
  }
}

/** A native control that cannot be seen works all the same when something stands in for it. */
function operableUnseen(el) {
  return unseenTypes.has(el.type) && (el.type === 'file' || Array.prototype.some.call(el.labels || [], (label) => rendered(label)));
}

const unseenTypes = new Set(['file', 'checkbox', 'radio']);

/** An input without a box. One that takes files, or one that its label still works, is there all the same. */
export function hiddenControl(el, depth, mode, asked) {
  if (mode & UNSEEN || (el.type === 'file' && inStock(el)) || !(el.type === 'file' || (asked && operableUnseen(el)))) return;
  field(el, 'input', depth, mode, styleOf(el), OFFSCREEN);
}

/** Whether an input is one of several controls that a library keeps at hand for a dialog, and shows none of. */
function inStock(el) {
  const around = parentElement(el);
  const all = around === null ? [] : Array.from(around.children).filter((c) => matches(c, 'input, select, textarea'));
  return all.length > 2 && !all.some((c) => rendered(c));
}

/** A label: its text is its control's name, so it is not told again. */
export function control(label, depth, mode, walkInside) {
  const input = label.control;
  endRun(depth);
  const at = nodes.length;
  const words = plainWords(label, input);
  if (words !== '' && labelledOnce(input) && !matches(input, '[aria-label],[aria-labelledby]')) presetName(input, words);
  if (!(mode & UNSEEN) && unseenTypes.has(input.type) && !rendered(input) && !written.has(input) && !keepsFor(input)) {
    field(input, 'input', depth, mode, styleOf(input), OFFSCREEN);
    written.add(input);
  }
  walkInside();
  endRun(depth);
  if (nodes.length === at || shownElsewhere(input)) return;
  const name = unseenWords(label) ? null : nameFor(input, roleOf(input));
  let starts = false;
  for (let i = at; i < nodes.length; i++) {
    const n = nodes[i];
    if (n.role === 'text' && (name === null || name.includes(n.name))) {
      starts = starts || (n.state & BLOCK) !== 0;
      n.dead = true;
    } else if (starts && !n.dead) {
      n.state |= BLOCK;
      starts = false;
    }
  }
  if (starts) startBlock();
}

/** Whether a field has no line, so that its label says what the widget is that a library shows for it. */
function shownElsewhere(input) {
  return !unseenTypes.has(input.type) && !rendered(input);
}

/** Whether a label is there for those who listen: what they see is named otherwise. */
function unseenWords(label) {
  const r = rectOf(label);
  return r.width <= 2 && r.height <= 2;
}

/** The text of a label that holds nothing but text and its control; else ''. */
function plainWords(label, input) {
  let s = '';
  for (let n = firstChild(label); n !== null; n = nextSibling(n)) {
    if (nodeType(n) === 3) s += n.data;
    else if (n !== input) return '';
  }
  return clean(s);
}

function field(el, ln, depth, mode, style, bits = 0) {
  if (written.has(el)) return;
  endRun(depth);
  const role = el.type === 'file' ? 'button' : roleOf(el);
  const node = push(el, depth, role === 'generic' ? 'textbox' : role, mode);
  node.state |= OPERABLE | bits | statesOf(el, ln, role);
  if (mode & modes.DISABLED) node.state |= DISABLED;
  if (mode & UNSEEN || (unseenTypes.has(el.type) && faint(el, style))) node.state |= OFFSCREEN;
  node.name = nameFor(el, role);
  if (unseenTypes.has(el.type) && STATES.test(node.name)) node.name = '';
  if (node.name === '') node.name = formerName(el) || twinLabel(el);
  if (node.name === '') unnamed(node, el);
  else if (names.placeholder) node.state |= PLACEHOLDER;
  if (role === 'button' && el.type !== 'file' && node.name !== '' && faint(el, style) && saidBefore(el, node.name)) {
    takeBack(nodes.length - 1);
    return;
  }
  const v = valueOf(el, ln, role, style);
  node.value = v.text;
  node.state |= v.bits;
  giveRef(node);
  if (ln === 'select') extra(node, 'n', el.options.length);
  extras(node, el);
  if (ln === 'select' && (isRoot(el) || node.state & EXPANDED)) options(el, depth + 1, mode);
}

const STATES = /^(?:un)?(?:checked|selected|ticked)$|^(?:on|off|true|false)$/i; // what a box is, not what it is called

const LEVELS = 3; // from a field to the box that a library shows it in

/** The label of the field that a library put away and shows this one for, right behind it, maybe in boxes that hold nothing else to fill in. */
function formerName(el) {
  let former = null;
  for (let at = el, up = 0; former === null && at !== null && up < LEVELS; at = parentElement(at), up++) {
    if (up > 0 && at.querySelectorAll('input, select, textarea').length > 1) return '';
    former = previousElementSibling(at);
  }
  if (former === null || !/^(?:input|select)$/.test(localName(former)) || (former.type !== 'hidden' && (!former.labels || rendered(former)))) return '';
  const label = former.type === 'hidden' ? labelFor(former) : former.labels[0];
  const name = label ? clean(label.textContent) : '';
  const said = nodes.findLast((n) => n.role === 'text' && !n.dead);
  if (name !== '' && said !== undefined && said.name === name) said.dead = true;
  return name;
}

/** The label of an input that has none by the book, since it is hidden. */
function labelFor(el) {
  const id = attr(el, 'id');
  return id ? docQueryAll(`label[for="${CSS.escape(id)}"]`)[0] : null;
}

/** The label of a field whose id an element of another form has too: the browser takes all labels for the first. */
function twinLabel(el) {
  const id = attr(el, 'id');
  const form = id ? el.form : null;
  if (!form || byId(rootOf(el), id) === el) return '';
  const label = allIn(form, `label[for="${CSS.escape(id)}"]`)[0];
  return label && label.control !== el && label.form !== form ? clean(label.textContent) : '';
}

/** Whether the thing right before a field that only takes the keys is what people press for it. */
function saidBefore(el, name) {
  for (let i = nodes.length - 2; i >= 0; i--) {
    const n = nodes[i];
    if (n.dead) continue;
    return (n.state & OPERABLE) !== 0 && n.name === name && parentElement(n.el) === parentElement(el);
  }
  return false;
}

/** Whether nothing of an element can be seen, though it is rendered. */
function faint(el, style) {
  if (style.opacity === '0') return true;
  const r = rectOf(el);
  return r.width < 2 || r.height < 2;
}

/** The options of the select that was asked for, in their groups. */
function options(parent, depth, mode) {
  for (const el of parent.children) {
    const ln = localName(el);
    if (ln === 'optgroup') {
      const group = push(el, depth, 'group', mode);
      group.name = clean(el.label);
      if (el.disabled) group.state |= DISABLED;
      options(el, depth + 1, mode);
    } else if (ln === 'option') {
      const node = push(el, depth, 'option', mode);
      node.state |= OPERABLE | statesOf(el, ln, 'option');
      node.name = clean(el.label || el.text);
      const value = clean(el.value);
      if (value !== node.name) node.value = value;
      giveRef(node);
    } else options(el, depth, mode);
  }
}

/** A name for what has none: a tooltip, an icon, the words on it, else what tells it apart. */
export function unnamed(node, el) {
  node.name = hintOf(el) || iconName(el) || captionOf(el);
  if (node.name === '') node.desc = tellApart(el);
}

function reacts(el, cursor, mode, style) {
  if (style.pointerEvents === 'none') return NO;
  const c = style.cursor;
  if (c !== cursor && inviting(c) && !(mode & (WIDGET | LABEL))) return isGrip(c) ? POINTER | DRAGGABLE : POINTER;
  return evidence(el) || (listens(el) ? POINTER : NO);
}

const WORD = /[\p{L}\p{N}]/u;

function picture(el, ln, depth, cursor, mode, style) {
  const attrs = hasAttrs(el);
  let sure = attrs || ln === 'canvas' ? reacts(el, cursor, mode, style) : NO;
  if (attr(el, 'draggable') === 'true') sure |= POINTER | DRAGGABLE;
  if (ln === 'canvas' && style.pointerEvents !== 'none') sure = sure || POINTER;
  if (ln === 'area') {
    if (!hasAttr(el, 'href')) return;
    sure = POINTER;
  }
  if (mode & QUIET && !sure) return;
  let role = roleOf(el);
  if (ln === 'canvas') role = 'canvas';
  else if (ln === 'object' || ln === 'embed') {
    if (frameNumber(el)) {
      frame(el, depth, mode);
      return;
    }
    role = 'img';
  } else if (role === 'image') role = 'img';
  if ((role === 'none' || role === 'presentation' || role === 'generic') && !sure) return;
  const name = clean(nameOf(el, role));
  if (!sure && !WORD.test(name)) return;
  if (ln === 'canvas' || sure) {
    const r = rectOf(el);
    if (ln !== 'area' && (r.width < 2 || r.height < 2)) return;
  }
  endRun(depth);
  const node = push(el, depth, role === 'none' || role === 'presentation' || role === 'generic' ? 'img' : role, mode);
  node.name = name;
  if (sure) {
    node.state |= OPERABLE | (sure & DRAGGABLE);
    if (name === '') unnamed(node, el);
    giveRef(node);
  } else if (wanted(node)) giveRef(node);
  if (attrs) node.state |= statesOf(el, ln, role);
  extras(node, el);
}

function media(el, ln, depth, cursor, mode, style) {
  const sure = el.controls || reacts(el, cursor, mode, style);
  if (!sure && (ln === 'audio' || mode & QUIET)) return;
  const r = rectOf(el);
  if (r.width < 2 || r.height < 2) return;
  const name = clean(attr(el, 'aria-label')) || clean(attr(el, 'title'));
  if (!sure && name === '') return;
  endRun(depth);
  startBlock();
  const node = push(el, depth, ln, mode);
  node.name = name;
  if (sure) node.state |= OPERABLE;
  if (name === '') {
    const src = el.currentSrc || '';
    node.desc = src.startsWith('http') ? clean(src.split(/[?#]/)[0].split('/').pop()) : tellApart(el);
  }
  giveRef(node);
  extras(node, el);
  startBlock();
}

function frame(el, depth, mode) {
  if (clientWidth(el) < 2 || clientHeight(el) < 2) return;
  endRun(depth);
  startBlock();
  const node = push(el, depth, 'iframe', mode);
  node.name = frameName(el);
  giveRef(node);
  extra(node, 'f', frameNumber(el));
  extras(node, el);
  startBlock();
}

function gauge(el, ln, depth, mode, style) {
  const role = roleOf(el);
  endRun(depth);
  const node = push(el, depth, role, mode);
  node.name = nameFor(el, role);
  const v = valueOf(el, ln, role, style);
  node.value = v.text;
  node.state |= v.bits;
  if (node.name === '' && node.value === '' && !tells(role)) {
    takeBack(nodes.length - 1);
    return;
  }
  if (wanted(node)) giveRef(node);
  extras(node, el);
}
