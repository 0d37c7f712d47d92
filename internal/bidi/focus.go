package bidi

import (
	"context"
	"time"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// A browser tells pages of the focus in one tab alone, and shows one tab of a window: behind
// it a field that was typed into has no change event, timers are late and nothing is drawn.
// And Firefox gives keys to the process of the frame that they are performed in, which need
// not be the one that has the focus.

// focusPatience is for a frame to say whether it has the focus, or what is at a point of it.
// One that is at work has it no longer than that. It is counted for each, beside the others:
// on a slow machine all are late, and keys and presses must not go to another frame for that.
const focusPatience = 500 * time.Millisecond

// leastPatience is for frames behind those that hang, which had the time of those as well.
const leastPatience = 20 * time.Millisecond

// idleInFront is after how long without an action the focus may be taken from a tab of
// another context. What is selected in a field, and keys on their way, do not outlast it.
const idleInFront = 700 * time.Millisecond

// Front brings the tab to the front, where that is not somebody else's. Who drives it turns
// to it now.
func (t *Tab) Front(ctx context.Context) error {
	g, err := t.enter()
	if err != nil {
		return err
	}
	return t.comeToFront(ctx, g)
}

// comeToFront brings the tab to the front of its window, unless it is there, and gives it the
// focus, unless a tab of another context is at work that has it. It comes before an element
// is made ready: a field that is behind loses what is selected in it when it comes.
func (t *Tab) comeToFront(ctx context.Context, g *anypage.Gate) error {
	b := t.browser
	b.mu.Lock()
	shown, focused := t.context.shown == t.id, b.front == t.id || b.chromium() // there, every window has it
	taken := b.front != "" && time.Since(b.frontAt) < idleInFront
	if focused {
		b.frontAt = time.Now()
	}
	b.mu.Unlock()
	if shown && (focused || taken) {
		return nil
	}
	return t.toFront(ctx, g)
}

// toFront brings the tab to the front, whatever is there.
func (t *Tab) toFront(ctx context.Context, g *anypage.Gate) error {
	b := t.browser
	b.mu.Lock()
	b.inFront(t.context, t.id) // for those who come meanwhile
	b.mu.Unlock()
	err := t.await(ctx, g, t.start(b.root.Command("browsingContext.activate", object{"context": t.id}))[0], nil)
	if err != nil {
		b.mu.Lock()
		b.notInFront(t)
		b.mu.Unlock()
	}
	return err
}

// inFront notes which tab has come to the front. b.mu is held.
func (b *Browser) inFront(c *Context, id string) {
	b.front, b.frontAt = id, time.Now()
	if c != nil {
		c.shown = id
	}
}

// notInFront notes that a tab is there no more. b.mu is held.
func (b *Browser) notInFront(t *Tab) {
	if b.front == t.id {
		b.front = ""
	}
	if t.context.shown == t.id {
		t.context.shown = ""
	}
}

// focused is the frame that keys are for.
func (t *Tab) focused(ctx context.Context, g *anypage.Gate) backend.FrameID {
	frames := t.Frames()
	if len(frames) < 2 {
		return backend.FrameID(t.id)
	}
	has := backend.FrameID(t.id)
	var cmds []cdp.Command
	for _, f := range frames {
		cmds = append(cmds, t.evaluate(f.ID, t.browser.sandbox, "document.hasFocus()", false))
	}
	patience := focusPatience
	for i, p := range t.start(cmds...) {
		var a result
		soon, cancel := context.WithTimeout(ctx, patience)
		err := t.await(soon, g, p, &a)
		if soon.Err() != nil {
			patience = max(patience/2, leastPatience)
		}
		cancel()
		// Those around it have the focus as well, and come before it.
		if err == nil && string(a.Result.json()) == "true" {
			has = frames[i].ID
		}
	}
	return has
}
