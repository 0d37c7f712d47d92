package backend

import "errors"

// Kind tells a backend's failures apart.
type Kind string

const (
	KindDialog      Kind = "dialog"      // a dialog opened, or is open
	KindCrashed     Kind = "crashed"     // the page's process died
	KindClosed      Kind = "closed"      // tab, context or browser is gone
	KindNavigated   Kind = "navigated"   // the document went away under the call
	KindNavigation  Kind = "navigation"  // the navigation failed; Reason says why
	KindScript      Kind = "script"      // the page threw
	KindUnreadable  Kind = "unreadable"  // the frame has no world to run in
	KindTimeout     Kind = "timeout"     // the context ended; Text is what was waited for, Err the context's error
	KindBusy        Kind = "busy"        // the page's script does not come to an end; Err has the context's
	KindPolicy      Kind = "policy"      // not allowed; Text has the reason
	KindUnsupported Kind = "unsupported" // this browser cannot do that
	KindProtocol    Kind = "protocol"    // anything else the browser refused
)

// ErrGone is within the error of all that ended because the browser did, and not the
// tab alone.
var ErrGone = errors.New("the browser is gone")

// Error is a failure of a backend, told by kind. Text is the browser's own word.
type Error struct {
	Kind   Kind
	Text   string
	Reason Reason  // with KindNavigation
	Dialog *Dialog // with KindDialog
	Why    string  // with KindCrashed: why the process was ended on purpose, if it was
	Err    error
}

func (e *Error) Error() string {
	s := string(e.Kind)
	if e.Text != "" {
		s += ": " + e.Text
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// Fail makes an error of a kind.
func Fail(kind Kind, text string) *Error { return &Error{Kind: kind, Text: text} }

// KindOf is the kind of an error, "" for one that is no backend's.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}
