const same = (got, want) => { const r = karate.match(got, want); if (!r.pass) karate.fail(r.message); };

test('elements, with functions of their own', () => {
  karate.driver({ type: 'chrome', headless: true }).setUrl(site + '/start.html');
  same(text('#head'), 'Welcome');
  input('#name', ['Ann', Key.TAB]);
  same(value('#name'), 'Ann');
  select('#pick', 'de');
  same(value('#pick'), 'de');
  click('{button:2}Edit');
  same(text('#log'), 'edit 2');
  const note = locate('#note');
  same(note.attribute('data-x'), '7');
  same(locateAll('.row').length, 3);
  same(exists('#none'), false);
  same(enabled('#off'), false);
});
