package rove

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestParseCondition(t *testing.T) {
	for text, want := range map[string]condition{
		"e5":                   {kind: "element", what: "e5"},
		"!f2e5":                {kind: "no element", what: "f2e5"},
		"text: a:b ":           {kind: "text", what: "a:b"},
		"gone:x":               {kind: "gone", what: "x"},
		"url:/done":            {kind: "url", what: "/done"},
		"request:/api":         {kind: "request", what: "/api"},
		"download":             {kind: "download"},
		"idle":                 {kind: "idle"},
		"#save":                {kind: "element", what: "#save"},
		"{a}Next":              {kind: "element", what: "{a}Next"},
		"//p":                  {kind: "element", what: "//p"},
		".item":                {kind: "element", what: ".item"},
		"!.item":               {kind: "no element", what: ".item"},
		"!#save":               {kind: "no element", what: "#save"},
		"!//td":                {kind: "no element", what: "//td"},
		".5 < now":             {kind: "script", what: ".5 < now"},
		"!...a":                {kind: "script", what: "!...a"},
		"0":                    {kind: "time"},
		"250":                  {kind: "time", time: 250 * time.Millisecond},
		"99999999999999999999": {kind: "time", time: 24 * time.Hour},
		"9223372036854775807":  {kind: "time", time: 24 * time.Hour},
		"x ? a : b":            {kind: "script", what: "x ? a : b"},
		"!e5x":                 {kind: "script", what: "!e5x"},
	} {
		if got, err := parseCondition(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"": "nothing to wait for", "text:": "after the colon", "url:  ": "after the colon", "-5": "no time", "1.5": "no time", "1e9": "no time"} {
		if _, err := parseCondition(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzCondition(f *testing.F) {
	for _, s := range []string{"", "e5", "!e5", "text:x", "gone:", "url: /a", "request:b", "idle", "500", "-1", "1e3", "{a}b", "!", "0x10", "inf", "99999999999999999999"} {
		f.Add(s)
	}
	kinds := []string{"text", "gone", "url", "request", "download", "idle", "load", "element", "no element", "time", "script"}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseCondition(text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Code != CodeInvalid || utf8.ValidString(text) && !utf8.ValidString(err.Error()) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if !slices.Contains(kinds, c.kind) || c.time < 0 || c.time > 24*time.Hour {
			t.Errorf("%q is %+v", text, c)
		}
		if timed := c.kind == "time"; timed != (text != "" && strings.Trim(text, "0123456789") == "") {
			t.Errorf("%q is %+v", text, c)
		}
		if !strings.Contains(text, c.what) {
			t.Errorf("%q waits for %q", text, c.what)
		}
	})
}
