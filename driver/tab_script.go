package driver

import (
	"context"
	_ "embed"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"rove/aria"
	"rove/driver/backend"
	"rove/internal/wire"
)

// ScriptOptions shape the running of a script. The zero value awaits promises
// and calls functions.
type ScriptOptions struct {
	NoAwait bool // a promise is not awaited
	NoCall  bool // a function is not called
}

// Value is what a script gave.
type Value struct {
	// Text is the value as JSON; what JSON cannot say (undefined, NaN, a Map, an
	// element, a cycle) is written as a console would.
	Text string `json:"text"`
	// Type is the value's typeof, or more precisely: null, array, date, map, set,
	// element, node, promise, error.
	Type string `json:"type"`
}

// Script runs JavaScript in the page: an expression, statements, or a function,
// which is called. Promises are awaited. The value comes as in Value.Text.
func (t *Tab) Script(ctx context.Context, js string) (string, error) {
	v, err := t.ScriptWith(ctx, js, ScriptOptions{})
	if err != nil {
		return "", err
	}
	return v.Text, nil
}

// ScriptWith does the same as the options say. The error of a script that threw
// has CodeInvalid, what was thrown and the line as its message, and the stack as
// its log.
func (t *Tab) ScriptWith(ctx context.Context, js string, opts ScriptOptions) (*Value, error) {
	if strings.TrimSpace(js) == "" {
		return nil, Invalid("eval", "there is no script; give an expression, statements or a function")
	}
	ctx, cancel := bounded(ctx, 0, scriptTimeout)
	defer cancel()
	var answer struct {
		Value
		Thrown *string `json:"thrown"`
		Stack  string  `json:"stack"`
	}
	err := t.runScript(&answer, func(form string) ([]byte, error) {
		answer.Thrown, answer.Stack = nil, ""
		return t.tab.Eval(ctx, "", form)
	}, func() bool {
		return answer.Thrown != nil && strings.HasPrefix(*answer.Thrown, "SyntaxError") && !scriptFrame.MatchString(answer.Stack)
	}, scriptForms(js, opts)...)
	var b *backend.Error
	switch {
	case errors.As(err, &b) && b.Kind == backend.KindScript:
		return nil, &Error{Code: CodeInvalid, Op: "eval", Message: thrown(b.Text), Err: err}
	case err != nil:
		return nil, Explain("eval", err)
	case answer.Thrown != nil:
		return nil, threw(*answer.Thrown, answer.Stack, strings.Count(js, "\n")+1, len(scriptOpening(opts)))
	}
	return &answer.Value, nil
}

// runScript runs a script in the first of several forms that parses, and reads what it
// gives. Whether it is an expression or statements is for the engine to say: what does
// not parse has not run, so the next form can be tried. unread says the same of what was
// given, where the script is parsed by another one; nil where it is not.
func (t *Tab) runScript(out any, run func(form string) ([]byte, error), unread func() bool, forms ...string) error {
	t.scripted.Store(true)
	var err error
	for _, form := range forms {
		var raw []byte
		raw, err = run(form)
		if unparsed(err) {
			continue
		}
		if err != nil {
			return err
		}
		if err := wire.Unmarshal(raw, out); err != nil {
			return &Error{Code: CodeProtocol, Op: "script", Message: "the value could not be read: " + err.Error(), Hint: "have the script give something simpler, such as a text or a number", Err: err}
		}
		if unread == nil || !unread() {
			return nil
		}
	}
	return err
}

func scriptOpening(opts ScriptOptions) string {
	if opts.NoAwait {
		return "[() => ("
	}
	return "[async () => ("
}

// scriptForms are the ways to read a script, the likeliest first. The script
// stands on the first line, so that the engine's line numbers are its own, and
// has a name of its own in stacks.
func scriptForms(js string, opts ScriptOptions) []string {
	const named = "\n//# sourceURL=script"
	runner := strings.NewReplacer("CALL", strconv.FormatBool(!opts.NoCall)).Replace(strings.TrimSpace(scriptRunner))
	opening := scriptOpening(opts)
	function := strings.TrimSuffix(strings.TrimPrefix(opening, "["), "(")
	if opts.NoAwait {
		runner = strings.NewReplacer("async (run)", "(run)", "await ", "").Replace(runner)
	}
	run := func(body string) string { return "[" + function + body + "].map(" + runner + ")[0]" }
	forms := []string{run("("+js+"\n)") + named}
	// The value of statements is that of the last one. Where they have a return or
	// an await of their own, they do not parse.
	if quoted, err := wire.Marshal(js + named); err == nil {
		forms = append(forms, run("(0, eval)("+string(quoted)+")"))
	}
	return append(forms, run("{"+js+"\n}")+named)
}

// unparsed tells a script that did not parse, and so did not run, from one that
// threw a SyntaxError of its own, which has a stack.
func unparsed(err error) bool {
	var b *backend.Error
	return errors.As(err, &b) && b.Kind == backend.KindScript &&
		strings.HasPrefix(b.Text, "SyntaxError") && !stackLine.MatchString(b.Text)
}

var stackLine = regexp.MustCompile(`\n\s+at (?:.*?\(?)<anonymous>:(\d+):\d+`)

// thrown is an exception in one line, in quotes, with the line of the script it came
// from. Its name and message are the page's words.
func thrown(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	first = aria.Quote(first)
	if m := stackLine.FindStringSubmatch(text); m != nil {
		first += " (line " + m[1] + ")"
	}
	return first
}

// endsInPlace is a place in a script.
var endsInPlace = regexp.MustCompile(`:\d+:\d+$`)

var scriptFrame = regexp.MustCompile(`\bscript:(\d+):(\d+)`)

// mostFrames is how much of a stack is told.
const mostFrames = 10

// threw is the error of a script of so many lines that threw something: with the
// line and the stack as the script's author sees them. indent is how far the
// first line was moved.
func threw(what, stack string, lines, indent int) *Error {
	e := Invalid("eval", "%s", aria.Quote(what)) // the words of whoever threw it
	at := ""
	for frame := range strings.Lines(stack) {
		frame = strings.TrimSpace(frame)
		if function, place, ok := strings.Cut(frame, "@"); ok && endsInPlace.MatchString(place) { // as Firefox and WebKit write it
			frame = "at " + place
			if function != "" {
				frame = "at " + function + " (" + place + ")"
			}
		}
		if !strings.HasPrefix(frame, "at ") {
			continue // the message
		}
		if strings.HasPrefix(frame, "at Array.map") || frame == "at eval (<anonymous>)" || len(e.Log) == mostFrames {
			break
		}
		if m := scriptFrame.FindStringSubmatch(frame); m != nil {
			line, _ := strconv.Atoi(m[1])
			column, _ := strconv.Atoi(m[2])
			if line > lines {
				break // what runs it
			}
			if line == 1 && column > indent && !strings.HasPrefix(frame, "at eval") {
				column -= indent
			}
			place := strconv.Itoa(line)
			if at == "" {
				at = place
			}
			frame = strings.Replace(frame, m[0], "script:"+place+":"+strconv.Itoa(column), 1)
		} else if strings.Contains(frame, "<anonymous>:") {
			continue // what runs it, again
		}
		e.Log = append(e.Log, frame)
	}
	if at != "" {
		e.Message += " (line " + at + ")"
	}
	return e
}

// scriptRunner runs the script and writes down what it gives. What a page's own
// objects do when they are read is their business: none of it ends the answer.
//
//go:embed js/run.js
var scriptRunner string
