package driver

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"rove/driver/advice"
	"rove/driver/backend"
)

// closePatience is how long an action waits for the other frames of the tab to
// close. One that does not answer for that long is closed all the same where nobody but
// rove has keys (closed.js).
const closePatience = 250 * time.Millisecond

// guarded readies the action for what its guards note.
func (a *action) guarded() {
	a.closed, a.takes = map[backend.FrameID]bool{}, map[backend.FrameID]bool{}
	if a.tab.driver.onTrigger != nil {
		a.agreed = map[nodeKey]ElementInfo{}
	}
}

// shut closes all frames of the tab but the action's own, which take no part in
// what is about to be pressed or typed. It goes on beside what the action asks of
// its own frame; the answer waits for the end of it.
func (a *action) shut(need string) (closed func()) {
	if need != "point" && need != "keys" && need != "focus" || a.Name == "hover" || a.Name == "focus" {
		return func() {}
	}
	// Tab may take the focus to another frame.
	arg := prepareArg{Keys: need == "keys" && !strings.ContainsAny(a.Value, "\t"+KeyTab)}
	var calls []backend.Call
	for _, f := range a.tab.tab.Frames() {
		if f.ID != a.frame.ID && !a.takes[f.ID] {
			calls = append(calls, backend.Call{Frame: f.ID, Func: "close", Arg: arg})
		}
	}
	if len(calls) == 0 {
		return func() {}
	}
	for _, c := range calls {
		a.closed[c.Frame] = true
	}
	ctx, cancel := context.WithTimeout(a.ctx, closePatience)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer cancel()
		_, _ = a.tab.tab.Call(ctx, calls...)
	}()
	return func() { <-done }
}

// strays is what a frame was kept from.
type strays struct {
	plain
	Keys    int             `json:"keys"`
	Presses int             `json:"presses"`
	Release int             `json:"releases"`
	Held    []scriptElement `json:"held"`
	frame   backend.Frame
}

func (s *strays) all() int { return s.Keys + s.Presses + s.Release + len(s.Held) }

// reopen releases the frames that shut closed, and ends what was armed in those that
// took part. It answers what was kept from the one that was to get most.
func (a *action) reopen() (found func() strays) {
	if len(a.closed)+len(a.takes) == 0 {
		return func() strays { return strays{} }
	}
	var calls []backend.Call
	var frames []backend.Frame
	for _, f := range a.tab.tab.Frames() {
		function := "release"
		if a.takes[f.ID] {
			function = "ended"
		}
		if a.closed[f.ID] || a.takes[f.ID] {
			calls = append(calls, backend.Call{Frame: f.ID, Func: function, Arg: struct{}{}})
			frames = append(frames, f)
		}
	}
	clear(a.closed)
	clear(a.takes)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), closePatience)
	done := make(chan strays, 1)
	go func() {
		defer cancel()
		var most strays
		results, _ := a.tab.tab.Call(ctx, calls...)
		for i, r := range results {
			var s strays
			if r.Err == nil && decode(r.Value, &s) == nil && s.all() > most.all() {
				most, most.frame = s, frames[i]
			}
		}
		done <- most
	}()
	return func() strays { return <-done }
}

// astray is the error for keys that something else would have got.
func (a *action) astray(keys int, by string) error {
	kept := ""
	if keys > 0 {
		kept = ", and " + count(keys) + " kept from it"
	}
	what := a.target
	if a.effect.Role != "" {
		what = a.describe(scriptElement{Ref: a.arg.Ref, Role: a.effect.Role, Name: a.effect.Name})
	}
	if what == "" {
		what = "the page"
	}
	return &Error{
		Code: CodeCovered, Op: a.op, Message: fmt.Sprintf("%s lost the focus to %s while it was typed into: typing ended there%s", what, by, kept),
		Hint: "see what the field holds now; something on the page takes the focus, which may have to be closed first",
	}
}

func count(keys int) string {
	if keys == 1 {
		return "1 key was"
	}
	return fmt.Sprintf("%d keys were", keys)
}

// frameWords is what messages call a frame.
func frameWords(f backend.Frame) string {
	if u, err := url.Parse(f.URL); err == nil && u.Host != "" {
		return fmt.Sprintf("a frame of %q", u.Host)
	}
	return "a frame"
}

// inside finds the frame that a page script has by a number of its own.
func (t *Tab) inside(parent backend.Frame, owner int) (backend.Frame, error) {
	for _, f := range t.tab.Frames() {
		if f.Parent == parent.ID && f.Owner == owner {
			return f, nil
		}
	}
	return backend.Frame{}, (&Error{Code: CodeNotFound, Message: "what is in that frame cannot be read"}).Advise(advice.LookInFrame)
}
