package driver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"rove/driver/advice"
	"rove/driver/backend"
)

// missTries bounds how often an element that moved away under the press is
// tried again.
const missTries = 4

// point waits for the element and answers where to press, in the tab's viewport.
func (a *action) point(at *[2]float64) (backend.Point, error) {
	hovers := 0
	for {
		v, err := a.prepare("point", func(p *prepareArg) {
			p.At, p.Steady, p.Moves = at, a.fought, a.Name == "drag"
			p.Undrag = !a.tab.driver.Can(backend.CanDrop)
		})
		if err != nil {
			return backend.Point{}, err
		}
		a.stir = v.Stir
		if there, err := a.comes(v); err != nil {
			return backend.Point{}, err
		} else if !there && hovers < missTries {
			hovers++
			continue
		}
		if a.Name != "hover" {
			frame, set, err := a.descend(a.frame, v)
			a.inner = frame.ID
			if err != nil {
				return backend.Point{}, err
			}
			again, err := a.agree(frame, set, false)
			if err != nil {
				return backend.Point{}, err
			}
			if again {
				continue
			}
		}
		return a.outward(backend.Point{X: v.X, Y: v.Y}, true)
	}
}

// place is a point by its distance from the element's corner, inside or not, or
// by an edge of it: whatever is there is what is dropped on.
func (a *action) place(at *[2]float64, edge string) (backend.Point, error) {
	a.arg.At, a.arg.Edge = at, edge
	v, err := a.prepare("place", nil)
	if err != nil {
		return backend.Point{}, err
	}
	again, err := a.agree(a.frame, v, false)
	if err == nil && again {
		v, err = a.prepare("place", nil)
	}
	if err != nil {
		return backend.Point{}, err
	}
	if len(v.Way) == 2 {
		a.way = &[2]float64{v.Way[0], v.Way[1]}
	}
	return a.outward(backend.Point{X: v.X, Y: v.Y}, false)
}

// outward carries a point of the action's frame to the viewport of the tab, through
// the frames around it; free sees that nothing covers it on the way.
func (a *action) outward(p backend.Point, free bool) (backend.Point, error) {
	for frame := a.frame; frame.Parent != ""; {
		parent, ok := a.tab.frameByID(frame.Parent)
		if !ok {
			return p, &backend.Error{Kind: backend.KindNavigated}
		}
		v, err := a.tab.call(a.ctx, parent, "outward", prepareArg{Owner: frame.Owner, X: p.X, Y: p.Y, Check: free})
		if err != nil {
			return p, err
		}
		if !v.OK {
			inner := a.frame
			a.frame = parent // what covers it is there
			err := a.refusal(v)
			a.frame = inner
			return p, err
		}
		p, frame = backend.Point{X: v.X, Y: v.Y}, parent
	}
	return p, nil
}

func (t *Tab) frameByID(id backend.FrameID) (backend.Frame, bool) {
	for _, f := range t.tab.Frames() {
		if f.ID == id {
			return f, true
		}
	}
	return backend.Frame{}, false
}

// pressAt presses and releases a button at the element, so many times, and
// waits for what comes of it. Move, press and release leave in one write.
func (a *action) pressAt(button backend.Button, times int) error {
	at := a.At
	if at == nil && strings.HasSuffix(a.Name, "click") { // the value of any other operation is its own
		var err error
		if at, err = offset(a.Value); err != nil {
			return Invalid(a.op, "%v", err)
		}
	}
	var last *backend.Point
	moves := false
	for try := 1; ; try++ {
		p, err := a.point(at)
		if err != nil {
			return err
		}
		moves = last != nil && math.Hypot(p.X-last.X, p.Y-last.Y) > 2
		last = &p
		move, err := a.moveTo(p)
		if err != nil {
			return err
		}
		events := []backend.Input{move}
		for n := 1; n <= times; n++ {
			events = append(events,
				backend.Mouse{Kind: backend.MouseDown, X: p.X, Y: p.Y, Button: button, Clicks: n},
				backend.Mouse{Kind: backend.MouseUp, X: p.X, Y: p.Y, Button: button, Clicks: n})
		}
		if err := a.send(events...); err != nil && !replaced(err) {
			return err
		}
		// A frame that has just come may not be there yet for the browser's own
		// hit test: the press goes to the frame around it, which makes nothing of it.
		a.pressing, a.clicking, a.presses = true, true, times
		err = a.settle()
		a.pressing, a.clicking = false, false
		if held, ok := errors.AsType[*consentNeeded](err); ok {
			// Something else came to be pressed; what it is now is asked about anew.
			if try == missTries {
				return a.notAgreed(held.nodes)
			}
			continue
		}
		var miss *missed
		if !errors.As(err, &miss) {
			a.compare()
			return err
		}
		a.fought = true
		if try == missTries && miss.by.Gone {
			return a.refused("replaced", nil)
		}
		if try == missTries && moves {
			return a.refused("moving", nil)
		}
		if try == missTries {
			return a.refused("covered", &miss.by)
		}
	}
}

// moveTo moves the pointer to a place. A hand stirs before it goes: what opened
// below the pointer takes itself for meant until the pointer has moved there, and
// the browser makes one of two moves that come together.
func (a *action) moveTo(p backend.Point) (backend.Input, error) {
	was := a.tab.pointer.Swap(&p)
	if a.stir && was != nil {
		if err := a.send(backend.Mouse{Kind: backend.MouseMove, X: max(was.X-1, 0), Y: was.Y}); err != nil {
			return nil, err
		}
	}
	return backend.Mouse{Kind: backend.MouseMove, X: p.X, Y: p.Y}, nil
}

func (a *action) click() error       { return a.pressAt(backend.LeftButton, 1) }
func (a *action) doubleClick() error { return a.pressAt(backend.LeftButton, 2) }
func (a *action) rightClick() error  { return a.pressAt(backend.RightButton, 1) }

func (a *action) hover() error {
	a.arg.Disabled = true // what is disabled often says why
	p, err := a.point(a.At)
	if err != nil {
		return err
	}
	move, err := a.moveTo(p)
	if err != nil {
		return err
	}
	if err := a.send(move); err != nil {
		return err
	}
	return a.settle()
}

func (a *action) check() error   { return a.setChecked(true) }
func (a *action) uncheck() error { return a.setChecked(false) }

// setChecked clicks a checkbox, switch or radio button unless it is as wanted, and
// sees that it is afterwards.
func (a *action) setChecked(want bool) error {
	v, err := a.prepare("here", nil)
	if err != nil {
		return err
	}
	if v.Checked == nil {
		return Invalid(a.op, "%s cannot be checked; click it instead", a.describe(v.scriptElement))
	}
	if v.Disabled {
		return a.refusal(&verdict{plain: plain{Code: "disabled"}, scriptElement: v.scriptElement})
	}
	if *v.Checked == want {
		a.effect.Already = map[bool]string{true: "checked", false: "unchecked"}[want]
		return nil
	}
	if v.Type == "radio" && !want {
		return Invalid(a.op, "a radio button is unchecked by choosing another one")
	}
	if err := a.click(); err != nil {
		return err
	}
	if a.after != nil && a.after.Checked != nil && *a.after.Checked != want {
		return (&Error{Code: CodeInvalid, Op: a.op, Message: a.describe(v.scriptElement) + " was clicked, but the page put it back"}).Advise(advice.SeeMessage)
	}
	return nil
}

// compare notes what the action changed about the element itself.
func (a *action) compare() {
	if a.after == nil || a.effect.Navigated {
		return
	}
	b, c := a.before, *a.after
	flag := func(was, is *bool, on, off string) {
		if was != nil && is != nil && *was != *is && a.effect.Value == nil {
			word := map[bool]string{true: on, false: off}
			a.effect.Value = &Change{word[*was], word[*is]}
		}
	}
	flag(b.Checked, c.Checked, "checked", "unchecked")
	flag(b.Expanded, c.Expanded, "expanded", "collapsed")
	flag(b.Selected, c.Selected, "selected", "unselected")
	flag(b.Pressed, c.Pressed, "pressed", "unpressed")
	if b.Value != nil && c.Value != nil && *b.Value != *c.Value {
		a.effect.Value = &Change{*b.Value, *c.Value}
	}
	if b.Masked != nil && c.Masked != nil && *b.Masked != *c.Masked && a.effect.Value == nil {
		a.effect.Value = &Change{*b.Value, *c.Value}
	}
}

var offsetShape = regexp.MustCompile(`^@\s*(-?[0-9.]+)\s*,\s*(-?[0-9.]+)$`)

// offset reads "@x,y", a place inside an element.
func offset(s string) (*[2]float64, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, nil
	}
	m := offsetShape.FindStringSubmatch(s)
	if m == nil {
		return nil, fmt.Errorf("%q is not an offset; write it as @x,y", s)
	}
	x, errX := strconv.ParseFloat(m[1], 64)
	y, errY := strconv.ParseFloat(m[2], 64)
	if errX != nil || errY != nil {
		return nil, fmt.Errorf("%q is not an offset; write it as @x,y", s)
	}
	return &[2]float64{x, y}, nil
}

// dragSteps is in how many moves a hand carries something.
const dragSteps = 12

// shiftShape is a way to go from where something is: "+40,-10".
var shiftShape = regexp.MustCompile(`^([+-][0-9.]+)\s*,\s*([+-]?[0-9.]+)$`)

func (a *action) drag() error {
	at, err := a.point(a.At)
	if err != nil {
		return err
	}
	var to backend.Point
	var drop *action
	if m := shiftShape.FindStringSubmatch(strings.TrimSpace(a.Value)); m != nil {
		dx, errX := strconv.ParseFloat(m[1], 64)
		dy, errY := strconv.ParseFloat(m[2], 64)
		if errX != nil || errY != nil {
			return Invalid(a.op, "%q is no distance; write it as +dx,+dy in pixels", a.Value)
		}
		to = backend.Point{X: at.X + dx, Y: at.Y + dy}
	} else {
		to, drop, err = a.dropPoint()
	}
	if err != nil {
		return err
	}
	// Finding the place may have scrolled the page away under the start.
	from, err := a.point(a.At)
	if err != nil {
		return err
	}
	if err := a.carry(from, to, drop); err != nil && !replaced(err) {
		return err
	}
	a.pressing = true
	err = a.settle()
	a.pressing = false
	if held, ok := errors.AsType[*consentNeeded](err); ok {
		return a.notAgreed(held.nodes)
	}
	if miss, ok := errors.AsType[*missed](err); ok {
		return a.refused("covered", &miss.by)
	}
	a.compare()
	return err
}

// carry presses at one point, moves to another in steps and lets go there, or
// where the edge that was dropped on has gone to meanwhile.
func (a *action) carry(from, to backend.Point, drop *action) error {
	ctx, cancel := context.WithTimeout(a.ctx, dragTimeout)
	defer cancel()
	var way *[2]float64
	var on func(context.Context) ([]backend.Point, error)
	if drop != nil {
		way, on = drop.way, drop.follow(to)
	}
	return a.tab.tab.Drag(ctx, path(from, to, way), a.dragging, on)
}

// followTries bounds how often a drag goes after the edge it is to end at.
const followTries = 4

// follow goes after the edge of an item that a list has moved while something was
// carried over it, until the list has made room where it was asked to: lists that
// sort themselves under the pointer end with what lies below it.
func (drop *action) follow(at backend.Point) func(context.Context) ([]backend.Point, error) {
	tries := 0
	return func(context.Context) ([]backend.Point, error) {
		if tries++; drop.arg.Edge == "" || tries > followTries {
			return nil, nil
		}
		drop.arg.Again = true
		v, err := drop.prepare("place", nil)
		if err != nil || v.There {
			return nil, nil // an item that is no more is let go where it was
		}
		to, err := drop.outward(backend.Point{X: v.X, Y: v.Y}, false)
		if err != nil {
			return nil, err
		}
		points := path(at, to, drop.way)[3:] // it is held already
		at = to
		return points, nil
	}
}

// dragging asks the page whether it has begun a drag-and-drop of its own.
func (a *action) dragging(ctx context.Context) (bool, error) {
	v, err := a.tab.call(ctx, a.frame, "dragging", prepareArg{})
	if err != nil {
		return false, err
	}
	return v.Checked != nil && *v.Checked, nil
}

// path goes from one point to another in steps, the first ones small, as what
// is dragged is only picked up after a few pixels. The last is small as well, so
// that what lies there notices, and goes the given way, else on in the same one:
// lists tell before from after by where the pointer comes from.
func path(from, to backend.Point, way *[2]float64) []backend.Point {
	points := []backend.Point{from, {X: from.X + 3, Y: from.Y + 3}, {X: from.X + 6, Y: from.Y + 6}}
	dx, dy := to.X-from.X, to.Y-from.Y
	for i := 1; i <= dragSteps; i++ {
		f := float64(i) / dragSteps
		points = append(points, backend.Point{X: from.X + dx*f, Y: from.Y + dy*f})
	}
	if way == nil {
		way = &[2]float64{1, 0}
		if length := math.Hypot(dx, dy); length > 0 {
			way = &[2]float64{dx / length, dy / length}
		}
	}
	return append(points, backend.Point{X: to.X - way[0], Y: to.Y - way[1]}, to)
}

// dropPoint reads where to drop: "@x,y" on the page, "e9", "e9@x,y", "e9 before"
// or "e9 after"; a locator will do for the ref. What is dropped on comes with it.
func (a *action) dropPoint() (backend.Point, *action, error) {
	if a.onto != nil {
		if a.onto.frame.ID != a.frame.ID {
			a.admitFrame(a.onto.frame)
		}
		drop := *a
		drop.frame, drop.effect = a.onto.frame, &Effect{}
		drop.target = a.Value
		drop.arg = prepareArg{Path: a.onto.path, Timeout: a.arg.Timeout, Disabled: true}
		p, err := drop.point(nil)
		a.also(&drop)
		return p, nil, err
	}
	if a.Drop != nil {
		x, y, err := a.tab.ScrollToPoint(a.ctx, a.Drop[0], a.Drop[1])
		if err != nil {
			return backend.Point{}, nil, err
		}
		return backend.Point{X: x, Y: y}, nil, a.dropped([2]float64{x, y})
	}
	value := strings.TrimSpace(a.Value)
	if strings.HasPrefix(value, "@") {
		at, err := offset(value)
		if err != nil {
			return backend.Point{}, nil, Invalid(a.op, "%v", err)
		}
		return backend.Point{X: at[0], Y: at[1]}, nil, a.dropped(*at)
	}
	target, where := value, ""
	for _, edge := range []string{"before", "after"} {
		if t, ok := strings.CutSuffix(value, " "+edge); ok {
			target, where = strings.TrimSpace(t), edge
		} else if t, ok := strings.CutPrefix(value, edge); ok && IsRef(strings.TrimLeft(t, " /")) {
			target, where = strings.TrimLeft(t, " /"), edge // the other way round
		}
	}
	if t, w, ok := strings.Cut(target, " "); ok && IsRef(t) {
		return backend.Point{}, nil, Invalid(a.op, "drop %q: say before or after, or nothing; a place is e9@x,y, @x,y on the page or +dx,+dy", strings.TrimSpace(w))
	}
	var at *[2]float64
	if cut := strings.LastIndexByte(target, '@'); cut > 0 && (IsRef(target[:cut]) || offsetShape.MatchString(target[cut:])) {
		var err error
		if at, err = offset(target[cut:]); err != nil {
			return backend.Point{}, nil, Invalid(a.op, "%v", err)
		}
		target = target[:cut]
	}
	frame, ref, locator, err := a.tab.target(a.op, target)
	if err != nil {
		return backend.Point{}, nil, err
	}
	if frame.ID != a.frame.ID {
		a.admitFrame(frame)
	}
	drop := *a
	drop.frame, drop.effect = frame, &Effect{}
	drop.target = target
	drop.arg = prepareArg{Ref: ref, Locator: locator, Timeout: a.arg.Timeout, Disabled: true, Who: a.Identify}
	defer func() { a.effect.Onto = drop.effect.Who }()
	if frame.ID == a.frame.ID {
		drop.arg.Held = a.arg.Ref
	}
	if at != nil || where != "" {
		p, err := drop.place(at, where)
		a.also(&drop)
		return p, &drop, err
	}
	p, err := drop.point(nil)
	a.also(&drop)
	return p, nil, err
}

// also lets the release set off what was agreed to for the place it is dropped on.
func (a *action) also(drop *action) {
	if drop.frame.ID == a.frame.ID {
		a.arg.Also = append(a.arg.Also, drop.arg.Also...)
	}
}

// dropped has what lies at a point of the page agreed to, for what is dropped there.
func (a *action) dropped(at [2]float64) error {
	if a.tab.driver.onTrigger == nil {
		return nil
	}
	main, err := a.tab.frameOf("")
	if err != nil {
		return err
	}
	for {
		v, err := a.tab.call(a.ctx, main, "pressedAt", prepareArg{X: at[0], Y: at[1], Sets: true, Also: a.agreedIn(main)})
		if err != nil {
			return err
		}
		frame, v, err := a.descend(main, v)
		if err != nil {
			return err
		}
		if again, err := a.agree(frame, v, false); err != nil || !again {
			return err
		}
	}
}
