// Package strict reads JSON that somebody else wrote: only what there is one way to
// read, and with plain words for what is wrong and where.
//
//	var input = strict.Text{Name: "the input", Noun: "parameter", Deepest: 16}
//
//	if err := input.Check(raw); err != nil {
//		return err // the input is not JSON, line 2: …
//	}
//	err := input.Path().Object(raw, []string{"ref", "op"}, func(name string) strict.Reader {
//		…
//	}) // there is no parameter "reff"; it takes ref, op
//
// What values mean, and which are taken, is for those who read them to say.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Text is a kind of text: what it is called, and what it is held to.
type Text struct {
	Name    string // begins the sentence that says what is wrong: "the input"
	Noun    string // what a name in it is, where that is said: "parameter"
	Deepest int    // objects and lists in each other
	NoNUL   bool   // U+0000 is refused, in names and strings
}

// Check holds a text to what there is only one way to read: one JSON value in UTF-8,
// no name twice in an object, nothing after it, not too deep.
func (t Text) Check(text []byte) error {
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return fmt.Errorf("%s is empty", t.Name)
	case !utf8.Valid(text):
		return fmt.Errorf("%s is not UTF-8", t.Name)
	}
	c := checker{t, json.NewDecoder(bytes.NewReader(text))}
	c.d.UseNumber()
	err := c.value(1)
	var told *fault
	switch {
	case errors.As(err, &told):
		return fmt.Errorf("%s %w", t.Name, err)
	case err != nil:
		return fmt.Errorf("%s is not JSON, %s", t.Name, broken(text, int(c.d.InputOffset()), err))
	}
	if _, err := c.d.Token(); err != io.EOF {
		return fmt.Errorf("%s has something after its end", t.Name)
	}
	return nil
}

// broken says where a text is no JSON: read is how much of it is.
func broken(text []byte, read int, err error) string {
	read = min(read, len(text))
	rest := bytes.TrimLeft(text[read:], " \t\r\n,:")
	line := 1 + bytes.Count(text[:len(text)-len(rest)], []byte("\n"))
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || len(rest) == 0 {
		return fmt.Sprintf("line %d: it ends too soon", line)
	}
	const most = 20
	if len(rest) > most {
		rest = append(bytes.Clone(rest[:most]), "…"...)
	}
	return fmt.Sprintf("line %d, at %s", line, Brief(rest))
}

// fault is something wrong that is not so with the JSON itself.
type fault struct{ words string }

func (f *fault) Error() string { return f.words }

type checker struct {
	Text
	d *json.Decoder
}

func (c checker) value(depth int) error {
	tok, err := c.d.Token()
	if err != nil {
		return err
	}
	open, ok := tok.(json.Delim)
	if !ok {
		return c.nul(tok)
	}
	if depth > c.Deepest {
		return &fault{"is nested too deep"}
	}
	seen := map[string]bool{}
	for c.d.More() {
		if open == '{' {
			tok, err := c.d.Token()
			if err == nil {
				err = c.nul(tok)
			}
			if err != nil {
				return err
			}
			name, _ := tok.(string)
			if seen[name] {
				return &fault{"has " + quote(name) + " twice in one object"}
			}
			seen[name] = true
		}
		if err := c.value(depth + 1); err != nil {
			return err
		}
	}
	_, err = c.d.Token()
	return err
}

func (c checker) nul(tok json.Token) error {
	if s, ok := tok.(string); ok && c.NoNUL && strings.ContainsRune(s, 0) {
		return &fault{"has a U+0000 in it"}
	}
	return nil
}

// Member is a name in an object and its value.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Members are those of an object in a text that was checked, in order; false if it is
// none.
func Members(object []byte) ([]Member, bool) {
	d := json.NewDecoder(bytes.NewReader(object))
	if tok, err := d.Token(); err != nil || tok != json.Delim('{') {
		return nil, false
	}
	var list []Member
	for d.More() {
		tok, err := d.Token()
		name, ok := tok.(string)
		m := Member{Name: name}
		if err != nil || !ok || d.Decode(&m.Value) != nil {
			return nil, false
		}
		list = append(list, m)
	}
	return list, true
}
