// What a person may know an element by beside its name: all that it shows, and what is said when it is pointed at.

import { composedChildren } from '../dom.js';
import { generatedText } from '../css_text.js';
import { descriptionOf } from '../name.js';
import { attr, localName } from '../safe.js';

const LONGEST = 100000; // characters that are compared
const MOST = 2000; // nodes that are looked into
const SAID = ['aria-label', 'title', 'alt', 'aria-description', 'data-tooltip', 'data-title'];

/** A text on one line, without what takes no room and so parts nothing that is read. */
function unbroken(text) {
  return text.replace(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, '').replace(/\s+/g, ' ').trim();
}

/**
 * The words of an element, a line each. more: there are too many to say. valued: whether its value is a word on it.
 * @param {boolean} whole with the texts of what is in it
 */
export function wordsOf(el, name, whole, valued) {
  const lines = [];
  let text = '';
  let nodes = 0;
  const visit = (node) => {
    if (++nodes > MOST || text.length > LONGEST) return;
    if (node.nodeType === 3) text += node.data;
    if (node.nodeType !== 1) return;
    say(node);
    text += generatedText(node, '::before');
    for (const child of Array.from(composedChildren(node, true))) visit(child);
    text += generatedText(node, '::after');
  };
  const say = (node) => {
    for (const from of SAID) lines.push(attr(node, from) || '');
    if (localName(node) === 'input' && valued(node)) lines.push(node.value);
  };
  if (whole) visit(el);
  else say(el);
  lines.push(descriptionOf(el, ''));
  const more = nodes > MOST || text.length + lines.join('').length > LONGEST;
  const words = [...new Set([text, ...lines].map((line) => unbroken(line.slice(0, LONGEST))))].filter((line) => line && line !== name);
  return { words: words.join('\n').slice(0, LONGEST), more, text };
}
