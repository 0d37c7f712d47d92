package driver

import (
	"context"
	"fmt"
	"math"
	"strings"

	"rove/aria"
	"rove/driver/advice"
	"rove/driver/backend"
)

// Trigger is something that is about to be set off, whatever was named to do so: by
// a press at a point, or by a key where the focus is.
type Trigger struct {
	Op     string
	Target string // as the caller named it; "" for the page
	Value  string
	Keys   bool // by a key
	// URL is that of the document, or its origin where the address says nothing.
	URL string
	// Nodes are all that is set off together: a button, the row it is in, what a
	// label is for. It is empty where there is nothing but the page.
	Nodes []ElementInfo
}

// ElementInfo is an element in few words.
type ElementInfo struct {
	Ref        aria.Ref
	Role, Name string
	Words      string // what it shows beside its name, a line each
	More       bool   // and has more words than that
}

// nodeKey is one very node of a frame.
type nodeKey struct {
	frame backend.FrameID
	id    int
}

// OnTrigger has ask decide on everything before it is set off. It says whether
// somebody was asked, or why it must not be. It is called before the driver is used.
func (d *Driver) OnTrigger(ask func(context.Context, Trigger) (asked bool, err error)) {
	d.onTrigger = ask
}

// triggerTries bounds how often it is asked about what is always something else.
const triggerTries = 4

// agree has what is about to be set off in a frame decided on. again says that
// somebody was asked, which took time: it has to be looked at anew.
func (a *action) agree(frame backend.Frame, v *verdict, keys bool) (again bool, err error) {
	ask := a.tab.driver.onTrigger
	if ask == nil {
		return false, nil
	}
	if frame.ID == a.frame.ID {
		for _, n := range v.Sets {
			a.arg.Also = append(a.arg.Also, n.ID) // a drag ends elsewhere than it begins
		}
	}
	op := a.Name
	if op == "upload" {
		op = "click" // a press on what may open a chooser
	}
	t := Trigger{Op: op, Target: a.target, Value: a.Value, Keys: keys, URL: a.tab.documentURL(frame, v.Origin)}
	known := 0
	var fresh []nodeKey
	for _, n := range v.Sets {
		node := ElementInfo{Ref: a.tab.refIn(frame, n.Ref), Role: n.Role, Name: n.Name, Words: n.Words, More: n.More}
		key := nodeKey{frame.ID, n.ID}
		was, ok := a.agreed[key]
		if ok && was != node {
			return false, &Error{
				Code: CodeStale, Op: a.op, Message: fmt.Sprintf("%s %q is no longer what was agreed to: now it is %s %q", was.Role, was.Name, node.Role, node.Name),
				Hint: "this step was not done; try again if that is the one you mean",
			}
		}
		if ok {
			known++
			continue
		}
		t.Nodes = append(t.Nodes, node)
		fresh = append(fresh, key)
	}
	page := nodeKey{frame: frame.ID} // nothing but the page
	if _, ok := a.agreed[page]; ok && len(t.Nodes) == 0 || known > 0 && len(t.Nodes) == 0 {
		return false, nil
	}
	asked, err := ask(a.ctx, t)
	if err != nil || !asked {
		return false, err
	}
	a.agreed[page] = ElementInfo{}
	for i, n := range t.Nodes {
		a.agreed[fresh[i]] = n
	}
	if a.asked++; a.asked > triggerTries {
		return false, (&Error{Code: CodeStale, Op: a.op, Message: "it is something else each time that would be set off"}).Advise(advice.LookNow)
	}
	return true, nil
}

// documentURL is the address of a frame's document. One that has none of its own,
// as a frame that another has written, goes by the origin that it has from there.
func (t *Tab) documentURL(f backend.Frame, origin string) string {
	for {
		switch {
		case strings.HasPrefix(f.URL, "blob:"):
			return strings.TrimPrefix(f.URL, "blob:")
		case strings.HasPrefix(f.URL, "http:"), strings.HasPrefix(f.URL, "https:"), strings.HasPrefix(f.URL, "file:"):
			return f.URL
		case strings.HasPrefix(origin, "http"):
			return origin
		}
		parent, ok := t.frameByID(f.Parent)
		if f.Parent == "" || !ok {
			return f.URL
		}
		f = parent
	}
}

// comes has the pointer come to where it is to press, if somebody has to agree to that: an
// element may say something else once the pointer is on it. there says that it was.
func (a *action) comes(v *verdict) (there bool, err error) {
	if a.tab.driver.onTrigger == nil || a.Name == "hover" {
		return true, nil
	}
	p, err := a.outward(backend.Point{X: v.X, Y: v.Y}, true)
	if err != nil {
		return false, err
	}
	if was := a.tab.pointer.Load(); was != nil && math.Hypot(p.X-was.X, p.Y-was.Y) < 1 {
		return true, nil
	}
	move, err := a.moveTo(p)
	if err != nil {
		return false, err
	}
	return false, a.send(move)
}

// descend goes from a point of a frame to the frame that lies there, if one does:
// that gets the press. It answers what would be set off in there.
func (a *action) descend(frame backend.Frame, v *verdict) (backend.Frame, *verdict, error) {
	for v.Inner != 0 {
		inner, err := a.tab.inside(frame, v.Inner)
		if err != nil {
			return frame, v, err
		}
		a.admitFrame(inner)
		arg := prepareArg{X: v.Within[0], Y: v.Within[1], Sets: a.tab.driver.onTrigger != nil, Also: a.agreedIn(inner)}
		if v, err = a.tab.call(a.ctx, inner, "pressedAt", arg); err != nil {
			return frame, v, err
		}
		frame = inner
	}
	return frame, v, nil
}

// agreedIn is what was agreed to in a frame already.
func (a *action) agreedIn(f backend.Frame) []int {
	if f.ID == a.frame.ID {
		return a.arg.Also
	}
	return nil
}

// admitFrame has a frame take part in the action.
func (a *action) admitFrame(f backend.Frame) {
	a.takes[f.ID] = true
	delete(a.closed, f.ID)
}

// focused finds the frame that has the focus, and what a key would set off there:
// the key is for that alone from then on.
func (a *action) focused(key backend.Key, also []int) (backend.Frame, *verdict, error) {
	frame, err := a.tab.frameOf("")
	if err != nil {
		return frame, nil, err
	}
	for {
		arg := prepareArg{Key: key.Key, Alt: key.Mods&backend.Alt != 0, Also: also}
		v, err := a.tab.call(a.ctx, frame, "keyed", arg)
		if err != nil || v.Inner == 0 {
			return frame, v, err
		}
		if frame, err = a.tab.inside(frame, v.Inner); err != nil {
			return frame, v, err
		}
		a.admitFrame(frame)
	}
}

// strokes sends keys. Where what they set off has to be agreed to, each that may
// set something off, or move the focus, goes by itself: what it would set off is
// known only when it is about to come. writes says that what has the focus takes
// text, and was prepared for it.
func (a *action) strokes(events []backend.Input, writes bool) error {
	a.sent = 0
	if a.tab.driver.onTrigger == nil && !a.mayLeaveFrame(events) {
		for _, e := range events {
			if k, ok := e.(backend.Key); ok && k.Down {
				a.sent++
			}
		}
		return a.send(events...)
	}
	for len(events) > 0 {
		n, key := nextStroke(events, writes)
		if key == nil {
			if err := a.send(events[:n]...); err != nil {
				return err
			}
			events = events[n:]
			continue
		}
		writes = false // whatever has the focus from here on
		if err := a.stroke(events[:n], *key); err != nil {
			return err
		}
		events = events[n:]
	}
	return nil
}

// mayLeaveFrame is true of keys that come after one which may take the focus to another
// frame.
func (a *action) mayLeaveFrame(events []backend.Input) bool {
	if len(a.closed) == 0 {
		return false
	}
	for i, e := range events {
		if k, ok := e.(backend.Key); ok && k.Down && k.Key == "Tab" && len(events) > i+2 {
			return true
		}
	}
	return false
}

// nextStroke is the end of the first keys that go together, and which of them is
// the one that may set something off; nil where none is.
func nextStroke(events []backend.Input, writes bool) (int, *backend.Key) {
	for i, e := range events {
		k, ok := e.(backend.Key)
		if !ok || !k.Down || isModifier(k) {
			continue
		}
		if writes && k.Text != "" && k.Key != "Enter" && k.Key != "Tab" {
			continue // a letter
		}
		if writes && i > 0 {
			return i, nil // first what is only written
		}
		end := i + 1
		for end < len(events) {
			up, ok := events[end].(backend.Key)
			end++
			if ok && !up.Down && up.Code == k.Code && up.Key == k.Key {
				break
			}
		}
		return end, &k
	}
	return len(events), nil
}

func isModifier(k backend.Key) bool {
	switch k.Key {
	case "Shift", "Control", "Alt", "Meta":
		return true
	}
	return false
}

// stroke sends one key to what has the focus, after that was agreed to.
func (a *action) stroke(events []backend.Input, key backend.Key) error {
	var also []int
	for try := 1; ; try++ {
		frame, v, err := a.focused(key, also)
		if err != nil {
			return err
		}
		again, err := a.agree(frame, v, true)
		if err != nil {
			return err
		}
		if again {
			continue
		}
		if err := a.send(events...); err != nil {
			return err
		}
		end, err := a.tab.call(a.ctx, frame, "ended", prepareArg{})
		kept := 0
		if err == nil && a.target == "" {
			kept = a.elsewhere()
		}
		switch {
		case replaced(err):
			return nil // that is what the key did
		case err != nil:
			return err
		case kept > 0 && try < triggerTries:
			continue // the focus had not arrived yet where the key before took it
		case kept > 0:
			return a.astray(kept, "another frame")
		case end.Astray != nil && (end.Astray.Keys > 0 || end.Astray.Heard == 0):
			return a.astray(end.Astray.Keys, a.describe(end.Astray.By))
		case len(end.Held) == 0:
			return nil
		case try == triggerTries:
			return a.notAgreed(end.Held)
		}
		// It set off something that was not foreseen.
		end.Sets = end.Held
		if _, err := a.agree(frame, end, true); err != nil {
			return err
		}
		for _, n := range end.Held {
			also = append(also, n.ID)
		}
	}
}

// elsewhere is how many keys closed frames were kept from, which stay closed.
func (a *action) elsewhere() int {
	if len(a.closed) == 0 {
		return 0
	}
	kept := a.reopen()()
	a.shut("focus")()
	return kept.Keys
}

// notAgreed is the error for what was kept from being set off.
func (a *action) notAgreed(nodes []scriptElement) error {
	return &Error{
		Code: CodePolicy, Op: a.op, Message: "it would set off " + a.describe(scriptElement{Role: nodes[0].Role, Name: nodes[0].Name}) + ", which nobody has agreed to; that was kept from happening",
		Hint: "use the ref of that element itself",
	}
}

// sendAgreed moves pointer and keys for wherever they are, after what they set off
// was agreed to.
func (a *action) sendAgreed(events []backend.Input) error {
	if err := a.openAll(); err != nil {
		return err
	}
	if a.tab.driver.onTrigger == nil {
		return a.send(events...)
	}
	for i, e := range events {
		m, ok := e.(backend.Mouse)
		if !ok {
			return a.strokes(events[i:], false)
		}
		if m.Kind != backend.MouseDown && m.Kind != backend.MouseUp {
			if err := a.send(m); err != nil {
				return err
			}
			continue
		}
		if err := a.pressed(m); err != nil {
			return err
		}
	}
	return nil
}

// pressed presses or releases a button at a point, after that was agreed to.
func (a *action) pressed(m backend.Mouse) error {
	main, err := a.tab.frameOf("")
	if err != nil {
		return err
	}
	for {
		v, err := a.tab.call(a.ctx, main, "pressedAt", prepareArg{X: m.X, Y: m.Y, Sets: true})
		if err != nil {
			return err
		}
		frame, v, err := a.descend(main, v)
		if err != nil {
			return err
		}
		again, err := a.agree(frame, v, false)
		if err != nil {
			return err
		}
		if again {
			continue
		}
		if err := a.send(m); err != nil {
			return err
		}
		end, err := a.tab.call(a.ctx, frame, "ended", prepareArg{})
		if err == nil && len(end.Held) > 0 {
			return a.notAgreed(end.Held)
		}
		if replaced(err) {
			return nil
		}
		return err
	}
}

// openAll has all frames take what comes, where nothing was named. Where somebody has to
// agree they stay closed: one takes part when what it would set off is known.
func (a *action) openAll() error {
	if a.tab.driver.onTrigger != nil {
		a.shut("focus")()
		return a.ctx.Err()
	}
	for _, f := range a.tab.openAll(a.ctx) {
		a.admitFrame(f)
	}
	return a.ctx.Err()
}

// openAll has all frames of the tab take what comes, and lists those that had to be
// asked: all but the page's own.
func (t *Tab) openAll(ctx context.Context) []backend.Frame {
	frames := t.tab.Frames()
	if len(frames) < 2 {
		return nil
	}
	calls := make([]backend.Call, 0, len(frames)-1)
	for _, f := range frames[1:] {
		calls = append(calls, backend.Call{Frame: f.ID, Func: "open", Arg: struct{}{}})
	}
	ctx, cancel := context.WithTimeout(ctx, closePatience)
	defer cancel()
	_, _ = t.tab.Call(ctx, calls...) // one that does not answer takes nothing either
	return frames[1:]
}

// touched has what a press at a point of the action's frame sets off agreed to.
func (a *action) touched(p [2]float64) error {
	for {
		v, err := a.tab.call(a.ctx, a.frame, "pressedAt", prepareArg{X: p[0], Y: p[1], Sets: true, Also: a.arg.Also})
		if err != nil {
			return err
		}
		again, err := a.agree(a.frame, v, false)
		if err != nil || !again {
			return err
		}
	}
}
