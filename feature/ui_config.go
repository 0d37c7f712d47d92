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
	"rove/internal/launch"
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
		if u.chosen() {
			return u.parse(&data.Object{})
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
	chooseBrowser(m, opts.Browser)
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

// chooseBrowser has the browser of the command line count more than what a feature says.
func chooseBrowser(m map[string]any, browser string) {
	if browser == "" {
		return
	}
	chosen := launch.Config(browser)
	if m["type"] != chosen["type"] {
		for _, of := range []string{"executable", "capabilities", "playwrightUrl", "playwrightOptions"} {
			delete(m, of) // of another browser
		}
	}
	maps.Copy(m, chosen)
}

// pooled are the backends whose browsers scenarios share.
var pooled = []string{"cdp", "bidi", "webdriver", "playwright"}

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
