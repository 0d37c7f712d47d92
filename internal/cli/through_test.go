package cli

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
	} {
		got, err := through(c.backend, c.browser)
		if err != nil {
			got = "!"
		}
		if got != c.want {
			t.Errorf("%s through %s: %s, %v", c.browser, c.backend, got, err)
		}
	}
}
