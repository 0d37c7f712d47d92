package pwserver

import "strings"

// Named reads which browser of a Playwright server a name stands for, and where that
// server is: playwright[:WHICH][=ADDRESS], as in playwright, playwright:firefox,
// playwright:/usr/bin/chromium and playwright=ws://localhost:3000/.
func Named(name string) (which, url string, ok bool) {
	rest, ok := strings.CutPrefix(name, "playwright")
	if !ok || rest != "" && rest[0] != ':' && rest[0] != '=' {
		return "", "", false
	}
	which, url, _ = strings.Cut(rest, "=")
	which = strings.TrimPrefix(which, ":")
	if which == "chrome" {
		which = "chromium"
	}
	return which, url, true
}

// Name is the name that Named reads.
func Name(which, url string) string {
	name := "playwright"
	if which != "" {
		name += ":" + which
	}
	if url != "" {
		name += "=" + url
	}
	return name
}
