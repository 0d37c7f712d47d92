function fn() {
  karate.configure('driver', { type: 'chrome', headless: true, timeout: +(karate.properties['limit'] || 20000), screenshotOnFailure: false });
  return { site: karate.properties['site'], other: karate.properties['other'] };
}
