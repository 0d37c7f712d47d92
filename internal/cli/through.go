package cli

import (
	"cmp"
	"strings"

	"rove/driver"
	"rove/internal/pwserver"
	"rove/internal/webdriver"
)

// through is what Options.Browser is for a browser that is to be driven by a backend: ""
// is the one the browser has by itself.
func through(backend, browser string) (string, error) {
	wrong := func() (string, error) {
		return "", driver.Invalid("launch", "browser %s cannot be driven by the backend %s: cdp is for Chrome and its kin, bidi for Firefox and Chrome, webdriver for Chrome, Firefox, Edge, Safari and WebKit, playwright for chromium, firefox, webkit or an executable", browser, backend)
	}
	_, _, there := pwserver.Named(browser)
	switch backend {
	case "":
		return browser, nil
	case "playwright":
		switch {
		case there:
			return browser, nil
		case browser == "" || browser == "shell":
			return "playwright", nil
		case browser == "chrome":
			return "playwright:chromium", nil
		}
		return "playwright:" + browser, nil
	case "cdp":
		if there || browser == "firefox" {
			return wrong()
		}
		return browser, nil
	case "bidi":
		switch {
		case browser == "chrome":
			return "chromedriver", nil
		case browser != "" && browser != "firefox" && !strings.ContainsAny(browser, `/\`):
			return wrong()
		}
		return cmp.Or(browser, "firefox"), nil
	case "webdriver":
		if _, ok := webdriver.Known(browser); ok {
			return browser, nil
		}
		name := map[string]string{"": "chromedriver", "chrome": "chromedriver", "firefox": "geckodriver", "edge": "msedgedriver", "safari": "safaridriver"}[browser]
		if name == "" {
			return wrong()
		}
		return name, nil
	}
	return "", driver.Invalid("launch", "there is no backend %q: take cdp, bidi, webdriver or playwright", backend)
}
