// Reads that a page cannot bend. A form gives its controls as properties, so
// `<form><input name="firstChild">` makes form.firstChild an input: in an
// isolated world too. Taken from the prototypes, the getters always tell the truth.

// Each is written out: a function of its own is what the compiler can inline.

const get = (proto, name) => Object.getOwnPropertyDescriptor(proto, name).get;

const readNodeType = get(Node.prototype, 'nodeType');
const readFirstChild = get(Node.prototype, 'firstChild');
const readNextSibling = get(Node.prototype, 'nextSibling');
const readParentElement = get(Node.prototype, 'parentElement');
const readLocalName = get(Element.prototype, 'localName');
const readClassName = get(Element.prototype, 'className');
const readChildElementCount = get(Element.prototype, 'childElementCount');
const readFirstElementChild = get(Element.prototype, 'firstElementChild');
const readNextElementSibling = get(Element.prototype, 'nextElementSibling');
const readPreviousElementSibling = get(Element.prototype, 'previousElementSibling');
const readClientWidth = get(Element.prototype, 'clientWidth');
const readClientHeight = get(Element.prototype, 'clientHeight');
const readScrollWidth = get(Element.prototype, 'scrollWidth');
const readScrollHeight = get(Element.prototype, 'scrollHeight');
const readDocumentElement = get(Document.prototype, 'documentElement');
const readTitle = get(Document.prototype, 'title');
const readActiveElement = get(Document.prototype, 'activeElement');

export const nodeType = (o) => readNodeType.call(o);
export const firstChild = (o) => readFirstChild.call(o);
export const nextSibling = (o) => readNextSibling.call(o);
export const parentElement = (o) => readParentElement.call(o);
export const localName = (o) => readLocalName.call(o);
export const className = (o) => readClassName.call(o);
export const childElementCount = (o) => readChildElementCount.call(o);
export const firstElementChild = (o) => readFirstElementChild.call(o);
export const nextElementSibling = (o) => readNextElementSibling.call(o);
export const previousElementSibling = (o) => readPreviousElementSibling.call(o);
export const clientWidth = (o) => (box === null ? readClientWidth.call(o) : box.width);
export const clientHeight = (o) => (box === null ? readClientHeight.call(o) : box.height);
export const scrollWidth = (o) => (box === null ? readScrollWidth.call(o) : box.width);
export const scrollHeight = (o) => (box === null ? readScrollHeight.call(o) : box.height);

let box = null;

/** Has one box stand for that of every element; null: each has its own again. */
export function standIn(rect) {
  box = rect;
}

// The document gives named images, forms and frames as properties as well.
export const documentElement = () => readDocumentElement.call(document);
export const documentTitle = () => readTitle.call(document);
export const activeElement = () => readActiveElement.call(document);

const { call } = Function.prototype;
const method = (proto, name) => call.bind(proto[name]);

export const attr = method(Element.prototype, 'getAttribute');
export const hasAttr = method(Element.prototype, 'hasAttribute');
export const attrNames = method(Element.prototype, 'getAttributeNames');
export const hasAttrs = method(Element.prototype, 'hasAttributes');
export const matches = method(Element.prototype, 'matches');
export const closest = method(Element.prototype, 'closest');
export const query = method(Element.prototype, 'querySelector');
const readRect = method(Element.prototype, 'getBoundingClientRect');
export const rectOf = (el) => (box === null ? readRect(el) : box);
export const rendered = method(Element.prototype, 'checkVisibility');
const readRects = method(Element.prototype, 'getClientRects');
export const rectsOf = (el) => (box === null ? readRects(el) : [box]);
export const bringIntoView = method(Element.prototype, 'scrollIntoView');

export const listen = method(EventTarget.prototype, 'addEventListener');

// The document is asked for each time: that of a new window is replaced under
// the same global by the page it opens.
const animationsOf = method(Document.prototype, 'getAnimations');
const elementAtPoint = method(Document.prototype, 'elementFromPoint');
const queryOf = method(Document.prototype, 'querySelector');
const queryAllOf = method(Document.prototype, 'querySelectorAll');
const execute = method(Document.prototype, 'execCommand');
export const execCommand = (...args) => execute(document, ...args);
export const animations = () => animationsOf(document);
export const elementFromPoint = (x, y) => elementAtPoint(document, x, y);
export const docQuery = (selector) => queryOf(document, selector);
export const docQueryAll = (selector) => queryAllOf(document, selector);

const { getRootNode, contains: containsNode } = Node.prototype;
export const rootOf = (o) => getRootNode.call(o);
export const contains = (o, other) => containsNode.call(o, other);

/** The element around one, out of its shadow tree too. */
export const around = (el) => parentElement(el) || rootOf(el).host || null;

const readBody = get(Document.prototype, 'body');
const readScrollingElement = get(Document.prototype, 'scrollingElement');
export const documentBody = () => readBody.call(document);
export const pageScroller = () => readScrollingElement.call(document) || documentElement();

const FRAMES = /^(?:iframe|frame|fencedframe|embed|object)$/; // they have presses and keys of their own

export const isFrame = (el) => FRAMES.test(localName(el));
