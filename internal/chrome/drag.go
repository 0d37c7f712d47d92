package chrome

import (
	"cmp"
	"context"
	"time"

	"github.com/chromedp/cdproto/input"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// dragTimeout bounds the wait for a drag that the page has begun.
const dragTimeout = 2 * time.Second

// Drag presses at the first point, moves along the path and releases at the
// last. started asks the page whether the first moves began a drag-and-drop of
// its own, which then goes on with drag events in place of moves. on says, at the
// end of the path, where to go on to; none ends it.
func (t *Tab) Drag(ctx context.Context, path []backend.Point, started func(context.Context) (bool, error), on func(context.Context) ([]backend.Point, error)) (err error) {
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

	d := &drag{tab: t, ctx: ctx, gate: g, on: on, last: path[len(path)-1]}
	defer func() {
		if err != nil {
			d.letGo()
		}
	}()
	early := min(3, len(path)-1) // enough for a page to see that something is dragged
	if err := d.pickUp(path[:early]); err != nil {
		return err
	}
	native, err := started(ctx)
	if err != nil {
		return err
	}
	if native {
		return d.native(path[early:], intercepted)
	}
	return cmp.Or(d.along(path[early:], d.move), d.release())
}

// drag is something on its way, the button held down.
type drag struct {
	tab  *Tab
	ctx  context.Context
	gate *anypage.Gate
	on   func(context.Context) ([]backend.Point, error)
	last backend.Point // where the way ends, as far as is known

	data *input.DragData // of a drag-and-drop of the page's own, once it is handed over
	up   bool            // the button was let go
}

// letGo ends a drag that failed on its way: no button stays down, and nothing is
// dropped. It does not wait: what is asked of the page next comes after it.
func (d *drag) letGo() {
	if d.up {
		return
	}
	s := d.tab.session
	var cmds []cdp.Command
	if d.data != nil {
		cmds = append(cmds, s.Command(input.CommandDispatchDragEvent, &input.DispatchDragEventParams{Type: "dragCancel", X: d.last.X, Y: d.last.Y, Data: d.data}))
	}
	up := backend.Mouse{Kind: backend.MouseUp, X: d.last.X, Y: d.last.Y, Button: backend.LeftButton, Clicks: 1}
	d.tab.browser.conn.Start(append(cmds, s.Command(input.CommandDispatchMouseEvent, mouseParams(up)))...)
}

// pickUp presses at the first point and moves over the others.
func (d *drag) pickUp(points []backend.Point) error {
	first := points[0]
	events := []backend.Input{
		backend.Mouse{Kind: backend.MouseMove, X: first.X, Y: first.Y},
		backend.Mouse{Kind: backend.MouseDown, X: first.X, Y: first.Y, Button: backend.LeftButton, Clicks: 1},
	}
	return d.tab.Input(d.ctx, append(events, carrying(points[1:])...)...)
}

// carrying are moves with the button down.
func carrying(points []backend.Point) []backend.Input {
	moves := make([]backend.Input, len(points))
	for i, p := range points {
		moves[i] = backend.Mouse{Kind: backend.MouseMove, X: p.X, Y: p.Y, Button: backend.LeftButton}
	}
	return moves
}

// along moves over points, and over those that on gives, and remembers the last.
func (d *drag) along(points []backend.Point, move func([]backend.Point) error) (err error) {
	for len(points) > 0 {
		d.last = points[len(points)-1]
		if err := move(points); err != nil {
			return err
		}
		points = nil
		if d.on != nil {
			if points, err = d.on(d.ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// move goes over points with the mouse.
func (d *drag) move(points []backend.Point) error {
	// The browser makes one of all moves of a frame. The last ones are to be
	// seen by themselves: which way something comes tells where it is put.
	for len(points) > 0 {
		n := max(len(points)-2, 1)
		if err := d.tab.Input(d.ctx, carrying(points[:n])...); err != nil {
			return err
		}
		points = points[n:]
	}
	return nil
}

// release lets go of the button.
func (d *drag) release() error {
	d.up = true
	return d.tab.Input(d.ctx, backend.Mouse{Kind: backend.MouseUp, X: d.last.X, Y: d.last.Y, Button: backend.LeftButton, Clicks: 1})
}

// native goes on with a drag-and-drop of the page's own: with what the browser
// hands over, from the first of the points.
func (d *drag) native(points []backend.Point, intercepted <-chan *input.DragData) error {
	timer := time.NewTimer(dragTimeout)
	defer timer.Stop()
	var data *input.DragData
	select {
	case data = <-intercepted:
	case <-timer.C:
		_ = d.release()
		return fail(backend.KindProtocol, "the page began a drag that the browser did not hand over")
	case <-d.gate.Shut:
		return d.gate.Err
	case <-d.ctx.Done():
		return d.ctx.Err()
	}
	d.data = data
	if err := d.dispatch("dragEnter", data, points[0]); err != nil {
		return err
	}
	err := d.along(points, func(points []backend.Point) error { return d.dispatch("dragOver", data, points...) })
	if err != nil {
		return err
	}
	if err := d.dispatch("drop", data, d.last); err != nil {
		return err
	}
	return d.release()
}

// dispatch sends drag events of a kind, one for each point.
func (d *drag) dispatch(kind input.DispatchDragEventType, data *input.DragData, points ...backend.Point) error {
	cmds := make([]cdp.Command, len(points))
	for i, p := range points {
		cmds[i] = d.tab.session.Command(input.CommandDispatchDragEvent, &input.DispatchDragEventParams{Type: kind, X: p.X, Y: p.Y, Data: data})
	}
	for _, p := range d.tab.browser.conn.Start(cmds...) {
		if err := d.tab.await(d.ctx, d.gate, p, nil); err != nil {
			return err
		}
	}
	return nil
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

// DropFiles holds files over a point and drops them there if the page takes them.
func (t *Tab) DropFiles(ctx context.Context, at backend.Point, paths []string, takes func(context.Context) (bool, error)) error {
	g, err := t.enter(ctx)
	if err != nil {
		return err
	}
	const canCopy = 1
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: canCopy}
	d := &drag{tab: t, ctx: ctx, gate: g, last: at, data: data}
	if err := d.dispatch("dragEnter", data, at); err != nil {
		return err
	}
	welcome := false
	if err = d.dispatch("dragOver", data, at, at); err == nil {
		welcome, err = takes(ctx)
	}
	if err != nil || !welcome {
		return cmp.Or(err, d.dispatch("dragCancel", data, at))
	}
	return d.dispatch("drop", data, at)
}

var _ backend.FileDropper = (*Tab)(nil)
