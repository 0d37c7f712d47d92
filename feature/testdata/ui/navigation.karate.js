const d = karate.driver({ type: 'chrome', headless: true });
const same = (got, want) => { const r = karate.match(got, want); if (!r.pass) karate.fail(r.message); };

test('addresses, titles, history', () => {
  d.setUrl(site + '/start.html');
  same(d.title, 'Start');
  same(d.url, site + '/start.html');
  d.click('#next');
  same(d.title, 'Second');
  d.back();
  same(d.title, 'Start');
  d.forward();
  same(d.title, 'Second');
  d.script('window.mark = 1');
  d.refresh();
  same(d.script('window.mark'), null);
  d.url = site + '/done.html';
  same(d.title, 'Done');
});

test('cookies, and what there is not', () => {
  d.setUrl(site + '/start.html');
  d.clearCookies();
  d.cookie({ name: 'a', value: 'one' });
  same(d.cookies, '#[1]');
  same(d.cookies[0].value, 'one');
  same(d.nothing, null);
});
