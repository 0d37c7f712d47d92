// Filter, search and theme of the reports. All of a page can be read without it.
(() => {
  const root = document.documentElement;
  const kept = (() => { try { return localStorage.getItem('rove-theme'); } catch { return null; } })();
  if (kept) root.dataset.theme = kept;
  document.querySelector('.theme')?.addEventListener('click', () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    try { localStorage.setItem('rove-theme', root.dataset.theme); } catch { /* from disk there may be no storage */ }
  });

  // A link to a scenario opens it.
  const open = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) { target.open = true; target.scrollIntoView(); }
  };
  addEventListener('hashchange', open);
  open();

  const search = document.querySelector('input[type="search"]');
  if (!search) return;
  const features = [...document.querySelectorAll('.feature')].map(element => ({
    element, head: (element.querySelector('summary, h2')?.textContent ?? '').toLowerCase(), opened: element.open,
    rows: [...element.querySelectorAll('li')].map(row => ({ row, status: row.dataset.status, text: row.textContent.toLowerCase() })),
  }));
  const nothing = document.querySelector('.nothing');
  let show = 'all';
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let any = false;
    for (const f of features) {
      let seen = 0;
      for (const r of f.rows) {
        const fits = (show === 'all' || r.status === show) && words.every(w => r.text.includes(w) || f.head.includes(w));
        r.row.hidden = !fits;
        if (fits) seen++;
      }
      const alone = !f.rows.length && (show === 'all' || f.element.dataset.status === show) && words.every(w => f.element.textContent.toLowerCase().includes(w));
      f.element.hidden = !seen && !alone;
      if (f.element.tagName === 'DETAILS') f.element.open = words.length || show !== 'all' ? seen > 0 : f.opened;
      any ||= !f.element.hidden;
    }
    if (nothing) nothing.hidden = any;
  };
  for (const chip of document.querySelectorAll('[data-show]')) {
    chip.addEventListener('click', () => {
      show = chip.dataset.show;
      for (const c of document.querySelectorAll('[data-show]')) c.setAttribute('aria-pressed', String(c === chip));
      apply();
    });
  }
  search.addEventListener('input', apply);
  search.form.addEventListener('submit', e => e.preventDefault());
  addEventListener('keydown', e => {
    if (e.key === '/' && document.activeElement !== search) { e.preventDefault(); search.focus(); }
    if (e.key === 'Escape' && document.activeElement === search) { search.value = ''; apply(); }
  });
})();
