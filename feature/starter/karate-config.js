function fn() {
  // -e qa or KARATE_ENV=qa chooses the environment, -D site=… the site
  var config = {
    env: karate.env || 'dev',
    site: karate.properties['site'] || 'http://localhost:8080'
  };
  karate.configure('driver', { type: 'chrome' });
  karate.configure('retry', { count: 5, interval: 500 });
  return config;
}
