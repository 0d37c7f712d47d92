package jsonpath

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"rove/internal/data"
)

// node is a part of a filter that accepts a value or not.
type node interface {
	accepts(item, root any) bool
}

type (
	and  []node
	or   []node
	not  struct{ node }
	test struct {
		left, right operand
		op          string
	}
)

func (n and) accepts(item, root any) bool {
	return !slices.ContainsFunc(n, func(n node) bool { return !n.accepts(item, root) })
}

func (n or) accepts(item, root any) bool {
	return slices.ContainsFunc(n, func(n node) bool { return n.accepts(item, root) })
}

func (n not) accepts(item, root any) bool { return !n.node.accepts(item, root) }

// operand is a path or a literal.
type operand struct {
	path    *Path
	literal any
	regex   *regexp.Regexp
}

// value gives what an operand is worth for an item; false where a path leads
// nowhere.
func (o operand) value(item, root any) (any, bool) {
	if o.path == nil {
		return o.literal, true
	}
	at := item
	if o.path.text[0] == '$' {
		at = root
	}
	v, err := o.path.get(at, root)
	return v, err == nil
}

func (n test) accepts(item, root any) bool {
	left, there := n.left.value(item, root)
	switch n.op {
	case "exists":
		return there
	case "=~":
		if n.right.regex == nil {
			if n.left.regex != nil {
				right, _ := n.right.value(item, root)
				return matches(n.left.regex, right)
			}
			return false
		}
		if list, ok := left.([]any); ok {
			return slices.ContainsFunc(list, func(v any) bool { return matches(n.right.regex, v) })
		}
		return matches(n.right.regex, left)
	}
	right, rightThere := n.right.value(item, root)
	if n.op == "empty" {
		return there && empty(left) == (right == true)
	}
	if !there || !rightThere {
		// What is not there is not equal to anything, not even to null.
		switch n.op {
		case "!=", "!==", "nin":
			return true
		}
		return false
	}
	switch n.op {
	case "==":
		return same(left, right)
	case "!=":
		return !same(left, right)
	case "===":
		return data.TypeOf(left) == data.TypeOf(right) && data.Equal(left, right)
	case "!==":
		return data.TypeOf(left) != data.TypeOf(right) || !data.Equal(left, right)
	case "<", "<=", ">", ">=":
		return ordered(n.op, left, right)
	}
	return among(n.op, left, right)
}

// same compares as Jayway does: a number equals the string that reads the same.
func same(a, b any) bool {
	if s, ok := a.(string); ok && data.TypeOf(b) == "number" {
		return s == data.Text(b)
	}
	if s, ok := b.(string); ok && data.TypeOf(a) == "number" {
		f, err := strconv.ParseFloat(s, 64)
		return err == nil && data.Equal(a, f)
	}
	return data.Equal(a, b)
}

func ordered(op string, a, b any) bool {
	order, ok := data.Compare(a, b)
	if !ok {
		x, isString := a.(string)
		y, areStrings := b.(string)
		if !isString || !areStrings {
			return false
		}
		order = strings.Compare(x, y)
	}
	switch op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

// among has the operators that look into lists and strings.
func among(op string, left, right any) bool {
	has := func(list any, v any) bool {
		l, ok := list.([]any)
		return ok && slices.ContainsFunc(l, func(e any) bool { return same(e, v) })
	}
	every := func(list, in any) bool {
		l, ok := list.([]any)
		if _, isList := in.([]any); !ok || !isList {
			return false
		}
		return !slices.ContainsFunc(l, func(e any) bool { return !has(in, e) })
	}
	any1 := func() bool {
		l, _ := left.([]any)
		return slices.ContainsFunc(l, func(e any) bool { return has(right, e) })
	}
	_, leftList := left.([]any)
	switch op {
	case "in":
		return has(right, left)
	case "nin":
		return !has(right, left)
	case "contains":
		if s, ok := left.(string); ok {
			part, ok := right.(string)
			return ok && strings.Contains(s, part)
		}
		return has(left, right)
	case "subsetof":
		return every(left, right)
	case "all":
		return every(right, left)
	case "anyof":
		return any1()
	case "noneof":
		return leftList && !any1()
	case "size":
		order, ok := data.Compare(int64(size(left)), right)
		return ok && order == 0
	case "type":
		return data.TypeOf(left) == right
	}
	return false
}

// count is the number of members; -1 of what has none.
func count(v any) int {
	switch v := v.(type) {
	case []any:
		return len(v)
	case *data.Object:
		return v.Len()
	}
	return -1
}

// size is that too, and the length of a string.
func size(v any) int {
	if s, ok := v.(string); ok {
		return utf8.RuneCountInString(s)
	}
	return count(v)
}

func empty(v any) bool { return size(v) == 0 }

func matches(re *regexp.Regexp, v any) bool {
	switch v.(type) {
	case string, bool, int64, float64:
		return re.MatchString(data.Text(v))
	}
	return false
}

// compileFilter reads what stands behind the question mark, in parentheses.
func compileFilter(text string) (node, error) {
	if len(text) < 2 || text[0] != '(' || text[len(text)-1] != ')' {
		return nil, fmt.Errorf("a filter stands in parentheses: [?(@.name == 'x')]")
	}
	f := filterReader{text: text}
	n, err := f.or()
	if err != nil {
		return nil, err
	}
	if f.space(); f.pos < len(f.text) {
		return nil, fmt.Errorf("expected the end of the filter, found %q", f.text[f.pos:])
	}
	return n, nil
}

type filterReader struct {
	text  string
	pos   int
	depth int
}

func (f *filterReader) space() {
	for f.pos < len(f.text) && strings.IndexByte(" \t\r\n", f.text[f.pos]) >= 0 {
		f.pos++
	}
}

func (f *filterReader) peek() byte {
	if f.pos < len(f.text) {
		return f.text[f.pos]
	}
	return 0
}

func (f *filterReader) eat(s string) bool {
	f.space()
	if !strings.HasPrefix(f.text[f.pos:], s) {
		return false
	}
	f.pos += len(s)
	return true
}

func (f *filterReader) or() (node, error) {
	var all or
	for {
		n, err := f.and()
		if err != nil {
			return nil, err
		}
		if all = append(all, n); !f.eat("||") {
			break
		}
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return all, nil
}

func (f *filterReader) and() (node, error) {
	var all and
	for {
		n, err := f.unary()
		if err != nil {
			return nil, err
		}
		if all = append(all, n); !f.eat("&&") {
			break
		}
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return all, nil
}

func (f *filterReader) unary() (node, error) {
	if f.depth++; f.depth > 200 {
		return nil, fmt.Errorf("the filter has too many parentheses in each other")
	}
	defer func() { f.depth-- }()
	if f.eat("!") {
		n, err := f.unary()
		return not{n}, err
	}
	if f.eat("(") {
		n, err := f.or()
		if err != nil {
			return nil, err
		}
		if !f.eat(")") {
			return nil, fmt.Errorf("expected ) in the filter, found %q", f.text[f.pos:])
		}
		return n, nil
	}
	left, err := f.operand()
	if err != nil {
		return nil, err
	}
	op := f.operator()
	if op == "" {
		if left.path == nil {
			return nil, fmt.Errorf("expected a path such as @.name, or an operator behind a value, in the filter")
		}
		return test{left: left, op: "exists"}, nil
	}
	right, err := f.operand()
	if err != nil {
		return nil, err
	}
	return test{left: left, op: op, right: right}, nil
}

var operators = []string{"===", "!==", "==", "!=", "<=", ">=", "=~", "<", ">"}

var wordOperators = []string{"in", "nin", "contains", "subsetof", "anyof", "noneof", "all", "size", "empty", "type"}

func (f *filterReader) operator() string {
	f.space()
	for _, op := range operators {
		if strings.HasPrefix(f.text[f.pos:], op) {
			f.pos += len(op)
			return op
		}
	}
	end := f.pos
	for end < len(f.text) && (f.text[end] >= 'a' && f.text[end] <= 'z' || f.text[end] >= 'A' && f.text[end] <= 'Z') {
		end++
	}
	if word := strings.ToLower(f.text[f.pos:end]); slices.Contains(wordOperators, word) {
		f.pos = end
		return word
	}
	return ""
}

func (f *filterReader) operand() (operand, error) {
	f.space()
	start := f.pos
	switch c := f.peek(); {
	case c == '$' || c == '@':
		return f.path()
	case c == '\'' || c == '"':
		end := skip(f.text, f.pos, c)
		if end >= len(f.text) {
			return operand{}, fmt.Errorf("a string in the filter has no closing quote")
		}
		f.pos = end + 1
		return operand{literal: unescape(f.text[start+1 : end])}, nil
	case c == '/':
		return f.regex()
	case c == '[' || c == '{':
		inner := compiler{text: f.text}
		end := inner.closingAny(f.pos)
		if end < 0 {
			return operand{}, fmt.Errorf("a list or an object in the filter is not closed")
		}
		f.pos = end + 1
		v, err := data.ParseRelaxed(f.text[start:f.pos])
		return operand{literal: v}, err
	}
	for f.pos < len(f.text) && strings.IndexByte(" \t\r\n)&|=<>!", f.text[f.pos]) < 0 {
		f.pos++
	}
	word := f.text[start:f.pos]
	switch word {
	case "true":
		return operand{literal: true}, nil
	case "false":
		return operand{literal: false}, nil
	case "null":
		return operand{}, nil
	}
	v, err := data.ParseRelaxed(word)
	if err != nil || data.TypeOf(v) != "number" {
		return operand{}, fmt.Errorf("expected a path, a string in quotes, a number, true, false or null in the filter, found %q", f.text[start:])
	}
	return operand{literal: v}, nil
}

func (f *filterReader) path() (operand, error) {
	start := f.pos
	c := compiler{text: f.text}
	for f.pos++; f.pos < len(f.text); f.pos++ {
		b := f.text[f.pos]
		if b == '[' || b == '(' && f.text[f.pos-1] != ' ' {
			end := c.closing(f.pos)
			if end < 0 {
				return operand{}, fmt.Errorf("a bracket in the filter is not closed")
			}
			f.pos = end
			continue
		}
		if strings.IndexByte(" \t\r\n)&|=<>!", b) >= 0 {
			break
		}
	}
	p, err := compile(f.text[start:f.pos])
	return operand{path: p}, err
}

func (f *filterReader) regex() (operand, error) {
	end := skip(f.text, f.pos, '/')
	if end >= len(f.text) {
		return operand{}, fmt.Errorf("a regular expression in the filter has no closing /")
	}
	pattern := f.text[f.pos+1 : end]
	f.pos = end + 1
	flags := ""
	for f.pos < len(f.text) && strings.IndexByte("imsuxdU", f.text[f.pos]) >= 0 {
		if c := f.text[f.pos]; c == 'i' || c == 'm' || c == 's' {
			flags += string(c)
		}
		f.pos++
	}
	if flags != "" {
		flags = "(?" + flags + ")"
	}
	re, err := regexp.Compile(flags + `\A(?:` + pattern + `)\z`)
	if err != nil {
		return operand{}, fmt.Errorf("a regular expression in the filter: %w", err)
	}
	return operand{regex: re}, nil
}
