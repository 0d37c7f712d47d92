function fn(locator, text) { input(locator, text); return value(locator) }
