package driver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rove/aria"
	"rove/driver/advice"
	"rove/driver/backend"
)

// Code tells failures apart; doors turn it into an exit code, an HTTP status
// or a failed step.
type Code string

const (
	CodeStale       Code = "stale"       // the ref's element is gone
	CodeNotFound    Code = "notfound"    // nothing matches
	CodeHidden      Code = "hidden"      // there, but not visible
	CodeCovered     Code = "covered"     // something else would get the click
	CodeDisabled    Code = "disabled"    // there, but switched off
	CodeTimeout     Code = "timeout"     // waited as long as allowed
	CodeNavigation  Code = "navigation"  // the page could not be reached
	CodeDialog      Code = "dialog"      // a dialog is open and must be answered first
	CodeCrashed     Code = "crashed"     // the page's process died
	CodeClosed      Code = "closed"      // tab, session or browser is gone
	CodeUnsupported Code = "unsupported" // this browser cannot do that
	CodeInvalid     Code = "invalid"     // the request makes no sense
	CodePolicy      Code = "policy"      // not allowed here
	CodeProtocol    Code = "protocol"    // the browser answered what nobody expected
)

// Error is every failure from driver upwards: what was tried, what stopped it,
// and what to do next.
type Error struct {
	Code    Code
	Op      string         // what was being done: "go", "look", "click #save"
	Message string         // one sentence
	Hint    string         // what to do next, where there is something
	Log     []string       // what was tried, in order
	Reason  backend.Reason // why a page could not be reached, where that is the matter
	Err     error          // the cause

	advised advised // the hint as a code, for those who have other words for it
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Op != "" {
		b.WriteString(e.Op)
		b.WriteString(": ")
	}
	b.WriteString(e.Message)
	if e.Hint != "" {
		b.WriteString("; ")
		b.WriteString(e.Hint)
	}
	for _, l := range e.Log {
		b.WriteString("\n  ")
		b.WriteString(l)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// Final says that nothing but another decision mends it: what is not allowed, or not
// agreed to, is not to be tried again.
func (e *Error) Final() bool { return e.Code == CodePolicy }

// Advise gives the error a hint by its code, in the words for Go programs.
func (e *Error) Advise(code advice.Code, args ...string) *Error {
	e.Hint = advice.Methods.Say(code, args...)
	e.advised = advised{code: code, args: args, said: e.Hint}
	return e
}

// Advice is the code of its hint; "" where that is the same in all words.
func (e *Error) Advice() advice.Code {
	if e.Hint != e.advised.said { // somebody knew better
		return ""
	}
	return e.advised.code
}

// In is the error with its hint in other words.
func (e *Error) In(w advice.Words) *Error {
	if e.Advice() == "" {
		return e
	}
	said := *e
	said.Hint = w.Say(e.advised.code, e.advised.args...)
	said.advised.said = said.Hint
	return &said
}

// advised is a hint as a code, and how it was said.
type advised struct {
	code advice.Code
	args []string
	said string
}

// MaskError is an error as it may be told: its texts are what mask makes of them (nil
// leaves them as they are), each on one line and with nothing that cannot be seen. A cause
// that says more is dropped.
func MaskError(mask func(string) string, err error) error {
	if err == nil {
		return nil
	}
	if mask == nil {
		mask = func(text string) string { return text }
	}
	tell := func(text string) string { return aria.OneLine(mask(text)) }
	var e *Error
	if !errors.As(err, &e) {
		if text := tell(err.Error()); text != err.Error() {
			return errors.New(text)
		}
		return err
	}
	told := *e
	told.Op, told.Message, told.Hint = tell(e.Op), tell(e.Message), tell(e.Hint)
	same := told.Op == e.Op && told.Message == e.Message && told.Hint == e.Hint
	for i, line := range e.Log {
		if said := tell(line); said != line {
			told.Log, same = slices.Clone(told.Log), false
			told.Log[i] = said
		}
	}
	if e.Err != nil && mask(e.Err.Error()) != e.Err.Error() {
		told.Err, same = nil, false
	}
	if same {
		return err
	}
	return &told
}

// Error makes a code something to compare an error with: errors.Is(err, CodeTimeout).
func (c Code) Error() string { return string(c) }

// Is says whether the error has a code.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// CodeOf gives the code of an error: "" for none, CodeProtocol for one without.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeProtocol
}

// Invalid makes the error for a request that makes no sense.
func Invalid(op, format string, args ...any) *Error {
	return &Error{Code: CodeInvalid, Op: op, Message: fmt.Sprintf(format, args...)}
}

// Explain puts what a backend or a context said into words, as an [*Error].
func Explain(op string, err error) error {
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	if late := timedOut(op, err); late != nil {
		return late
	}
	var b *backend.Error
	if !errors.As(err, &b) {
		return (&Error{Code: CodeProtocol, Op: op, Message: err.Error(), Err: err}).Advise(advice.TryAgain)
	}
	e := &Error{Op: op, Err: err}
	switch b.Kind {
	case backend.KindDialog:
		e.Code = CodeDialog
		e.Message = "a dialog is open"
		if b.Dialog != nil {
			e.Message = fmt.Sprintf("the page shows %s: %q", article(b.Dialog.Type), b.Dialog.Message)
		}
		e.Advise(advice.AnswerDialog)
	case backend.KindCrashed:
		e.Code, e.Message, e.Hint = CodeCrashed, "the page crashed", "go to a URL to start it afresh"
		if b.Why != "" {
			e.Message, e.Hint = "the page was ended: "+b.Why, "go to another URL; the page itself would do it again"
		}
	case backend.KindClosed:
		e.Code, e.Message, e.Hint = CodeClosed, "the tab or browser is gone", "open another"
		if b.Text != "" {
			e.Message += ": " + b.Text
		}
	case backend.KindNavigated:
		e.Code, e.Message = CodeNavigation, "the page was replaced meanwhile"
		e.Advise(advice.LookAgain)
	case backend.KindNavigation:
		return navigationError(op, b)
	case backend.KindPolicy:
		e.Code, e.Message, e.Hint = CodePolicy, b.Text, PolicyHint
	case backend.KindUnsupported:
		e.Code, e.Message, e.Hint = CodeUnsupported, b.Text, "do it in another way"
	case backend.KindScript:
		e.Code, e.Message = CodeProtocol, "a script threw "+thrown(b.Text)
		e.Advise(advice.TryAgain)
	case backend.KindUnreadable:
		e.Code, e.Message = CodeNavigation, "there is no document that can be read now"
		e.Advise(advice.WaitAndLook)
	default:
		e.Code, e.Message = CodeProtocol, b.Error()
		e.Advise(advice.TryAgain)
	}
	return e
}

// failed is as Explain, and says of what the backend cannot do
// which backend that is.
func (d *Driver) failed(op string, err error) error {
	err = Explain(op, err)
	known, ok := err.(*Error)
	if !ok || known.Code != CodeUnsupported || strings.HasSuffix(known.Message, " backend") {
		return err
	}
	said := *known
	said.Message += ": not supported by the " + d.Backend() + " backend"
	said.Hint = "do it in another way, or with another backend"
	return &said
}

// ignoreUnsupported is an error, or nil where the backend lacks what was asked for and
// nobody needs it.
func ignoreUnsupported(err error) error {
	var b *backend.Error
	if errorIs(err, CodeUnsupported) || errors.As(err, &b) && b.Kind == backend.KindUnsupported {
		return nil
	}
	return err
}

// PolicyHint is the advice to who wants what is not allowed.
const PolicyHint = "stay within what is allowed, or ask for more to be allowed"

// timedOut puts into words that a wait was ended, or gives nil if it was not.
func timedOut(op string, err error) error {
	e := &Error{Code: CodeTimeout, Op: op, Err: err}
	var b *backend.Error
	switch {
	case IsBusy(err):
		e.Message = "the page is busy and does not answer: a script of it does not end, or it waits for the server of the page it is going to"
		e.Advise(advice.StopPage)
	case errors.As(err, &b) && b.Kind == backend.KindTimeout:
		e.Message = "timed out waiting for " + b.Text
		e.Advise(advice.TryLonger)
	case errors.Is(err, context.DeadlineExceeded):
		e.Message = "timed out"
		e.Advise(advice.TryLonger)
	case errors.Is(err, context.Canceled):
		e.Message = "cancelled by the caller"
		e.Advise(advice.TryAgain)
	default:
		return nil
	}
	return e
}

// IsBusy is true of the error of a page whose script does not come to an end.
func IsBusy(err error) bool {
	var b *backend.Error
	return errors.As(err, &b) && b.Kind == backend.KindBusy
}

func article(dialog string) string {
	switch dialog {
	case "alert":
		return "an alert"
	case "beforeunload":
		return "a beforeunload dialog"
	default:
		return "a " + dialog
	}
}

// reasons puts why a page could not be reached into words.
var reasons = map[backend.Reason]struct{ message, hint string }{
	backend.ReasonDNS:         {"DNS: no such host", "check the spelling of the address"},
	backend.ReasonLookup:      {"DNS: the name could not be looked up", "check the network"},
	backend.ReasonRefused:     {"refused: nothing listens at that address", "is the server running on that port?"},
	backend.ReasonReset:       {"the server broke the connection", "try again"},
	backend.ReasonClosed:      {"the server closed the connection without an answer", "is it speaking http on that port?"},
	backend.ReasonConnection:  {"the connection failed", "try again"},
	backend.ReasonEmpty:       {"the server sent nothing", "is it speaking http on that port?"},
	backend.ReasonTimeout:     {"timeout: the server did not answer", "try again"},
	backend.ReasonTLS:         {"TLS: no secure connection", "is it https on that port?"},
	backend.ReasonCertificate: {"TLS: the certificate is not valid for this address", "use the right name, or http"},
	backend.ReasonOffline:     {"offline: there is no network", "check the network; where it is emulated, end that"},
	backend.ReasonAddress:     {"the address cannot be reached", "check the network"},
	backend.ReasonNetwork:     {"the network changed or is not there", "check the network"},
	backend.ReasonLogin:       {"the server wants a name and a password, or others than these", "give them in the address: https://NAME:PASSWORD@host/path"},
	backend.ReasonRedirects:   {"the page redirects in circles", "cookies may be missing"},
	backend.ReasonBlocked:     {"blocked", "the session's policy does not allow it"},
	backend.ReasonNoFile:      {"no such file", "check the path"},
	backend.ReasonDenied:      {"the file may not be read", "check its permissions"},
	backend.ReasonScheme:      {"this kind of URL cannot be opened", "use http or https"},
	backend.ReasonURL:         {"that is not a URL", "write it as https://host/path"},
	backend.ReasonPort:        {"browsers do not open that port", "use another port"},
	backend.ReasonAnswer:      {"the answer was not http", "is it speaking http on that port?"},
	backend.ReasonAborted:     {"the navigation was aborted", "another navigation or a download took over"},
}

// NavigationError is the error for an action that led to where no page can be reached; nil
// where there is one.
func (e *Effect) NavigationError(op string) error {
	if e == nil || e.Unreachable == "" {
		return nil
	}
	err := navigationError(op, &backend.Error{Kind: backend.KindNavigation, Text: e.Unreachable, Reason: e.reason})
	err.Message = "it led to " + e.URL + ", which cannot be reached: " + err.Message
	return err
}

func navigationError(op string, b *backend.Error) *Error {
	e := &Error{Code: CodeNavigation, Op: op, Message: b.Text, Hint: "check the address, or try again", Reason: b.Reason, Err: b}
	said, ok := reasons[b.Reason]
	if !ok {
		return e
	}
	if e.Message, e.Hint = said.message, said.hint; b.Text != "" {
		e.Message = fmt.Sprintf("%s (%s)", said.message, b.Text)
	}
	if b.Reason == backend.ReasonTimeout {
		e.Code = CodeTimeout
	}
	return e
}
