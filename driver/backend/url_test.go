package backend

import "testing"

func TestWithoutLogin(t *testing.T) {
	for in, want := range map[string]string{
		"https://ann:hunter2@example.com/a?b#c": "https://example.com/a?b#c",
		"data:,ann:x@y":                         "data:,ann:x@y",
		"http://ann:a:b@c@example.com:8080":     "http://example.com:8080",
		"https://ann@example.com/":              "https://example.com/",
		"https://example.com/a:b@c":             "https://example.com/a:b@c",
		"example.com?u=ann:x@y":                 "example.com?u=ann:x@y",
		"about:blank":                           "about:blank",
		"data:text/html,<a>@":                   "data:text/html,<a>@",
		"":                                      "",
	} {
		if got := WithoutLogin(in); got != want {
			t.Errorf("WithoutLogin(%q) = %q, want %q", in, got, want)
		}
	}
}
