function fn() {
  karate.configure('driver', { type: 'chrome', headless: true, executable: karate.properties['chrome'], addOptions: ['--no-sandbox'], timeout: 10000 });
  karate.configure('retry', { count: 5, interval: 200 });
  return { site: karate.properties['site'] };
}
