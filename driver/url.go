package driver

import (
	"net"
	"net/url"
	"strings"
)

// URL completes what a person would type into an address bar: example.com is
// https, localhost:3000 and bare addresses are http, a path stays as it is when
// it has a scheme already.
func URL(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", Invalid("go", "the URL is empty; give one, such as example.com/login")
	}
	if strings.ContainsAny(s, "\n\r\t\x00") {
		return "", Invalid("go", "the URL %q has control characters in it", s)
	}
	if hasScheme(s) {
		u, err := url.Parse(s)
		if err != nil {
			return "", Invalid("go", "%q is not a URL: %v", s, err)
		}
		if (u.Scheme == "http" || u.Scheme == "https") && u.Host == "" {
			return "", Invalid("go", "the URL %q has no host; write it as https://example.com", s)
		}
		return s, nil
	}
	rest := strings.TrimPrefix(s, "//")
	host := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host = rest[:i]
	}
	if host == "" || strings.ContainsAny(host, " ") {
		return "", Invalid("go", "%q is not a URL; write it as https://host/path", s)
	}
	full := "https://" + rest
	if local(host) {
		full = "http://" + rest
	}
	if _, err := url.Parse(full); err != nil {
		return "", Invalid("go", "%q is not a URL: %v", s, err)
	}
	return full, nil
}

// hasScheme tells example.com:80 and localhost:3000 (a host and a port) from
// about:blank and data:text/html (a scheme and the rest).
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
	return port == "" || strings.Trim(port, "0123456789") != ""
}

// local is true for hosts that are hardly ever served over TLS.
func local(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host) != nil
}
