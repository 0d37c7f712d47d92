package driver

import (
	"context"

	"rove/driver/backend"
)

// Mouse is a hand on the mouse at a point of the page's viewport. It really
// moves: the page sees it come. Buttons stay down until they are let go.
type Mouse struct {
	tab  *Tab
	x, y float64
	held backend.Button
}

// Mouse moves the pointer to a point of the viewport.
func (d *Driver) Mouse(ctx context.Context, x, y float64) (*Mouse, error) {
	m := &Mouse{tab: d.Tab()}
	return m, m.Move(ctx, x, y)
}

// MouseAt moves the pointer onto the middle of what a locator finds.
func (d *Driver) MouseAt(ctx context.Context, locator string) (*Mouse, error) {
	return d.Locate(locator).Mouse(ctx)
}

// Mouse moves the pointer onto the middle of the element.
func (e *Element) Mouse(ctx context.Context) (*Mouse, error) {
	m := &Mouse{tab: e.tab}
	return m, m.MoveTo(ctx, e)
}

// At is where the pointer is.
func (m *Mouse) At() (x, y float64) { return m.x, m.y }

// Move moves to a point of the viewport.
func (m *Mouse) Move(ctx context.Context, x, y float64) error {
	if err := m.send(ctx, "move", backend.Mouse{Kind: backend.MouseMove, X: x, Y: y, Button: m.held}); err != nil {
		return err
	}
	m.x, m.y = x, y
	return nil
}

// MoveTo moves onto the middle of an element, with the button held if it is.
func (m *Mouse) MoveTo(ctx context.Context, e *Element) error {
	_, err := e.do(ctx, Op{Name: "move", do: func(a *action) error {
		p, err := a.point(nil)
		if err != nil {
			return err
		}
		if err := a.send(backend.Mouse{Kind: backend.MouseMove, X: p.X, Y: p.Y, Button: m.held}); err != nil {
			return err
		}
		m.x, m.y = p.X, p.Y
		return a.settle()
	}})
	return err
}

// Offset moves from where the pointer is.
func (m *Mouse) Offset(ctx context.Context, dx, dy float64) error { return m.Move(ctx, m.x+dx, m.y+dy) }

// Down presses the left button.
func (m *Mouse) Down(ctx context.Context) error {
	m.held = backend.LeftButton
	return m.send(ctx, "press", m.button(backend.MouseDown, backend.LeftButton, 1))
}

// Up lets the left button go.
func (m *Mouse) Up(ctx context.Context) error {
	m.held = backend.NoButton
	return m.send(ctx, "release", m.button(backend.MouseUp, backend.LeftButton, 1))
}

// Click clicks where the pointer is.
func (m *Mouse) Click(ctx context.Context) error { return m.press(ctx, backend.LeftButton, 1) }

// DoubleClick clicks twice where the pointer is.
func (m *Mouse) DoubleClick(ctx context.Context) error { return m.press(ctx, backend.LeftButton, 2) }

// RightClick clicks with the right button where the pointer is.
func (m *Mouse) RightClick(ctx context.Context) error { return m.press(ctx, backend.RightButton, 1) }

// Wheel turns the wheel where the pointer is, so many pixels.
func (m *Mouse) Wheel(ctx context.Context, dx, dy float64) error {
	return m.send(ctx, "wheel", backend.Mouse{Kind: backend.MouseWheel, X: m.x, Y: m.y, DX: dx, DY: dy})
}

// DragTo presses where the pointer is, moves to a point in steps and lets go.
func (m *Mouse) DragTo(ctx context.Context, x, y float64) error {
	from, to := backend.Point{X: m.x, Y: m.y}, backend.Point{X: x, Y: y}
	_, err := m.tab.page(ctx, Op{Name: "drag", wait: untilFrame}, func(a *action) error {
		for _, p := range []backend.Point{from, to} {
			if err := a.dropped([2]float64{p.X, p.Y}); err != nil {
				return err
			}
		}
		return a.carry(from, to, nil)
	})
	m.x, m.y = x, y
	return err
}

func (m *Mouse) button(kind backend.MouseKind, button backend.Button, clicks int) backend.Mouse {
	return backend.Mouse{Kind: kind, X: m.x, Y: m.y, Button: button, Clicks: clicks}
}

func (m *Mouse) press(ctx context.Context, button backend.Button, times int) error {
	var events []backend.Input
	for n := 1; n <= times; n++ {
		events = append(events, m.button(backend.MouseDown, button, n), m.button(backend.MouseUp, button, n))
	}
	return m.send(ctx, "click", events...)
}

// send does it and waits for the page to react.
func (m *Mouse) send(ctx context.Context, op string, events ...backend.Input) error {
	return m.tab.sendInput(ctx, Op{Name: "click", said: "mouse " + op}, events)
}

// sendInput moves pointer and keys and waits for the page to react.
func (t *Tab) sendInput(ctx context.Context, op Op, events []backend.Input) (err error) {
	ctx, noted := t.driver.begin(ctx, op.said, "", "")
	defer func() { err = noted.end(err) }()
	op.wait = untilFrame
	_, err = t.page(ctx, op, func(a *action) error {
		if err := a.sendAgreed(events); err != nil && !replaced(err) {
			return err
		}
		return nil
	})
	if errorIs(err, CodeDialog) && t.driver.answers(t) {
		return t.afterDialog(ctx)
	}
	return err
}
