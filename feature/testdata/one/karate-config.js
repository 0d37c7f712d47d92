function fn() {
  karate.configure('driver', { type: 'chrome', headless: true, timeout: 20000, screenshotOnFailure: false });
  return { site: karate.properties['site'] };
}
