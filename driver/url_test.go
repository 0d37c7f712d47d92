package driver

import "testing"

func TestURLCompletesWhatPeopleType(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"https://example.com/a?b#c", "https://example.com/a?b#c"},
		{"example.com", "https://example.com"},
		{" example.com/path ", "https://example.com/path"},
		{"//example.com/x", "https://example.com/x"},
		{"example.com:8443/x", "https://example.com:8443/x"},
		{"localhost:3000", "http://localhost:3000"},
		{"localhost:3000/a?b=1", "http://localhost:3000/a?b=1"},
		{"localhost", "http://localhost"},
		{"app.localhost/x", "http://app.localhost/x"},
		{"127.0.0.1:8080/x", "http://127.0.0.1:8080/x"},
		{"[::1]:8080", "http://[::1]:8080"},
		{"about:blank", "about:blank"},
		{"data:text/html,<p>hi", "data:text/html,<p>hi"},
		{"file:///tmp/x.html", "file:///tmp/x.html"},
		{"http://user@host/", "http://user@host/"},
		{"chrome://version", "chrome://version"},
		{"javascript:alert(1)", "javascript:alert(1)"},
	} {
		got, err := URL(c.in)
		if err != nil || got != c.want {
			t.Errorf("URL(%q) = %q, %v; want %q", c.in, got, err, c.want)
		}
	}
}

func TestURLRefusesWhatIsNone(t *testing.T) {
	for _, in := range []string{"", "   ", "not a url", "http://", "https:///x", "a\nb.com", "?q=1", "http://[::1"} {
		if got, err := URL(in); err == nil {
			t.Errorf("URL(%q) = %q, want an error", in, got)
		} else if CodeOf(err) != CodeInvalid {
			t.Errorf("URL(%q): code %s, want invalid", in, CodeOf(err))
		}
	}
}

func FuzzURL(f *testing.F) {
	for _, s := range []string{"example.com", "http://x:1/", "a:b", "[::1]:2", "//"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := URL(s)
		if err == nil && !hasScheme(got) {
			t.Errorf("URL(%q) = %q has no scheme", s, got)
		}
	})
}
