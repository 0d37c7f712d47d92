package match

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"rove/internal/data"
)

// structural says whether a marker stands for a list or an object as a whole, and
// not for a member of a list.
func structural(s string) bool {
	s = strings.TrimPrefix(s, "#")
	for _, begin := range []string{"[", "#[", "(", "#("} {
		if strings.HasPrefix(s, begin) {
			return true
		}
	}
	switch s {
	case "array", "#array", "object", "#object":
		return true
	}
	return false
}

// marker compares with a string that begins with "#".
func (m *run) marker(where place, actual any, text string, r rule) {
	inner, optional := strings.CutPrefix(text[1:], "#")
	if optional && (actual == nil || actual == data.NotPresent) {
		return
	}
	inner = strings.TrimSpace(inner)
	switch {
	case len(inner) > 2 && inner[0] == '(' && inner[len(inner)-1] == ')':
		m.reference(where, actual, text, inner[1:len(inner)-1], r)
	case strings.HasPrefix(inner, "[") && strings.Contains(inner, "]"):
		m.array(where, actual, text, inner)
	default:
		m.validator(where, actual, text, inner, r)
	}
}

// shortcuts are the operators that stand before a name in '#(^name)'.
var shortcuts = []struct {
	prefix string
	op     Op
}{
	{"^^", ContainsOnly}, {"^+", ContainsDeep}, {"^*", ContainsAny}, {"^", Contains}, {"!^", NotContains}, {"!=", NotEquals},
}

func shortcut(expr string) (Op, string) {
	for _, s := range shortcuts {
		if rest, ok := strings.CutPrefix(expr, s.prefix); ok {
			return s.op, rest
		}
	}
	return Equals, expr
}

// reference compares with the value of an expression: '#(schema)', '#(^part)'.
func (m *run) reference(where place, actual any, text, expr string, r rule) {
	op, expr := shortcut(expr)
	nested := op.rule()
	if _, ok := actual.([]any); ok && r.family != equals {
		if r.deep {
			nested = r
		} else {
			members := nested
			nested = rule{family: r.family, members: &members}
		}
	}
	expected, err := m.eval(expr, actual)
	if err != nil {
		m.differ(where, actual, text, err.Error())
		return
	}
	m.compare(where, actual, expected, nested)
}

// array compares with '#[3]', '#[] marker', '#[_ > 2] schema' and the like.
func (m *run) array(where place, actual any, text, inner string) {
	list, ok := asList(actual)
	if !ok {
		m.differ(where, actual, text, "actual is not an array")
		return
	}
	end := closingBracket(inner)
	size, of := strings.TrimSpace(inner[1:end]), strings.TrimSpace(inner[end+1:])
	if n, err := strconv.ParseUint(size, 10, 31); err == nil {
		if int(n) != len(list) {
			m.differ(where, actual, text, fmt.Sprintf("actual array length is %d", len(list)))
			return
		}
	} else if size != "" && size != "_" { // the size is always the size
		if !selfReference.MatchString(size) {
			size = "(" + size + ") == _"
		}
		v, err := m.eval(size, int64(len(list)))
		if err != nil {
			m.differ(where, actual, text, err.Error())
			return
		}
		if v != true {
			m.differ(where, actual, text, fmt.Sprintf("actual array length is %d", len(list)))
			return
		}
	}
	if of == "" {
		return
	}
	if of[0] == '(' && of[len(of)-1] == ')' {
		of = of[1 : len(of)-1]
	}
	if strings.HasPrefix(of, "?") {
		of = "#" + of
	}
	if strings.HasPrefix(of, "#") {
		m.start(where, actual, of, rule{family: equals}, true)
		return
	}
	op, expr := shortcut(of)
	expected, err := m.eval(expr, actual)
	if err != nil {
		m.differ(where, actual, text, err.Error())
		return
	}
	m.start(where, actual, expected, op.rule(), true)
}

// selfReference finds _ as a word of its own.
var selfReference = regexp.MustCompile(`(^|[^\w$])_($|[^\w$])`)

// closingBracket finds the bracket that closes the first one, or the first that
// closes any.
func closingBracket(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return strings.IndexByte(s, ']')
}

// validator compares with '#string', '#regex …', '#? _ > 0', '#number? _ > 0'.
func (m *run) validator(where place, actual any, text, inner string, r rule) {
	name, expr := inner, ""
	isRegex := strings.HasPrefix(inner, "regex")
	if i := strings.IndexByte(inner, '?'); i >= 0 && !isRegex {
		name, expr = strings.TrimSpace(inner[:i]), strings.TrimSpace(inner[i+1:])
	}
	switch {
	case isRegex:
		if reason := matchRegex(actual, strings.TrimSpace(inner[len("regex"):])); reason != "" {
			m.differ(where, actual, text, reason)
			return
		}
	case name == "":
		if expr == "" {
			m.literal(where, actual, text, r)
			return
		}
	default:
		check, ok := validators[name]
		if !ok {
			// A string that happens to begin with "#".
			m.literal(where, actual, text, r)
			return
		}
		if actual == data.NotPresent && name != "notpresent" && name != "ignore" {
			m.differ(where, actual, text, "not present")
			return
		}
		if reason := check(actual); reason != "" {
			m.differ(where, actual, text, reason)
			return
		}
	}
	if expr == "" {
		return
	}
	v, err := m.eval(expr, actual)
	switch {
	case err != nil:
		m.differ(where, actual, text, err.Error())
	case v != true:
		m.differ(where, actual, text, "evaluated to 'false'")
	}
}

func (m *run) literal(where place, actual any, text string, r rule) {
	s, ok := actual.(string)
	switch {
	case ok && r.family == contains:
		if !strings.Contains(s, text) {
			m.differ(where, actual, text, "actual does not contain expected")
		}
	case !ok || s != text:
		m.differ(where, actual, text, "not equal")
	}
}

func (m *run) eval(expr string, self any) (any, error) {
	if m.Env == nil {
		return nil, fmt.Errorf("no expressions can be evaluated here: %s", expr)
	}
	if self == data.NotPresent {
		self = nil
	}
	vars := map[string]any{"_": self, "$": m.root}
	if m.inEach {
		vars["_$"] = m.member
	}
	v, err := m.Env.Eval(expr, vars)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", expr, err)
	}
	return v, nil
}

func when(bad bool, reason string) string {
	if bad {
		return reason
	}
	return ""
}

// validators say what keeps a value from being what their name says; nothing,
// where it is.
var validators = map[string]func(any) string{
	"ignore":     func(any) string { return "" },
	"present":    func(v any) string { return when(v == data.NotPresent, "not present") },
	"notpresent": func(v any) string { return when(v != data.NotPresent, "present") },
	"null":       func(v any) string { return when(v != nil, "not null") },
	"notnull":    func(v any) string { return when(v == nil, "null") },
	"array":      func(v any) string { _, ok := asList(v); return when(!ok, "not an array or list") },
	"object":     func(v any) string { return when(kindOf(v) != "MAP", "not an object or map") },
	"boolean":    func(v any) string { return when(kindOf(v) != "BOOLEAN", "not a boolean") },
	"number":     func(v any) string { return when(kindOf(v) != "NUMBER", "not a number") },
	"string":     func(v any) string { return when(kindOf(v) != "STRING", "not a string") },
	"uuid": func(v any) string {
		s, ok := v.(string)
		if !ok {
			return "not a string"
		}
		return when(!uuid.MatchString(s), "not a valid uuid")
	},
}

// uuid is as lenient as Java's.
var uuid = regexp.MustCompile(`^[0-9a-fA-F]+(-[0-9a-fA-F]+){4}$`)
