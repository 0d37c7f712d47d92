// What a person may know an element by beside its name: all that it shows, and what is said when it is pointed at.

import { composedChildren, referenced } from '../dom.js';
import { generatedText } from '../css_text.js';
import { descriptionOf } from '../name.js';
import { attr, closest, localName, rootOf } from '../safe.js';
import { shownAt } from './shown.js';

const LONGEST = 100000; // characters that are compared
const MOST = 2000; // nodes that are looked into
const SAID = ['aria-label', 'title', 'alt', 'aria-description', 'data-tooltip', 'data-title', 'label', 'placeholder', 'aria-placeholder', 'aria-roledescription', 'aria-valuetext'];
const PSEUDO = ['::before', '::after', '::marker', '::checkmark', '::scroll-marker', ...['up', 'down', 'left', 'right'].map((way) => `::scroll-button(${way})`)];

/** A text on one line, without what takes no room and so parts nothing that is read. */
function unbroken(text) {
  return text.replace(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, '').replace(/\s+/g, ' ').trim();
}

/** The letters of a text, where blanks say nothing: they are drawn as gaps. */
function letters(text) {
  return unbroken(text).replace(/ /g, '');
}

/**
 * The words of an element, a line each. more: there are too many to say, or some that cannot be read. valued: whether its value is a word on it.
 * @param {boolean} whole with the texts of what is in it
 */
export function wordsOf(el, name, whole, valued) {
  const lines = groupsOf(el);
  const tip = closest(el, '[title]'); // what stands further out is said of what is in it, too
  if (tip) lines.push(attr(tip, 'title'));
  let text = '';
  let nodes = 0;
  let unread = false;
  const visit = (node) => {
    if (++nodes > MOST || text.length > LONGEST) return;
    if (node.nodeType === 3) text += node.data;
    if (node.nodeType !== 1) return;
    say(node);
    const style = getComputedStyle(node);
    if (style.display === 'list-item') text += markerOf(style);
    text += generatedText(node, '::marker', true) + generatedText(node, '::before', true);
    for (const child of Array.from(composedChildren(node, true))) visit(child);
    const drawn = localName(node) === 'use' && node.href ? rootOf(node).getElementById((node.href.baseVal || '').slice(1)) : null;
    if (drawn) visit(drawn);
    text += generatedText(node, '::after', true);
    for (const pseudo of PSEUDO) {
      lines.push(generatedText(node, pseudo), generatedText(node, pseudo, true));
      unread ||= wordy(getComputedStyle(node, pseudo));
    }
    for (const said of [style.hyphenateCharacter, style.textEmphasisStyle]) if (said.startsWith('"')) lines.push(said);
    unread ||= style.textEmphasisStyle.startsWith('"'); // a letter over each letter
    unread ||= style.display === 'list-item' && !style.listStyleType.startsWith('"') && !FIXED.has(style.listStyleType);
  };
  const say = (node) => {
    for (const from of SAID) lines.push(attr(node, from) || '');
    const ln = localName(node);
    if ((ln === 'input' && valued(node)) || ln === 'option' || fixed(node, ln)) lines.push(node.value);
  };
  if (whole) visit(el);
  else say(el);
  lines.push(descriptionOf(el, ''));
  const { shown, over, more: hidden } = whole ? shownAt(el) : { shown: '', over: '', more: false };
  if (letters(shown) !== letters(text)) lines.push(shown);
  lines.push(over);
  for (const label of el.labels || []) lines.push(label.textContent || '');
  const more = unread || hidden || nodes > MOST || text.length + lines.join('').length > LONGEST;
  const words = [...new Set([text, ...lines].map((line) => unbroken(line.slice(0, LONGEST))))].filter((line) => line && line !== name);
  return { words: words.join('\n').slice(0, LONGEST), more, text };
}

/** A field that nobody types into says what it holds, as a button does. */
function fixed(el, ln) {
  return (ln === 'input' || ln === 'textarea') && el.readOnly && el.type !== 'password';
}

/** A choice is known by the group that it is offered in too. */
const CHOICE = 'option, input[type=radio], input[type=checkbox], [role=option], [role=radio], [role=checkbox], [role=switch], [role=treeitem], [role^=menuitem]';
const GROUP = 'optgroup, fieldset, tr, [role=group], [role=radiogroup]';

function groupsOf(el) {
  const lines = [];
  if (!el.matches(CHOICE)) return lines;
  for (let g = closest(el, GROUP); g; g = g.parentElement && closest(g.parentElement, GROUP)) {
    const legend = localName(g) === 'fieldset' ? g.querySelector('legend') : null;
    for (const by of referenced(g, 'aria-labelledby', 'ariaLabelledByElements')) lines.push(by.textContent || '');
    if (localName(g) === 'tr') for (const th of g.cells) lines.push(localName(th) === 'th' ? th.textContent : '');
    lines.push(attr(g, 'label') || '', attr(g, 'aria-label') || '', (legend && legend.textContent) || '');
  }
  return lines;
}

// Numbers and signs in styles that no page can define anew; another may be any word.
const FIXED = new Set(['none', 'decimal', 'disc', 'circle', 'square', 'disclosure-open', 'disclosure-closed']);

function markerOf(style) {
  const type = style.listStyleType;
  return type.startsWith('"') ? type.slice(1, -1) : '';
}

/** Whether what a style generates may be words that cannot be read: counters in a style of the page's own, quotes. */
function wordy({ content, quotes }) {
  for (const [, style] of content.matchAll(/counters?\([^()]*?(?:,\s*([\w-]+)\s*)?\)/g)) if (style && !FIXED.has(style)) return true;
  return content.includes('-quote') && /\p{L}/u.test(quotes.replace(/^auto$/, ''));
}
