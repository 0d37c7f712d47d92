// Editors that paint their text themselves: what takes the keys is an element
// that nobody sees and that holds little or nothing.

import { closest, localName, matches, rectOf } from './safe.js';
import { clean } from './icons.js';

// The editor, and a line of its text.
const EDITORS = [
  ['.monaco-editor', '.view-line'],
  ['.CodeMirror', '.CodeMirror-line'],
  ['.ace_editor', '.ace_line'],
];

const context = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'editContext');

/** Whether an element takes text through an EditContext. */
export function drawsItself(el) {
  return context !== undefined && el instanceof HTMLElement && context.get.call(el) !== null;
}

/** What people see of the editor that a field belongs to; null where it is a field like any other. */
export function painter(field) {
  if (localName(field) !== 'textarea' && !drawsItself(field)) return null;
  for (const [editor] of EDITORS) {
    const host = closest(field, editor);
    if (host !== null) return host;
  }
  return drawsItself(field) ? field : null;
}

function paintedLines(host) {
  for (const [editor, line] of EDITORS) {
    if (matches(host, editor)) return Array.from(host.querySelectorAll(line)).sort((a, b) => rectOf(a).top - rectOf(b).top);
  }
  return [];
}

/** The text of such an editor, as far as it is painted; null where the field says it all. */
export function paintedText(field) {
  const host = painter(field);
  if (host === null) return null;
  if (host === field) return context.get.call(field).text;
  const lines = paintedLines(host);
  return lines.map((l) => l.textContent.replace(/\u00A0/g, ' ').replace(/[\u200B\u200C]/g, '')).join('\n');
}

/** The same for a look: text that is there for all to read is told where it stands. */
export function unreadText(field) {
  const host = painter(field);
  if (host === null) return null;
  const lines = paintedLines(host);
  if (lines.length > 0 && closest(lines[0], '[aria-hidden="true"]') === null) return null;
  return clean(paintedText(field));
}
