package chrome

import (
	"context"
	"fmt"
	"slices"

	"github.com/chromedp/cdproto/input"

	"rove/cdp"
	"rove/driver/backend"
)

// Input moves pointer and keys, all in one write, and returns when the page has
// handled them.
func (t *Tab) Input(ctx context.Context, events ...backend.Input) error {
	g, err := t.enter(ctx)
	if err != nil {
		return err
	}
	t.Mu.Lock()
	t.nav.strays = nil // what comes now has been asked for
	t.rates.asked()
	events = t.withHeld(events)
	t.Mu.Unlock()
	cmds := make([]cdp.Command, len(events))
	for i, e := range events {
		switch e := e.(type) {
		case backend.Mouse:
			cmds[i] = t.session.Command(input.CommandDispatchMouseEvent, mouseParams(e))
		case backend.Key:
			cmds[i] = t.session.Command(input.CommandDispatchKeyEvent, keyParams(e))
		case backend.Text:
			cmds[i] = t.session.Command(input.CommandInsertText, &input.InsertTextParams{Text: e.Text})
		default:
			return fail(backend.KindUnsupported, fmt.Sprintf("input %T", e))
		}
	}
	for _, p := range t.browser.conn.Start(cmds...) {
		if err := t.await(ctx, g, p, nil); err != nil {
			return err
		}
	}
	return nil
}

var modifierKeys = map[string]backend.Mods{"Alt": backend.Alt, "Control": backend.Control, "Meta": backend.Meta, "Shift": backend.Shift}

// withHeld gives events the modifiers that were pressed before them to be held: a click while
// Shift is down is one with Shift. Chrome itself takes each event for what it says. t.Mu is held.
func (t *Tab) withHeld(events []backend.Input) []backend.Input {
	list := slices.Clone(events)
	for i, e := range list {
		switch e := e.(type) {
		case backend.Mouse:
			e.Mods |= t.mods
			list[i] = e
		case backend.Key:
			switch mod := modifierKeys[e.Key]; {
			case !e.Down:
				t.mods &^= mod
			case e.Hold:
				t.mods |= mod
			}
			if t.mods&^e.Mods&^backend.Shift != 0 {
				e.Text = "" // a chord types nothing
			}
			e.Mods |= t.mods
			list[i] = e
		}
	}
	return list
}

var (
	mouseTypes = map[backend.MouseKind]input.DispatchMouseEventType{
		backend.MouseMove: "mouseMoved", backend.MouseDown: "mousePressed",
		backend.MouseUp: "mouseReleased", backend.MouseWheel: "mouseWheel",
	}
	held = map[backend.Button]int64{backend.LeftButton: 1, backend.RightButton: 2, backend.MiddleButton: 4}
)

func mouseParams(m backend.Mouse) any {
	p := &input.DispatchMouseEventParams{
		Type: mouseTypes[m.Kind], X: m.X, Y: m.Y, Modifiers: int64(m.Mods), Button: input.MouseButton(m.Button),
		ClickCount: int64(m.Clicks),
	}
	if m.Kind == backend.MouseWheel {
		return map[string]any{"type": p.Type, "x": m.X, "y": m.Y, "modifiers": p.Modifiers, "deltaX": m.DX, "deltaY": m.DY}
	}
	if m.Kind != backend.MouseUp {
		p.Buttons = held[m.Button]
	}
	return p
}

func keyParams(k backend.Key) *input.DispatchKeyEventParams {
	p := &input.DispatchKeyEventParams{
		Type: "keyUp", Modifiers: int64(k.Mods),
		Key: k.Key, Code: k.Code, WindowsVirtualKeyCode: keyCode(k), Location: int64(k.Location),
	}
	if k.Down {
		p.Type = "rawKeyDown"
		if k.Text != "" {
			p.Type, p.Text, p.UnmodifiedText = "keyDown", k.Text, k.Text
		}
	}
	if k.Location == keypad {
		p.Location, p.IsKeypad = 0, new(true)
	}
	return p
}

const keypad = 3 // backend.Key.Location
