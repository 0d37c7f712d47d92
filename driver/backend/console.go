package backend

import "time"

type (
	// Written: something was written to a console, by a page or worker, or by the
	// browser about one.
	Written struct {
		Entry ConsoleEntry
		// In and URL are where: page, frame, worker, shared_worker, service_worker, and
		// the address of the document or script at that moment.
		In, URL string
		// Exception is the number of an exception that nobody caught; 0 for all else.
		Exception int
	}
	// WrittenGrew: more of what was written has been found out, and takes so many bytes.
	WrittenGrew struct {
		Entry ConsoleEntry
		By    int
	}
	// WrittenLost: a line was written, and there was no time to read it.
	WrittenLost struct{}
	// ExceptionHandled: somebody has caught it after all.
	ExceptionHandled struct{ Exception int }
)

func (Written) event()          {}
func (WrittenGrew) event()      {}
func (WrittenLost) event()      {}
func (ExceptionHandled) event() {}

// ConsoleEntry is something that was written. Pages write much at a time, so it is
// kept as the browser told it, and read when somebody wants to know.
type ConsoleEntry interface {
	// Read reads what is known of it by now; false is what cannot be read.
	Read() (*ConsoleRecord, bool)
	// Ready is closed when all that was asked for is known; nil where nothing was.
	Ready() <-chan struct{}
	// Size is about how many bytes it takes.
	Size() int
}

// ConsoleKind tells entries apart by who wrote them.
type ConsoleKind uint8

const (
	ConsoleCall      ConsoleKind = iota + 1 // a function of console: Function, Args, Stack
	ConsoleException                        // nobody caught it: Text, Rejection, Args has what was thrown, Place, Stack
	ConsoleMessage                          // of the browser: About, Level, Text, Args, Place, Stack
)

// ConsoleRecord is what was written, read.
type ConsoleRecord struct {
	Kind     ConsoleKind
	Time     time.Time
	Function string // log, warn, error, info, debug, assert, trace, table, group, …
	Args     []Value
	Text     string

	Rejection bool   // it was that of a promise
	About     string // network, security, deprecation, javascript, …
	Level     string // error, warn, info, log, debug

	Place   *ScriptPlace // a line of -1 is not known
	Stack   *StackTrace
	Scripts []*Script // those in the stack that have a source map in them
}

// StackTrace is the calls that led somewhere, innermost first.
type StackTrace struct {
	Description string // of what led to it: Promise.then
	Calls       []ScriptPlace
	Parent      *StackTrace
}

// Script is a script that has a source map in it. It is the same one as long as the
// script is.
type Script struct {
	URL    string
	MapURL string // the line with the source map, as it stands in the script
}

// ValueKind tells values apart.
type ValueKind uint8

const (
	ValueText     ValueKind = iota // as Text says: numbers, null, dates, nodes
	ValueString                    // Text is its content
	ValueFunction                  // Text is its source
	ValueObject                    // Text is its class, Items its properties
	ValueArray
	ValueMap
	ValueSet
	ValueError   // Text is its stack, Items what else it has
	ValueHole    // in an array
	ValueUnknown // left out
)

// Value is something that a page wrote, as far as it is known.
type Value struct {
	Kind  ValueKind
	Text  string // a string's content, an error's stack, a class, or how it is written
	Items []Item
	Size  int  // of an array, map or set; -1 where it is not known
	More  bool // there is more in it than Items or Text tell
}

// Item is a property, an element, or an entry of a map.
type Item struct {
	Name string // of a property
	Key  *Value // of an entry of a map
	Value
}
