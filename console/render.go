package console

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"rove/driver/backend"
)

// Values, by short names.
type value = backend.Value

const (
	written  = backend.ValueText
	str      = backend.ValueString
	function = backend.ValueFunction
	object   = backend.ValueObject
	array    = backend.ValueArray
	dict     = backend.ValueMap
	set      = backend.ValueSet
	failure  = backend.ValueError
	hole     = backend.ValueHole
	unknown  = backend.ValueUnknown
)

// cutMark stands for what is not told.
const cutMark = "…"

// property is the property of a name, or nil.
func property(v *value, name string) *value {
	for i := range v.Items {
		if v.Items[i].Name == name {
			return &v.Items[i].Value
		}
	}
	return nil
}

// writer writes values as a person would: {a: 1, b: "two"}, [1, 2, …].
type writer struct {
	strings.Builder
	stack func(string) string // takes an error's stack through source maps; may be nil
}

// maxNesting keeps a value that is nested without end from taking the stack with
// it. What is fetched is far less deep.
const maxNesting = 50

func (w *writer) value(v *value, depth int) {
	if depth > maxNesting {
		w.WriteString(cutMark)
		return
	}
	switch v.Kind {
	case written:
		w.WriteString(v.Text)
	case str:
		w.WriteString(quote(v.Text))
		if v.More && !strings.Contains(v.Text, cutMark) {
			w.WriteString(cutMark)
		}
	case function:
		w.WriteString(functionText(v.Text))
	case hole:
		w.WriteString("empty")
	case unknown:
		w.WriteString(cutMark)
	case failure:
		text := v.Text
		if w.stack != nil {
			text = w.stack(text)
		}
		w.WriteString(text)
		if len(v.Items) > 0 {
			w.WriteByte(' ')
			w.list('{', v, '}', depth)
		}
	case array:
		w.class(v.Text, "Array")
		w.list('[', v, ']', depth)
	case dict, set:
		w.class(v.Text, "")
		w.list('{', v, '}', depth)
	default:
		w.object(v, depth)
	}
}

func (w *writer) class(name, common string) {
	if name != "" && name != common {
		w.WriteString(name)
		w.WriteByte(' ')
	}
}

// object writes properties, and what stands for them in the objects of a few
// classes.
func (w *writer) object(v *value, depth int) {
	w.class(v.Text, "Object")
	if state := property(v, "[[PromiseState]]"); v.Text == "Promise" && state != nil {
		w.WriteString("{<" + state.Text + ">")
		if result := property(v, "[[PromiseResult]]"); result != nil && state.Text != "pending" {
			w.WriteString(": ")
			w.value(result, depth+1)
		}
		w.WriteByte('}')
		return
	}
	if boxed := property(v, "[[PrimitiveValue]]"); boxed != nil {
		w.WriteByte('{')
		w.value(boxed, depth+1)
		w.WriteByte('}')
		return
	}
	w.list('{', v, '}', depth)
}

func (w *writer) list(open byte, v *value, end byte, depth int) {
	w.WriteByte(open)
	holes, first := 0, true
	separate := func() {
		if !first {
			w.WriteString(", ")
		}
		first = false
	}
	empty := func() {
		if holes > 0 {
			separate()
			w.WriteString("empty")
			if holes > 1 {
				w.WriteString(" × " + strconv.Itoa(holes))
			}
			holes = 0
		}
	}
	for i := range v.Items {
		it := &v.Items[i]
		if it.Kind == hole {
			holes++
			continue
		}
		empty()
		separate()
		if it.Key != nil {
			w.value(it.Key, depth+1)
			w.WriteString(" => ")
		} else if it.Name != "" || v.Kind == object || v.Kind == failure {
			w.WriteString(key(it.Name))
			w.WriteString(": ")
		}
		w.value(&it.Value, depth+1)
	}
	empty()
	if v.More {
		separate()
		w.WriteString(cutMark)
	}
	w.WriteByte(end)
}

// key writes the name of a property.
func key(name string) string {
	if strings.HasPrefix(name, "Symbol(") {
		return "[" + name + "]"
	}
	if strings.HasPrefix(name, "[[") || strings.HasPrefix(name, "#") {
		return name
	}
	for i, r := range name {
		if r != '_' && r != '$' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return quote(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}

var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

func quote(s string) string { return `"` + quoting.Replace(s) + `"` }

// functionLimit is how much is shown of a function's source.
const functionLimit = 80

// functionText writes a function: all of it if it is short and on one line, its
// head otherwise.
func functionText(source string) string {
	if source == "" {
		return "function"
	}
	line, _, long := strings.Cut(source, "\n")
	if !long && utf8.RuneCountInString(line) <= functionLimit {
		return source
	}
	head, _, ok := strings.Cut(line, "{")
	if ok && utf8.RuneCountInString(head) <= functionLimit {
		return head + "{" + cutMark + "}"
	}
	if runes := []rune(line); len(runes) > functionLimit {
		line = string(runes[:functionLimit])
	}
	return line + cutMark
}

// arguments writes what a console function was given, formats applied.
func (w *writer) arguments(args []value) {
	if len(args) > 0 && args[0].Kind == str {
		args = w.format(args[0].Text, args[1:])
		if len(args) > 0 {
			w.WriteByte(' ')
		}
	}
	for i := range args {
		if i > 0 {
			w.WriteByte(' ')
		}
		w.argument(&args[i])
	}
}

func (w *writer) argument(v *value) {
	if v.Kind == str {
		w.WriteString(v.Text)
	} else {
		w.value(v, 0)
	}
}

// format writes a text with its formats applied, and gives back the arguments that
// are left. The browser has turned those for %d, %i and %f into numbers.
func (w *writer) format(text string, args []value) []value {
	for {
		i := strings.IndexByte(text, '%')
		if i < 0 || i+1 == len(text) {
			w.WriteString(text)
			return args
		}
		w.WriteString(text[:i])
		verb := text[i+1]
		switch {
		case verb == '%':
			w.WriteByte('%')
		case strings.IndexByte("sdifoOc", verb) < 0 || len(args) == 0:
			w.WriteString(text[i : i+1])
			text = text[i+1:]
			continue
		default:
			switch verb {
			case 'c': // how it is painted
			case 'o', 'O':
				w.value(&args[0], 0)
			default:
				w.argument(&args[0])
			}
			args = args[1:]
		}
		text = text[i+2:]
	}
}
