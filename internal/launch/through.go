package launch

import (
	"cmp"
	"os/exec"
	"slices"
	"strings"

	"rove/driver"
	"rove/internal/bidi"
	"rove/internal/provision"
	"rove/internal/pwserver"
	"rove/internal/webdriver"
)

// byDriver are the drivers of browsers.
var byDriver = map[string]string{
	"": "chromedriver", "chrome": "chromedriver", "chromium": "chromedriver", "firefox": "geckodriver",
	"edge": "msedgedriver", "msedge": "msedgedriver", "safari": "safaridriver", "webkit": "webkit",
}

// Through is what Options.Browser is for a browser that is to be driven by a backend: ""
// is the one the browser has by itself.
func Through(backend, browser string) (string, error) {
	name, isDriver := webdriver.Known(browser)
	_, _, isServer := pwserver.Named(browser)
	isFirefox := browser == "firefox" || bidi.IsFirefox(browser)
	isPath := strings.ContainsAny(browser, `/\`)
	ok := true
	switch backend {
	case "":
	case "playwright":
		switch {
		case isServer:
		case isDriver && name != "webkit" || isFirefox && isPath:
			ok = false
		case browser == "" || browser == "shell":
			browser = "playwright"
		case browser == "chrome":
			browser = "playwright:chromium"
		default:
			browser = "playwright:" + browser
		}
	case "cdp":
		ok = !isServer && !isDriver && !isFirefox && browser != "safari"
	case "bidi":
		switch {
		case browser == "" || isFirefox:
			browser = cmp.Or(browser, "firefox")
		case isDriver:
			ok = webdriver.OffersBiDi(name)
		default:
			browser, ok = byDriver[browser]
			ok = ok && webdriver.OffersBiDi(browser)
		}
	case "webdriver":
		if !isDriver {
			browser, ok = byDriver[browser]
		}
	default:
		return "", driver.Invalid("launch", "there is no backend %q: take cdp, bidi, webdriver or playwright", backend)
	}
	if !ok {
		return "", driver.Invalid("launch", "that browser cannot be driven by the backend %s: cdp is for Chrome and its kin, bidi for Firefox, Chrome and Edge, webdriver for Chrome, Firefox, Edge, Safari and WebKit, "+
			"playwright for chromium, firefox, webkit or an executable", backend)
	}
	return browser, nil
}

// Config is a browser, as Through has it, in the words of configure driver.
func Config(browser string) map[string]any {
	is := func(kind string, executable string) map[string]any {
		if executable == "" {
			return map[string]any{"type": kind}
		}
		return map[string]any{"type": kind, "executable": executable}
	}
	path := ""
	if strings.ContainsAny(browser, `/\`) {
		path = browser
	}
	if which, address, ok := pwserver.Named(browser); ok {
		m := is("playwright", "")
		switch {
		case strings.ContainsAny(which, `/\`):
			m["executable"] = which
		case which != "":
			m["playwrightOptions"] = map[string]any{"browserType": which}
		}
		if address != "" {
			m["playwrightUrl"] = address
		}
		return m
	}
	if name, ok := webdriver.Known(browser); ok {
		return is(name, path)
	}
	switch {
	case bidi.IsFirefox(browser):
		return is("firefox", path)
	case path != "" || browser == provision.Shell: // a shell is a kind of Chrome
		return is("chrome", path)
	case browser == "safari":
		return is("safaridriver", "")
	case slices.Contains([]string{"chrome", "chromium", "edge", "msedge"}, browser):
		return is(browser, "")
	}
	if found, err := exec.LookPath(browser); err == nil {
		return is("chrome", found)
	}
	return is(browser, "") // which there is not
}
