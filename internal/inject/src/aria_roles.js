// What WAI-ARIA 1.2/1.3, DPUB-ARIA and Graphics-ARIA say about roles, as tables.

/** Every role an author may write, to the name it is reported under (synonyms and deprecated names folded). @type {Map<string, string>} */
export const authorRoles = new Map();

for (const role of (
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment ' +
  'complementary contentinfo definition deletion dialog document emphasis feed figure form generic grid gridcell group heading ' +
  'image insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio ' +
  'meter navigation none note option paragraph progressbar radio radiogroup region row rowgroup rowheader scrollbar search ' +
  'searchbox sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript switch tab ' +
  'table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem ' +
  'doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref ' +
  'doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes doc-epigraph ' +
  'doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index doc-introduction doc-noteref ' +
  'doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface doc-prologue doc-pullquote doc-qna ' +
  'doc-subtitle doc-tip doc-toc graphics-document graphics-object graphics-symbol'
).split(' ')) authorRoles.set(role, role);
authorRoles.set('img', 'image');
authorRoles.set('presentation', 'none');
authorRoles.set('directory', 'list');

/** Roles named by what they contain when no author names them. */
export const nameFromContentRoles = new Set([
  'button', 'cell', 'checkbox', 'columnheader', 'comment', 'gridcell', 'heading', 'link', 'menuitem', 'menuitemcheckbox',
  'menuitemradio', 'option', 'radio', 'row', 'rowheader', 'switch', 'tab', 'tooltip', 'treeitem',
  'doc-backlink', 'doc-biblioref', 'doc-glossref', 'doc-noteref', 'doc-subtitle',
]);

/** Roles whose descendants are not exposed as elements of their own. */
export const childrenPresentational = new Set([
  'button', 'checkbox', 'image', 'math', 'menuitemcheckbox', 'menuitemradio', 'meter', 'option', 'progressbar', 'radio', 'scrollbar',
  'separator', 'slider', 'switch', 'tab', 'doc-cover', 'doc-pagebreak', 'graphics-symbol',
]);

/** Roles that only exist with an author's name: without one the token is passed over. */
export const nameRequired = new Set(['region', 'form']);

/**
 * The parents without which a role means nothing; such a token is passed over. The specification asks for more of them (row, tab, menuitem …);
 * browsers keep those, and a tab without its tablist is still something to click.
 * @type {Map<string, Set<string>>}
 */
export const requiredParents = new Map([
  ['listitem', new Set(['list'])],
  ['option', new Set(['listbox', 'group'])],
  ['treeitem', new Set(['tree', 'group'])],
]);

/** Global states and properties: any of these, with a value, cancels role=none. aria-hidden does not, it hides. */
export const globalAttributes = new Set([
  'aria-atomic', 'aria-braillelabel', 'aria-brailleroledescription', 'aria-busy', 'aria-controls', 'aria-current', 'aria-describedby',
  'aria-description', 'aria-details', 'aria-dropeffect', 'aria-flowto', 'aria-grabbed', 'aria-keyshortcuts', 'aria-label',
  'aria-labelledby', 'aria-live', 'aria-owns', 'aria-relevant', 'aria-roledescription',
]);
