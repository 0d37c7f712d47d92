// What opens when the pointer is over it, by a style alone: `li:hover > ul { display: block }`. Nothing in the document
// says so, and no script could be asked.

import { attr, closest, docQueryAll, rendered } from './safe.js';

const SHOWS = /(?:^|[;{\s])(?:display|visibility|opacity|max-height|height|transform|position|left|top|clip|clip-path|pointer-events)\s*:/;
const MOST = 300; // rules

const known = new WeakMap(); // a sheet → how many rules it had, and those that show something

function rulesOf(sheet) {
  let list;
  try {
    list = sheet.cssRules;
  } catch {
    return []; // of another site
  }
  const was = known.get(sheet);
  if (was && was.length === list.length) return was.rules;
  const rules = [];
  collect(list, rules);
  known.set(sheet, { length: list.length, rules });
  return rules;
}

function collect(list, rules) {
  for (const r of list) {
    if (rules.length >= MOST) return;
    if (r.selectorText === undefined) {
      if (r.cssRules) collect(r.cssRules, rules);
      continue;
    }
    if (r.selectorText.indexOf(':hover') < 0 || !SHOWS.test(r.cssText.slice(r.selectorText.length))) continue;
    for (const one of r.selectorText.split(',')) {
      const m = /^([^]*?):hover([^\s>+~]*)(\s*[\s>+~][^]*)$/.exec(one.trim());
      if (m && m[1] && m[3].indexOf(':hover') < 0 && !/::/.test(m[3])) rules.push({ owner: m[1] + m[2], all: m[1] + m[2] + m[3], beside: /^\s*[+~]/.test(m[3]) });
    }
  }
}

let owners = new Set();

/** Whether something is only a mark that leads to its own place, as beside a heading. */
function marks(el) {
  return (attr(el, 'href') || '').startsWith('#') && !/[\p{L}\p{N}]/u.test(el.textContent);
}

const SEEN = { visibilityProperty: true, opacityProperty: true };

/** Finds what opens when the pointer is over it, and is closed now. */
export function resetHovers() {
  owners = new Set();
  for (const sheet of document.styleSheets) {
    for (const { owner, all, beside } of rulesOf(sheet)) {
      try {
        for (const target of docQueryAll(all)) {
          if (rendered(target, SEEN) || !/\S/.test(target.textContent) || marks(target)) continue;
          const at = around(target, owner, beside);
          if (at) owners.add(at);
        }
      } catch {
        // a selector for another kind of page
      }
    }
  }
}

/** Whether the pointer over an element opens something. */
export function opensOnHover(el) {
  return owners.size > 0 && owners.has(el);
}

/** What the pointer has to be over for an element to be shown, by a style alone, or null. Asked of one that is not. */
export function shownOver(el) {
  for (const sheet of document.styleSheets) {
    for (const { owner, all, beside } of rulesOf(sheet)) {
      try {
        const target = closest(el, all);
        const at = target && around(target, owner, beside);
        if (at) return at;
      } catch {
        // as above
      }
    }
  }
  return null;
}

/** The owner of a rule for one of its targets: around it, or before it. */
function around(target, owner, beside) {
  if (!beside) return target.parentElement && closest(target.parentElement, owner);
  let at = target.previousElementSibling;
  while (at && !at.matches(owner)) at = at.previousElementSibling;
  return at;
}
