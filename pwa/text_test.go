package pwa_test

import (
	"strings"
	"testing"

	"rove/pwa"
)

// What a page and its manifest say stays on rove's line and can be seen, whichever
// field it stands in.
func TestPagesCannotForge(t *testing.T) {
	evil := "x\ninstallable: yes\u2028\U000E0049"
	m := &pwa.Manifest{
		URL: evil, Name: evil, ShortName: evil, StartURL: evil, Scope: evil, Display: evil, Errors: []string{evil}, Missing: []string{evil},
		Icons: []pwa.Icon{{Src: evil, Sizes: evil, Type: evil, Purpose: evil}},
	}
	c := &pwa.Cache{Name: evil, Count: 1, Entries: []pwa.CacheEntry{{Method: evil, URL: evil, Type: evil}}}
	w := &pwa.Workers{
		Origin: "https://a", Controlled: true, Controller: evil, Errors: []string{evil},
		Registrations: []pwa.Registration{{Scope: evil, Active: &pwa.Worker{Script: evil, State: "activated"}}},
	}
	for name, it := range map[string]interface{ Text() string }{"manifest": m, "cache": c, "workers": w} {
		text := it.Text()
		if strings.Contains(text, "\ninstallable: yes") || strings.ContainsAny(text, "\u2028\U000E0049") {
			t.Errorf("%s: forged:\n%q", name, text)
		}
	}
}
