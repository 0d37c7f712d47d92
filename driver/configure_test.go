package driver_test

import (
	"fmt"
	"testing"
	"time"

	"rove/driver"
)

func TestParseConfig(t *testing.T) {
	c, err := driver.ParseConfig(map[string]any{
		"type": "chromium", "timeout": 20000, "retryCount": 4, "retryInterval": 250, "headless": false, "host": "box", "port": 9333.0,
		"executable": "/bin/chrome", "userDataDir": "/tmp/p", "userAgent": "UA", "screenshotOnFailure": true, "highlight": true,
		"highlightDuration": 700, "pageLoadStrategy": "DOMCONTENT", "addOptions": []any{"--a", "--b"}, "scope": "caller", "stop": false, "start": false,
		"pageLoadTimeout": "45s", "scriptTimeout": 5000, "downloads": "/tmp/d", "showDriverLog": true, "capabilities": map[string]any{"a": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := c.Options
	same(t, "config", fmt.Sprintln(c.Type, c.Backend(), c.Headless, c.Host, c.Port, c.Executable, c.UserDataDir, c.UserAgent, c.AddOptions, c.Scope, c.Stop, c.Start, c.Capabilities),
		"chromium cdp false box 9333 /bin/chrome /tmp/p UA [--a --b] caller false false map[a:1]\n")
	same(t, "options", fmt.Sprint(o.Timeouts, o.RetryInterval, o.Highlight, o.PageLoad, o.ScreenshotOnFailure, o.Context.Downloads),
		fmt.Sprint(driver.Timeouts{Session: 20 * time.Second, PageLoad: 45 * time.Second, Element: time.Second, Script: 5 * time.Second}, 250*time.Millisecond, 700*time.Millisecond, driver.PageParsed, true, "/tmp/d"))
	plain, err := driver.ParseConfig(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, backend := range map[string]string{
		"chrome": "cdp", "chromium": "cdp", "edge": "cdp", "playwright": "playwright", "bidi": "bidi",
		"chromedriver": "webdriver", "geckodriver": "webdriver", "safaridriver": "webdriver", "msedgedriver": "webdriver",
	} {
		c, err := driver.ParseConfig(map[string]any{"type": name})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "backend of "+name, c.Backend(), backend)
	}
	// What comes from the command line is text.
	c, err = driver.ParseConfig(map[string]any{"type": "msedge", "headless": "false", "timeout": "5000", "port": "9333", "retryInterval": "2s"})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "texts", fmt.Sprintln(c.Type, c.Headless, c.Options.Timeouts.Session, c.Port, c.Options.RetryInterval), "edge false 5s 9333 2s\n")
	same(t, "defaults", fmt.Sprintln(plain.Type, plain.Headless, plain.Start, plain.Stop, plain.Scope, plain.Options.Highlight), "chrome true true true scenario 0s\n")

	for _, w := range []struct {
		key   string
		value any
		says  string
	}{
		{"type", "netscape", "type takes one of bidi, chrome, chromedriver, chromium, edge, firefox, geckodriver, msedge, msedgedriver, playwright, safaridriver, webkit, not the text \"netscape\""},
		{"timeout", "soon", `timeout takes milliseconds, from 1 to a day, or a text such as "30s", not the text "soon"`},
		{"timeout", -5, "timeout takes milliseconds"},
		{"timeout", 1e300, "timeout takes milliseconds"},
		{"timeout", true, "not true"},
		{"retryCount", 1.5, "retryCount takes a whole number from 1 to 10000, not 1.5"},
		{"port", 70000, "port takes a whole number from 0 to 65535"},
		{"headless", "yes", `headless takes true or false, not the text "yes"`},
		{"host", 5, "host takes a text, not 5"},
		{"addOptions", "--a", "addOptions takes a list of texts"},
		{"addOptions", []any{1}, "addOptions takes a list of texts, not 1"},
		{"pageLoadStrategy", "never", "pageLoadStrategy takes one of"},
		{"scope", "world", "scope takes one of caller, feature, scenario"},
		{"capabilities", []any{}, "capabilities takes an object, not a list"},
		{"colour", 1, `there is no option "colour"; there are addOptions, attach, capabilities`},
	} {
		_, err := driver.ParseConfig(map[string]any{w.key: w.value})
		fails(t, err, driver.CodeInvalid, "configure driver: ", w.says)
	}
	_, err = driver.ParseConfig(map[string]any{"webSocketUrl": "ws://x", "port": 1})
	fails(t, err, driver.CodeInvalid, "say two things")
}
