package console

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"rove/aria"
	"rove/internal/wire"
)

// Entry is one thing that was written.
type Entry struct {
	Number  int64     `json:"number"` // counts up from 1, and goes on when the log is cleared
	Time    time.Time `json:"time"`
	Level   string    `json:"level"` // error, warn, info, log, debug
	Kind    string    `json:"kind"`  // what wrote it: a word of Kinds
	Text    string    `json:"text"`
	Source  string    `json:"source,omitempty"` // address:line:column
	Context Context   `json:"context"`
	Stack   []string  `json:"stack,omitempty"` // of errors and traces, innermost call first
}

// Context is where something was written.
type Context struct {
	Kind string `json:"kind"`          // a word of Contexts
	URL  string `json:"url,omitempty"` // of the document or script at that moment
	Tab  string `json:"tab,omitempty"` // "" for shared and service workers
}

// The words of entries. Those of the console's functions are kinds by their own
// names; the rest are what the browser gives as the source of a message.
var (
	Levels   = []string{"error", "warn", "info", "log", "debug"}
	Contexts = []string{"page", "frame", "worker", "shared_worker", "service_worker"}
	Kinds    = []string{
		"assert", "trace", "table", "group", "dir", "dirxml", "count", "timeEnd", "clear",
		"exception", "rejection",
		"network", "security", "deprecation", "violation", "intervention", "recommendation", "javascript", "rendering", "storage", "xml", "other",
	}
)

func (c Context) String() string {
	kind := strings.ReplaceAll(c.Kind, "_", " ")
	if c.URL == "" {
		return kind
	}
	return kind + " " + c.URL
}

// String is the entry as a model reads it.
func (e Entry) String() string { return e.Line(false) }

// Line is the entry as a model reads it; onePage leaves out the address of a page
// that is clear. Lines within it are indented, so that no page can write what reads
// like another entry.
func (e Entry) Line(onePage bool) string {
	label, in := e.Level, e.Context
	if e.Kind != e.Level {
		label += " " + e.Kind
	}
	if onePage && in.Kind == "page" || strings.HasPrefix(e.Source, in.URL+":") {
		in.URL = ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s [%s] %s", e.Time.Format("15:04:05.000"), label, in)
	if e.Source != "" {
		b.WriteString(" at " + e.Source) // first, so that it is there where the rest is cut
	}
	b.WriteByte(':')
	switch text := indent(e.Text); {
	case e.Kind == "table" && strings.Contains(text, "\n"):
		b.WriteString("\n" + margin + text)
	case text != "":
		b.WriteString(" " + text)
	}
	for _, call := range e.Stack {
		b.WriteString("\n    at " + indent(call))
	}
	return b.String()
}

const margin = "    "

// indent indents the second and later lines, as stacks are.
func indent(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], margin) {
			lines[i] = margin + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// trace is a stack as the protocol tells it.
type trace struct {
	Description string `json:"description"`
	Calls       []struct {
		Function string `json:"functionName"`
		URL      string `json:"url"`
		Line     int    `json:"lineNumber"`
		Column   int    `json:"columnNumber"`
	} `json:"callFrames"`
	Parent *trace `json:"parent"`
}

// called is Runtime.consoleAPICalled, as far as it matters.
type called struct {
	Type  string   `json:"type"`
	Args  []remote `json:"args"`
	Time  float64  `json:"timestamp"`
	Trace *trace   `json:"stackTrace"`
}

// thrown is Runtime.exceptionThrown, as far as it matters.
type thrown struct {
	Time    float64 `json:"timestamp"`
	Details struct {
		ID        int     `json:"exceptionId"`
		Text      string  `json:"text"`
		Line      int     `json:"lineNumber"`
		Column    int     `json:"columnNumber"`
		URL       string  `json:"url"`
		Trace     *trace  `json:"stackTrace"`
		Exception *remote `json:"exception"`
	} `json:"exceptionDetails"`
}

// told is Log.entryAdded, as far as it matters.
type told struct {
	Entry struct {
		Source string   `json:"source"`
		Level  string   `json:"level"`
		Text   string   `json:"text"`
		Time   float64  `json:"timestamp"`
		URL    string   `json:"url"`
		Line   *int     `json:"lineNumber"`
		Trace  *trace   `json:"stackTrace"`
		Args   []remote `json:"args"`
	} `json:"entry"`
}

// read makes an entry of a record.
func (l *Log) read(r *record) Entry {
	l.mu.Lock()
	m := make(mapper)
	for url, s := range r.scripts {
		m[url] = s.found
	}
	handled, details := r.handled, r.details
	l.mu.Unlock()

	e := Entry{Number: r.number, Context: r.context}
	var err error
	switch r.method {
	case "Runtime.consoleAPICalled":
		var c called
		if err = wire.Unmarshal(r.params, &c); err == nil {
			e.called(&c, details, m)
		}
	case "Runtime.exceptionThrown":
		var t thrown
		if err = wire.Unmarshal(r.params, &t); err == nil {
			e.thrown(&t, details, m)
		}
	default:
		var t told
		if err = wire.Unmarshal(r.params, &t); err == nil {
			e.told(&t, m)
		}
	}
	if err != nil {
		e.Level, e.Kind, e.Text = "log", "other", "an entry that could not be read"
	}
	if handled {
		e.Level = "info"
		e.Text += " (handled later)"
	}
	e.Text, e.Source, e.Context.URL = aria.Reveal(e.Text), aria.Reveal(e.Source), aria.Reveal(e.Context.URL)
	for i := range e.Stack {
		e.Stack[i] = aria.Reveal(e.Stack[i])
	}
	return e
}

// levels are those of the console's functions that have one of their own.
var levels = map[string]string{"error": "error", "assert": "error", "warning": "warn", "info": "info", "debug": "debug"}

func (e *Entry) called(c *called, details map[int]value, m mapper) {
	e.Time = clock(c.Time)
	e.Level, e.Kind = "log", c.Type
	if level := levels[c.Type]; level != "" {
		e.Level = level
	}
	switch c.Type {
	case "warning":
		e.Kind = "warn"
	case "startGroup", "startGroupCollapsed":
		e.Kind = "group"
	}
	e.Source = m.position(c.Trace)
	w := writer{stack: m.stack}
	args := make([]value, len(c.Args))
	for i := range c.Args {
		args[i] = c.Args[i].value()
		if d, ok := details[i]; ok {
			args[i].fill(&d)
		}
	}
	// What the browser says where a function was given nothing.
	if len(args) == 1 && args[0].kind == str && strings.HasPrefix(args[0].text, "console.") {
		switch args[0].text {
		case "console.assert":
			args = nil
		case "console.clear":
			args[0].text = "the page cleared its console"
		case "console.group", "console.groupCollapsed", "console.trace":
			args = nil
		}
	}
	if c.Type == "assert" {
		w.WriteString("Assertion failed")
		if len(args) > 0 {
			w.WriteString(": ")
		}
	}
	if c.Type != "table" || len(args) == 0 || !w.table(&args[0]) {
		w.arguments(args)
	}
	e.Text = w.String()
	if slices.Contains([]string{"error", "assert", "trace"}, c.Type) && !strings.Contains(e.Text, "\n    at ") {
		e.Stack = m.calls(c.Trace)
	}
	if len(e.Stack) == 1 && c.Type != "trace" {
		e.Stack = nil // the position says it
	}
}

func (e *Entry) thrown(t *thrown, details map[int]value, m mapper) {
	d := &t.Details
	e.Time = clock(t.Time)
	e.Level, e.Kind = "error", "exception"
	if strings.Contains(d.Text, "(in promise)") {
		e.Kind = "rejection"
	}
	e.Source = m.place(d.URL, d.Line, d.Column)
	e.Stack = m.calls(d.Trace)
	if e.Source == "" {
		e.Source = m.position(d.Trace)
	}
	w := writer{stack: m.stack}
	w.WriteString(d.Text)
	if d.Exception != nil {
		v := d.Exception.value()
		if found, ok := details[0]; ok {
			v.fill(&found)
		}
		if v.kind == failure {
			// The stack that an error has is the one of where it was made.
			text := v.text
			message, calls, ok := strings.Cut(text, "\n    at ")
			if ok {
				e.Stack = strings.Split(m.stack(calls), "\n    at ")
			}
			v.text = message
		}
		if w.Len() > 0 {
			w.WriteByte(' ')
		}
		w.argument(&v)
	}
	e.Text = w.String()
	if len(e.Stack) == 1 && strings.Contains(e.Stack[0], e.Source) && !strings.Contains(e.Stack[0], "(") {
		e.Stack = nil
	}
}

func (e *Entry) told(t *told, m mapper) {
	d := &t.Entry
	e.Time = clock(d.Time)
	e.Kind, e.Text = d.Source, d.Text
	switch d.Level {
	case "verbose":
		e.Level = "debug"
	case "warning":
		e.Level = "warn"
	case "error", "info":
		e.Level = d.Level
	default:
		e.Level = "log"
	}
	if e.Kind == "" || !slices.Contains(Kinds, e.Kind) {
		e.Kind = "other"
	}
	e.Source = d.URL
	if d.Line != nil && d.URL != "" {
		e.Source += ":" + strconv.Itoa(*d.Line+1)
	}
	if e.Source == "" {
		e.Source = m.position(d.Trace)
	}
	if e.Stack = m.calls(d.Trace); len(e.Stack) == 1 {
		e.Source, e.Stack = m.position(d.Trace), nil
	}
	w := writer{stack: m.stack}
	for i := range d.Args {
		v := d.Args[i].value()
		w.WriteByte(' ')
		w.argument(&v)
	}
	if args := w.String(); !strings.Contains(e.Text, strings.TrimSpace(args)) {
		e.Text += args
	}
}

// clock reads a time in milliseconds.
func clock(ms float64) time.Time {
	if math.IsNaN(ms) || ms < 0 || ms > 1e15 {
		ms = 0
	}
	return time.UnixMicro(int64(ms * 1000))
}
