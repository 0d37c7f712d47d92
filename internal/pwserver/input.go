package pwserver

import (
	"context"
	"fmt"
	"strings"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Input moves pointer and keys, and returns when the page has handled them. The server
// does what it is told at the same time at the same time, so that each waits for the one
// before; a click is one message.
func (t *Tab) Input(ctx context.Context, events ...backend.Input) error {
	g, err := t.Enter()
	if err != nil {
		return err
	}
	var cmds []command
	for i := 0; i < len(events); i++ {
		switch e := events[i].(type) {
		case backend.Mouse:
			cmds = append(cmds, t.modifiers(e.Mods, "keyboardDown")...)
			if isClick(events[i:]) {
				cmds = append(cmds, command{t.guid, "mouseClick", object{"x": e.X, "y": e.Y, "button": events[i+1].(backend.Mouse).Button, "clickCount": 1}})
				i += 2
			} else {
				cmds = append(cmds, t.mouse(e)...)
			}
			cmds = append(cmds, t.modifiers(e.Mods, "keyboardUp")...)
		case backend.Key:
			if text, n := typed(events[i:]); n > 0 {
				cmds = append(cmds, command{t.guid, "keyboardType", object{"text": text}})
				i += n - 1
				break
			}
			cmds = append(cmds, t.key(e)...)
		case backend.Text:
			cmds = append(cmds, command{t.guid, "keyboardInsertText", object{"text": e.Text}})
		default:
			return backend.Fail(backend.KindUnsupported, fmt.Sprintf("input %T", e))
		}
	}
	// What has begun goes on though the caller's time is up, as it does where all of it is
	// sent at once: nobody is left with half a word.
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case t.hand <- struct{}{}:
		case <-t.Done():
			return
		}
		defer func() { <-t.hand }()
		for _, cmd := range cmds {
			if err = t.start(cmd)[0].wait(t.Life, t.browser.conn, nil); err != nil {
				return
			}
		}
	}()
	return t.Await(ctx, g, done, func() error { return err })
}

// typed is the text that events begin to type, key by key and without others held, and how
// many of them do: the server types it all for one message.
func typed(events []backend.Input) (text string, n int) {
	for ; n+1 < len(events); n += 2 {
		down, a := events[n].(backend.Key)
		up, b := events[n+1].(backend.Key)
		if !a || !b || !down.Down || up.Down || down.Key != up.Key || down.Text != down.Key || down.Mods != 0 || up.Mods != 0 || strings.HasPrefix(down.Code, "Numpad") ||
			len(down.Key) != 1 || down.Key[0] < ' ' || down.Key[0] > '~' {
			break
		}
		text += down.Key
	}
	return text, n
}

// isClick says that events begin with a move, a press and a release at one point.
func isClick(events []backend.Input) bool {
	if len(events) < 3 {
		return false
	}
	move, a := events[0].(backend.Mouse)
	down, b := events[1].(backend.Mouse)
	up, c := events[2].(backend.Mouse)
	return a && b && c && move.Kind == backend.MouseMove && move.Button == backend.NoButton && down.Kind == backend.MouseDown && up.Kind == backend.MouseUp &&
		down.Clicks == 1 && up.Clicks == 1 && down.Button == up.Button && move.X == down.X && move.Y == down.Y && up.X == down.X && up.Y == down.Y &&
		move.Mods == down.Mods && up.Mods == down.Mods
}

// mouse are the messages of a mouse event: the pointer is where the last one left it.
func (t *Tab) mouse(m backend.Mouse) []command {
	at := backend.Point{X: m.X, Y: m.Y}
	t.Mu.Lock()
	moved := t.pointer != at
	t.pointer = at
	t.Mu.Unlock()
	var list []command
	if moved || m.Kind == backend.MouseMove {
		list = append(list, command{t.guid, "mouseMove", object{"x": m.X, "y": m.Y}})
	}
	button := object{"button": m.Button, "clickCount": max(m.Clicks, 1)}
	if m.Button == backend.NoButton {
		button["button"] = backend.LeftButton
	}
	switch m.Kind {
	case backend.MouseDown:
		list = append(list, command{t.guid, "mouseDown", button})
	case backend.MouseUp:
		list = append(list, command{t.guid, "mouseUp", button})
	case backend.MouseWheel:
		list = append(list, command{t.guid, "mouseWheel", object{"deltaX": m.DX, "deltaY": m.DY}})
	}
	return list
}

// modifiers are held for a mouse event alone.
func (t *Tab) modifiers(mods backend.Mods, method string) (list []command) {
	for _, m := range []struct {
		mod backend.Mods
		key string
	}{{backend.Alt, "Alt"}, {backend.Control, "Control"}, {backend.Meta, "Meta"}, {backend.Shift, "Shift"}} {
		if mods&m.mod != 0 {
			list = append(list, command{t.guid, method, object{"key": m.key}})
		}
	}
	return list
}

// key presses or releases a key: by what it types where Playwright's keyboard has that,
// else by its place. What is on no key is inserted.
func (t *Tab) key(k backend.Key) []command {
	name := k.Code
	if r := []rune(k.Key); len(r) == 1 && !strings.HasPrefix(k.Code, "Numpad") {
		if r[0] > '~' || r[0] < ' ' {
			if k.Down && k.Text != "" {
				return []command{{t.guid, "keyboardInsertText", object{"text": k.Text}}}
			}
			return nil
		}
		name = k.Key
	}
	if name == "" {
		name = k.Key
	}
	method := "keyboardUp"
	if k.Down {
		method = "keyboardDown"
	}
	return []command{{t.guid, method, object{"key": name}}}
}

// Drag presses at the first point, moves along the path and releases at the last. The
// server itself carries on a drag-and-drop of the page's own.
func (t *Tab) Drag(ctx context.Context, path []backend.Point, started func(context.Context) (bool, error), on func(context.Context) ([]backend.Point, error)) error {
	return anypage.Drag(ctx, t, path, started, on, anypage.DropByMouse)
}

// LetGo releases the left button where the pointer is, without waiting.
func (t *Tab) LetGo(backend.Point) { t.start(command{t.guid, "mouseUp", object{}}) }
