package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"rove/internal/strict"
)

// Text is a string that a model may as well write as a number or a boolean,
// such as the value of a number field.
type Text string

// Milliseconds is a time: a number of milliseconds, or a text such as "5s".
type Milliseconds time.Duration

var (
	textType   = reflect.TypeFor[Text]()
	millisType = reflect.TypeFor[Milliseconds]()
)

// schema derives the JSON schema of an input struct, in as few words as it can
// be said: models pay for every one of them in every conversation.
func schema[In any]() *jsonschema.Schema {
	t := reflect.TypeFor[In]()
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		millisType: {Type: "integer"},
	}})
	if err != nil {
		panic(fmt.Sprintf("tool: input %v: %v", t, err)) // a mistake in the table, found by any test
	}
	trim(s, t)
	return s
}

// trim adds the words that fields take, and drops what costs without telling a
// model anything: that no other names are allowed (decode says so when it
// happens) and that a list may be null.
func trim(s *jsonschema.Schema, t reflect.Type) {
	s.AdditionalProperties = nil
	for _, f := range fields(t) {
		p := s.Properties[f.name]
		p.Type, p.Types = kindOf(f.typ), nil
		in := p
		if f.typ.Kind() == reflect.Slice && p.Items != nil { // each of them is one of the words
			in = p.Items
		}
		for _, w := range f.enum {
			in.Enum = append(in.Enum, w)
		}
		if f.typ.Kind() == reflect.Slice && f.typ.Elem().Kind() == reflect.Struct {
			trim(p.Items, f.typ.Elem())
		}
	}
}

// parameters lists what an input struct takes, for people.
func parameters[In any]() []Parameter {
	var list []Parameter
	for _, f := range fields(reflect.TypeFor[In]()) {
		list = append(list, Parameter{f.name, kindOf(f.typ), f.about, f.enum, f.required})
	}
	return list
}

// field is a parameter in its struct.
type field struct {
	name     string
	also     string // another name that it is known by, which costs a model nothing
	about    string
	index    []int
	typ      reflect.Type // without the pointer that tells absent from zero
	enum     []string
	required bool
}

// fields lists the parameters of an input struct, in order.
func fields(t reflect.Type) []field {
	var list []field
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous || !f.IsExported() {
			continue
		}
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := field{name: name, also: f.Tag.Get("also"), about: f.Tag.Get("about"), index: f.Index, typ: f.Type, required: !strings.Contains(opts, "omit")}
		if p.typ.Kind() == reflect.Pointer {
			p.typ = p.typ.Elem()
		}
		if words := f.Tag.Get("enum"); words != "" {
			p.enum = strings.Split(words, ",")
		}
		list = append(list, p)
	}
	return list
}

// kindOf is the schema's name of a type.
func kindOf(t reflect.Type) string {
	switch {
	case t == millisType:
		return "integer"
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() == reflect.Int:
		return "integer"
	case t.Kind() == reflect.Float64:
		return "number"
	case t.Kind() == reflect.Slice:
		return "array"
	}
	return "string"
}

// inputText is what a tool's input is held to. None nests nearly as deep.
var inputText = strict.Text{Name: "the input", Noun: "parameter", Deepest: 16}

// decode reads a JSON object into an input struct and says in plain words what
// is wrong with it: a name that there is not, one that is missing or given
// twice, a value of the wrong type.
func decode(tool string, raw []byte, into any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = []byte("{}")
	}
	v := reflect.ValueOf(into).Elem()
	if err := inputText.Check(raw); err != nil {
		return invalid(tool, "%v; it takes an object with %s", err, strings.Join(names(fields(v.Type())), ", "))
	}
	if err := object(inputText.Path(), raw, v); err != nil {
		return invalid(tool, "%v", err)
	}
	return nil
}

func object(at strict.Path, raw []byte, into reflect.Value) error {
	all := fields(into.Type())
	given := map[string]bool{}
	err := at.Object(raw, names(all), func(name string) strict.Reader {
		i := slices.IndexFunc(all, func(f field) bool { return f.name == name || f.also == name })
		if i < 0 {
			return nil
		}
		return func(at strict.Path, raw json.RawMessage) error {
			if given[all[i].name] {
				return at.Errorf("it is the same as %s: give one of them", all[i].name)
			}
			given[all[i].name] = true
			v := into.FieldByIndex(all[i].index)
			if v.Kind() == reflect.Pointer {
				v.Set(reflect.New(all[i].typ))
				v = v.Elem()
			}
			return value(at, &all[i], raw, v)
		}
	})
	if err != nil {
		return err
	}
	for _, f := range all {
		v := into.FieldByIndex(f.index)
		if f.required && (!given[f.name] || v.Kind() == reflect.String && v.IsZero()) {
			return at.Errorf("%s is missing; it takes %s", f.name, strings.Join(names(all), ", "))
		}
	}
	return nil
}

// value reads one value into v, which is settable.
func value(at strict.Path, f *field, raw json.RawMessage, v reflect.Value) error {
	wrong := func(want string) error { return at.Wrong(want, raw) }
	switch {
	case f.typ == millisType:
		d, ok := duration(raw)
		if !ok {
			return wrong(`a number of milliseconds, or a time such as "5s"`)
		}
		v.SetInt(int64(d))
	case f.typ == textType:
		s, ok := text(raw)
		if !ok {
			return wrong("a string")
		}
		v.SetString(s)
	case f.typ.Kind() == reflect.Slice && f.typ.Elem().Kind() == reflect.String:
		if json.Unmarshal(raw, v.Addr().Interface()) != nil {
			return wrong("a list of strings")
		}
	case f.typ.Kind() == reflect.Slice:
		items, err := at.List(raw)
		if err != nil {
			return err
		}
		list := reflect.MakeSlice(f.typ, len(items), len(items))
		for i, item := range items {
			if err := object(at.Item(i), item, list.Index(i)); err != nil {
				return err
			}
		}
		v.Set(list)
	case f.typ.Kind() == reflect.Int:
		n, ok := whole(raw)
		if !ok {
			return wrong("a whole number")
		}
		v.SetInt(n)
	case json.Unmarshal(raw, v.Addr().Interface()) != nil:
		return wrong(map[string]string{"string": "a string", "boolean": "true or false", "number": "a number"}[kindOf(f.typ)])
	}
	// What a list takes its tool says: some words have more than one spelling.
	if len(f.enum) > 0 && v.Kind() == reflect.String && !slices.Contains(f.enum, v.String()) {
		return wrong("one of " + strings.Join(f.enum, ", "))
	}
	return nil
}

// text reads a scalar as the text it is written as.
func text(raw json.RawMessage) (string, bool) {
	switch raw[0] {
	case '"':
		var s string
		return s, json.Unmarshal(raw, &s) == nil
	case '{', '[':
		return "", false
	}
	return string(raw), true
}

// whole reads a whole number, which some clients write as 800.0.
func whole(raw json.RawMessage) (int64, bool) {
	var n float64
	if raw[0] == '"' || json.Unmarshal(raw, &n) != nil || n != math.Trunc(n) || math.Abs(n) > 1<<53 {
		return 0, false
	}
	return int64(n), true
}

// longest is more than any wait is for; it keeps numbers from overflowing.
const longest = 24 * time.Hour

func duration(raw json.RawMessage) (time.Duration, bool) {
	s, ok := text(raw)
	if !ok {
		return 0, false
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		ms, err := strconv.ParseFloat(s, 64)
		if err != nil || !(ms >= 0 && ms <= float64(longest.Milliseconds())) {
			return 0, false
		}
		d = time.Duration(ms * float64(time.Millisecond))
	}
	return d, d >= 0 && d <= longest
}

func names(all []field) []string {
	list := make([]string, len(all))
	for i, f := range all {
		list[i] = f.name
	}
	return list
}
