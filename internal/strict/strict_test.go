package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

var (
	letter = Text{Name: "the letter", Noun: "line", Deepest: 3}
	plain  = Text{Name: "the letter", Noun: "line", Deepest: 3, NoNUL: true}
)

func TestCheck(t *testing.T) {
	for raw, want := range map[string]string{
		`{}`:                             "",
		` [1, {"a": [null]}] `:           "",
		`{"a":{"b":1},"c":{"b":1}}`:      "",
		`{"a":"\u0000"}`:                 "",
		`"\ud800"`:                       "",
		``:                               "the letter is empty",
		" \n":                            "the letter is empty",
		"\"\xff\"":                       "the letter is not UTF-8",
		`{"a":`:                          "the letter is not JSON, line 1: it ends too soon",
		"{\n\"a\": tru}":                 "the letter is not JSON, line 2, at tru}",
		`{"a":1,}`:                       "the letter is not JSON, line 1, at ",
		`[1,]`:                           "the letter is not JSON, line 1, at ",
		`{"a" 1}`:                        "the letter is not JSON, line 1, at ",
		`{1:1}`:                          "the letter is not JSON, line 1, at ",
		`{"a":1]`:                        "the letter is not JSON, line 1, at ",
		`{} {}`:                          "the letter has something after its end",
		`1 x`:                            "the letter has something after its end",
		`{"a":1,"a":2}`:                  `the letter has "a" twice in one object`,
		`{"a":1,"\u0061":2}`:             `the letter has "a" twice in one object`,
		`[[{"a":1,"a":2}]]`:              `the letter has "a" twice in one object`,
		`[[[[]]]]`:                       "the letter is nested too deep",
		strings.Repeat(`{"a":`, 100_000): "the letter is nested too deep",
	} {
		err := letter.Check([]byte(raw))
		if got := said(err); want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%.40s: %q, want %q", raw, got, want)
		}
	}
	for _, raw := range []string{`"\u0000"`, `{"a\u0000":1}`, `[{"a":"\u0000"}]`} {
		if got := said(plain.Check([]byte(raw))); got != "the letter has a U+0000 in it" {
			t.Errorf("%s: %q", raw, got)
		}
	}
}

func TestObject(t *testing.T) {
	// read goes into "to" and "in", and takes anything else but a list there.
	var read func(at Path, raw json.RawMessage) error
	var seen []string
	read = func(at Path, raw json.RawMessage) error {
		return at.Object(raw, []string{"to", "in"}, func(name string) Reader {
			switch name {
			case "to":
				return func(at Path, raw json.RawMessage) error {
					seen = append(seen, string(raw))
					if raw[0] != '"' {
						return at.Wrong("a string", raw)
					}
					return nil
				}
			case "in":
				return func(at Path, raw json.RawMessage) error {
					items, err := at.List(raw)
					for i := 0; err == nil && i < len(items); i++ {
						err = read(at.Item(i), items[i])
					}
					return err
				}
			case "hidden":
				return func(at Path, _ json.RawMessage) error { return at.Errorf("it is %w", errHidden) }
			}
			return nil
		})
	}
	for raw, want := range map[string]string{
		`{}`:                             "",
		`{"in":[{"to":"a"}],"to":"b"}`:   "",
		`{"to":null,"in":null}`:          "",
		`[]`:                             "the letter takes an object with to, in, not []",
		`null`:                           "the letter takes an object with to, in, not null",
		`{"too":null}`:                   `there is no line "too"; it takes to, in`,
		`{"to":1}`:                       "to takes a string, not 1",
		`{"in":{}}`:                      "in takes a list, not {}",
		`{"in":[{},1]}`:                  "in[1] takes an object with to, in, not 1",
		`{"in":[{},{"in":[{"at":1}]}]}`:  `in[1].in[0]: there is no line "at"; it takes to, in`,
		`{"in":[{"in":[{"to":[1,2]}]}]}`: "in[0].in[0].to takes a string, not [1,2]",
		`{"hidden":1}`:                   "hidden: it is hidden",
	} {
		if got := said(read(letter.Path(), []byte(raw))); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
	seen = nil
	if err := read(letter.Path(), []byte(`{"in":[{"to":"a"}, {"to":"b"}],"to":"c"}`)); err != nil || strings.Join(seen, "") != `"a""b""c"` {
		t.Errorf("%v, %v", seen, err)
	}
	if err := read(letter.Path(), []byte(`{"hidden":1}`)); !errors.Is(err, errHidden) {
		t.Errorf("the cause is lost: %v", err)
	}
}

var errHidden = errors.New("hidden")

func TestBrief(t *testing.T) {
	for _, tt := range []struct{ raw, want string }{
		{" 1\n", "1"},
		{"\"\xff\"", "\"\uFFFD\""},
		{strings.Repeat("é", 100), strings.Repeat("é", 40) + "…"},
		{"a" + strings.Repeat("é", 100), "a" + strings.Repeat("é", 39) + "…"},
	} {
		if got := Brief([]byte(tt.raw)); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.raw, got, tt.want)
		}
	}
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// FuzzCheck: what passes is JSON for the standard library too, and the members of an
// object are all there; what does not is refused in a line that can be read.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":1,"a":2}`, `{"a":[{"b":"\u0000"}]}`, `[1,]`, `{"a":{"b":{}}} x`, "{\"\xff\":1}", `{"a":tru}`, `{"\ud800":1,"\ud801":2}`, `1e999`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if err := letter.Check(raw); err != nil {
			if !utf8.ValidString(err.Error()) || len(err.Error()) > 400 {
				t.Errorf("%q: %v", raw, err)
			}
			return
		}
		if !json.Valid(raw) {
			t.Fatalf("%q passed", raw)
		}
		members, ok := Members(raw)
		if ok != (bytes.TrimSpace(raw)[0] == '{') {
			t.Fatalf("%q: an object? %v", raw, ok)
		}
		var want map[string]json.RawMessage
		if ok && (json.Unmarshal(raw, &want) != nil || len(want) != len(members)) {
			t.Fatalf("%q: %v, want %v", raw, members, want)
		}
		for _, m := range members {
			if !bytes.Equal(m.Value, want[m.Name]) {
				t.Errorf("%q: %q is %s, want %s", raw, m.Name, m.Value, want[m.Name])
			}
		}
	})
}
