package driver

import (
	"errors"
	"strings"
)

// secret puts a value that is for one origin alone into a field. Keys can go
// astray: whatever takes the focus gets them. So the page script puts the text in
// by itself, in one go, in the document it was meant for and no other; and not at
// all where something takes the focus away. Keys after it, such as Enter, are keys.
func (a *action) secret(all bool) error {
	text, rest := a.Value, ""
	isKey := func(r rune) bool { return isWebDriverKey(r) || r == '\n' || r == '\r' || r == '\t' }
	if i := strings.IndexFunc(text, isKey); i >= 0 {
		text, rest = text[:i], text[i:]
	}
	if text == "" || strings.IndexFunc(rest, func(r rune) bool { return !isKey(r) }) >= 0 {
		return Invalid(a.op, "a secret goes into one field: keys such as Enter come after it, and no more text after them")
	}
	v, err := a.prepare("keys", func(p *prepareArg) { p.Clear, p.Origin = all, a.Origin })
	if v != nil && v.Code == "untyped" {
		return &notTypable{v}
	}
	if err != nil {
		return err
	}
	arg := a.arg
	arg.Clear, arg.Value, arg.Origin = all, text, a.Origin
	put, err := a.ask("insert", arg)
	if err != nil {
		return err
	}
	if put.Checked != nil && !*put.Checked {
		return &Error{Code: CodeInvalid, Op: a.op, Message: a.describe(v.scriptElement) + " did not take the text", Hint: "it may take keys only, which a secret is not typed with"}
	}
	if rest != "" {
		if err := a.part(v, typing(rest)); err != nil {
			return err
		}
	} else if err := a.settle(); err != nil {
		return err
	}
	a.compare()
	return nil
}

// typeSecret does it for input and type. What is not typed into is set, and nothing
// else: a list, a file or a script has no use for a secret.
func (a *action) typeSecret(all bool) error {
	err := a.secret(all)
	var other *notTypable
	if !errors.As(err, &other) {
		return err
	}
	switch v := other.verdict; {
	case v.Tag == "select" || v.Type == "file" || v.Type == "checkbox" || v.Type == "radio":
		return Invalid(a.op, "%s takes no secret: a secret goes into a field for text", a.describe(v.scriptElement))
	}
	return a.set()
}
