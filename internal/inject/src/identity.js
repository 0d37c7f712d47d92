// Identity: what an element is known by when the page is another one: at the next visit, after the next release. Taken while the
// element is there, so that each way to it can be tried at once: only those that lead to it and to nothing else are kept.

import { beginPass, endPass } from './dom.js';
import { clean } from './icons.js';
import { generated } from './generated.js';
import { nameOf } from './name.js';
import { labelsOf } from './native_names.js';
import { queryAll } from './locate.js';
import { roleOf } from './role.js';
import { attr, closest, documentElement, hasAttr, localName, matches, parentElement, rendered, rootOf } from './safe.js';

const TESTIDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa'];
const LONGEST = 80; // letters of a name or a text that is worth going by
const BUDGET = 250000; // elements that searches may pass before no further way is looked for, but the last: pages may be very large

// What the searches for one element passed so far. It is counted, and not timed: on a busy machine an element has the same ways.
let passed = 0;
let size = 0; // of the page
const answers = new Map(); // queries for this element, and whether they found it
let own = []; // its labels

function spent() {
  return passed > BUDGET;
}

/**
 * @returns {{role: string, name: string, tag: string, type: string, near: string, secret: boolean, ways: {by: string, q: string}[]}}
 *   near: what the row, list item, dialog or group around it is called; ways: the best first. q is CSS, XPath or {tag}text as Karate
 *   has it; where it is missing, role and name are the way.
 */
export function identity(el) {
  passed = 0;
  size = document.getElementsByTagName('*').length;
  const tag = localName(el);
  beginPass();
  try {
    const role = roleOf(el) || tag;
    const name = clean(nameOf(el, role)).slice(0, 200);
    const who = { role, name, tag, type: tag === 'input' ? (el.type || '').toLowerCase() : '', near: '', ways: [] };
    if (who.type === 'password' || (tag === 'input' && getComputedStyle(el).webkitTextSecurity !== 'none')) who.secret = true;
    const light = rootOf(el) === document;
    own = labelsOf(el) || [];
    const box = light ? boxOf(el) : null;
    who.near = box ? box.key : '';
    for (const way of waysTo(el, who, light, box)) {
      if (spent() && way.by !== 'css') continue;
      const q = way.q();
      if (q !== null) who.ways.push({ by: way.by, q: q || undefined });
    }
    return who;
  } finally {
    endPass();
    answers.clear();
    own = [];
  }
}

/** What the row, list item, dialog or group around an element is called, or ''. */
export function place(el) {
  passed = 0;
  size = document.getElementsByTagName('*').length;
  const box = rootOf(el) === document ? boxOf(el) : null;
  return box ? box.key : '';
}

function waysTo(el, who, light, box) {
  const { role, name, tag } = who;
  const list = [];
  const late = []; // what looks made up, and comes after all that a person would say
  const add = (good, by, q) => (good ? list : late).push({ by, q });
  const only = (q) => (finds(q, el, light) ? q : null);
  for (const a of TESTIDS) if (attr(el, a)) add(!generated(attr(el, a)), 'testid', () => only(`[${a}=${quote(attr(el, a))}]`));
  // What is one of a list is known by its row: that nothing else is called so is chance.
  const listed = box !== null && matches(box.el, 'tr,li,[role=row],[role=listitem]');
  // But a link that is called by its thing says more than a figure of its row.
  const first = listed && !(box.weak && role === 'link' && /\p{L}/u.test(name));
  if (first) list.push({ by: 'place', q: () => placed(el, who, box) });
  // Of several labels some programs read those that nobody sees, too: to them it is called otherwise.
  const agreed = own.length < 2 || own.every((label) => rendered(label, { visibilityProperty: true }));
  if (name && name.length <= LONGEST) add(agreed, 'role', () => (alone(el, role, name) ? (light ? spoken(el, who) : '') : null));
  if (light) for (const q of labels(el, tag)) list.push({ by: 'label', q: () => only(q) });
  const id = attr(el, 'id');
  if (id) add(!generated(id), 'attr', () => only('#' + CSS.escape(id)));
  for (const [a, value] of marks(el, tag)) add(!generated(value), 'attr', () => only(`${tag}[${a}=${quote(value)}]` + (who.type === 'radio' || who.type === 'checkbox' ? `[value=${quote(el.value)}]` : '')));
  if (box && !first) list.push({ by: 'place', q: () => placed(el, who, box) });
  // Its words, where it has no name, or another has it too, which is not of the same kind of element.
  if (light) list.push({ by: 'text', q: () => (who.ways.some((w) => w.by === 'role') ? null : texted(el, tag)) });
  const way = path(el);
  late.push({ by: 'css', q: () => (light ? way : only(way)) });
  // Should the id that it begins with be made up.
  if (light && way.startsWith('#')) late.push({ by: 'css', q: () => path(el, true) });
  return [...list, ...late];
}

// Parameters of addresses that are secrets, or may be: nothing is known by them.
const SECRETS = /[?&#;][^=&#;]*(token|secret|passw|pwd|key|sig|auth|sess|sid|jwt|code|nonce|csrf|xsrf|ticket|otp)[^=&#;]*=/i;

/** Attributes that an author gives an element to be known by. */
function* marks(el, tag) {
  for (const a of ['name', 'aria-label', 'placeholder', 'title', 'alt']) {
    const value = attr(el, a);
    if (value && value.length <= LONGEST) yield [a, value];
  }
  const href = tag === 'a' ? attr(el, 'href') : null;
  if (href && href.length <= LONGEST && !/^(#|javascript:)/.test(href) && !SECRETS.test(href)) yield ['href', href];
}

/** Whether a query finds an element and no other. Several ways try the same. */
function finds(q, el, light) {
  if (!answers.has(q)) answers.set(q, leads(q, el, light));
  return answers.get(q);
}

function leads(q, el, light) {
  passed += size;
  try {
    if (q.startsWith('/') || q.startsWith('(')) {
      const all = document.evaluate(q, document, null, XPathResult.ORDERED_NODE_ITERATOR_TYPE, null);
      return all.iterateNext() === el && all.iterateNext() === null;
    }
    const found = queryAll(light ? document : rootOf(el), q);
    return found.length === 1 && found[0] === el && (light || queryAll(document, q).length === 0);
  } catch {
    return false;
  }
}

const POOLS = {
  button: 'button,[role=button],input[type=submit],input[type=button],input[type=reset],input[type=image],summary',
  link: 'a,area,[role=link]',
  textbox: 'input,textarea,[role=textbox],[contenteditable]',
  searchbox: 'input,[role=searchbox]',
  checkbox: 'input[type=checkbox],[role=checkbox]',
  radio: 'input[type=radio],[role=radio]',
  combobox: 'select,input,[role=combobox],button',
  listbox: 'select,[role=listbox]',
  option: 'option,[role=option]',
  spinbutton: 'input[type=number],[role=spinbutton]',
  slider: 'input[type=range],[role=slider]',
  heading: 'h1,h2,h3,h4,h5,h6,[role=heading]',
  row: 'tr,[role=row]',
  cell: 'td,[role=cell]',
  columnheader: 'th,[role=columnheader]',
  listitem: 'li,[role=listitem]',
  image: 'img,svg,[role=img],[role=image]',
};

const MOST = 80; // names that are worked out to see that nothing else has this one

/** The elements of a role and a name that can be seen; known is one that has both. Null where there are too many to tell. */
export function named(role, name, within = document, same = (a, b) => a === b, known = null) {
  passed += size;
  const letters = name.slice(0, 24).toLowerCase();
  const found = [];
  let asked = 0;
  for (const el of queryAll(within, POOLS[role] || `[role=${quote(role)}],${CSS.escape(role)}`)) {
    if (!mayBe(el, letters)) continue;
    if (++asked > MOST) return null;
    if ((el === known || (roleOf(el) === role && same(clean(nameOf(el, role)).slice(0, 200), name))) && rendered(el, { visibilityProperty: true })) found.push(el);
  }
  return found;
}

function alone(el, role, name) {
  // What differs in capitals alone does so by a style, which other programs do not go by.
  const found = named(role, name, rootOf(el) === document ? document : rootOf(el), (a, b) => a.toLowerCase() === b.toLowerCase(), el);
  return found !== null && found.length === 1 && found[0] === el;
}

const ABOVE = ['aria-label', 'aria-labelledby', 'aria-labeledby']; // what comes above labels
const NAMING = ['aria-label', 'aria-labelledby', 'title', 'alt', 'placeholder', 'value'];

/** Whether an element may have a name, at a glance. */
function mayBe(el, letters) {
  const tag = localName(el);
  if (tag === 'input' || tag === 'select' || tag === 'textarea') {
    // One that has a label of plain words is called by it, unless ARIA says otherwise.
    const labels = labelsOf(el);
    const said = labels !== undefined && labels.length === 1 && labels[0].firstElementChild === null ? clean(labels[0].textContent) : '';
    return said === '' || ABOVE.some((a) => hasAttr(el, a)) || said.toLowerCase().includes(letters);
  }
  if (clean(el.textContent).toLowerCase().includes(letters)) return true;
  return NAMING.some((a) => hasAttr(el, a)) || el.firstElementChild !== null;
}

/** How Karate, which knows texts and no names, finds an element of a role and a name; '' where it cannot. */
function spoken(el, { tag, name, type }) {
  const text = tag === 'select' || tag === 'textarea' ? '' : clean(el.textContent);
  const tries = [];
  if (text && text.length <= LONGEST) {
    if (text === name && !/[{}]/.test(text) && finds(byFirst(el, tag, text), el, true)) return `{${tag}}${text}`;
    tries.push(byWords(el, tag, text));
  }
  if (tag === 'input' && /^(submit|button|reset)$/.test(type)) tries.push(`input[type=${quote(type)}][value=${quote(el.value)}]`);
  for (const q of labels(el, tag)) tries.push(q);
  for (const a of ['aria-label', 'title', 'alt', 'placeholder']) if (attr(el, a)) tries.push(`${tag}[${a}=${quote(attr(el, a))}]`);
  for (const q of tries) if (finds(q, el, true)) return q;
  return '';
}

/** By the words of a field's label, whatever its id is today. */
function* labels(el, tag) {
  for (const label of own.slice(0, 2)) {
    const said = clean(label.textContent);
    if (said && said.length <= LONGEST && !label.contains(el)) {
      yield sure(`//${tag}[@id=//label[normalize-space(.)=${xquote(said)}]/@for]`, el, labelled(tag, said));
    }
    if (!label.contains(el)) continue;
    const own = clean(ownText(label, el));
    if (!own || own.length > LONGEST) continue;
    const same = said === own;
    const q = same ? `//label[normalize-space(.)=${xquote(own)}]//${tag}` : `//label[starts-with(normalize-space(.),${xquote(own)})]//${tag}`;
    yield sure(q, el, held(within('label', (l) => (same ? says(l, own) : spaced(l.textContent).startsWith(own))), tag));
  }
  const by = attr(el, 'aria-labelledby');
  const said = by && !/\s/.test(by) ? document.getElementById(by) : null;
  const text = said ? clean(said.textContent) : '';
  if (text && text.length <= LONGEST) yield `//${tag}[@aria-labelledby=//*[normalize-space(.)=${xquote(text)}]/@id]`;
}

// What follows finds what a query of XPath finds, without one: that takes a page of many fields several times as long.

/** The text of an element as normalize-space has it. */
function spaced(text) {
  return text.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '');
}

/** Whether normalize-space of an element is a text. */
function says(el, text) {
  const raw = el.textContent;
  return raw === text || (raw.length >= text.length && raw.includes(text.slice(0, (text + ' ').indexOf(' '))) && spaced(raw) === text);
}

/** The elements of a tag in the document that a test holds of. */
function* within(tag, test) {
  for (const el of document.getElementsByTagName(tag)) if (test(el)) yield el;
}

/** What the labels of these words are for. */
function* labelled(tag, said) {
  for (const label of within('label', (l) => hasAttr(l, 'for') && says(l, said))) yield* queryAll(document, `${CSS.escape(tag)}[id=${quote(attr(label, 'for'))}]`);
}

/** The elements of a tag in others, each once. */
function* held(boxes, tag, test = () => true) {
  let before = null;
  for (const box of boxes) {
    if (before !== null && before.contains(box)) continue;
    before = box;
    for (const el of queryAll(box, CSS.escape(tag))) if (test(el)) yield el;
  }
}

/** A query that finds what another way was found to: whether that is one element and no other need not be asked again. */
function sure(q, el, found) {
  if (answers.has(q)) return q;
  passed += size;
  let is = false;
  for (const one of found) if (!(is = one === el)) break;
  answers.set(q, is);
  return q;
}

/** A query by the first words in an element of a tag. */
function byFirst(el, tag, text) {
  const begins = (e) => {
    for (let n = e.firstChild; n; n = n.nextSibling) if (n.nodeType === 3) return spaced(n.data) === text;
    return false;
  };
  return sure(`//${tag}[normalize-space(text())=${xquote(text)}]`, el, within(tag, begins));
}

/** A query by all its words. */
function byWords(el, tag, text) {
  return sure(`//${tag}[normalize-space(.)=${xquote(text)}]`, el, within(tag, (e) => says(e, text)));
}

/** The text of a label before the field that it holds. */
function ownText(label, field) {
  let text = '';
  const walker = document.createTreeWalker(label, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n && n !== field; n = walker.nextNode()) if (n.nodeType === 3) text += n.data;
  if (clean(text)) return text;
  return label.textContent;
}

const BOXES = 'tr,[role=row],li,[role=listitem],article,dialog,[role=dialog],fieldset,[role=group],section,[role=region],details,form,nav,aside';
const KEYS = 'td,th,[role=cell],[role=gridcell],[role=rowheader],h1,h2,h3,h4,h5,h6,legend,strong,b,a,label,span,p,div';

/** The box around an element that people would name to say which one they mean, and a text in it that no other of its kind has. */
function boxOf(el) {
  let box = parentElement(el);
  for (let depth = 0; box && depth < 3; depth++, box = parentElement(box)) {
    box = closest(box, BOXES);
    if (!box || box === documentElement()) return null;
    const tag = localName(box);
    const role = attr(box, 'role');
    const kind = role ? `${tag}[@role=${xquote(role)}]` : tag;
    let tried = 0;
    let second = null;
    for (const part of queryAll(box, KEYS)) {
      if (part === el || part.contains(el) || el.contains(part)) continue;
      if (part.firstElementChild !== null && !/^(td|th|h[1-6]|legend)$/.test(localName(part))) continue;
      const text = clean(part.textContent);
      if (text.length < 2 || text.length > 60) continue;
      if (++tried > 6 || spent()) break;
      const all = around(tag, role, box, part, text);
      if (all === null) continue;
      const found = { el: box, key: text, q: `//${kind}[.//*[normalize-space(.)=${xquote(text)}]]`, all };
      if (/\p{L}/u.test(text) && !generated(text)) return found;
      second = second || { ...found, weak: true };
    }
    if (second) return second;
  }
  return null;
}

/** The boxes of a kind with a part that is called so: this one, which has it, and beside it only what is around it; else null. */
function around(tag, role, box, known, text) {
  passed += size;
  const word = text.slice(0, (text + ' ').indexOf(' '));
  const has = (el) => el.textContent.includes(word) && Array.prototype.some.call(queryAll(el, '*'), (part) => says(part, text));
  if (!says(known, text) && !has(box)) return null;
  const all = [];
  for (const el of document.getElementsByTagName(tag)) {
    if (role && attr(el, 'role') !== role) continue;
    if (el === box || el.contains(box)) {
      if (el === box || has(el)) all.push(el);
    } else if (has(el)) return null;
  }
  return all;
}

/** An element by the box it is in: Edit, of the row with INV-7. */
function placed(el, { tag, type }, box) {
  const text = clean(el.textContent);
  const tries = [];
  const by = (q, test) => tries.push([`${box.q}//${q}`, test]);
  if (text && text.length <= LONGEST && tag !== 'select') by(`${tag}[normalize-space(.)=${xquote(text)}]`, (e) => says(e, text));
  const having = (name, value) => by(`${tag}[@${name}=${xquote(value)}]`, (e) => attr(e, name) === value);
  if (tag === 'input' && /^(submit|button|reset)$/.test(type)) having('value', el.value);
  for (const a of ['aria-label', 'title', 'name', 'placeholder', 'value']) if (attr(el, a) && !generated(attr(el, a))) having(a, attr(el, a));
  if (type) having('type', type);
  by(tag, () => true);
  for (const [q, test] of tries) if (finds(sure(q, el, held(box.all, tag, test)), el, true)) return q;
  return null;
}

function texted(el, tag) {
  const text = clean(el.textContent);
  if (!text || text.length > LONGEST) return null;
  for (const by of [byFirst, byWords]) {
    const q = by(el, tag, text);
    if (finds(q, el, true)) return q;
  }
  return null;
}

/** The way down to an element, from the nearest thing around it that has an id of its own. */
function path(el, whole = false) {
  const parts = [];
  for (let n = el; n && n !== documentElement(); n = parentElement(n)) {
    const id = attr(n, 'id');
    if (!whole && n !== el && id && !generated(id)) {
      parts.unshift('#' + CSS.escape(id));
      break;
    }
    const tag = localName(n);
    let nth = 1;
    let alike = false;
    for (let s = n.previousElementSibling; s; s = s.previousElementSibling) if (localName(s) === tag) nth++;
    for (let s = n.nextElementSibling; s && !alike; s = s.nextElementSibling) alike = localName(s) === tag;
    parts.unshift(tag === 'body' ? 'body' : CSS.escape(tag) + (nth > 1 || alike ? `:nth-of-type(${nth})` : ''));
  }
  return parts.join(' > ');
}

function quote(s) {
  return '"' + s.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ') + '"';
}

/** A text in XPath, which has no escapes. */
export function xquote(s) {
  if (!s.includes("'")) return `'${s}'`;
  if (!s.includes('"')) return `"${s}"`;
  return `concat(${s.split("'").map((p) => `'${p}'`).join(`, "'", `)})`;
}
