package bidi

import (
	"context"
	"slices"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// Input moves pointer and keys, all in one write, and returns when the page has handled
// them.
func (t *Tab) Input(ctx context.Context, events ...backend.Input) error {
	g, err := t.enter()
	if err != nil {
		return err
	}
	if err := t.comeToFront(ctx, g); err != nil {
		return err
	}
	keys := backend.FrameID(t.id)
	if !t.browser.chromium() {
		if anypage.Typed(events) {
			keys = t.focused(ctx, g)
		}
		t.point(ctx, g, events)
	}
	t.Mu.Lock()
	t.hand.Counts = !t.browser.chromium()
	list, err := t.hand.Actions(events...)
	t.Mu.Unlock()
	if err != nil {
		return err
	}
	// A Firefox that is to forget what is held has done so only when it answers: a button that goes down before stays down unknown to it,
	// and is not let go of later. A whole click is done by then.
	if forget := slices.IndexFunc(list, func(one anypage.InputSource) bool { return one == nil }); forget >= 0 && t.held {
		if err := t.performs(ctx, g, list[:forget+1], keys); err != nil {
			return err
		}
		list = list[forget+1:]
	}
	return t.performs(ctx, g, list, keys)
}

// performs has all performed, in one write.
func (t *Tab) performs(ctx context.Context, g *anypage.Gate, list []anypage.InputSource, keys backend.FrameID) error {
	var cmds []cdp.Command
	for _, one := range list {
		cmds = append(cmds, t.perform(one, keys))
	}
	for _, p := range t.start(cmds...) {
		if err := t.await(ctx, g, p, nil); err != nil {
			return err
		}
	}
	return nil
}

// perform has something performed, keys in the frame that they are for, and what the
// pointer does in the one that it is in.
func (t *Tab) perform(one anypage.InputSource, keys backend.FrameID) cdp.Command {
	if one == nil {
		return t.browser.root.Command("input.releaseActions", object{"context": t.id})
	}
	in := keys
	if one["type"] != "key" {
		t.Mu.Lock()
		in = backend.FrameID(t.id)
		if t.spot.frame != "" {
			in = t.spot.frame
			t.spot.shift(one)
		}
		t.Mu.Unlock()
	}
	return t.browser.root.Command("input.performActions", object{"context": in, "actions": []object{one}})
}

// Drag presses at the first point, moves along the path and releases at the last. Chromium
// itself carries on a drag-and-drop of the page's own; Firefox begins one and goes no further.
func (t *Tab) Drag(ctx context.Context, path []backend.Point, started func(context.Context) (bool, error), on func(context.Context) ([]backend.Point, error)) error {
	return anypage.Drag(ctx, t, path, started, on, func(points []backend.Point, d *anypage.Dragging) error {
		if !t.browser.chromium() {
			return t.context.cannot("drag and drop of the page's own")
		}
		return anypage.DropByMouse(points, d)
	})
}

// LetGo releases the left button where the pointer is, without waiting.
func (t *Tab) LetGo(backend.Point) { t.browser.conn.Start(t.perform(anypage.ReleaseButton(), "")) }
