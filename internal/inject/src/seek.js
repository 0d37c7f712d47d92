// seek: finds an element again by its identity, in a page that may be another one by now. It has to be what it was: of the same role
// and name, in the same place. What is only found by a mark of its author, and is called otherwise, is taken for renamed.

import { beginPass, endPass } from './dom.js';
import { clean } from './icons.js';
import { named } from './identity.js';
import { bare } from './likeness.js';
import { locate } from './locate.js';
import { nameOf } from './name.js';
import { refOf } from './refs.js';
import { roleOf } from './role.js';
import { closest, localName, rendered } from './safe.js';
import { told } from './act/target.js';
import { later } from './act/timers.js';

const STEP = 40; // ms between tries
const HOPE = 1000; // ms for which nothing but the element as it was will do

/** @param {{who: object, timeout: number}} arg who: as identity gives it */
export async function seek({ who, timeout }) {
  who = { name: '', near: '', ...who };
  const start = performance.now();
  for (;;) {
    const gone = performance.now() - start;
    const found = seekOnce(who, gone >= Math.min(HOPE, timeout / 2));
    if (found) return { ok: true, ...told(found.el), way: found.way, renamed: found.renamed, unsure: found.unsure, astray: astray(who, found.el) };
    if (gone >= timeout) return { code: 'notfound', there: there(who) };
    await new Promise((resolve) => later(resolve, STEP));
  }
}

/** The ways that lead nowhere, or elsewhere than to an element: made up for another load of the page. */
function astray(who, el) {
  const list = [];
  who.ways.forEach(({ q }, i) => {
    let first = null;
    try {
      first = q ? locate(q)[0] : el;
    } catch {
      // no query any more
    }
    if (first !== el) list.push(i);
  });
  return list;
}

function seekOnce(who, late) {
  beginPass();
  try {
    let second = null;
    for (let i = 0; i < who.ways.length; i++) {
      const { by, q } = who.ways[i];
      let all = [];
      try {
        all = by === 'role' && who.name ? named(who.role, who.name) || [] : locate(q || '');
      } catch {
        continue;
      }
      if (all.length > 1) all = all.filter((el) => rendered(el, { visibilityProperty: true }));
      if (all.length > 1 && who.near) all = all.filter((el) => nearBy(el, who.near));
      if (all.length !== 1) continue;
      const [el] = all;
      const role = roleOf(el) || localName(el);
      if (role !== who.role) continue;
      const name = clean(nameOf(el, role)).slice(0, 200);
      const same = name === who.name || (name !== '' && bare(name) === bare(who.name));
      const near = !who.near || nearBy(el, who.near);
      if (same && (near || by !== 'css')) return { el, way: i, unsure: !near };
      if (!same && !second && near && (by === 'testid' || by === 'attr' || by === 'label')) second = { el, way: i, renamed: who.name };
    }
    return late ? second : null;
  } finally {
    endPass();
  }
}

/** Whether what is around an element says what it said. */
function nearBy(el, near) {
  let box = el.parentElement;
  for (let depth = 0; box && depth < 4; depth++) {
    box = closest(box, 'tr,[role=row],li,[role=listitem],article,dialog,[role=dialog],fieldset,[role=group],section,[role=region],details,form,nav,aside,body');
    if (!box) return false;
    if (clean(box.textContent).includes(near)) return true;
    box = box.parentElement;
  }
  return false;
}

const OFFERED = 8;

/** What is there instead: elements of the same role first, then what the page is headed with. */
function there(who) {
  const list = [];
  const add = (selector, fits) => {
    for (const el of document.querySelectorAll(selector)) {
      if (list.length === OFFERED) return;
      if (!rendered(el, { visibilityProperty: true }) || !fits(el)) continue;
      const s = told(el);
      if (s.name || s.words) list.push(s);
    }
  };
  const role = (el) => {
    beginPass();
    try {
      return roleOf(el);
    } finally {
      endPass();
    }
  };
  add('button,a,input,select,textarea,[role],h1,h2,h3', (el) => role(el) === who.role);
  if (who.role !== 'heading') add('h1,h2,[role=alert],[role=status]', (el) => refOf(el) > 0);
  return list;
}
