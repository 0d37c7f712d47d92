package driver

import (
	"context"
	"slices"

	"rove/driver/backend"
)

// Keys is a pair of hands on the keyboard, for wherever the focus is. What Down
// presses stays pressed until Up, and modifiers hold for what comes between.
type Keys struct {
	tab  *Tab
	held []key // modifiers that are down
}

// Keys is the keyboard of the current tab.
func (d *Driver) Keys() *Keys { return &Keys{tab: d.Tab()} }

// Type types a text as a person would. Key constants in it press what they name.
func (k *Keys) Type(ctx context.Context, text string) error {
	if len(k.held) == 0 {
		return k.tab.sendInput(ctx, Op{Name: "type", said: "type"}, typing(text))
	}
	kb := keyboard{held: slices.Clone(k.held)}
	for _, r := range text {
		kb.character(string(r))
	}
	kb.returnShift()
	return k.tab.sendInput(ctx, Op{Name: "type", said: "type"}, kb.events)
}

// Insert puts a text in where the focus is, all at once, as a paste does.
func (k *Keys) Insert(ctx context.Context, text string) error {
	return k.tab.sendInput(ctx, Op{Name: "insert", said: "insert"}, []backend.Input{backend.Text{Text: text}})
}

// Press presses keys or chords and lets them go: "Enter", "Control+a",
// "Control+Shift+ArrowLeft", "+", "Tab Tab". While keys are held by Down, one
// key at a time.
func (k *Keys) Press(ctx context.Context, names string) error {
	if len(k.held) == 0 {
		events, err := chords(names)
		if err != nil {
			return err
		}
		return k.tab.sendInput(ctx, Op{Name: "press", said: "press " + names}, events)
	}
	strokes, err := parseChord(names)
	if err != nil {
		return err
	}
	kb := keyboard{held: slices.Clone(k.held)}
	for _, st := range strokes {
		kb.strike(st)
	}
	kb.returnShift()
	for len(kb.held) > len(k.held) {
		kb.up(kb.held[len(kb.held)-1])
	}
	return k.tab.sendInput(ctx, Op{Name: "press", said: "press " + names}, kb.events)
}

// Down presses a key and keeps it down.
func (k *Keys) Down(ctx context.Context, name string) error {
	return k.move(ctx, "down", name, (*keyboard).down)
}

// Up lets a key go.
func (k *Keys) Up(ctx context.Context, name string) error {
	return k.move(ctx, "up", name, (*keyboard).up)
}

func (k *Keys) move(ctx context.Context, op, name string, do func(*keyboard, key)) error {
	st, ok := findStroke(name)
	if !ok {
		return unknownKey(name)
	}
	kb := keyboard{held: slices.Clone(k.held)}
	do(&kb, st.key)
	k.held = kb.held
	if len(kb.events) == 0 {
		return nil // it is down already
	}
	events := slices.Clone(kb.events)
	for i, e := range events {
		if e, ok := e.(backend.Key); ok {
			e.Hold = e.Down
			events[i] = e
		}
	}
	return k.tab.sendInput(ctx, Op{Name: op, said: op + " " + name}, events)
}
