package driver

import "testing"

func TestCookiePaths(t *testing.T) {
	for _, tt := range []struct {
		path, cookie string
		want         bool
	}{
		{"/foo", "/foo", true},
		{"/foo/", "/foo", true},
		{"/foo/bar", "/foo", true},
		{"/foobar", "/foo", false},
		{"/foobar/", "/foo", false},
		{"/fo", "/foo", false},
		{"/foo", "/foo/", false},
		{"/foo/bar", "/foo/", true},
		{"/foo/", "/foo/", true},
		{"", "/", true},
		{"/", "/", true},
		{"/any/where", "/", true},
	} {
		page := "https://example.com" + tt.path
		if got := sent(Cookie{Domain: "example.com", Path: tt.cookie}, page); got != tt.want {
			t.Errorf("a cookie of %s goes with %s: %v", tt.cookie, tt.path, got)
		}
	}
}
