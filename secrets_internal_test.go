package rove

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzHide: whatever stands around a value, and however it is written, nothing of
// it is left, and the rest of the text is as it was.
func FuzzHide(f *testing.F) {
	f.Add("hunter22", "you typed ", "!")
	f.Add("correct horse battery staple", "a", "b")
	f.Add("pässwörd-ünd-mehr", "x", "y")
	f.Add("aaaa", "aaa", "aaaaaa")
	f.Add("••••", "", "")
	f.Fuzz(func(t *testing.T, value, before, after string) {
		s, err := ParseSecrets("A@*=" + value)
		if err != nil || len(s.list) != 1 || s.list[0].value != value || !utf8.ValidString(value) {
			return
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{value, url.QueryEscape(value), strings.ToUpper(value), string(encoded)} {
			got := s.hide(before + form + after)
			if strings.Contains(got, value) && !strings.Contains(mask, value) {
				t.Errorf("%q is left in %q", value, got)
			}
			if utf8.ValidString(before) && utf8.ValidString(after) && !utf8.ValidString(got) {
				t.Errorf("%q is not UTF-8 any more", got)
			}
		}
		if plain := s.hide("nothing to see"); !strings.Contains("nothing to see", value) && len(value) > 14 && plain != "nothing to see" {
			t.Errorf("a text without it became %q", plain)
		}
	})
}

// TestHideCutOff: the beginning of a value tells enough to be hidden.
func TestHideCutOff(t *testing.T) {
	s, err := ParseSecrets("A@*=correct horse battery staple")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"correct horse batt… more":     mask + "… more",
		"a correct horse battery x":    "a " + mask + "x",
		"correct hor":                  "correct hor",
		"correct%20horse%20battery…":   mask + "…",
		"correct horse battery staple": mask,
	} {
		if got := s.hide(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
