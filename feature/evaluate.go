package feature

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"rove/internal/data"
	"rove/internal/jsonpath"
	"rove/internal/script"
)

// js runs JavaScript in the scenario's scope.
func (s *scenario) js(ctx context.Context, source string) (script.Value, error) {
	line := s.plan.scenario.Line
	if s.step != nil {
		line = s.step.Line
	}
	p, err := s.suite.cache.Compile(s.place(line), source)
	if err == nil {
		var v script.Value
		if v, err = s.root.rt.Run(ctx, s.scope, p); err == nil {
			return v, nil
		}
	}
	return script.Value{}, jsError(source, err)
}

// scriptError is a script that failed, told with its text.
type scriptError struct {
	source string
	err    *script.Error
}

func (e *scriptError) Error() string {
	var b strings.Builder
	b.WriteString("js failed:\n>>>>\n")
	lines := strings.Split(strings.TrimSpace(e.source), "\n")
	for i, line := range lines {
		if i == shownLines {
			fmt.Fprintf(&b, "… %d more lines\n", len(lines)-i)
			break
		}
		fmt.Fprintf(&b, "%02d: %s\n", i+1, line)
	}
	b.WriteString("<<<<\n" + e.err.Message)
	for i, frame := range e.err.Stack {
		if i == shownFrames {
			break
		}
		b.WriteString("\n- " + frame)
	}
	if len(e.err.Stack) == 0 && e.err.Line > 0 {
		b.WriteString("\n- " + e.err.Where())
	}
	return b.String()
}

func (e *scriptError) Unwrap() error { return e.err }

const (
	shownLines  = 20
	shownFrames = 4
)

// jsError tells the failure of a script. What Go code reported through a script
// is told as that: a missing element is not the script's fault.
func jsError(source string, err error) error {
	var e *script.Error
	if !errors.As(err, &e) {
		return err
	}
	if cause := errors.Unwrap(e); cause != nil && !script.Interrupted(err) {
		return cause
	}
	return &scriptError{source, e}
}

// isSyntax says whether a text is no JavaScript at all.
func isSyntax(err error) bool {
	var e *script.Error
	return errors.As(err, &e) && strings.HasPrefix(e.Message, "SyntaxError")
}

// The forms of right-hand sides.
var (
	spacedPath = regexp.MustCompile(`^[a-zA-Z][\w]*\s+.+`)
	xpathCall  = regexp.MustCompile(`^[a-z-]+\(.+`)
)

// leadingWord are the letters, digits and underscores that a text begins with. Like the
// forms below it is asked of every step, too often for a regular expression.
func leadingWord(text string) string {
	i := 0
	for i < len(text) && (text[i] == '_' || text[i] >= 'a' && text[i] <= 'z' || text[i] >= 'A' && text[i] <= 'Z' || text[i] >= '0' && text[i] <= '9') {
		i++
	}
	return text[:i]
}

// variableForm says whether a text can be the name of a variable.
func variableForm(text string) bool {
	return text != "" && (text[0] < '0' || text[0] > '9') && len(leadingWord(text)) == len(text)
}

// longNumber says whether a text is a whole number that JavaScript would round.
func longNumber(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return len(digits) > 15 && digits[0] != '0' && strings.Trim(digits, "0123456789") == ""
}

func isResponsePath(text string) bool {
	return text == "$" || strings.HasPrefix(text, "$.") || strings.HasPrefix(text, "$[")
}

// eval evaluates a right-hand side. What it gives is a script.Value or data.
func (s *scenario) eval(ctx context.Context, text string) (any, error) {
	return s.evaluate(ctx, text, false)
}

// evalData is eval, as data.
func (s *scenario) evalData(ctx context.Context, text string) (any, error) {
	v, err := s.evaluate(ctx, text, false)
	if err != nil {
		return nil, err
	}
	return s.data(v), nil
}

// data gives data of what eval gives.
func (s *scenario) data(x any) any {
	switch x := x.(type) {
	case script.Value:
		return x.Export()
	case []any, *data.Object:
		if d, ok := script.Plain(x); ok {
			return d
		}
		return s.root.rt.Value(x).Export()
	}
	return x
}

// seen is data for who only looks at it: what is plain already is not copied.
func (s *scenario) seen(x any) any {
	if script.IsPlain(x) {
		return x
	}
	return s.data(x)
}

// value gives a value for scripts of what eval gives.
func (s *scenario) value(x any) script.Value { return s.root.rt.Value(x) }

func (s *scenario) evaluate(ctx context.Context, text string, forMatch bool) (any, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil
	}
	if variableForm(text) {
		if v, ok := s.scope.Get(text); ok {
			return v, nil
		}
	}
	if v, ok := script.Literal(text); ok {
		return v, nil
	}
	if longNumber(text) {
		return data.ParseJSON(text)
	}
	switch {
	case hasWord(text, "call"):
		return s.callExpression(ctx, strings.TrimSpace(text[len("call"):]), false)
	case hasWord(text, "callonce"):
		return s.callOnce(ctx, strings.TrimSpace(text[len("callonce"):]), false)
	case isResponsePath(text):
		return s.jsonPathOf("response", text)
	case strings.HasPrefix(text, "get ") || strings.HasPrefix(text, "get["), dollarName(text):
		return s.get(ctx, text)
	case text[0] == '{' || text[0] == '[':
		if v, err := data.ParseRelaxed(text); err == nil {
			return s.embedded(ctx, v, forMatch)
		} else if v, jsErr := s.js(ctx, text); jsErr == nil {
			return v, nil
		} else if !isSyntax(jsErr) {
			return nil, jsErr
		} else {
			return nil, err
		}
	case text[0] == '<':
		x, err := data.ParseXML(text)
		if err != nil {
			return nil, err
		}
		return x, s.embeddedXML(ctx, x, forMatch)
	case text[0] == '/':
		v, err := s.xpathOf("response", text)
		if err != nil {
			// A regular expression looks like a path.
			if v, jsErr := s.js(ctx, text); jsErr == nil {
				return v, nil
			}
		}
		return v, err
	}
	return s.js(ctx, text)
}

func hasWord(text, word string) bool {
	return len(text) > len(word) && strings.HasPrefix(text, word) && (text[len(word)] == ' ' || text[len(word)] == '\t')
}

// dollarName says whether a text is $name and perhaps a path: a variable whose
// name begins with a dollar is none of those, a template neither.
func dollarName(text string) bool {
	return len(text) > 1 && text[0] == '$' && (text[1] == '_' || text[1] >= 'a' && text[1] <= 'z' || text[1] >= 'A' && text[1] <= 'Z')
}

// get evaluates the forms get and $name.
func (s *scenario) get(ctx context.Context, text string) (any, error) {
	index := -1
	switch {
	case text[0] == '$':
		text = text[1:]
	case strings.HasPrefix(text, "get["):
		end := strings.IndexByte(text, ']')
		if end < 0 {
			return nil, fmt.Errorf("no ] after get[: %s", text)
		}
		n, err := strconv.Atoi(strings.TrimSpace(text[len("get["):end]))
		if err != nil {
			return nil, fmt.Errorf("get[…] needs a number: %s", text)
		}
		index, text = n, strings.TrimSpace(text[end+1:])
	default:
		text = strings.TrimSpace(text[len("get "):])
	}
	name, path := "", ""
	switch {
	case isResponsePath(text):
		name, path = "response", text
	case spacedPath.MatchString(text):
		at := strings.IndexAny(text, " \t")
		name, path = text[:at], strings.TrimSpace(text[at:])
	default:
		name, path = splitPath(text)
	}
	var v any
	var err error
	if isXPath(path) {
		v, err = s.xpathOf(name, path)
	} else {
		v, err = s.jsonPathOf(name, path)
	}
	if err != nil || index < 0 {
		return v, err
	}
	if list, ok := s.data(v).([]any); ok && len(list) > 0 {
		if index >= len(list) {
			return nil, fmt.Errorf("get[%d] %s: there are only %d", index, text, len(list))
		}
		return list[index], nil
	}
	return v, nil
}

func isXPath(path string) bool {
	return strings.HasPrefix(path, "/") || strings.Contains(path, "(") && xpathCall.MatchString(path)
}

// splitPath parts a variable from the path that follows it; a JsonPath gets its
// dollar.
func splitPath(text string) (name, path string) {
	name = leadingWord(text)
	path = strings.TrimSpace(text[len(name):])
	if !isXPath(path) {
		path = "$" + path
	}
	return name, path
}

// lookup gives what a script would see by a name.
func (s *scenario) lookup(name string) (any, error) {
	if v, ok := s.scope.Lookup(name); ok {
		return v, nil
	}
	return nil, fmt.Errorf("no variable found with name: %s", name)
}

func (s *scenario) jsonPathOf(name, path string) (any, error) {
	v, err := s.lookup(name)
	if err != nil {
		return nil, err
	}
	return s.jsonPath(v, path)
}

// jsonPath applies a path. One that leads nowhere gives data.NotPresent.
func (s *scenario) jsonPath(v any, path string) (any, error) {
	p, err := jsonpath.Compile(path)
	if err != nil {
		return nil, err
	}
	d, err := asJSON(s.data(v))
	if err != nil {
		return nil, err
	}
	got, err := p.Get(d)
	if errors.Is(err, jsonpath.ErrNotFound) {
		return data.NotPresent, nil
	}
	return got, err
}

// asJSON gives a value a path can be applied to: text and XML are read as JSON.
func asJSON(v any) (any, error) {
	switch v := v.(type) {
	case string:
		if v == data.NotPresent {
			return v, nil
		}
		return data.ParseRelaxed(v)
	case *data.XML:
		return v.Object(false), nil
	}
	return v, nil
}

func (s *scenario) xpathOf(name, path string) (any, error) {
	v, err := s.lookup(name)
	if err != nil {
		return nil, err
	}
	return s.xpath(v, path)
}

func (s *scenario) xpath(v any, path string) (any, error) {
	x, err := asXML(s.data(v))
	if err != nil {
		return nil, err
	}
	return x.Get(path)
}

func asXML(v any) (*data.XML, error) {
	switch v := v.(type) {
	case *data.XML:
		return v, nil
	case string:
		return data.ParseXML(v)
	case *data.Object:
		return data.FromObject(v)
	}
	return nil, fmt.Errorf("a value of type %s cannot be read as XML", data.TypeOf(v))
}
