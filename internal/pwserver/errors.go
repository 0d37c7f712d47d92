package pwserver

import (
	"errors"
	"regexp"
	"strings"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// refusal is an error as the server tells it.
type refusal struct {
	name, text string
	value      raw // where a page threw something that is no error
}

func (e *refusal) Error() string { return e.text }

// gone are the server's words for what is not there any more.
var gone = []string{
	"Execution context was destroyed", "Frame was detached", "frame was detached", "JSHandle is disposed", "Element is not attached",
	"Cannot find context with specified id", "Object has been collected", "Unable to adopt element handle", "no object with guid",
	"Inspected target navigated or closed", "most likely because of a navigation", "Cannot find object with id", "Node with given id does not belong",
}

// errCrashed is a page whose process is gone. The server does nothing with it any more.
var errCrashed = backend.Fail(backend.KindCrashed, "the page's process ended, and a Playwright server does not bring such a page back: open another tab")

// fault gives an error of the server its kind.
func fault(err error) error {
	var known *backend.Error
	var e *refusal
	if err == nil || errors.As(err, &known) || !errors.As(err, &e) {
		return err
	}
	if strings.Contains(e.text, "Page crashed") || strings.Contains(e.text, "Target crashed") {
		return errCrashed
	}
	if e.name == "TargetClosedError" || strings.Contains(e.text, "has been closed") {
		return &backend.Error{Kind: backend.KindClosed, Text: firstLine(e.text), Err: err}
	}
	for _, words := range gone {
		if strings.Contains(e.text, words) {
			return &backend.Error{Kind: backend.KindNavigated, Text: firstLine(e.text), Err: err}
		}
	}
	return &backend.Error{Kind: backend.KindProtocol, Text: firstLine(e.text), Err: err}
}

// thrown is the error of a script, where it is none of the browser's: what the page threw.
func thrown(err error) error {
	var e *refusal
	if !errors.As(err, &e) {
		return err
	}
	if k := backend.KindOf(err); k != backend.KindProtocol {
		return err
	}
	text := e.text
	if strings.Contains(text, "not well-serializable") { // which the server says of what does not parse
		text = "SyntaxError: the script does not parse"
	}
	if m := unread.FindStringSubmatchIndex(text); m != nil {
		text = text[:m[2]]
	}
	if e.value != nil {
		var v value
		if v.UnmarshalJSON(e.value) == nil {
			text = "Uncaught " + string(v.json())
		}
	}
	return backend.Fail(backend.KindScript, text)
}

// unread has the stack of what does not parse: that of the server's own script, which reads it.
var unread = regexp.MustCompile(`^SyntaxError: [^\n]*(\n\s+at eval \(<anonymous>\)\n\s+at UtilityScript\.)`)

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// reasonOf is what a browser's words for a failure mean; "" where there are none.
func reasonOf(words string) backend.Reason { return anypage.Reason(word(words)) }

var netWord = regexp.MustCompile(`(net::)?(ERR|NS_ERROR)_[A-Z_]+`)

// word is the browser's own word in a sentence of the server's.
func word(text string) string {
	if w := netWord.FindString(text); w != "" {
		return w
	}
	return firstLine(text)
}
