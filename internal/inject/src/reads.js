// The reads of safe.js that roles and names need, and those of the tree around an element, on the same terms.

import { nodeType } from './safe.js';

export {
  attr, contains, documentElement, firstElementChild, hasAttr, hasAttrs, localName, matches, nextElementSibling, nodeType, query, rendered, rootOf,
} from './safe.js';

const get = (proto, name) => Object.getOwnPropertyDescriptor(proto, name).get;

const readParentNode = get(Node.prototype, 'parentNode');
const readChildNodes = get(Node.prototype, 'childNodes');
const readNamespaceURI = get(Element.prototype, 'namespaceURI');
const readShadowRoot = get(Element.prototype, 'shadowRoot');

export const parentNode = (o) => readParentNode.call(o);
export const childNodes = (o) => readChildNodes.call(o);
export const namespaceURI = (o) => readNamespaceURI.call(o);
/** The shadow root, if it is open. */
export const openRoot = (o) => readShadowRoot.call(o);

const { getAttributeNames } = Element.prototype;

export const attributeNames = (o) => getAttributeNames.call(o);

/** The element with an id in a tree: a document's, a shadow root's; null in one that is neither. */
export function byId(root, id) {
  const kind = kindOf(root);
  return kind === Element ? null : kind.prototype.getElementById.call(root, id);
}

/** What a selector finds in a tree, whatever its root is. */
export function allIn(root, selector) {
  return kindOf(root).prototype.querySelectorAll.call(root, selector);
}

function kindOf(root) {
  const type = nodeType(root);
  return type === 9 ? Document : type === 11 ? DocumentFragment : Element;
}
