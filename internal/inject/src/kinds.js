// Which tags and roles are treated alike.

/** Never on the page, whatever their style says. Options are told by their select. */
const skipped = [
  'script', 'style', 'template', 'noscript', 'head', 'meta', 'link', 'title', 'base', 'datalist', 'option', 'optgroup', 'colgroup', 'col', 'param', 'source', 'track', 'rp',
  'defs', 'symbol', 'clipPath', 'mask', 'pattern', 'marker', 'linearGradient', 'radialGradient', 'filter', 'metadata', 'desc', 'stop', 'animate', 'animateTransform',
];

/** Tags that say nothing by themselves: without a role attribute there is no need to ask for their role. */
const plain = [
  'div', 'span', 'p', 'b', 'i', 'u', 's', 'em', 'strong', 'small', 'sub', 'sup', 'code', 'mark', 'del', 'ins', 'time', 'font', 'center', 'label', 'tbody', 'thead', 'tfoot', 'pre', 'abbr',
  'cite', 'kbd', 'samp', 'var', 'q', 'bdi', 'bdo', 'ruby', 'rt', 'wbr', 'big', 'tt', 'nobr', 'slot', 'picture', 'dl', 'hgroup', 'address', 'body', 'html', 'figcaption', 'caption', 'legend',
  'g', 'path', 'circle', 'rect', 'line', 'polyline', 'polygon', 'ellipse', 'use', 'text', 'tspan', 'foreignObject', 'map', 'marquee', 'data', 'dfn',
];

/** Tags without children of their own to walk. */
const leaves = ['input', 'textarea', 'select', 'img', 'iframe', 'frame', 'video', 'audio', 'canvas', 'progress', 'meter', 'br', 'object', 'embed', 'hr', 'area'];

export const SKIPPED = 1;
export const PLAIN = 2;
export const LEAF = 3;

/** What a tag is; undefined for those that mean something. One look into one table: every element goes through here. */
export const tagKinds = new Map([...skipped.map((t) => [t, SKIPPED]), ...plain.map((t) => [t, PLAIN]), ...leaves.map((t) => [t, LEAF])]);

/** Tags that stay side by side in a flex row, although the browser calls them blocks there. */
export const inlineTags = new Set(['span', 'b', 'i', 'em', 'strong', 'small', 'code', 'time', 'mark', 'a', 'abbr', 'sub', 'sup', 'label', 'kbd', 'font', 'u', 's', 'cite']);

/** Roles that are no news in a view of the page: formatting inside a line, and grouping for its own sake. */
export const silentRoles = new Set([
  'generic', 'none', 'presentation', 'paragraph', 'strong', 'emphasis', 'code', 'time', 'mark', 'subscript', 'superscript', 'deletion', 'insertion', 'suggestion', 'rowgroup', 'caption', 'legend',
  'label', 'separator', 'document', 'sectionheader', 'sectionfooter', 'ruby', 'graphics-symbol', 'graphics-object', 'graphics-document',
]);

/** Roles that are worth telling only with a name. */
export const namedRoles = new Set(['group', 'form', 'region', 'figure', 'img', 'section', 'math']);

export const operableRoles = new Set([
  'button', 'link', 'checkbox', 'radio', 'switch', 'textbox', 'searchbox', 'combobox', 'listbox', 'option', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'treeitem', 'slider', 'spinbutton',
  'scrollbar',
]);

/** Roles of things that hold other things: that they can have the focus is no reason to click them. */
export const holderRoles = new Set([
  'main', 'navigation', 'banner', 'contentinfo', 'complementary', 'region', 'form', 'search', 'article', 'list', 'table', 'grid', 'treegrid', 'tree', 'tablist', 'tabpanel', 'menu', 'menubar', 'toolbar',
  'radiogroup', 'dialog', 'alertdialog', 'feed', 'figure', 'log', 'application', 'listbox',
]);

/** Fields: what is inside is their value, not their name. */
export const fieldRoles = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider', 'scrollbar', 'separator', 'progressbar', 'meter']);

export const cellRoles = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);
