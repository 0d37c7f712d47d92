package feature

import (
	"encoding/json"
	"testing"

	"rove/driver"
)

// TestBrowserOfTheCommandLine: it counts more than what a feature says, and what the feature
// says of another browser goes.
func TestBrowserOfTheCommandLine(t *testing.T) {
	const here = `{"type":"chrome","executable":"/x/chrome","timeout":5}`
	for _, c := range []struct{ feature, browser, want string }{
		{here, "", here},
		{here, "chrome", here},
		{here, "edge", `{"type":"edge","timeout":5}`},
		{here, "shell", here},
		{here, "firefox", `{"type":"firefox","timeout":5}`},
		{here, "/opt/firefox/firefox", `{"type":"firefox","executable":"/opt/firefox/firefox","timeout":5}`},
		{here, "/y/chromium", `{"type":"chrome","executable":"/y/chromium","timeout":5}`},
		{here, "safari", `{"type":"safaridriver","timeout":5}`},
		{here, "webkit", `{"type":"webkit","timeout":5}`},
		{here, "/y/chromedriver", `{"type":"chromedriver","executable":"/y/chromedriver","timeout":5}`},
		{`{"type":"chromedriver","capabilities":{"a":1}}`, "chromedriver", `{"type":"chromedriver","capabilities":{"a":1}}`},
		{`{"type":"chromedriver","capabilities":{"a":1}}`, "firefox", `{"type":"firefox"}`},
		{`{"type":"playwright","playwrightUrl":"ws://a/"}`, "playwright:webkit=ws://b/", `{"type":"playwright","playwrightUrl":"ws://b/","playwrightOptions":{"browserType":"webkit"}}`},
		{`{"type":"playwright","playwrightUrl":"ws://a/"}`, "chrome", `{"type":"chrome"}`},
		{here, "playwright:/y/chromium", `{"type":"playwright","executable":"/y/chromium","timeout":5}`},
	} {
		var is, want map[string]any
		if json.Unmarshal([]byte(c.feature), &is) != nil || json.Unmarshal([]byte(c.want), &want) != nil {
			t.Fatal(c)
		}
		chooseBrowser(is, c.browser)
		got, _ := json.Marshal(is)
		wanted, _ := json.Marshal(want)
		if string(got) != string(wanted) {
			t.Errorf("%s with --browser %s: %s, want %s", c.feature, c.browser, got, wanted)
		}
		if _, err := driver.ParseConfig(is); err != nil {
			t.Errorf("%s with --browser %s: %v", c.feature, c.browser, err)
		}
	}
}

// TestNoSuchBackend: what cannot be is said before anything runs.
func TestNoSuchBackend(t *testing.T) {
	for _, o := range []Options{{Backend: "pigeon"}, {Backend: "cdp", Browser: "firefox"}, {Backend: "bidi", Browser: "safari"}} {
		o.Dir, o.Output = "testdata/ui", "-"
		if _, err := Run(t.Context(), o); err == nil {
			t.Errorf("%s through %s ran", o.Browser, o.Backend)
		}
	}
}
