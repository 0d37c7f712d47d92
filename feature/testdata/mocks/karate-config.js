function fn() {
  return { base: karate.properties['api'] };
}
