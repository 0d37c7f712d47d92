function fn() {
  var config = { baseUrl: 'http://localhost', who: 'config', env: karate.env, given: karate.properties['given'] };
  config.greet = function (name) { return 'hello ' + name };
  karate.configure('connectTimeout', 5000);
  return config;
}
