package strict

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Path is a place in a text: steps[1].ref.
type Path struct {
	text Text
	at   string // "" is the whole of it
}

// Path is the whole of a text.
func (t Text) Path() Path { return Path{text: t} }

// Field is the place of a name in the object here.
func (p Path) Field(name string) Path {
	if p.at != "" {
		name = p.at + "." + name
	}
	p.at = name
	return p
}

// Item is the place of one of the list here, counted from 0.
func (p Path) Item(i int) Path {
	p.at = fmt.Sprintf("%s[%d]", p.at, i)
	return p
}

// Errorf says what is wrong here.
func (p Path) Errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if p.at == "" {
		return err
	}
	return fmt.Errorf("%s: %w", p.at, err)
}

// Wrong says what is taken here, and that it was something else.
func (p Path) Wrong(want string, got []byte) error {
	at := cmp.Or(p.at, p.text.Name)
	return fmt.Errorf("%s takes %s, not %s", at, want, Brief(got))
}

// Reader reads the value at a place.
type Reader = func(at Path, value json.RawMessage) error

// Object reads the members of an object, in their order, each by the reader of its
// name. A name without one is refused with those that there are; null is as good as
// absent.
func (p Path) Object(raw []byte, names []string, reader func(name string) Reader) error {
	members, ok := Members(raw)
	if !ok {
		return p.Wrong("an object with "+strings.Join(names, ", "), raw)
	}
	for _, m := range members {
		read := reader(m.Name)
		if read == nil {
			what := strings.TrimSpace(p.text.Noun + " " + quote(m.Name))
			return p.Errorf("there is no %s; it takes %s", what, strings.Join(names, ", "))
		}
		if string(m.Value) == "null" {
			continue
		}
		if err := read(p.Field(m.Name), m.Value); err != nil {
			return err
		}
	}
	return nil
}

// List gives what is in a list.
func (p Path) List(raw []byte) (items []json.RawMessage, err error) {
	if json.Unmarshal(raw, &items) != nil {
		return nil, p.Wrong("a list", raw)
	}
	return items, nil
}

// Brief is a value as it is written, short enough to be read.
func Brief(raw []byte) string {
	const most = 80
	s := strings.ToValidUTF8(string(bytes.TrimSpace(raw)), "\uFFFD")
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

func quote(name string) string { return Brief([]byte(strconv.Quote(name))) }
