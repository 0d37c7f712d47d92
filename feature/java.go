package feature

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"rove/internal/script"
)

// javaObject is Java in scripts: the few classes that features really use.
type javaObject struct{ root *root }

// javaClasses make them. Files add their own in init.
var javaClasses = map[string]func(*root) any{}

// javaInstead are classes that are not there, and the JavaScript that does the
// same.
var javaInstead = map[string]string{}

func (j *javaObject) Member(name string) (any, bool) {
	switch name {
	case "type":
		return script.Function(j.class), true
	case "to", "from":
		return script.Function(func(_ context.Context, args []script.Value) (any, error) {
			if len(args) == 0 {
				return nil, nil
			}
			return args[0], nil
		}), true
	}
	return nil, false
}

func (j *javaObject) Members() []string { return nil }

func (j *javaObject) class(_ context.Context, args []script.Value) (any, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("a class needs its name: Java.type('java.util.UUID')")
	}
	name := args[0].Text()
	if make, ok := javaClasses[name]; ok {
		return make(j.root), nil
	}
	return nil, noClass(name)
}

// noClass says that a class is not there, and what may be written instead.
func noClass(name string) error {
	if instead, ok := javaInstead[name]; ok {
		return fmt.Errorf("there is no %s here; %s", name, instead)
	}
	var near []string
	short := name[strings.LastIndexByte(name, '.')+1:]
	for known := range javaClasses {
		if strings.HasSuffix(known, "."+short) {
			near = append(near, known)
		}
	}
	sort.Strings(near)
	hint := "features here run without Java: write the same in JavaScript"
	if len(near) > 0 {
		hint = "did you mean " + strings.Join(near, ", ") + "?"
	}
	return fmt.Errorf("there is no class %s of Java here; %s", name, hint)
}

// javaPackage is java, java.util and so on in scripts: new java.util.ArrayList().
type javaPackage struct {
	root *root
	name string
}

func (p *javaPackage) Member(name string) (any, bool) {
	full := p.name + "." + name
	if make, ok := javaClasses[full]; ok {
		return make(p.root), true
	}
	for known := range javaClasses {
		if strings.HasPrefix(known, full+".") {
			return &javaPackage{p.root, full}, true
		}
	}
	if name == "" || name != strings.ToUpper(name[:1])+name[1:] {
		return &javaPackage{p.root, full}, true
	}
	return &script.Class{Name: full, Static: missingClass(full), New: func(context.Context, []script.Value) (any, error) { return nil, noClass(full) }}, true
}

// missingClass stands for a class that is not there: who uses it is told.
type missingClass string

func (c missingClass) Member(string) (any, bool) {
	return script.Function(func(context.Context, []script.Value) (any, error) { return nil, noClass(string(c)) }), true
}

func (c missingClass) Members() []string { return nil }
func (c missingClass) String() string    { return noClass(string(c)).Error() }

func (p *javaPackage) Members() []string { return nil }
func (p *javaPackage) String() string    { return "[JavaPackage " + p.name + "]" }
