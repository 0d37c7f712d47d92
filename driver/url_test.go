package driver

import (
	"strings"
	"testing"
)

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
		{"ftp://host/x", "ftp://host/x"},
		{"app://-/index.html", "app://-/index.html"},
		{"HTTP://host/x", "HTTP://host/x"},
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

func TestURLNamesTheSchemeThatWasMeant(t *testing.T) {
	for _, c := range []struct{ in, meant string }{
		{"htp://x", "http://x"},
		{"htpp://x/y", "http://x/y"},
		{"hptt://x", ""}, // further off: who knows
		{"htpt://x", "http://x"},
		{"htps://user:word@x", "https://x"},
		{"httpss://x", "https://x"},
		{"fiel:///tmp/x.html", "file:///tmp/x.html"},
		{"abuot:blank", "about:blank"},
	} {
		_, err := URL(c.in)
		if c.meant == "" {
			if err != nil {
				t.Errorf("URL(%q): %v", c.in, err)
			}
			continue
		}
		if want := "did you mean " + c.meant + "?"; err == nil || CodeOf(err) != CodeInvalid || !strings.Contains(err.Error(), "no scheme") || !strings.Contains(err.Error(), want) {
			t.Errorf("URL(%q): %v; want %q", c.in, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "word") {
			t.Errorf("URL(%q) tells the login: %v", c.in, err)
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
