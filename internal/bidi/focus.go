package bidi

import (
	"context"
	"time"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// Firefox has one tab in front, and tells pages of the focus there alone: behind it a
// field that was typed into has no change event. And it gives keys to the process of the
// frame that they are performed in, which need not be the one that has the focus.

// focusPatience is for the frames to say which of them has the focus. One that is at work
// has it no longer than that.
const focusPatience = 500 * time.Millisecond

// idleInFront is after how long without an action a tab may be taken from the front. What
// is selected in a field, and keys on their way, do not outlast it.
const idleInFront = 700 * time.Millisecond

// comeToFront brings the tab to the front of a Firefox, unless it is there, or another one is
// at work there. It comes before an element is made ready: a field that is behind loses what
// is selected in it when it comes.
func (t *Tab) comeToFront(ctx context.Context, g *anypage.Gate) error {
	b := t.browser
	if b.chromium() {
		return nil
	}
	b.mu.Lock()
	there := b.front == t.id
	taken := !there && b.front != "" && time.Since(b.frontAt) < idleInFront
	if !taken {
		b.front, b.frontAt = t.id, time.Now()
	}
	b.mu.Unlock()
	if there || taken {
		return nil
	}
	err := t.await(ctx, g, t.start(b.root.Command("browsingContext.activate", object{"context": t.id}))[0], nil)
	if err != nil {
		b.mu.Lock()
		b.front = ""
		b.mu.Unlock()
	}
	return err
}

// focused is the frame that keys are for.
func (t *Tab) focused(ctx context.Context, g *anypage.Gate) backend.FrameID {
	frames := t.Frames()
	if len(frames) < 2 {
		return backend.FrameID(t.id)
	}
	ctx, cancel := context.WithTimeout(ctx, focusPatience)
	defer cancel()
	has := backend.FrameID(t.id)
	var cmds []cdp.Command
	for _, f := range frames {
		cmds = append(cmds, t.evaluate(f.ID, t.browser.sandbox, "document.hasFocus()", false))
	}
	for i, p := range t.start(cmds...) {
		var a result
		// Those around it have the focus as well, and come before it.
		if t.await(ctx, g, p, &a) == nil && string(a.Result.json()) == "true" {
			has = frames[i].ID
		}
	}
	return has
}
