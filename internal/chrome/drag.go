package chrome

import (
	"cmp"
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
// its own, which then goes on with drag events in place of moves. on says, at the
// end of the path, where to go on to; none ends it.
func (t *Tab) Drag(ctx context.Context, path []backend.Point, started func(context.Context) (bool, error), on func(context.Context) ([]backend.Point, error)) error {
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
	last := path[len(path)-1]
	// along moves over points, and over those that on gives, and remembers the last.
	along := func(points []backend.Point, move func([]backend.Point) error) error {
		for len(points) > 0 {
			last = points[len(points)-1]
			if err := move(points); err != nil {
				return err
			}
			points = nil
			if on != nil {
				var err error
				if points, err = on(ctx); err != nil {
					return err
				}
			}
		}
		return nil
	}
	release := func() error {
		return t.Input(ctx, backend.Mouse{Kind: backend.MouseUp, X: last.X, Y: last.Y, Button: backend.LeftButton, Clicks: 1})
	}

	native, err := started(ctx)
	if err != nil {
		return err
	}
	if !native {
		err := along(path[early:], func(points []backend.Point) error {
			// The browser makes one of all moves of a frame. The last ones are to be
			// seen by themselves: which way something comes tells where it is put.
			for len(points) > 0 {
				n := max(len(points)-2, 1)
				moves := make([]backend.Input, n)
				for i, p := range points[:n] {
					moves[i] = backend.Mouse{Kind: backend.MouseMove, X: p.X, Y: p.Y, Button: backend.LeftButton}
				}
				if err := t.Input(ctx, moves...); err != nil {
					return err
				}
				points = points[n:]
			}
			return nil
		})
		return cmp.Or(err, release())
	}

	timer := time.NewTimer(dragTimeout)
	defer timer.Stop()
	var data *input.DragData
	select {
	case data = <-intercepted:
	case <-timer.C:
		_ = release()
		return fail(backend.KindProtocol, "the page began a drag that the browser did not hand over")
	case <-g.shut:
		return g.err
	case <-ctx.Done():
		return ctx.Err()
	}
	dispatch := func(kind input.DispatchDragEventType, points ...backend.Point) error {
		cmds := make([]cdp.Command, len(points))
		for i, p := range points {
			cmds[i] = s.Command(input.CommandDispatchDragEvent, &input.DispatchDragEventParams{Type: kind, X: p.X, Y: p.Y, Data: data})
		}
		for _, p := range t.browser.conn.Start(cmds...) {
			if err := t.await(ctx, g, p, nil); err != nil {
				return err
			}
		}
		return nil
	}
	if err := dispatch("dragEnter", path[early]); err != nil {
		return err
	}
	if err := along(path[early:], func(points []backend.Point) error { return dispatch("dragOver", points...) }); err != nil {
		return err
	}
	if err := dispatch("drop", last); err != nil {
		return err
	}
	return release()
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
