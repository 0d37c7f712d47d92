// Reads that a page cannot bend. A form gives its controls as properties, so
// `<form><input name="firstChild">` makes form.firstChild an input: in an
// isolated world too. Taken from the prototypes, the getters always tell the truth.

const getter = (proto, name) => {
  const get = Object.getOwnPropertyDescriptor(proto, name).get;
  return (o) => get.call(o);
};

const { call } = Function.prototype;
const method = (proto, name) => call.bind(proto[name]);

export const nodeType = getter(Node.prototype, 'nodeType');
export const firstChild = getter(Node.prototype, 'firstChild');
export const nextSibling = getter(Node.prototype, 'nextSibling');
export const parentNode = getter(Node.prototype, 'parentNode');
export const parentElement = getter(Node.prototype, 'parentElement');
export const isConnected = getter(Node.prototype, 'isConnected');
export const localName = getter(Element.prototype, 'localName');
export const className = getter(Element.prototype, 'className');
export const childElementCount = getter(Element.prototype, 'childElementCount');
export const firstElementChild = getter(Element.prototype, 'firstElementChild');
export const clientWidth = getter(Element.prototype, 'clientWidth');
export const clientHeight = getter(Element.prototype, 'clientHeight');
export const scrollWidth = getter(Element.prototype, 'scrollWidth');
export const scrollHeight = getter(Element.prototype, 'scrollHeight');
export const attr = method(Element.prototype, 'getAttribute');
export const hasAttr = method(Element.prototype, 'hasAttribute');
export const attrNames = method(Element.prototype, 'getAttributeNames');
export const hasAttrs = method(Element.prototype, 'hasAttributes');
export const matches = method(Element.prototype, 'matches');
export const query = method(Element.prototype, 'querySelector');
export const rectOf = method(Element.prototype, 'getBoundingClientRect');
export const namespaceURI = getter(Element.prototype, 'namespaceURI');
export const attributes = getter(Element.prototype, 'attributes');
export const openRoot = getter(Element.prototype, 'shadowRoot');
export const nextElementSibling = getter(Element.prototype, 'nextElementSibling');
export const childNodes = getter(Node.prototype, 'childNodes');
export const ownerDocument = getter(Node.prototype, 'ownerDocument');
export const rootOf = method(Node.prototype, 'getRootNode');
export const contains = method(Node.prototype, 'contains');
export const rendered = method(Element.prototype, 'checkVisibility');

// The document gives named images, forms and frames as properties as well.
export const documentElement = getter(Document.prototype, 'documentElement');
export const documentBody = getter(Document.prototype, 'body');
export const documentTitle = getter(Document.prototype, 'title');
export const activeElement = getter(Document.prototype, 'activeElement');
export const docQuery = method(Document.prototype, 'querySelector');
const docById = method(Document.prototype, 'getElementById');
const fragmentById = method(DocumentFragment.prototype, 'getElementById');
const fragmentQueryAll = method(DocumentFragment.prototype, 'querySelectorAll');
const queryAll = method(Element.prototype, 'querySelectorAll');

/** The element with an id in a tree: a document's, a shadow root's; null in one that is nowhere. */
export function byId(root, id) {
  const type = nodeType(root);
  return type === 9 ? docById(root, id) : type === 11 ? fragmentById(root, id) : null;
}

/** What a selector finds in a tree, whatever its root is. */
export function allIn(root, selector) {
  const type = nodeType(root);
  return type === 9 ? docQueryAll(root, selector) : type === 11 ? fragmentQueryAll(root, selector) : queryAll(root, selector);
}

export const docQueryAll = method(Document.prototype, 'querySelectorAll');
