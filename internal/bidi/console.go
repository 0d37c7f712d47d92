package bidi

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/wire"
)

// stack is a stack as the protocol tells it.
type stack struct {
	Frames []stackFrame `json:"callFrames"`
}

type stackFrame struct {
	Function string `json:"functionName"`
	URL      string `json:"url"`
	Line     int    `json:"lineNumber"`
	Column   int    `json:"columnNumber"`
}

func (f *stackFrame) place() *backend.ScriptPlace {
	return &backend.ScriptPlace{URL: f.URL, Function: f.Function, Line: f.Line, Column: f.Column}
}

// logEvent is log.entryAdded, as far as it matters.
type logEvent struct {
	Type   string  `json:"type"` // console, javascript
	Level  string  `json:"level"`
	Text   string  `json:"text"`
	Time   float64 `json:"timestamp"`
	Method string  `json:"method"`
	Args   []value `json:"args"`
	Stack  *stack  `json:"stackTrace"`
}

// tellConsole tells those who asked for it what a frame of the tab wrote.
func (t *Tab) tellConsole(frame string, ev cdp.Event) {
	if !t.context.observers.Want(backend.ObserveConsole) {
		return
	}
	told := backend.Written{Entry: &consoleEntry{ev.Params}, In: "page"}
	t.Mu.Lock()
	if f := t.Find(backend.FrameID(frame)); f != nil {
		told.URL = f.URL
		if !f.Main() {
			told.In = "frame"
		}
	}
	t.Mu.Unlock()
	t.context.observers.Tell(backend.ObserveConsole, t.source, told)
}

// consoleEntry is something that was written, as it came.
type consoleEntry struct{ params []byte }

func (c *consoleEntry) Ready() <-chan struct{} { return nil }

func (c *consoleEntry) Size() int { return len(c.params) }

func (c *consoleEntry) Read() (*backend.ConsoleRecord, bool) {
	var e logEvent
	if wire.Unmarshal(c.params, &e) != nil {
		return nil, false
	}
	out := &backend.ConsoleRecord{Time: time.UnixMicro(int64(e.Time * 1000))}
	if e.Stack != nil {
		out.Stack = &backend.StackTrace{}
		for i := range e.Stack.Frames {
			out.Stack.Calls = append(out.Stack.Calls, *e.Stack.Frames[i].place())
		}
	}
	switch e.Type {
	case "console":
		out.Kind, out.Function = backend.ConsoleCall, e.Method
		for i := range e.Args {
			out.Args = append(out.Args, e.Args[i].logged())
			if e.Args[i].Type == "error" {
				out.Args[i].Text = e.errorText(i)
			}
		}
	case "javascript":
		if e.Level == "error" {
			out.Kind, out.Text = backend.ConsoleException, "Uncaught "+e.Text
			break
		}
		fallthrough
	default:
		out.Kind, out.About, out.Level, out.Text = backend.ConsoleMessage, e.Type, e.Level, e.Text
	}
	return out, true
}

// errorText is what an error says that was given to a console among simple values: it is
// told of as an error and no more, but the line has its words.
func (e *logEvent) errorText(of int) string {
	text := e.Text
	for i := range e.Args[:of] {
		var found bool
		if text, found = strings.CutPrefix(text, e.Args[i].text()+" "); !found {
			return "Error"
		}
	}
	for i := len(e.Args) - 1; i > of; i-- {
		var found bool
		if text, found = strings.CutSuffix(text, " "+e.Args[i].text()); !found {
			return "Error"
		}
	}
	return cmp.Or(text, "Error")
}

// logged is a value as it is told of a console.
func (v *value) logged() backend.Value {
	text := func(s string) backend.Value { return backend.Value{Text: s} }
	switch v.Type {
	case "string":
		return backend.Value{Kind: backend.ValueString, Text: v.text()}
	case "undefined", "null":
		return text(v.Type)
	case "number", "boolean":
		var s string // NaN and its like
		if wire.Unmarshal(orNull(v.Value), &s) == nil {
			return text(s)
		}
		return text(string(v.Value))
	case "bigint":
		return text(v.plain() + "n")
	case "date":
		return text(v.plain())
	case "regexp":
		var r struct {
			Pattern string `json:"pattern"`
			Flags   string `json:"flags"`
		}
		_ = wire.Unmarshal(orNull(v.Value), &r)
		return text("/" + r.Pattern + "/" + r.Flags)
	case "symbol":
		return text("Symbol()")
	case "function":
		return backend.Value{Kind: backend.ValueFunction}
	case "error":
		return backend.Value{Kind: backend.ValueError, Text: "Error"}
	case "node":
		return text(v.nodeText())
	case "array", "nodelist", "htmlcollection":
		return v.list(backend.ValueArray, "Array")
	case "set":
		return v.list(backend.ValueSet, "Set")
	case "object":
		return v.pairs(backend.ValueObject, "Object")
	case "map":
		return v.pairs(backend.ValueMap, "Map")
	}
	return backend.Value{Kind: backend.ValueObject, Text: v.Type, More: true}
}

func (v *value) plain() string {
	var s string
	_ = wire.Unmarshal(orNull(v.Value), &s)
	return s
}

func (v *value) list(kind backend.ValueKind, class string) backend.Value {
	out := backend.Value{Kind: kind, Text: class, Size: -1, More: v.Value == nil}
	var all []value
	if wire.Unmarshal(orNull(v.Value), &all) != nil {
		return out
	}
	for i := range all {
		out.Items = append(out.Items, backend.Item{Value: all[i].logged()})
	}
	return out
}

func (v *value) pairs(kind backend.ValueKind, class string) backend.Value {
	out := backend.Value{Kind: kind, Text: class, Size: -1, More: v.Value == nil}
	var all [][2]rawValue
	if wire.Unmarshal(orNull(v.Value), &all) != nil {
		return out
	}
	for _, pair := range all {
		var it backend.Item
		var member, key value
		if wire.Unmarshal(pair[1], &member) != nil {
			continue
		}
		it.Value = member.logged()
		var name string
		switch {
		case wire.Unmarshal(pair[0], &name) != nil:
			if wire.Unmarshal(pair[0], &key) != nil {
				continue
			}
			it.Key = new(key.logged())
		case kind == backend.ValueMap:
			it.Key = &backend.Value{Kind: backend.ValueString, Text: name}
		default:
			it.Name = name
		}
		out.Items = append(out.Items, it)
	}
	return out
}

// nodeText writes a node: <p#id>.
func (v *value) nodeText() string {
	var n struct {
		Type       int               `json:"nodeType"`
		Name       string            `json:"localName"`
		Text       string            `json:"nodeValue"`
		Attributes map[string]string `json:"attributes"`
	}
	_ = wire.Unmarshal(orNull(v.Value), &n)
	switch {
	case n.Name != "" && n.Attributes["id"] != "":
		return "<" + n.Name + "#" + n.Attributes["id"] + ">"
	case n.Name != "":
		return "<" + n.Name + ">"
	case n.Type == 3:
		return "#text " + strconv.Quote(n.Text)
	}
	return "#document"
}
