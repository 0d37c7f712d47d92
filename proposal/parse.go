package proposal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	mostBytes   = 8 << 20
	mostActions = 1000
	deepest     = 64
	mostRetries = 100
	longest     = 24 * time.Hour
)

// Parse reads a proposal from JSON, and says in plain words what is wrong with
// it and where: a name that there is not, one that is given twice, a value of the
// wrong type.
func Parse(text []byte) (*ActionProposal, error) {
	p := new(ActionProposal)
	if err := p.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	if len(p.Actions) == 0 {
		return nil, errors.New("actions: there are none; a proposal needs at least one")
	}
	return p, nil
}

// UnmarshalJSON reads a proposal as Parse does, which may be without actions.
func (p *ActionProposal) UnmarshalJSON(text []byte) error {
	if err := wellFormed(text); err != nil {
		return err
	}
	*p = ActionProposal{}
	return object("", text, []field{
		{"id", into(&p.ID)},
		{"source", into(&p.Source)},
		{"actions", items(&p.Actions, (*Action).read)},
		{"timestamp", func(path string, raw json.RawMessage) error {
			if json.Unmarshal(raw, &p.Timestamp) != nil {
				return wrong(path, `a time such as "2026-01-31T12:00:00Z"`, raw)
			}
			return nil
		}},
		{"context", into(&p.Context)},
	})
}

// UnmarshalJSON reads an action as Parse does.
func (a *Action) UnmarshalJSON(text []byte) error {
	if err := wellFormed(text); err != nil {
		return err
	}
	return a.read("", text)
}

func (a *Action) read(path string, raw json.RawMessage) error {
	*a = Action{Type: ToolCall, FailureBehavior: Abort, MaxRetries: DefaultMaxRetries}
	typed := false
	kind := func(path string, raw json.RawMessage) error {
		if typed {
			return fmt.Errorf("%s: it is the same as type, which is there too", path)
		}
		typed = true
		return word(&a.Type, types)(path, raw)
	}
	return object(path, raw, []field{
		{"id", into(&a.ID)},
		{"type", kind},
		{"tool", into(&a.Tool)},
		{"parameters", into(&a.Parameters)},
		{"preconditions", items(&a.Preconditions, (*Precondition).read)},
		{"expected_effects", into(&a.ExpectedEffects)},
		{"state_dependencies", into(&a.StateDependencies)},
		{"idempotent", into(&a.Idempotent)},
		{"max_retries", number(&a.MaxRetries, mostRetries)},
		{"failure_behavior", word(&a.FailureBehavior, behaviors)},
		{"timeout_ms", number(&a.TimeoutMS, int(longest.Milliseconds()))},
		{"metadata", into(&a.Metadata)},
		{alias, kind},
	})
}

func (c *Precondition) read(path string, raw json.RawMessage) error {
	*c = Precondition{}
	err := object(path, raw, []field{
		{"key", into(&c.Key)},
		{"operator", word(&c.Operator, operators)},
		{"value", into(&c.Value)},
		{"description", into(&c.Description)},
	})
	if err == nil {
		if err = c.check(); err != nil {
			err = fmt.Errorf("%s%w", at(path), err)
		}
	}
	return err
}

var (
	types     = []ActionType{ToolCall, StateWrite, StateRead, Assertion}
	behaviors = []FailureBehavior{Abort, Retry, Skip}
)

// alias is what type is called where that is a word of the language.
const alias = "action_type"

// field is a name in an object and what reads its value.
type field struct {
	name string
	read func(path string, raw json.RawMessage) error
}

// object reads the members of a JSON object; null is as good as absent.
func object(path string, raw []byte, fields []field) error {
	var names []string
	for _, f := range fields {
		if f.name != alias {
			names = append(names, f.name)
		}
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return wrong(path, "an object with "+strings.Join(names, ", "), raw)
	}
	for _, f := range fields { // in this order, so that the same error is found every time
		raw, ok := members[f.name]
		delete(members, f.name)
		if !ok || string(raw) == "null" {
			continue
		}
		if err := f.read(join(path, f.name), raw); err != nil {
			return err
		}
	}
	if left := sorted(members); len(left) > 0 {
		return fmt.Errorf("%sthere is no %s; it takes %s", at(path), brief(left[0]), strings.Join(names, ", "))
	}
	return nil
}

// into reads a value of a plain Go type.
func into[T any](to *T) func(string, json.RawMessage) error {
	return func(path string, raw json.RawMessage) error {
		if json.Unmarshal(raw, to) != nil {
			var want string
			switch any(to).(type) {
			case *string:
				want = "a string"
			case *bool:
				want = "true or false"
			case *[]string:
				want = "a list of strings"
			default:
				want = "an object"
			}
			return wrong(path, want, raw)
		}
		return nil
	}
}

// number reads a whole number from 0 on.
func number(to *int, most int) func(string, json.RawMessage) error {
	return func(path string, raw json.RawMessage) error {
		if json.Unmarshal(raw, to) != nil || *to < 0 || *to > most {
			return wrong(path, fmt.Sprintf("a whole number from 0 to %d", most), raw)
		}
		return nil
	}
}

// word reads one of a few words.
func word[S ~string](to *S, all []S) func(string, json.RawMessage) error {
	return func(path string, raw json.RawMessage) error {
		if json.Unmarshal(raw, to) != nil || !slices.Contains(all, *to) {
			return wrong(path, "one of "+words(all), raw)
		}
		return nil
	}
}

func items[T any](to *[]T, read func(*T, string, json.RawMessage) error) func(string, json.RawMessage) error {
	return func(path string, raw json.RawMessage) error {
		var all []json.RawMessage
		if json.Unmarshal(raw, &all) != nil {
			return wrong(path, "a list", raw)
		}
		if len(all) > mostActions {
			return fmt.Errorf("%s: there are %d, and %d are the most", path, len(all), mostActions)
		}
		*to = make([]T, len(all))
		for i, item := range all {
			if err := read(&(*to)[i], fmt.Sprintf("%s[%d]", path, i), item); err != nil {
				return err
			}
		}
		return nil
	}
}

func wrong(path, want string, raw []byte) error {
	got := strings.ToValidUTF8(string(bytes.TrimSpace(raw)), "\uFFFD")
	const most = 60
	if len(got) > most {
		got = strings.ToValidUTF8(got[:most], "") + "…"
	}
	if path == "" {
		path = "the proposal"
	}
	return fmt.Errorf("%s takes %s, not %s", path, want, got)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func at(path string) string {
	if path == "" {
		return ""
	}
	return path + ": "
}

// wellFormed holds a text to what there is only one way to read: one JSON value
// in UTF-8, no name twice, not too long or deep.
func wellFormed(text []byte) error {
	switch {
	case len(text) > mostBytes:
		return fmt.Errorf("the proposal is longer than %d bytes", mostBytes)
	case len(bytes.TrimSpace(text)) == 0:
		return errors.New("the proposal is empty")
	case !utf8.Valid(text):
		return errors.New("the proposal is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := nested(d, 1); err != nil {
		var told *toldError
		if errors.As(err, &told) {
			return err
		}
		line := 1 + bytes.Count(text[:min(int(d.InputOffset()), len(text))], []byte("\n"))
		return fmt.Errorf("the proposal is not JSON, line %d: %w", line, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is something after the proposal")
	}
	return nil
}

// toldError is a fault that is not one of the JSON itself.
type toldError struct{ error }

func nested(d *json.Decoder, depth int) error {
	tok, err := d.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	open, ok := tok.(json.Delim)
	if !ok {
		return nil
	}
	if depth > deepest {
		return &toldError{errors.New("the proposal is nested too deep")}
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			tok, err := d.Token()
			if err != nil {
				return err
			}
			name, _ := tok.(string)
			if seen[name] {
				return &toldError{fmt.Errorf("the proposal has %s twice in one object", brief(name))}
			}
			seen[name] = true
		}
		if err := nested(d, depth+1); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	return nil
}
