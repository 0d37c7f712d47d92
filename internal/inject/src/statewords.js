// Words of a class that say what state a control is in, and classes that say that it has one.

import { childElementCount, localName, query } from './safe.js';

const STATE = /^(?:active|selected|sel|chosen|picked|current|checked|ticked|indeterminate|on|pressed|toggled|disabled|open|opened|expanded|collapsed)$/;

// A class in words: "btn--active", "isOpen", "Mui-selected". What has a colon is for a state to come ("disabled:opacity-50").
const WORD = /[A-Z]?[a-z]+$/;
// "on" alone ends many words that are no states.
const ON = /^(?:is-?|(?:[\w-]+[-_])?(?:toggle|switch|turned|state|btn|button|check|box)[-_]+|[\w-]*--|[\w-]*__)?on$/i;
// Icons show an open folder, or a check mark, whatever is the matter.
const ICON = /^(?:fa|bi|mdi|icon|glyphicon|ti|ri|la|bx|ion|material)-/;

/** The word of state that a class ends with, or ''. */
export function stateWord(token) {
  if (token.indexOf(':') >= 0 || ICON.test(token)) return '';
  const m = WORD.exec(token);
  if (m === null) return '';
  const word = m[0].toLowerCase();
  if (!STATE.test(word) || (word === 'on' && !ON.test(token))) return '';
  if (/(?:^|[-_])(?:not|no|un|hover|focus|can|if|when)[-_]?$/i.test(token.slice(0, m.index))) return '';
  return word;
}

const CONTROL = /(?:^|[\s_-])(?:sw|switch|toggle|toggler|tgl|check|chk|checkbox|checkmark|radio|tick|knob|chip|star)(?:$|[\s_-])/i;
const DRAWN = 'img, svg, video, canvas';

/** Whether an element is a control by what its classes call it, or since there is nothing in it to read or to look at. */
export function isControl(el, classes) {
  return CONTROL.test(classes) || (localName(el) !== 'a' && !/\S/.test(el.textContent) && (childElementCount(el) === 0 || query(el, DRAWN) === null));
}

/** Whether its classes say that an element is switched. */
export function isSwitch(classes) {
  return SWITCH.test(classes);
}
const SWITCH = /(?:^|[\s_-])(?:sw|switch|toggle|toggler|tgl|check|chk|checkbox|box|radio|tick)(?:$|[\s_-])/i;
