package chrome

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/input"

	"rove/cdp"
	"rove/driver/backend"
)

// dragTimeout bounds the wait for a drag that the page has begun.
const dragTimeout = 2 * time.Second

// Drag presses at the first point, moves along the path and releases at the
// last. started asks the page whether the first moves began a drag-and-drop of
// its own, which then goes on with drag events in place of moves.
func (t *Tab) Drag(ctx context.Context, path []backend.Point, started func(context.Context) (bool, error)) error {
	g, err := t.enter(ctx)
	if err != nil {
		return err
	}
	intercepted := make(chan *input.DragData, 1)
	t.mu.Lock()
	t.dragged = intercepted
	t.mu.Unlock()
	s := t.session
	defer func() {
		t.mu.Lock()
		t.dragged = nil
		t.mu.Unlock()
		s.Start(input.CommandSetInterceptDrags, &input.SetInterceptDragsParams{Enabled: false})
	}()
	if err := t.await(ctx, g, s.Start(input.CommandSetInterceptDrags, &input.SetInterceptDragsParams{Enabled: true}), nil); err != nil {
		return err
	}

	first := path[0]
	pickUp := []backend.Input{
		backend.Mouse{Kind: backend.MouseMove, X: first.X, Y: first.Y},
		backend.Mouse{Kind: backend.MouseDown, X: first.X, Y: first.Y, Button: backend.LeftButton, Clicks: 1},
	}
	early := min(3, len(path)-1)
	for _, p := range path[1:early] {
		pickUp = append(pickUp, backend.Mouse{Kind: backend.MouseMove, X: p.X, Y: p.Y, Button: backend.LeftButton})
	}
	if err := t.Input(ctx, pickUp...); err != nil {
		return err
	}
	rest, last := path[early:], path[len(path)-1]
	release := backend.Mouse{Kind: backend.MouseUp, X: last.X, Y: last.Y, Button: backend.LeftButton, Clicks: 1}

	native, err := started(ctx)
	if err != nil {
		return err
	}
	if !native {
		moves := make([]backend.Input, 0, len(rest)+1)
		for _, p := range rest {
			moves = append(moves, backend.Mouse{Kind: backend.MouseMove, X: p.X, Y: p.Y, Button: backend.LeftButton})
		}
		return t.Input(ctx, append(moves, release)...)
	}

	timer := time.NewTimer(dragTimeout)
	defer timer.Stop()
	var data *input.DragData
	select {
	case data = <-intercepted:
	case <-timer.C:
		_ = t.Input(ctx, release)
		return fail(backend.KindProtocol, "the page began a drag that the browser did not hand over")
	case <-g.shut:
		return g.err
	case <-ctx.Done():
		return ctx.Err()
	}
	kinds := []input.DispatchDragEventType{"dragEnter"}
	for range rest {
		kinds = append(kinds, "dragOver")
	}
	kinds = append(kinds, "drop")
	points := append(append([]backend.Point{rest[0]}, rest...), last)
	cmds := make([]cdp.Command, len(kinds))
	for i, k := range kinds {
		cmds[i] = s.Command(input.CommandDispatchDragEvent, &input.DispatchDragEventParams{
			Type: k, X: points[i].X, Y: points[i].Y, Data: data,
		})
	}
	for _, p := range t.browser.conn.Start(cmds...) {
		if err := t.await(ctx, g, p, nil); err != nil {
			return err
		}
	}
	return t.Input(ctx, release)
}

// dragIntercepted hands over what a page began to drag.
func (t *Tab) dragIntercepted(ev cdp.Event) {
	var e input.EventDragIntercepted
	if ev.Decode(&e) == nil && t.dragged != nil {
		select {
		case t.dragged <- e.Data:
		default:
		}
	}
}
