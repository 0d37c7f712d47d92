package anypage

import (
	"cmp"
	"context"
	"time"

	"rove/driver/backend"
)

// Dragger is the pointer that a drag is made with.
type Dragger interface {
	// Input moves the pointer and returns when the page has handled it.
	Input(ctx context.Context, events ...backend.Input) error
	// LetGo releases the left button at a point and does not wait: what is asked of
	// the page next comes after it.
	LetGo(at backend.Point)
}

// Dragging is something on its way, the button held down.
type Dragging struct {
	Last backend.Point // where the way ends, as far as is known

	ctx   context.Context
	hands Dragger
	on    func(context.Context) ([]backend.Point, error)
	up    bool // the button was let go
}

// Drag presses at the first point, moves along the path and releases at the last; see
// backend.Tab. native goes on with a drag-and-drop of the page's own, over the points
// that are left. Whatever it fails of, no button stays down.
func Drag(ctx context.Context, hands Dragger, path []backend.Point, started func(context.Context) (bool, error),
	on func(context.Context) ([]backend.Point, error), native func([]backend.Point, *Dragging) error,
) (err error) {
	d := &Dragging{ctx: ctx, hands: hands, on: on, Last: path[len(path)-1]}
	defer func() {
		if err != nil && !d.up {
			hands.LetGo(d.Last)
		}
	}()
	early := min(3, len(path)-1) // enough for a page to see that something is dragged
	if err := d.pickUp(path[:early]); err != nil {
		return err
	}
	own, err := started(ctx)
	if err != nil {
		return err
	}
	if own {
		return native(path[early:], d)
	}
	return cmp.Or(d.Along(path[early:], d.move), d.Release())
}

// pickUp presses at the first point and moves over the others.
func (d *Dragging) pickUp(points []backend.Point) error {
	first := points[0]
	events := []backend.Input{
		backend.Mouse{Kind: backend.MouseMove, X: first.X, Y: first.Y},
		backend.Mouse{Kind: backend.MouseDown, X: first.X, Y: first.Y, Button: backend.LeftButton, Clicks: 1},
	}
	return d.hands.Input(d.ctx, append(events, carrying(points[1:])...)...)
}

// carrying are moves with the button down.
func carrying(points []backend.Point) []backend.Input {
	moves := make([]backend.Input, len(points))
	for i, p := range points {
		moves[i] = backend.Mouse{Kind: backend.MouseMove, X: p.X, Y: p.Y, Button: backend.LeftButton}
	}
	return moves
}

// dwell is how long a hand stays before it lets go. Lists that sort themselves under the
// pointer look at it only every so often (Sortable: every 30 to 50 ms), and browsers
// repeat what they tell while something is held.
const dwell = 60 * time.Millisecond

// Along moves over points, and over those that on gives, stays a moment, and remembers
// the last.
func (d *Dragging) Along(points []backend.Point, move func([]backend.Point) error) (err error) {
	for len(points) > 0 {
		d.Last = points[len(points)-1]
		if err := move(points); err != nil {
			return err
		}
		select {
		case <-time.After(dwell):
		case <-d.ctx.Done():
			return d.ctx.Err()
		}
		if err := move([]backend.Point{d.Last}); err != nil {
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
func (d *Dragging) move(points []backend.Point) error {
	// The browser makes one of all moves of a frame. The last ones are to be
	// seen by themselves: which way something comes tells where it is put.
	for len(points) > 0 {
		n := max(len(points)-2, 1)
		if err := d.hands.Input(d.ctx, carrying(points[:n])...); err != nil {
			return err
		}
		points = points[n:]
	}
	return nil
}

// DropByMouse goes on with a drag-and-drop of the page's own where the browser makes one of
// what the mouse does: each move is seen by itself.
func DropByMouse(points []backend.Point, d *Dragging) error {
	err := d.Along(points, func(points []backend.Point) error {
		for _, p := range points {
			if err := d.hands.Input(d.ctx, carrying([]backend.Point{p})...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return d.Release()
}

// Release lets go of the button.
func (d *Dragging) Release() error {
	d.up = true
	return d.hands.Input(d.ctx, backend.Mouse{Kind: backend.MouseUp, X: d.Last.X, Y: d.Last.Y, Button: backend.LeftButton, Clicks: 1})
}
