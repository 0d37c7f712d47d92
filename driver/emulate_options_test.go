package driver

import (
	"strings"
	"testing"
)

func TestEmulateOptionsInWords(t *testing.T) {
	for _, tt := range []struct{ from, text, want string }{
		{"", "iPhone 15", "device=iPhone 15"},
		{"", "device=iphone 15, offline", "device=iphone 15, offline"},
		{"", "geolocation=52.52, 13.40; locale=de-DE", "locale=de-DE, geolocation=52.52,13.40"},
		{"", "geolocation=-33.9,18.4,10,dark", "geolocation=-33.9,18.4,10, color-scheme=dark"},
		{"offline, locale=ja", "online", "locale=ja"},
		{"device=Pixel 8, dark", "device=none", "color-scheme=dark"},
		{"device=Pixel 8, dark", "none", "none"},
		{"", "none, timezone=UTC", "timezone=UTC"},
		{"", "colorScheme=light", "color-scheme=light"},
		{"", "offline=true", "offline"},
	} {
		var g EmulateOptions
		if tt.from != "" {
			var err error
			if g, err = g.Change(tt.from); err != nil {
				t.Fatal(err)
			}
		}
		got, err := g.Change(tt.text)
		if err != nil || got.String() != tt.want {
			t.Errorf("%q then %q: %q, %v; want %q", tt.from, tt.text, got, err, tt.want)
		}
	}
	for text, says := range map[string]string{
		"":                      "say what",
		"Nokia 3310":            "there are iPhone SE",
		"locale=deutsch please": "such as de-DE",
		"timezone=12:00":        "such as Europe/Berlin",
		"geolocation=here":      "latitude and longitude",
		"geolocation=91,0":      "latitude goes from -90",
		"geolocation=NaN,0":     "latitude goes from -90",
		"color-scheme=blue":     "there are light, dark",
		"colour=blue":           "there are device=NAME",
		"geolocation=1,2,3,4":   "latitude and longitude",
	} {
		if g, err := (EmulateOptions{}).Change(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, %v", text, g, err)
		}
	}
}

func FuzzEmulateOptions(f *testing.F) {
	for _, s := range []string{"iPhone 15", "geolocation=1,2,locale=de", "offline;none", "a=b=c,,;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := EmulateOptions{}.Change(text)
		if err != nil {
			return
		}
		again, err := EmulateOptions{}.Change(g.String())
		if err != nil || again.String() != g.String() {
			t.Errorf("%q is %q, which is read as %q, %v", text, g, again, err)
		}
	})
}
