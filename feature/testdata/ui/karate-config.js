function fn() {
  karate.configure('driver', { type: 'chrome', headless: true, timeout: 20000, screenshotOnFailure: true });
  return { site: karate.properties['site'], other: karate.properties['other'] };
}
