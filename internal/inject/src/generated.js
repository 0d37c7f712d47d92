// Ids and classes that a program made up: another one at the next load, or the next release. Nothing is known by them.

const PREFIXES =
  /^(:|_r_|radix-|headlessui-|mui-|ember\d|ext-|yui[_-]|mat-|cdk-|ng-|react-|rc[_-]|__bvid__|el-id-|gwt-|j_id|ctl\d|downshift-|chakra-|tippy-|popper-|floating-|aria-|reach-|rac-|css-|sc-|jss\d|emotion-|svelte-|styled-|v-\d|data-v-|uid[-_]|uuid|guid|id[-_]?\d|input-\d|field-\d|tmp|temp)/i;

/** Whether a word looks as if no person had chosen it. */
export function generated(word) {
  if (!word) return false;
  if (/^[\p{L}\p{P} ]+$/u.test(word) && /\s/.test(word)) return false; // words of a language
  if (PREFIXES.test(word)) return true;
  if (/[0-9a-f]{8}-[0-9a-f]{4}-/i.test(word)) return true;
  if (/[-_:.]\d+$/.test(word) || /\d{3,}/.test(word)) return true; // a counter, a key of a table
  for (const part of word.split(/[^\p{L}\p{N}]+/u)) if (random(part)) return true;
  return false;
}

function random(part) {
  if (part.length < 4) return false;
  const digits = part.replace(/\D/g, '').length;
  if (digits > 0 && /\d[a-z]/i.test(part) && !/^\d+(st|nd|rd|th|px|x|d|h|m|s|k)\d*$/i.test(part)) return true; // figures among letters: a hash
  if (digits === 0 && /^[a-z]+$/i.test(part)) {
    if (part.length >= 5 && !/[aeiouy]/i.test(part)) return true;
    if (/[bcdfghjklmnpqrstvwxz]{6}/i.test(part)) return true;
    const turns = part.match(/[a-z][A-Z]/g);
    return turns !== null && turns.length >= 3 && part.length <= 4 * turns.length;
  }
  return false;
}
