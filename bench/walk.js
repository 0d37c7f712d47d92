// The least that could be told of a page: one line per interactive element
// and, with text, every visible text once. It knows open shadow roots and
// frames of the same origin, no roles beyond tags, no states but the value.
(text) => {
  const roles = {A: 'link', BUTTON: 'button', SELECT: 'combobox', TEXTAREA: 'textbox', SUMMARY: 'summary'};
  const inputs = {checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'file'};
  const controls = 'a[href],button,input,select,textarea,summary,[onclick],[tabindex],[contenteditable]';
  const lines = [];
  let run = '';
  let number = 0;

  const clean = (s) => s.replace(/\s+/g, ' ').trim();
  const flush = () => {
    if (run) lines.push(run);
    run = '';
  };

  function roleOf(el, style, pointer) {
    const tag = el.tagName;
    if (tag === 'INPUT') return el.type === 'hidden' ? null : inputs[el.type] ?? 'textbox';
    if (tag === 'A' ? el.hasAttribute('href') : roles[tag]) return el.getAttribute('role') ?? roles[tag];
    if (el.hasAttribute('contenteditable')) return 'textbox';
    if (el.hasAttribute('onclick') || el.tabIndex >= 0 && el.hasAttribute('tabindex')) return el.getAttribute('role') ?? 'clickable';
    return style.cursor === 'pointer' && !pointer && tag !== 'LABEL' ? 'clickable' : null;
  }

  function nameOf(el) {
    const label = el.getAttribute('aria-label');
    if (label) return clean(label);
    if (el.labels?.length) return clean([...el.labels[0].childNodes].filter((n) => n !== el).map((n) => n.textContent).join(''));
    const field = el.tagName === 'INPUT' || el.tagName === 'SELECT' || el.tagName === 'TEXTAREA';
    return !field && clean(el.textContent) || clean(el.title || el.placeholder || '');
  }

  function valueOf(el) {
    switch (el.tagName) {
      case 'SELECT': return el.selectedOptions[0]?.text ?? '';
      case 'TEXTAREA': return el.value;
      case 'INPUT': return el.type === 'password' ? el.value && '••••' : el.type === 'checkbox' || el.type === 'radio' ? '' : el.value;
    }
    return '';
  }

  function visit(el, pointer, quiet) {
    const tag = el.tagName;
    if (tag === 'SCRIPT' || tag === 'STYLE' || tag === 'TEMPLATE' || tag === 'HEAD' || tag === 'NOSCRIPT') return;
    const style = getComputedStyle(el);
    if (style.display === 'none' || !el.checkVisibility()) return;
    const visible = style.visibility === 'visible';
    const block = !style.display.startsWith('inline');
    if (block) flush();

    const role = visible && roleOf(el, style, pointer);
    if (role) {
      flush();
      const whole = tag === 'INPUT' || tag === 'SELECT' || tag === 'TEXTAREA' || !el.querySelector(controls);
      const name = whole ? nameOf(el) : '';
      const value = clean(valueOf(el));
      lines.push(`e${++number} ${role}${name && ` "${name}"`}${value && ` ="${value}"`}${el.checked ? ' checked' : ''}`);
      if (whole) return;
    }
    const silent = quiet || !visible || tag === 'LABEL' && el.control !== null;
    const inside = pointer || style.cursor === 'pointer';
    const slotted = tag === 'SLOT' ? el.assignedNodes() : [];
    for (const child of slotted.length ? slotted : (el.shadowRoot ?? el).childNodes) {
      if (child.nodeType === 1) visit(child, inside, tag === 'LABEL' ? silent : quiet);
      else if (text && child.nodeType === 3 && !silent) {
        const s = clean(child.data);
        if (s) run += (run && ' ') + s;
      }
    }
    if (tag === 'IFRAME' && el.contentDocument?.body) visit(el.contentDocument.body, false, false);
    if (block) flush();
  }

  visit(document.body, false, false);
  flush();
  return lines.join('\n');
}
