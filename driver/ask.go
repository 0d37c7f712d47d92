package driver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rove/driver/backend"
	"rove/internal/wire"
)

// plain is what every answer of the page script has.
type plain struct {
	OK     bool   `json:"ok"`
	Code   string `json:"code"`
	Reason string `json:"reason"`
	Next   int    `json:"next"`
}

func (p *plain) verdict() *plain { return p }

// ask calls a function of the page script and reads its answer. What the script
// cannot make sense of is an error; what it did not find is errNotThere.
func (t *Tab) ask(ctx context.Context, frame backend.Frame, function string, arg map[string]any, out interface{ verdict() *plain }) error {
	number, next := t.driver.numbers.frame(t.tab, frame)
	if arg == nil {
		arg = map[string]any{}
	}
	arg["next"] = next
	// A page that does not answer in time does not answer.
	told, _ := arg["timeout"].(int64)
	ctx, cancel := context.WithTimeout(ctx, time.Duration(told)*time.Millisecond+answerTimeout)
	defer cancel()
	results, err := t.tab.Call(ctx, backend.Call{Frame: frame.ID, Func: function, Arg: arg})
	if err == nil {
		err = results[0].Err
	}
	if err != nil {
		return err
	}
	if err := wire.Unmarshal([]byte(results[0].Value), out); err != nil {
		return fmt.Errorf("the page script's %s answered %.80q: %w", function, results[0].Value, err)
	}
	p := out.verdict()
	t.driver.numbers.used(number, p.Next)
	switch p.Code {
	case "invalid":
		return &Error{Code: CodeInvalid, Message: p.Reason}
	case "notfound":
		return errNotThere
	}
	return nil
}

// eventPause bounds the wait for a document that is just being replaced.
const eventPause = 100 * time.Millisecond

// patiently does something to a page over what comes in between: a document that
// is replaced is asked again, and a dialog that somebody answers is waited for.
// Where the deadline is past, it is tried once, and again only while the document
// is being replaced.
func (d *Driver) patiently(ctx context.Context, t *Tab, op string, deadline time.Time, do func(ctx context.Context, left time.Duration) error) error {
	grace := time.Now().Add(d.limit(scriptWait))
	for {
		err := do(ctx, max(time.Until(deadline), 0))
		var b *backend.Error
		if err == nil || ctx.Err() != nil || !errors.As(err, &b) {
			return err
		}
		now := time.Now()
		switch {
		case b.Kind == backend.KindDialog && d.answers(t) && now.Before(grace):
			if err := t.dialogOver(ctx, grace); err != nil {
				return err
			}
		case (b.Kind == backend.KindNavigated || b.Kind == backend.KindUnreadable) && (now.Before(deadline) || now.Before(grace)):
			if err := t.nextEvent(ctx, eventPause); err != nil {
				return failed(op, err)
			}
		default:
			return err
		}
	}
}

// frameOf is a frame of the tab as it is now; "" is the main frame.
func (t *Tab) frameOf(id backend.FrameID) (backend.Frame, error) {
	frames := t.tab.Frames()
	if len(frames) == 0 {
		return backend.Frame{}, &backend.Error{Kind: backend.KindClosed}
	}
	if id == "" {
		return frames[0], nil
	}
	for _, f := range frames {
		if f.ID == id {
			return f, nil
		}
	}
	return backend.Frame{}, &Error{
		Code: CodeNotFound, Message: "frame not found: the one that was switched to is gone" + listFrames(frames),
		Hint: "switch to another, or to the main frame",
	}
}
