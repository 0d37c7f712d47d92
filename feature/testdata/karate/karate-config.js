function fn() {
  var env = karate.env || 'none';
  karate.configure('connectTimeout', 5000);
  var config = { env: env, configured: 'from config', shared: { count: 1 }, double: function (x) { return x * 2; } };
  config.prop = karate.properties['corpus.prop'] || 'unset';
  return config;
}
