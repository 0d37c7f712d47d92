package feature

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rove/internal/data"
	"rove/internal/gherkin"
	"rove/internal/script"
)

// tag is a name and, behind an equals sign, values: @env=dev,qa.
type tag struct {
	text   string
	name   string
	values []string
}

// tagSet are the tags that a scenario has, with its feature's.
type tagSet []tag

func newTag(text string) tag {
	text = strings.TrimPrefix(strings.TrimSpace(text), "@")
	name, values, ok := strings.Cut(text, "=")
	t := tag{text: text, name: name}
	if ok {
		t.values = strings.Split(values, ",")
	}
	return t
}

func tagsOf(groups ...[]gherkin.Tag) tagSet {
	var all tagSet
	for _, g := range groups {
		for _, t := range g {
			if n := newTag(t.Text); !slices.ContainsFunc(all, func(have tag) bool { return have.text == n.text }) {
				all = append(all, n)
			}
		}
	}
	return all
}

// names are the tags as they are written, without @.
func (t tagSet) texts() []string {
	var all []string
	for _, one := range t {
		all = append(all, one.text)
	}
	return all
}

// has says whether there is a tag of that text or name.
func (t tagSet) has(text string) bool {
	return slices.ContainsFunc(t, func(one tag) bool { return one.text == text || one.name == text })
}

// contains says whether a tag is there as it is written.
func (t tagSet) contains(text string) bool {
	text = strings.TrimPrefix(text, "@")
	return slices.ContainsFunc(t, func(one tag) bool { return one.text == text })
}

// values are those of all tags of a name.
func (t tagSet) values(name string) []string {
	var all []string
	for _, one := range t {
		if one.name == name {
			all = append(all, one.values...)
		}
	}
	return all
}

// runsIn says whether @env and @envnot allow an environment.
func (t tagSet) runsIn(env string) bool {
	if slices.ContainsFunc(t, func(one tag) bool { return one.name == "env" && one.values != nil }) && !slices.Contains(t.values("env"), env) {
		return false
	}
	return !slices.Contains(t.values("envnot"), env) || env == ""
}

// selector decides by tags. It is made of what was given with --tags, all of
// which must hold.
type selector struct {
	parts []func(tagSet) (bool, error)
	texts []string
}

func newSelector(given []string, cache *script.Cache) (*selector, error) {
	sel := &selector{}
	for _, text := range given {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		sel.texts = append(sel.texts, text)
		if strings.HasPrefix(text, "@") || strings.HasPrefix(text, "~") {
			sel.parts = append(sel.parts, plainSelector(text))
			continue
		}
		if !strings.ContainsRune(text, '(') {
			return nil, fmt.Errorf("wrong tags %q: tags begin with @, or ~@ to leave them out; expressions are made of anyOf, allOf, not and valuesFor", text)
		}
		part, err := expressionSelector(text, cache)
		if err != nil {
			return nil, err
		}
		sel.parts = append(sel.parts, part)
	}
	return sel, nil
}

// plainSelector is a list of tags, one of which must be there; ~ before one says
// that it must not.
func plainSelector(text string) func(tagSet) (bool, error) {
	var any, none []string
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if rest, ok := strings.CutPrefix(part, "~"); ok {
			none = append(none, rest)
		} else if part != "" {
			any = append(any, part)
		}
	}
	return func(t tagSet) (bool, error) {
		if slices.ContainsFunc(none, t.contains) {
			return false, nil
		}
		return len(any) == 0 || slices.ContainsFunc(any, t.contains), nil
	}
}

// expressionSelector is JavaScript: anyOf('@a', '@b') && not('@c').
func expressionSelector(text string, cache *script.Cache) (func(tagSet) (bool, error), error) {
	p, err := cache.Compile(script.Place{Name: "tags"}, text)
	if err != nil {
		return nil, fmt.Errorf("wrong tags %q: %w", text, err)
	}
	run := func(t tagSet) (bool, error) {
		rt := script.New(script.Options{})
		rt.Lock()
		defer rt.Unlock()
		scope := rt.NewScope(func(name string, _ bool) (any, bool) {
			f, ok := selectorFunctions(t)[name]
			return f, ok
		})
		v, err := rt.Run(context.Background(), scope, p)
		if err != nil {
			return false, fmt.Errorf("wrong tags %q: %w", text, err)
		}
		return v.Truthy(), nil
	}
	if _, err := run(nil); err != nil {
		return nil, err
	}
	return run, nil
}

func selectorFunctions(t tagSet) map[string]script.Function {
	strs := func(args []script.Value) []string {
		var all []string
		for _, a := range args {
			if list, ok := a.Export().([]any); ok {
				for _, e := range list {
					all = append(all, data.Text(e))
				}
				continue
			}
			all = append(all, a.Text())
		}
		return all
	}
	anyOf := func(_ context.Context, args []script.Value) (any, error) {
		return slices.ContainsFunc(strs(args), t.contains), nil
	}
	return map[string]script.Function{
		"anyOf": anyOf,
		"allOf": func(_ context.Context, args []script.Value) (any, error) {
			return !slices.ContainsFunc(strs(args), func(s string) bool { return !t.contains(s) }), nil
		},
		"not": func(_ context.Context, args []script.Value) (any, error) {
			return !slices.ContainsFunc(strs(args), t.contains), nil
		},
		"valuesFor": func(_ context.Context, args []script.Value) (any, error) {
			name := ""
			if len(args) > 0 {
				name = strings.TrimPrefix(args[0].Text(), "@")
			}
			have := slices.ContainsFunc(t, func(one tag) bool { return one.name == name })
			return &tagValues{t.values(name), have, strs}, nil
		},
	}
}

// tagValues is valuesFor('@name').
type tagValues struct {
	values  []string
	present bool
	strs    func([]script.Value) []string
}

func (v *tagValues) Member(name string) (any, bool) {
	if name == "isPresent" {
		return v.present, true
	}
	in := func(s string) bool { return slices.Contains(v.values, s) }
	out := func(s string) bool { return !in(s) }
	tests := map[string]func(given []string) bool{
		"isAnyOf":  func(given []string) bool { return slices.ContainsFunc(given, in) },
		"isAllOf":  func(given []string) bool { return !slices.ContainsFunc(given, out) },
		"isOnly":   func(given []string) bool { return len(given) == len(v.values) && !slices.ContainsFunc(given, out) },
		"isEach":   nil,
		"isNotAny": nil,
	}
	if name == "isEach" {
		return script.Function(func(ctx context.Context, args []script.Value) (any, error) {
			for _, one := range v.values {
				if len(args) == 0 || args[0].Func() == nil {
					return false, nil
				}
				ok, err := args[0].Func().Do(ctx, one)
				if err != nil || !ok.Truthy() {
					return false, err
				}
			}
			return true, nil
		}), true
	}
	test := tests[name]
	if test == nil {
		return nil, false
	}
	return script.Function(func(_ context.Context, args []script.Value) (any, error) { return test(v.strs(args)), nil }), true
}

func (v *tagValues) Members() []string { return nil }

// selects says whether the tags allow a scenario of the suite to run.
func (sel *selector) selects(t tagSet, env string) (bool, error) {
	if t.has("ignore") || t.has("setup") || !t.runsIn(env) {
		return false, nil
	}
	for _, part := range sel.parts {
		ok, err := part(t)
		if err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}
