package httpx

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// A Cookie is one that is sent, or one that was set.
type Cookie struct {
	Name, Value  string
	Domain, Path string
	Expires      time.Time
	// MaxAge is in seconds; nil where it was not told.
	MaxAge           *int
	Secure, HTTPOnly bool
	SameSite         string
}

// Expired says whether a cookie was set to be taken away.
func (c Cookie) Expired(now time.Time) bool {
	if c.MaxAge != nil {
		return *c.MaxAge <= 0
	}
	return !c.Expires.IsZero() && c.Expires.Before(now)
}

// setCookie adds a cookie or replaces the one of its name.
func setCookie(list []Cookie, c Cookie) []Cookie {
	if i := slices.IndexFunc(list, func(d Cookie) bool { return d.Name == c.Name }); i >= 0 {
		list[i] = c
		return list
	}
	return append(list, c)
}

// Carry are the cookies of the next request: what was there, with those that an
// answer set, and without those that it took away.
func Carry(have, set []Cookie, now time.Time) []Cookie {
	have = slices.Clone(have)
	for _, c := range set {
		if c.Expired(now) {
			have = slices.DeleteFunc(have, func(d Cookie) bool { return d.Name == c.Name })
		} else {
			have = setCookie(have, c)
		}
	}
	return have
}

// cookieHeader writes cookies for the Cookie header. Values go as they are, but
// for what would end them.
func cookieHeader(cookies []Cookie) string {
	var b strings.Builder
	for _, c := range cookies {
		if b.Len() > 0 {
			b.WriteString("; ")
		}
		b.WriteString(cookieSafe.Replace(c.Name))
		b.WriteByte('=')
		b.WriteString(cookieSafe.Replace(c.Value))
	}
	return b.String()
}

var cookieSafe = strings.NewReplacer("\r", "", "\n", "", ";", "%3B")

// readCookies are the cookies that an answer sets.
func readCookies(h http.Header) []Cookie {
	var out []Cookie
	for _, line := range h["Set-Cookie"] {
		c, err := http.ParseSetCookie(line)
		if err != nil {
			// Servers set names and values that the specification does not
			// allow, and browsers take them.
			pair, _, _ := strings.Cut(line, ";")
			name, value, ok := strings.Cut(pair, "=")
			if !ok || strings.TrimSpace(name) == "" {
				continue
			}
			c = &http.Cookie{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)}
		}
		k := Cookie{
			Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Expires: c.Expires,
			Secure: c.Secure, HTTPOnly: c.HttpOnly,
		}
		switch {
		case c.MaxAge > 0:
			k.MaxAge = &c.MaxAge
		case c.MaxAge < 0:
			zero := 0
			k.MaxAge = &zero
		}
		switch c.SameSite {
		case http.SameSiteLaxMode:
			k.SameSite = "Lax"
		case http.SameSiteStrictMode:
			k.SameSite = "Strict"
		case http.SameSiteNoneMode:
			k.SameSite = "None"
		}
		out = setCookie(out, k)
	}
	return out
}
