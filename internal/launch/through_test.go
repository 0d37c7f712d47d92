package launch

import "testing"

// Which browser a backend is for.
func TestThrough(t *testing.T) {
	for _, c := range []struct{ backend, browser, want string }{
		{"", "firefox", "firefox"},
		{"playwright", "", "playwright"},
		{"playwright", "firefox", "playwright:firefox"},
		{"playwright", "chrome", "playwright:chromium"},
		{"playwright", "/x/chrome", "playwright:/x/chrome"},
		{"playwright", "playwright=ws://x/", "playwright=ws://x/"},
		{"cdp", "chrome", "chrome"},
		{"bidi", "", "firefox"},
		{"cdp", "firefox", "!"},
		{"bidi", "chrome", "chromedriver"},
		{"bidi", "shell", "!"},
		{"pigeon", "", "!"},
		{"cdp", "playwright", "!"},
		{"cdp", "chromedriver", "!"},
		{"cdp", "/opt/firefox/firefox", "!"},
		{"cdp", "/usr/bin/chromium", "/usr/bin/chromium"},
		{"bidi", "/opt/firefox/firefox", "/opt/firefox/firefox"},
		{"bidi", "/usr/bin/chromium", "!"},
		{"bidi", "edge", "msedgedriver"},
		{"bidi", "safari", "!"},
		{"bidi", "webkit", "!"},
		{"bidi", "/opt/chromedriver", "/opt/chromedriver"},
		{"webdriver", "", "chromedriver"},
		{"webdriver", "chromium", "chromedriver"},
		{"webdriver", "firefox", "geckodriver"},
		{"webdriver", "safari", "safaridriver"},
		{"webdriver", "webkit", "webkit"},
		{"webdriver", "playwright", "!"},
		{"webdriver", "/usr/bin/chromium", "!"},
		{"playwright", "webkit", "playwright:webkit"},
		{"playwright", "chromedriver", "!"},
	} {
		got, err := Through(c.backend, c.browser)
		if err != nil {
			got = "!"
		}
		if got != c.want {
			t.Errorf("%s through %s: %s, %v", c.browser, c.backend, got, err)
		}
	}
}
