package driver

import (
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"

	"rove/internal/outlet"
	"rove/internal/spell"
)

// URL completes what a person would type into an address bar: example.com is
// https, localhost:3000 and bare addresses are http, a path stays as it is when
// it has a scheme already.
func URL(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", Invalid("go", "the URL is empty; give one, such as example.com/login")
	}
	told := withoutLogin(s)
	if strings.ContainsAny(s, "\n\r\t\x00") {
		return "", Invalid("go", "the URL %q has control characters in it", told)
	}
	if hasScheme(s) {
		u, err := url.Parse(s)
		if err != nil {
			return "", Invalid("go", "%q is not a URL: %v", told, reasonOf(err))
		}
		if meant := nearScheme(u.Scheme); meant != "" {
			e := Invalid("go", "there is no scheme %q", u.Scheme)
			e.Hint = "did you mean " + meant + told[len(u.Scheme):] + "?"
			return "", e
		}
		if (u.Scheme == "http" || u.Scheme == "https") && u.Host == "" {
			return "", Invalid("go", "the URL %q has no host; write it as https://example.com", told)
		}
		return s, nil
	}
	rest := strings.TrimPrefix(s, "//")
	host := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host = rest[:i]
	}
	if host == "" || strings.ContainsAny(host, " ") {
		return "", Invalid("go", "%q is not a URL; write it as https://host/path", told)
	}
	full := "https://" + rest
	if local(host[strings.LastIndexByte(host, '@')+1:]) {
		full = "http://" + rest
	}
	if _, err := url.Parse(full); err != nil {
		return "", Invalid("go", "%q is not a URL: %v", told, reasonOf(err))
	}
	return full, nil
}

// withoutLogin is an address as it may be told, with a scheme or without.
func withoutLogin(address string) string {
	told, _ := outlet.Login(address)
	return told
}

// reasonOf is what is wrong with an address, without the address.
func reasonOf(err error) error {
	if wrong, ok := errors.AsType[*url.Error](err); ok {
		return wrong.Err
	}
	return err
}

// hasScheme tells example.com:80 and localhost:3000 (a host and a port) and
// name:password@host from about:blank and data:text/html (a scheme and the rest).
func hasScheme(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || scheme == "" {
		return false
	}
	for i, c := range scheme {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.')) {
			return false
		}
	}
	if strings.HasPrefix(rest, "//") {
		return true
	}
	port := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		port = rest[:i]
	}
	if strings.Contains(port, "@") && !takesAt[strings.ToLower(scheme)] {
		return false
	}
	return port == "" || strings.Trim(port, "0123456789") != ""
}

// takesAt are the schemes without slashes whose addresses may have an @ in them; what
// else stands before a colon and an @ is a name.
var takesAt = map[string]bool{
	"about": true, "acct": true, "blob": true, "chrome": true, "data": true, "filesystem": true, "http": true, "https": true, "im": true, "javascript": true,
	"mailto": true, "news": true, "sip": true, "sips": true, "sms": true, "tel": true, "urn": true, "view-source": true, "xmpp": true,
}

// nearScheme is the scheme that a misspelt one was meant to be: with a letter too many, too
// few or wrong, or two that changed places. It is "" for one that there is, and for one that is not
// near any: an application may have its own.
func nearScheme(s string) string {
	schemes := []string{"http", "https", "file", "about", "data", "view-source"}
	if slices.Contains(schemes, s) {
		return ""
	}
	for _, known := range schemes {
		if spell.Distance(s, known, 2) < 2 || swapped(s, known) {
			return known
		}
	}
	return ""
}

// swapped says that a word is another with two letters beside each other in the wrong order.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// local is true for hosts that are hardly ever served over TLS.
func local(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host) != nil
}
