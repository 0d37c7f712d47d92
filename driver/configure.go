package driver

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Config is a driver as a script describes it, in a map: see ParseConfig. What
// starts or finds the browser is there for whoever does that; rove.Configure does.
type Config struct {
	// Type says which browser, and by that which backend: chrome, chromium, edge
	// (the DevTools protocol); chromedriver, geckodriver, safaridriver,
	// msedgedriver, webkit (WebDriver); playwright; bidi.
	Type string
	// Options are for the driver itself.
	Options Options
	// UserAgent is what the browser calls itself; "" is its own name.
	UserAgent string
	// EmulateOptions is what pages are to take the browser for.
	EmulateOptions EmulateOptions

	Headless    bool     // no window; true where nothing is said
	Executable  string   // the browser's program
	UserDataDir string   // a profile that is kept
	AddOptions  []string // more arguments for the browser
	// Host and Port are where a browser listens already. Where none does and
	// Start is not false, one is started.
	Host  string
	Port  int
	Start bool // true where nothing is said
	// WebSocketURL is the address of a browser or tab to connect to.
	WebSocketURL string
	// Attach is a part of the address of a page that is open in the browser at Host and
	// Port: the driver takes that page.
	Attach string

	WebDriverURL     string
	WebDriverSession map[string]any
	Capabilities     map[string]any
	PlaywrightURL    string
	// PlaywrightBrowser is the browser of a Playwright server: chromium, firefox, webkit.
	PlaywrightBrowser string

	// Scope says for how long a driver is used: scenario, feature or caller. Stop
	// is false where the browser stays open at the end. Both are for runners.
	Scope string
	Stop  bool
}

// Backend is the protocol that the type stands for: cdp, webdriver, bidi or
// playwright.
func (c *Config) Backend() string { return configTypes[c.Type] }

// configTypes are the types there are, and their protocols.
var configTypes = map[string]string{
	"chrome": "cdp", "chromium": "cdp", "edge": "cdp", "msedge": "cdp",
	"chromedriver": "webdriver", "geckodriver": "webdriver", "safaridriver": "webdriver", "msedgedriver": "webdriver", "webkit": "webdriver",
	"firefox": "bidi", "bidi": "bidi", "playwright": "playwright",
}

var loadStrategies = map[string]PageLoadStrategy{
	"load": PageLoaded, "normal": PageLoaded, "default": PageLoaded,
	"domcontent": PageParsed, "eager": PageParsed,
	"domcontent_and_frames": PageAndFramesParsed, "frames": PageAndFramesParsed,
	"networkidle": PageNetworkIdle, "network_idle": PageNetworkIdle,
}

// configuring is a Config being read.
type configuring struct {
	Config
	retryCount int
	highlight  bool
	shown      time.Duration
}

// configKeys are the options there are, and what each takes.
var configKeys = map[string]func(*configuring, any) error{
	"type": func(c *configuring, v any) error {
		err := oneOf(v, &c.Type, configTypes)
		if c.Type == "msedge" { // its name in the original
			c.Type = "edge"
		}
		return err
	},
	"timeout":         func(c *configuring, v any) error { return milliseconds(v, &c.Options.Timeouts.Session) },
	"sessionTimeout":  func(c *configuring, v any) error { return milliseconds(v, &c.Options.Lifetime) },
	"pageLoadTimeout": func(c *configuring, v any) error { return milliseconds(v, &c.Options.Timeouts.PageLoad) },
	"elementTimeout":  func(c *configuring, v any) error { return milliseconds(v, &c.Options.Timeouts.Element) },
	"scriptTimeout":   func(c *configuring, v any) error { return milliseconds(v, &c.Options.Timeouts.Script) },
	"retryCount":      func(c *configuring, v any) error { return whole(v, &c.retryCount, 1, 10000) },
	"retryInterval":   func(c *configuring, v any) error { return milliseconds(v, &c.Options.RetryInterval) },
	"headless":        func(c *configuring, v any) error { return truth(v, &c.Headless) },
	"host":            func(c *configuring, v any) error { return text(v, &c.Host) },
	"port":            func(c *configuring, v any) error { return whole(v, &c.Port, 0, 65535) },
	"start":           func(c *configuring, v any) error { return truth(v, &c.Start) },
	"stop":            func(c *configuring, v any) error { return truth(v, &c.Stop) },
	"scope": func(c *configuring, v any) error {
		return oneOf(v, &c.Scope, map[string]bool{"scenario": true, "feature": true, "caller": true})
	},
	"executable":          func(c *configuring, v any) error { return text(v, &c.Executable) },
	"userDataDir":         func(c *configuring, v any) error { return text(v, &c.UserDataDir) },
	"userAgent":           func(c *configuring, v any) error { return text(v, &c.UserAgent) },
	"device":              func(c *configuring, v any) error { return text(v, &c.EmulateOptions.Device) },
	"locale":              func(c *configuring, v any) error { return text(v, &c.EmulateOptions.Locale) },
	"timezone":            func(c *configuring, v any) error { return text(v, &c.EmulateOptions.Timezone) },
	"geolocation":         func(c *configuring, v any) error { return place(v, &c.EmulateOptions.Geolocation) },
	"colorScheme":         func(c *configuring, v any) error { return text(v, &c.EmulateOptions.ColorScheme) },
	"offline":             func(c *configuring, v any) error { return truth(v, &c.EmulateOptions.Offline) },
	"addOptions":          func(c *configuring, v any) error { return texts(v, &c.AddOptions) },
	"screenshotOnFailure": func(c *configuring, v any) error { return truth(v, &c.Options.ScreenshotOnFailure) },
	"highlight":           func(c *configuring, v any) error { return truth(v, &c.highlight) },
	"highlightDuration":   func(c *configuring, v any) error { return milliseconds(v, &c.shown) },
	"pageLoadStrategy": func(c *configuring, v any) error {
		var name string
		if s, ok := v.(string); ok {
			v = strings.ToLower(s)
		}
		err := oneOf(v, &name, loadStrategies)
		c.Options.PageLoad = loadStrategies[name]
		return err
	},
	"downloads":        func(c *configuring, v any) error { return text(v, &c.Options.Context.Downloads) },
	"attach":           func(c *configuring, v any) error { return text(v, &c.Attach) },
	"webSocketUrl":     func(c *configuring, v any) error { return text(v, &c.WebSocketURL) },
	"webDriverUrl":     func(c *configuring, v any) error { return text(v, &c.WebDriverURL) },
	"webDriverSession": func(c *configuring, v any) error { return object(v, &c.WebDriverSession) },
	"capabilities":     func(c *configuring, v any) error { return object(v, &c.Capabilities) },
	"playwrightUrl":    func(c *configuring, v any) error { return text(v, &c.PlaywrightURL) },
	"playwrightOptions": func(c *configuring, v any) error {
		var m map[string]any
		if err := object(v, &m); err != nil {
			return err
		}
		if _, ok := m["browserType"]; !ok || len(m) > 1 {
			return errors.New("playwrightOptions takes browserType alone: { browserType: 'firefox' }")
		}
		return oneOf(m["browserType"], &c.PlaywrightBrowser, map[string]bool{"chromium": true, "firefox": true, "webkit": true})
	},
	// These are the original's, and say what is written to its log.
	"showDriverLog":  func(_ *configuring, v any) error { return truth(v, new(bool)) },
	"showProcessLog": func(_ *configuring, v any) error { return truth(v, new(bool)) },
	"showBrowserLog": func(_ *configuring, v any) error { return truth(v, new(bool)) },
}

// ParseConfig reads the options of a driver from a map, as scripts write them:
// {type: 'chrome', headless: true, timeout: 30000}. Times are milliseconds, or
// texts such as "30s". An option that there is not, or of the wrong type, is an
// error that says what there is. A nil map is all defaults.
func ParseConfig(options map[string]any) (*Config, error) {
	c := configuring{Config: Config{Type: "chrome", Headless: true, Start: true, Stop: true, Scope: "scenario"}}
	for _, key := range slices.Sorted(maps.Keys(options)) {
		set, ok := configKeys[key]
		if !ok {
			return nil, Invalid("configure driver", "there is no option %q; there are %s", key, strings.Join(ConfigOptions(), ", "))
		}
		if options[key] == nil {
			continue // as if it were not there
		}
		if err := set(&c, options[key]); err != nil {
			return nil, Invalid("configure driver", "%s takes %v", key, err)
		}
	}
	if c.retryCount > 0 {
		// So many tries at that interval, as one wait.
		each := orDefault(c.Options.RetryInterval, retryInterval)
		if c.Options.Timeouts.Element == 0 {
			c.Options.Timeouts.Element = time.Duration(c.retryCount) * each
		}
	}
	if _, err := c.EmulateOptions.Emulation(); err != nil {
		return nil, err
	}
	if c.highlight {
		c.Options.Highlight = orDefault(c.shown, highlightDuration)
	}
	if c.WebSocketURL != "" && (c.Port != 0 || c.Host != "") {
		return nil, Invalid("configure driver", "webSocketUrl and host or port say two things; give one of them")
	}
	return &c.Config, nil
}

// ConfigOptions are the names of the options that ParseConfig knows.
func ConfigOptions() []string { return slices.Sorted(maps.Keys(configKeys)) }

// retryInterval is the interval of retryCount where none is said, as in scripts.
const retryInterval = 500 * time.Millisecond

func wrong(want string, v any) error {
	return fmt.Errorf("%s, not %s", want, kindOf(v))
}

// kindOf says what a value of a script is.
func kindOf(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("the text %q", v)
	case bool, int, int64, float64:
		return fmt.Sprintf("%v", v)
	case []any, []string:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprintf("a %T", v)
}

func text(v any, to *string) error {
	s, ok := v.(string)
	if !ok {
		return wrong("a text", v)
	}
	*to = s
	return nil
}

// place takes a text such as 52.52,13.40, or an object.
func place(v any, to *string) error {
	m, ok := v.(map[string]any)
	if !ok {
		return text(v, to)
	}
	var parts []string
	for _, key := range []string{"latitude", "longitude", "accuracy"} {
		n, ok := number(m[key])
		if !ok && (m[key] != nil || key != "accuracy") {
			return wrong("latitude and longitude as numbers, or a text such as 52.52,13.40", v)
		}
		if ok {
			parts = append(parts, strconv.FormatFloat(n, 'g', -1, 64))
		}
	}
	*to = strings.Join(parts, ",")
	return nil
}

func truth(v any, to *bool) error {
	switch v {
	case true, "true":
		*to = true
	case false, "false":
		*to = false
	default:
		return wrong("true or false", v)
	}
	return nil
}

func number(v any) (float64, bool) {
	switch n := v.(type) {
	case int:
		return float64(n), true
	case int64:
		return float64(n), true
	case float64:
		return n, true
	case string: // as properties of the command line are
		f, err := strconv.ParseFloat(n, 64)
		return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
	}
	return 0, false
}

func whole(v any, to *int, low, high float64) error {
	n, ok := number(v)
	if !ok || n != math.Trunc(n) || n < low || n > high {
		return wrong(fmt.Sprintf("a whole number from %v to %v", low, high), v)
	}
	*to = int(n)
	return nil
}

// longest is the longest time that can be said.
const longest = 24 * time.Hour

func milliseconds(v any, to *time.Duration) error {
	const want = "milliseconds, from 1 to a day, or a text such as \"30s\""
	var d time.Duration
	switch n, ok := number(v); {
	case ok && n <= float64(longest/time.Millisecond):
		d = time.Duration(n * float64(time.Millisecond))
	case !ok:
		s, is := v.(string)
		if !is {
			return wrong(want, v)
		}
		var err error
		if d, err = time.ParseDuration(s); err != nil {
			return wrong(want, v)
		}
	}
	if d < time.Millisecond || d > longest {
		return wrong(want, v)
	}
	*to = d
	return nil
}

func texts(v any, to *[]string) error {
	switch list := v.(type) {
	case []string:
		*to = slices.Clone(list)
		return nil
	case []any:
		var all []string
		for _, one := range list {
			s, ok := one.(string)
			if !ok {
				return wrong("a list of texts", one)
			}
			all = append(all, s)
		}
		*to = all
		return nil
	}
	return wrong("a list of texts", v)
}

func object(v any, to *map[string]any) error {
	m, ok := v.(map[string]any)
	if !ok {
		return wrong("an object", v)
	}
	*to = m
	return nil
}

func oneOf[T any](v any, to *string, of map[string]T) error {
	s, ok := v.(string)
	if _, known := of[s]; !ok || !known {
		return wrong("one of "+strings.Join(slices.Sorted(maps.Keys(of)), ", "), v)
	}
	*to = s
	return nil
}
