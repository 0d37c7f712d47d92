// What CSS does to text: text-transform, and the text that ::before, ::after and markers add.

import { counterText } from './css_counters.js';
import { attr } from './reads.js';

/**
 * The text as it is shown. Other transforms (full-size-kana …) would change what the words mean.
 * @param {string} text @param {CSSStyleDeclaration} style of the element it stands in
 * @returns {string}
 */
export function transformText(text, style) {
  switch (style.textTransform) {
    case 'uppercase':
      return text.toUpperCase();
    case 'lowercase':
      return text.toLowerCase();
    case 'capitalize':
      return text.replace(wordStart, (_, before, letter) => before + letter.toUpperCase());
  }
  return text;
}
const wordStart = /(^|[^\p{L}\p{N}\p{M}'’])(\p{L})/gu;

/**
 * The text of a generated box with the gap its display makes around it; '' where there is none.
 * @param {Element} el
 * @param {'::before' | '::after' | '::marker'} pseudo
 * @param {boolean} drawn as it is drawn, whatever is to be said for it
 * @returns {string}
 */
export function generatedText(el, pseudo, drawn = false) {
  const style = getComputedStyle(el, pseudo);
  const content = style.content;
  if (content === 'none' || content === 'normal' || content === '""') return '';
  const display = style.display;
  if (display === 'none' || style.visibility !== 'visible') return '';
  const resolve = (call) => counterText(el, pseudo, call);
  const alt = altText(content, el, resolve);
  if (alt !== null && !drawn) return alt === '' ? '' : ' ' + alt + ' ';
  const text = transformText(contentText(alt === null ? content : content.slice(0, alternativeAt(content)), el, resolve), style);
  return display === 'inline' || text === '' ? text : ' ' + text + ' ';
}

/**
 * The text of an element that CSS replaces by an image with alternative text; null where it does not.
 * @param {Element} el @param {CSSStyleDeclaration} style
 * @returns {?string}
 */
export function replacedText(el, style) {
  const content = style.content;
  return content === 'normal' || content === '' ? null : altText(content, el, () => '');
}

/** The alternative text of a content value (what stands behind its slash), null where it has none. */
function altText(content, el, resolve) {
  const slash = alternativeAt(content);
  return slash < 0 ? null : contentText(content.slice(slash + 1), el, resolve);
}

/** Where the slash stands that parts a content value from its alternative text. Strings and url() may hold slashes too. */
function alternativeAt(content) {
  if (!content.includes('/')) return -1;
  let depth = 0;
  for (let i = 0; i < content.length; i++) {
    switch (content[i]) {
      case '"':
        i = stringEnd(content, i);
        break;
      case '(':
        depth++;
        break;
      case ')':
        depth--;
        break;
      case '/':
        if (depth === 0) return i;
    }
  }
  return -1;
}

/** The index of the quote that ends the string begun at start. */
function stringEnd(text, start) {
  let i = start + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i;
}

const part = /"((?:[^"\\]|\\[^])*)"|([a-z-]+)\(((?:[^()"]|\([^()"]*\)|"(?:[^"\\]|\\[^])*")*)\)|(open-quote|close-quote)/gi;

/**
 * The text of a computed content value; images in it have none.
 * @param {string} content @param {Element} el
 * @param {(call: string) => string} resolve the value of a counter() or counters()
 */
function contentText(content, el, resolve) {
  let out = '';
  for (const [whole, string, name, args, quote] of content.matchAll(part)) {
    if (string !== undefined) out += unescape(string);
    else if (quote !== undefined) out += quote === 'open-quote' ? '“' : '”';
    else if (name === 'attr') out += attr(el, args.split(/[\s,]/, 1)[0]) ?? '';
    else if (name === 'counter' || name === 'counters') out += resolve(whole);
  }
  return out;
}

function unescape(string) {
  if (!string.includes('\\')) return string;
  return string.replace(/\\(?:([0-9a-f]{1,6})\s?|([^]))/gi, (_, hex, char) => (hex === undefined ? char : String.fromCodePoint(parseInt(hex, 16))));
}
