package feature

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"rove"
	"rove/driver"
	"rove/internal/data"
)

// defaultTimeout is that of drivers.
const defaultTimeout = 30 * time.Second

// options are those of configure driver, with what the command line says.
func (u *uiSide) options() (*driver.Config, error) {
	v, ok := u.s.config.value("driver")
	if !ok {
		if u.s.suite.opts.Provider != nil {
			return nil, nil
		}
		return nil, errNotConfigured
	}
	return u.parse(v.Export())
}

// karateOnly are options of Karate's own machinery: they are taken, so that features run
// as they are, and change nothing here.
var karateOnly = []string{"target", "pollAttempts", "pollInterval", "maxPayloadSize", "httpConfig", "webDriverPath", "processLogFile", "maxRetries", "beforeStart", "afterStop"}

// notRun are options that ask for something that is not done: the log says so.
var notRun = map[string]string{
	"videoFile": "no video is taken from a container",
}

// setAside takes those options out.
func (u *uiSide) setAside(m map[string]any) {
	for _, name := range karateOnly {
		delete(m, name)
	}
	for name, why := range notRun {
		if value, said := m[name]; said && value != nil {
			u.s.print("configure driver: " + name + ": " + why)
		}
		delete(m, name)
	}
	// Karate passes over what it does not know. What is spelled nearly as an option is a
	// mistake all the same, and stays.
	known := driver.ConfigOptions()
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if slices.Contains(known, name) || nearest(name, known) != "" {
			continue
		}
		u.s.print("configure driver: there is no option " + name)
		delete(m, name)
	}
}

// fromEnvironment adds what a machine says about browsers, as Karate reads it: images and
// CI servers set it.
func (u *uiSide) fromEnvironment(m map[string]any) {
	p := u.s.suite.properties
	if path := p["KARATE_CHROME_EXECUTABLE"]; path != "" && m["executable"] == nil && (m["type"] == nil || m["type"] == "chrome") {
		m["executable"] = path
	}
	if more := strings.Fields(p["KARATE_CHROME_ARGS"]); len(more) > 0 {
		list, _ := m["addOptions"].([]any)
		for _, arg := range more {
			list = append(list, arg)
		}
		m["addOptions"] = list
	}
	if p["KARATE_DRIVER_HEADLESS"] == "true" {
		m["headless"] = true
	}
}

func (u *uiSide) parse(v any) (*driver.Config, error) {
	o, ok := v.(*data.Object)
	if !ok {
		return nil, fmt.Errorf("configure driver takes an object: { type: 'chrome', headless: true }")
	}
	var m map[string]any
	if err := json.Unmarshal([]byte(data.JSON(o)), &m); err != nil {
		return nil, fmt.Errorf("configure driver: %w", err)
	}
	u.setAside(m)
	u.fromEnvironment(m)
	if _, said := m["screenshotOnFailure"]; !said {
		m["screenshotOnFailure"] = true
	}
	opts := u.s.suite.opts
	if opts.Headed {
		m["headless"] = false
	}
	chooseBrowser(m, opts.Browser, opts.Backend)
	for name, value := range emulateOptionsOf(opts.Emulate) {
		m[name] = value
	}
	c, err := driver.ParseConfig(m)
	if err != nil {
		return nil, err
	}
	if m["elementTimeout"] == nil {
		// retryCount makes no wait shorter: waitFor and the like have the timeout, as in
		// Karate, and the element of an action has to be more than there.
		if t := &c.Options.Timeouts; t.Element < cmp.Or(t.Session, defaultTimeout) {
			t.Element = 0
		}
	}
	if !c.Headless && opts.Connect == "" && !display() {
		c.Headless = true
		u.s.print("there is no display: the browser has no window")
	}
	return c, nil
}

// chooseBrowser has a browser and a backend of the command line count more than what a
// feature says.
func chooseBrowser(m map[string]any, browser, backend string) {
	path, address, _ := strings.Cut(strings.TrimPrefix(browser, "playwright:"), "=")
	switch {
	case backend == "playwright" || strings.HasPrefix(browser, "playwright"):
		m["type"] = "playwright"
		if address != "" {
			m["playwrightUrl"] = address
		}
		switch {
		case path == "" || path == "playwright":
		case strings.ContainsAny(path, `/\`):
			m["executable"] = path
		default:
			m["playwrightOptions"] = map[string]any{"browserType": strings.Replace(path, "chrome", "chromium", 1)}
		}
		return
	case backend != "":
		m["type"] = backend
		if kind := backends[backend][browser]; kind != "" {
			m["type"] = kind
			return
		}
	}
	switch {
	case browser == "":
	case strings.ContainsAny(browser, `/\`):
		m["executable"] = browser
	case backend == "":
		m["type"] = browser
	}
}

// pooled are the backends whose browsers scenarios share.
var pooled = []string{"cdp", "bidi", "webdriver", "playwright"}

// backends are the types of browsers, by the backend and the browser that are wanted.
var backends = map[string]map[string]string{
	"cdp":       {"": "chrome", "chrome": "chrome", "shell": "chrome", "chromium": "chromium", "edge": "edge"},
	"bidi":      {"": "firefox", "firefox": "firefox", "chrome": "chromedriver", "chromium": "chromedriver", "edge": "msedgedriver"},
	"webdriver": {"": "chromedriver", "chrome": "chromedriver", "chromium": "chromedriver", "firefox": "geckodriver", "edge": "msedgedriver", "safari": "safaridriver", "webkit": "webkit"},
}

// emulateOptionsOf are the settings of the command line, which count more than those of a
// feature.
func emulateOptionsOf(g rove.EmulateOptions) map[string]any {
	text, _ := json.Marshal(g)
	m := map[string]any{}
	_ = json.Unmarshal(text, &m)
	return m
}

// display says whether a window can be shown.
func display() bool {
	if runtime.GOOS != "linux" {
		return true
	}
	return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
