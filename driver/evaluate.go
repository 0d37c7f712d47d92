package driver

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"rove/driver/backend"
)

// Script runs JavaScript in the current frame's own world: an expression, or
// statements, with a return or with the value of the last one. A script that is a function is called; one that
// merely has a function in it is not. Promises are awaited. The value is what
// JSON can say of it: nil, bool, float64, string, []any, map[string]any.
func (d *Driver) Script(ctx context.Context, js string) (_ any, err error) {
	ctx, noted := d.begin(ctx, "script", "", js)
	defer func() { err = noted.end(err) }()
	t := d.Tab()
	ctx, cancel := context.WithTimeout(ctx, d.budget(scriptWait))
	defer cancel()
	var value any
	f, err := t.frameOf(t.frameID())
	if err == nil {
		// A dialog that it opens and somebody answers does not end it.
		err = t.evalOn(ctx, backend.Function{Frame: f.ID, Patient: d.answers(t)}, js, scriptOne, &value)
	}
	if err != nil {
		return nil, Explain("script", err)
	}
	return value, nil
}

// ScriptOn runs JavaScript with an element as _, or calls a function with it.
func (d *Driver) ScriptOn(ctx context.Context, locator, js string) (any, error) {
	return d.Locate(locator).Script(ctx, js)
}

// How a script is run: once with one element or none, or for each of several. It begins
// on the first line, so that its lines have the numbers that its author knows.
const (
	scriptOne = `async function(...elements) { const _ = elements[0]; let value = await (async () => %s)();
if (%t && typeof value === 'function') value = await value(...elements);
return typeof value === 'function' ? null : value;
}`
	scriptEach = `async function(...elements) { const values = []; for (const _ of elements) { let value = await (async () => %s)();
if (%t && typeof value === 'function') value = await value(_);
values.push(value === undefined || typeof value === 'function' ? null : value);
}
return values;
}`
)

// isFunction says whether a script is a function as a whole, which is called, and
// not an expression that merely has one in it or gives one.
func isFunction(js string) bool {
	js = strings.TrimSpace(js)
	if strings.HasPrefix(js, "(") {
		if end := closing(js); end == len(js)-1 {
			return isFunction(js[1:end])
		}
	}
	rest := js
	if async, ok := strings.CutPrefix(js, "async"); ok && async != "" && strings.ContainsAny(async[:1], " \t\n(") {
		rest = strings.TrimSpace(async)
	}
	switch {
	case functionWord.MatchString(rest):
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			return false
		}
		return closing(rest[open:]) == len(rest)-open-1 // and is not called at once
	case strings.HasPrefix(rest, "("):
		end := closing(rest)
		return end > 0 && strings.HasPrefix(strings.TrimSpace(rest[end+1:]), "=>")
	}
	return arrowWord().MatchString(rest)
}

var (
	// What a slash begins a regular expression after, and does not divide; and the rest of one.
	afterWord     = regexp.MustCompile(`\b(return|typeof|case|in|of|do|else|void|delete)\s*$`)
	regexpLiteral = regexp.MustCompile(`^/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+`)

	functionWord = regexp.MustCompile(`^function\b[^{]*\{`)
	// All letters there are take a while to compile, and few scripts ask for them.
	arrowWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\p{L}_$][\p{L}\p{N}_$]*\s*=>`) })
)

// closing is where the bracket that a text begins with is closed, or -1. Those in texts,
// comments and regular expressions are none.
func closing(js string) int {
	depth := 0
	before := byte(0) // the last sign that was not a space
	for i := 0; i < len(js); i++ {
		c := js[i]
		if c == '/' {
			switch rest := js[i:]; {
			case strings.HasPrefix(rest, "//"):
				i += len(rest[:strings.IndexByte(rest+"\n", '\n')]) - 1
				continue
			case strings.HasPrefix(rest, "/*"):
				i += strings.Index(rest+"*/", "*/") + 1
				continue
			case strings.IndexByte("(,=:[!&|?{};+-*%<>~^", before) >= 0 || afterWord.MatchString(js[max(0, i-12):i]):
				i += len(regexpLiteral.FindString(rest))
				before = c
				continue
			}
		}
		if c > ' ' {
			before = c
		}
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'', '`':
			for i++; i < len(js) && js[i] != c; i++ {
				if js[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1
}

// evalOn runs a script with elements in the page's own world.
func (t *Tab) evalOn(ctx context.Context, f backend.Function, js, way string, out any) error {
	if js == "" {
		return Invalid("script", "there is no script")
	}
	t.driver.mu.Lock()
	handled := t.driver.dialogs != nil
	t.driver.mu.Unlock()
	shown := t.tab.Dialog() != nil
	f.Patient = f.Patient && handled
	var asAtConsole []string
	forms := []string{"(" + js + "\n)", "{" + js + "\n}"}
	if len(f.Refs) == 0 && way == scriptOne && !handled {
		// The value of statements is that of the last one, and what they declare is the
		// page's, as at a console; where that is declared already, theirs alone. With a
		// return or an await of their own they do not parse. Such a script does not
		// outlast the dialogs that it opens, and so is not run so where they are answered.
		asAtConsole = []string{js, "{;" + js + "\n}"}
		forms = slices.Insert(forms, 1, asAtConsole...)
	}
	err := t.runScript(out, func(form string) ([]byte, error) {
		if slices.Contains(asAtConsole, form) {
			return t.tab.Eval(ctx, f.Frame, form)
		}
		f.Text = fmt.Sprintf(way, form, isFunction(js))
		return t.tab.EvalOn(ctx, f)
	}, nil, forms...)
	var b *backend.Error
	if errors.As(err, &b) && b.Kind == backend.KindDialog && !handled && !shown {
		return nil // the script opened it, and nobody answers for it: that is for the caller to do
	}
	if errors.As(err, &b) && b.Kind == backend.KindScript {
		return &Error{Code: CodeInvalid, Op: "script", Message: thrown(b.Text) + " on " + t.URL(), Hint: "mend the script, or see whether what it needs is on the page", Err: err}
	}
	return err
}
