package script

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dop251/goja"
)

// Error is a script that failed: what it threw, and where.
type Error struct {
	Message      string
	Name         string // the file
	Line, Column int    // in that file; 0 where it is not known
	Stack        []string
	// Thrown is what the script threw, as data; nil where the engine did.
	Thrown any
	cause  error
	raw    any // what the engine threw, to throw it again
}

func (e *Error) Error() string { return e.Message }

// Unwrap gives the error of Go that came through the script, if one did.
func (e *Error) Unwrap() error { return e.cause }

// Where is the place for people: login.feature:12:7.
func (e *Error) Where() string {
	if e.Line == 0 {
		return e.Name
	}
	where := fmt.Sprintf("%s:%d", e.Name, e.Line)
	if e.Column > 0 {
		where += fmt.Sprintf(":%d", e.Column)
	}
	return where
}

// ErrTooLong is the cause of the error of a script that was ended because it
// did not end by itself.
var ErrTooLong = errors.New("the script does not end")

// explain makes an error of ours of one of the engine.
func (rt *Runtime) explain(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	if interrupted, ok := errors.AsType[*goja.InterruptedError](err); ok {
		cause, _ := interrupted.Value().(error)
		e := &Error{Message: "the script was interrupted", cause: cause, raw: interrupted}
		switch {
		case errors.Is(cause, ErrTooLong):
			e.Message = fmt.Sprintf("the script did not end within %s of its own time", rt.limit.Round(time.Millisecond))
		case errors.Is(cause, context.DeadlineExceeded):
			e.Message = "the script did not end in time"
		}
		e.trace(interrupted.Stack())
		return e
	}
	if overflow, ok := errors.AsType[*goja.StackOverflowError](err); ok {
		e := &Error{Message: "RangeError: too much recursion"}
		e.trace(overflow.Stack())
		return e
	}
	var thrown *goja.Exception
	if !errors.As(err, &thrown) {
		return err
	}
	e := &Error{cause: thrown.Unwrap()}
	e.trace(thrown.Stack())
	v := thrown.Value()
	if v != nil {
		e.raw = v
	}
	switch {
	case e.cause != nil:
		e.Message = e.cause.Error()
	case v == nil:
		e.Message = err.Error()
	default:
		e.Message = rt.thrownText(v)
		e.Thrown = rt.export(v)
	}
	return e
}

func (rt *Runtime) thrownText(v goja.Value) (text string) {
	defer func() {
		if recover() != nil {
			text = "something that has no text was thrown"
		}
	}()
	if o, ok := v.(*goja.Object); ok && o.ClassName() == "Object" && o.Get("message") == nil {
		return jsonText(rt.export(v))
	}
	return v.String()
}

func (e *Error) trace(stack []goja.StackFrame) {
	for _, f := range stack {
		at := f.Position()
		if at.Line == 0 {
			continue
		}
		name, line, column := placed(at)
		if e.Line == 0 {
			e.Name, e.Line, e.Column = name, line, column
		}
		e.Stack = append(e.Stack, fmt.Sprintf("%s (%s:%d:%d)", f.FuncName(), name, line, column))
	}
}
