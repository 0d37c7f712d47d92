package rove

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"rove/driver"
	"rove/driver/advice"
)

// assertions are what can be checked of an element or the page.
const assertions = "text, value, name, role, count, url, title, or a state: checked, disabled, enabled, visible, hidden, focused, expanded, collapsed, selected, pressed"

// check compares a property of an element, or of the page, with what is
// expected. Text, address and title are compared by contains, the rest exactly.
func (s *Session) check(ctx context.Context, ref, property, expected string) (string, error) {
	tab := s.driver.Tab()
	op := strings.TrimSpace(fmt.Sprintf("assert %s %s %s", ref, property, expected))
	fail := func(found string) (string, error) {
		return "", (&Error{Code: CodeInvalid, Op: op, Message: fmt.Sprintf("expected %s %q, found %q", property, expected, clip(s.out.Text(found), 200))}).Advise(advice.ShowsNow)
	}
	contains := func(found string) (string, error) {
		if strings.Contains(found, expected) {
			return found, nil
		}
		return fail(found)
	}
	exactly := func(found string) (string, error) {
		if found == expected {
			return found, nil
		}
		return fail(found)
	}
	switch property {
	case "url":
		return contains(tab.URL())
	case "title":
		title, err := tab.Title(ctx)
		if err != nil {
			return "", err
		}
		return contains(title)
	case "count":
		n, err := tab.Count(ctx, ref)
		if err != nil {
			return "", err
		}
		return exactly(strconv.Itoa(n))
	}
	if ref == "_page" {
		if property != "text" {
			return "", driver.Invalid(op, "of the page text, url and title can be checked")
		}
		ref = "body"
	}
	r, err := tab.Read(ctx, ref)
	if err != nil {
		return "", err
	}
	switch property {
	case "text":
		return contains(r.Text)
	case "name":
		return exactly(r.Name)
	case "role":
		return exactly(r.Role)
	case "value":
		if r.Value == nil {
			return "", driver.Invalid(op, "%s %q has no value", r.Role, r.Name)
		}
		return exactly(*r.Value)
	}
	flag, want := property, true
	if positive, ok := opposites[property]; ok {
		flag, want = positive, false
	}
	is, ok := r.Flags[flag]
	if !ok {
		return "", driver.Invalid(op, "%q cannot be checked of %s %q; there are %s", property, r.Role, r.Name, assertions)
	}
	if expected == "false" {
		want = !want
	}
	if is != want {
		return "", &Error{Code: CodeInvalid, Op: op, Message: fmt.Sprintf("%s %q is not %s", r.Role, r.Name, property)}
	}
	return property, nil
}

var opposites = map[string]string{"unchecked": "checked", "enabled": "disabled", "hidden": "visible", "collapsed": "expanded", "unselected": "selected"}

// Assert checks a property of an element or of the page ("_page"): text, value,
// name, role, count, url, title, or a state. It is kept in the history.
func (s *Session) Assert(ctx context.Context, ref, property, expected string) (*ActResult, error) {
	return s.Act(ctx, Step{Ref: ref, Op: "assert", Value: strings.TrimSpace(property + " " + expected)})
}

func (s *Session) assert(ctx context.Context, st Step) (*driver.Effect, error) {
	property, expected, _ := strings.Cut(strings.TrimSpace(st.Value), " ")
	if property == "" {
		return nil, driver.Invalid(st.String(), "assert what? Say a property and what it should be: %s", assertions)
	}
	found, err := s.check(ctx, st.Ref, property, strings.TrimSpace(expected))
	if err != nil {
		return nil, err
	}
	return &driver.Effect{Text: &found}, nil
}
