package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"rove/aria"
	"rove/driver/backend"
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

// read makes an entry of a record.
func (l *Log) read(r *record) Entry {
	l.mu.Lock()
	handled := r.handled
	l.mu.Unlock()
	e := Entry{Number: r.number, Context: r.context}
	if c, ok := r.entry.Read(); ok {
		m := l.mapper(c.Scripts)
		e.Time = c.Time
		switch c.Kind {
		case backend.ConsoleCall:
			e.called(c, m)
		case backend.ConsoleException:
			e.thrown(c, m)
		default:
			e.told(c, m)
		}
	} else {
		e.Level, e.Kind, e.Text = "log", "other", "an entry that could not be read"
	}
	if handled {
		e.Level = "info"
		e.Text += " (handled later)"
	}
	e.Text, e.Source, e.Context.URL = aria.Reveal(e.Text), aria.OneLine(e.Source), aria.OneLine(e.Context.URL) // a source map calls its sources what it likes
	for i := range e.Stack {
		e.Stack[i] = aria.Reveal(e.Stack[i])
	}
	return e
}

// mapsKept is how many source maps are kept once they are read.
const mapsKept = 100

// mapper reads the source maps of scripts.
func (l *Log) mapper(scripts []*backend.Script) mapper {
	m := make(mapper)
	for _, s := range scripts {
		l.mu.Lock()
		read, ok := l.maps[s]
		l.mu.Unlock()
		if !ok {
			read = inlineMap(s.MapURL)
			l.mu.Lock()
			if l.maps == nil || len(l.maps) >= mapsKept {
				l.maps = make(map[*backend.Script]*sourceMap)
			}
			l.maps[s] = read
			l.mu.Unlock()
		}
		m[s.URL] = read
	}
	return m
}

// levels are those of the console's functions that have one of their own.
var levels = map[string]string{"error": "error", "assert": "error", "warn": "warn", "info": "info", "debug": "debug"}

func (e *Entry) called(c *backend.ConsoleRecord, m mapper) {
	e.Level, e.Kind = "log", c.Function
	if level := levels[c.Function]; level != "" {
		e.Level = level
	}
	e.Source = m.position(c.Stack)
	w := writer{stack: m.stack}
	if c.Function == "assert" {
		w.WriteString("Assertion failed")
		if len(c.Args) > 0 {
			w.WriteString(": ")
		}
	}
	if c.Function != "table" || len(c.Args) == 0 || !w.table(&c.Args[0]) {
		w.arguments(c.Args)
	}
	e.Text = w.String()
	if slices.Contains([]string{"error", "assert", "trace"}, c.Function) && !strings.Contains(e.Text, "\n    at ") {
		e.Stack = m.calls(c.Stack)
	}
	if len(e.Stack) == 1 && c.Function != "trace" {
		e.Stack = nil // the position says it
	}
}

func (e *Entry) thrown(c *backend.ConsoleRecord, m mapper) {
	e.Level, e.Kind = "error", "exception"
	if c.Rejection {
		e.Kind = "rejection"
	}
	if p := c.Place; p != nil {
		e.Source = m.place(p.URL, p.Line, p.Column)
	}
	e.Stack = m.calls(c.Stack)
	if e.Source == "" {
		e.Source = m.position(c.Stack)
	}
	w := writer{stack: m.stack}
	w.WriteString(c.Text)
	if len(c.Args) > 0 {
		v := &c.Args[0]
		if v.Kind == failure {
			// The stack that an error has is the one of where it was made.
			message, calls, ok := strings.Cut(v.Text, "\n    at ")
			if ok {
				e.Stack = strings.Split(m.stack(calls), "\n    at ")
			}
			v.Text = message
		}
		if w.Len() > 0 {
			w.WriteByte(' ')
		}
		w.argument(v)
	}
	e.Text = w.String()
	if len(e.Stack) == 1 && strings.Contains(e.Stack[0], e.Source) && !strings.Contains(e.Stack[0], "(") {
		e.Stack = nil
	}
}

func (e *Entry) told(c *backend.ConsoleRecord, m mapper) {
	e.Kind, e.Text, e.Level = c.About, c.Text, c.Level
	if e.Kind == "" || !slices.Contains(Kinds, e.Kind) {
		e.Kind = "other"
	}
	if p := c.Place; p != nil {
		e.Source = p.URL
		if p.Line >= 0 && p.URL != "" {
			e.Source += ":" + strconv.Itoa(p.Line+1)
		}
	}
	if e.Source == "" {
		e.Source = m.position(c.Stack)
	}
	if e.Stack = m.calls(c.Stack); len(e.Stack) == 1 {
		e.Source, e.Stack = m.position(c.Stack), nil
	}
	w := writer{stack: m.stack}
	for i := range c.Args {
		w.WriteByte(' ')
		w.argument(&c.Args[i])
	}
	if args := w.String(); !strings.Contains(e.Text, strings.TrimSpace(args)) {
		e.Text += args
	}
}
