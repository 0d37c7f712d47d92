package proposal

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"rove/internal/strict"
)

const (
	mostBytes   = 8 << 20
	mostActions = 1000
	mostRetries = 100
	longest     = 24 * time.Hour
)

// text is what a proposal is held to.
var text = strict.Text{Name: "the proposal", Deepest: 64}

// Parse reads a proposal from JSON, and says in plain words what is wrong with
// it and where: a name that there is not, one that is given twice, a value of the
// wrong type.
func Parse(raw []byte) (*ActionProposal, error) {
	p := new(ActionProposal)
	if err := p.UnmarshalJSON(raw); err != nil {
		return nil, err
	}
	if len(p.Actions) == 0 {
		return nil, errors.New("actions: there are none; a proposal needs at least one")
	}
	return p, nil
}

// UnmarshalJSON reads a proposal as Parse does, which may be without actions.
func (p *ActionProposal) UnmarshalJSON(raw []byte) error {
	if err := checked(raw); err != nil {
		return err
	}
	*p = ActionProposal{}
	return object(text.Path(), raw, []field{
		{"id", into(&p.ID)},
		{"source", into(&p.Source)},
		{"actions", items(&p.Actions, (*Action).read)},
		{"timestamp", func(at strict.Path, raw json.RawMessage) error {
			if json.Unmarshal(raw, &p.Timestamp) != nil {
				return at.Wrong(`a time such as "2026-01-31T12:00:00Z"`, raw)
			}
			return nil
		}},
		{"context", into(&p.Context)},
	})
}

// UnmarshalJSON reads an action as Parse does.
func (a *Action) UnmarshalJSON(raw []byte) error {
	if err := checked(raw); err != nil {
		return err
	}
	return a.read(text.Path(), raw)
}

func (a *Action) read(at strict.Path, raw json.RawMessage) error {
	*a = Action{Type: ToolCall, FailureBehavior: Abort, MaxRetries: DefaultMaxRetries}
	typed := "" // by this name
	kind := func(name string) strict.Reader {
		return func(at strict.Path, raw json.RawMessage) error {
			if typed != "" {
				return at.Errorf("it is the same as %s, which is there too", typed)
			}
			typed = name
			return word(&a.Type, types)(at, raw)
		}
	}
	return object(at, raw, []field{
		{"id", into(&a.ID)},
		{"type", kind("type")},
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
		{alias, kind(alias)},
	})
}

func (c *Precondition) read(at strict.Path, raw json.RawMessage) error {
	*c = Precondition{}
	err := object(at, raw, []field{
		{"key", into(&c.Key)},
		{"operator", word(&c.Operator, operators)},
		{"value", into(&c.Value)},
		{"description", into(&c.Description)},
	})
	if err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return at.Errorf("%w", err)
	}
	return nil
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
	read strict.Reader
}

// object reads the members of a JSON object.
func object(at strict.Path, raw []byte, fields []field) error {
	var names []string
	for _, f := range fields {
		if f.name != alias {
			names = append(names, f.name)
		}
	}
	return at.Object(raw, names, func(name string) strict.Reader {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		if i < 0 {
			return nil
		}
		return fields[i].read
	})
}

// into reads a value of a plain Go type.
func into[T any](to *T) strict.Reader {
	return func(at strict.Path, raw json.RawMessage) error {
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
			return at.Wrong(want, raw)
		}
		return nil
	}
}

// number reads a whole number from 0 on.
func number(to *int, most int) strict.Reader {
	return func(at strict.Path, raw json.RawMessage) error {
		if json.Unmarshal(raw, to) != nil || *to < 0 || *to > most {
			return at.Wrong(fmt.Sprintf("a whole number from 0 to %d", most), raw)
		}
		return nil
	}
}

// word reads one of a few words.
func word[S ~string](to *S, all []S) strict.Reader {
	return func(at strict.Path, raw json.RawMessage) error {
		if json.Unmarshal(raw, to) != nil || !slices.Contains(all, *to) {
			return at.Wrong("one of "+words(all), raw)
		}
		return nil
	}
}

func items[T any](to *[]T, read func(*T, strict.Path, json.RawMessage) error) strict.Reader {
	return func(at strict.Path, raw json.RawMessage) error {
		all, err := at.List(raw)
		if err != nil {
			return err
		}
		if len(all) > mostActions {
			return at.Errorf("there are %d, and %d are the most", len(all), mostActions)
		}
		*to = make([]T, len(all))
		for i, item := range all {
			if err := read(&(*to)[i], at.Item(i), item); err != nil {
				return err
			}
		}
		return nil
	}
}

// checked holds a text to its length, and to what there is only one way to read.
func checked(raw []byte) error {
	if len(raw) > mostBytes {
		return fmt.Errorf("%s is longer than %d bytes", text.Name, mostBytes)
	}
	return text.Check(raw)
}
