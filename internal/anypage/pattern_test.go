package anypage

import "testing"

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		pattern, url string
		want         bool
	}{
		{"", "http://a/", true},
		{"*", "http://a/", true},
		{"*/api", "http://a/api", true},
		{"*/api", "http://a/api/x", false},
		{"*/api*", "http://a/v1/api?q=1", true},
		{"http://a/?", "http://a/b", true},
		{"http://a/?", "http://a/", false},
		{`*/x\?q=*`, "http://a/x?q=1", true},
		{`*/x\?q=*`, "http://a/xyq=1", false},
		{"*a*b", "xaxbxab", true},
		{"http://a/", "http://a/b", false},
	} {
		if got := Matches(tt.pattern, tt.url); got != tt.want {
			t.Errorf("Matches(%q, %q) = %v", tt.pattern, tt.url, got)
		}
	}
}
