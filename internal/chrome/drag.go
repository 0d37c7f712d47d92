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
func (t *Tab) Drag(ctx context.Context, path []backend.Point, started func(context.Context) (bool, error), on func(context.Context) ([]backend.Point, error)) error {
	g, err := t.enter(ctx)
	if err != nil {
		return err
	}
	intercepted := make(chan *input.DragData, 1)
	t.Mu.Lock()
	t.dragged = intercepted
	t.Mu.Unlock()
	s := t.session
	defer func() {
		t.Mu.Lock()
		t.dragged = nil
		t.Mu.Unlock()
		s.Start(input.CommandSetInterceptDrags, &input.SetInterceptDragsParams{Enabled: false})
	}()
	if err := t.await(ctx, g, s.Start(input.CommandSetInterceptDrags, &input.SetInterceptDragsParams{Enabled: true}), nil); err != nil {
		return err
	}
	d := &drag{Tab: t, ctx: ctx, gate: g, intercepted: intercepted}
	return anypage.Drag(ctx, d, path, started, on, d.native)
}

// drag is a drag of a tab. It implements anypage.Dragger.
type drag struct {
	*Tab
	ctx         context.Context
	gate        *anypage.Gate
	intercepted <-chan *input.DragData
	data        *input.DragData // of a drag-and-drop of the page's own, once it is handed over
}

// LetGo ends a drag that failed on its way: no button stays down, and nothing is dropped.
func (d *drag) LetGo(at backend.Point) {
	var cmds []cdp.Command
	if d.data != nil {
		cmds = append(cmds, d.session.Command(input.CommandDispatchDragEvent, &input.DispatchDragEventParams{Type: "dragCancel", X: at.X, Y: at.Y, Data: d.data}))
	}
	up := backend.Mouse{Kind: backend.MouseUp, X: at.X, Y: at.Y, Button: backend.LeftButton, Clicks: 1}
	d.browser.conn.Start(append(cmds, d.session.Command(input.CommandDispatchMouseEvent, mouseParams(up)))...)
}

// native goes on with a drag-and-drop of the page's own: with what the browser
// hands over, from the first of the points.
func (d *drag) native(points []backend.Point, way *anypage.Dragging) error {
	select {
	case d.data = <-d.intercepted:
	case <-time.After(dragTimeout):
		return fail(backend.KindProtocol, "the page began a drag that the browser did not hand over")
	case <-d.gate.Shut:
		return d.gate.Err
	case <-d.ctx.Done():
		return d.ctx.Err()
	}
	if err := d.dispatch("dragEnter", points[0]); err != nil {
		return err
	}
	err := way.Along(points, func(points []backend.Point) error { return d.dispatch("dragOver", points...) })
	if err != nil {
		return err
	}
	if err := d.dispatch("drop", way.Last); err != nil {
		return err
	}
	d.data = nil // it is dropped
	return way.Release()
}

// dispatch sends drag events of a kind, one for each point.
func (d *drag) dispatch(kind input.DispatchDragEventType, points ...backend.Point) error {
	cmds := make([]cdp.Command, len(points))
	for i, p := range points {
		cmds[i] = d.session.Command(input.CommandDispatchDragEvent, &input.DispatchDragEventParams{Type: kind, X: p.X, Y: p.Y, Data: d.data})
	}
	for _, p := range d.browser.conn.Start(cmds...) {
		if err := d.await(d.ctx, d.gate, p, nil); err != nil {
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
	d := &drag{Tab: t, ctx: ctx, gate: g, data: data}
	if err := d.dispatch("dragEnter", at); err != nil {
		return err
	}
	welcome := false
	if err = d.dispatch("dragOver", at, at); err == nil {
		welcome, err = takes(ctx)
	}
	if err != nil || !welcome {
		return cmp.Or(err, d.dispatch("dragCancel", at))
	}
	return d.dispatch("drop", at)
}

var _ backend.FileDropper = (*Tab)(nil)
