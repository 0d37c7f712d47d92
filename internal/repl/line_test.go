package repl

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ line, name, input string }{
		{"go example.com/a b", "go", `{"url":"example.com/a b"}`},
		{"look", "look", `{}`},
		{"look e3", "look", `{"ref":"e3"}`},
		{"look f2e3 text", "look", `{"mode":"text","ref":"f2e3"}`},
		{`look find="two words" budget=0`, "look", `{"budget":0,"find":"two words"}`},
		{`look find='/a b/i' viewport`, "look", `{"find":"/a b/i","viewport":true}`},
		{"look since=last screenshot", "look", `{"screenshot":true,"since":"last"}`},
		{"act e3 click", "act", `{"op":"click","ref":"e3"}`},
		{"e3 click", "act", `{"op":"click","ref":"e3"}`},
		{`e3 "Sign in" click`, "act", `{"op":"click","ref":"e3"}`},
		{"e1 input two words", "act", `{"op":"input","ref":"e1","value":"two words"}`},
		{`e1 input "a\nb"`, "act", `{"op":"input","ref":"e1","value":"a\nb"}`},
		{`e1 input "unclosed`, "act", `{"op":"input","ref":"e1","value":"\"unclosed"}`},
		{"#save click", "act", `{"op":"click","ref":"#save"}`},
		{"'#a b' click", "act", `{"op":"click","ref":"#a b"}`},
		{"act '#a b' click", "act", `{"op":"click","ref":"#a b"}`},
		{"//h1 text", "act", `{"op":"text","ref":"//h1"}`},
		{"{button}Save click", "act", `{"op":"click","ref":"{button}Save"}`},
		{"{button}Save and go click", "act", `{"op":"click","ref":"{button}Save and go"}`},
		{"{}Name input x y", "act", `{"op":"input","ref":"{}Name","value":"x y"}`},
		{"_page back", "act", `{"op":"back","ref":"_page"}`},
		{"back", "act", `{"op":"back","ref":"_page"}`},
		{"tab new example.com", "act", `{"op":"tab","ref":"_page","value":"new example.com"}`},
		{"history", "act", `{"op":"history","ref":"_page"}`},
		{"wait text:a b", "wait", `{"for":"text:a b"}`},
		{"eval [1, 2].length", "eval", `{"js":"[1, 2].length"}`},
		{`wait {"for":"idle"}`, "wait", `{"for":"{\"for\":\"idle\"}"}`},
	} {
		name, input, err := parse(tt.line)
		if err != nil || name != tt.name || string(input) != tt.input {
			t.Errorf("%s: %s %s, %v, want %s %s", tt.line, name, input, err, tt.name, tt.input)
		}
	}
	for line, want := range map[string]string{
		"dance":           `no verb "dance"`,
		"dance with me":   `no verb "dance"`,
		"e3":              "what is to be done with e3",
		"look sideways":   `does not know "sideways"`,
		"look budget=big": "takes a number",
		"look find":       "needs a value",
		`look find="a`:    "not closed",
	} {
		if _, _, err := parse(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"look e3", `e1 input "a"`, "'a", "{", "act ", `e1 "`, "look =", "'' click", "{a}b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		line = strings.TrimSpace(line)
		if line == "" {
			return
		}
		name, input, err := parse(line)
		if err == nil && (name == "" || len(input) > 0 && !json.Valid(input) && !strings.Contains(line, "{")) {
			t.Errorf("%q: %q %q", line, name, input)
		}
		var e elements
		e.reset()
		e.learnLine(line)
		e.complete(line)
	})
}
