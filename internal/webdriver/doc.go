// Package webdriver speaks W3C WebDriver: it starts drivers (chromedriver, geckodriver,
// WebKitWebDriver, safaridriver, msedgedriver) or reaches those that run elsewhere, opens
// sessions with them, and is the backend for browsers that offer nothing but that.
//
// A session that also offers BiDi (Session.Socket) is driven by internal/bidi, with what
// that lacks asked of the session.
package webdriver
