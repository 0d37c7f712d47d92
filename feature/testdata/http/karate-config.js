function fn() {
  var p = karate.properties;
  return { base: p['api'], secure: p['secure'], mutual: p['mutual'], proxy: p['proxy'], stores: p['stores'], socket: p['socket'] };
}
