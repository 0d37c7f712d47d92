package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rove/aria"
	"rove/driver/backend"
)

// Action is one thing to do to an element.
type Action struct {
	Target string // a ref such as e5, or a locator such as #save
	Op     string // click, input, select, …; see Operations
	Value  string // what to type, choose, set
	// Expect is what the element was shown as, where the caller has seen it: if
	// it is something else by now, nothing is done.
	Expect *Expected
	// Timeout bounds the wait for the element to be ready; 0 is 3 s.
	Timeout time.Duration
	// Settle bounds the wait for the page to come to rest; 0 is 5 s, and a
	// navigation may take up to NavigateOptions' default on top.
	Settle time.Duration
	// Followed is for an action that another follows at once: it waits for what that
	// one may depend on, and not for the page to come to rest.
	Followed bool
	// At is where in the element the pointer goes, from its corner; nil is where it
	// is hit best. Clicks can say it by Value, too.
	At *[2]float64
	// Drop is a point of the page to drag to, where Value does not say it.
	Drop *[2]float64
	// Node is the very element that somebody agreed to, as Read gave it; 0 where any
	// that the target names will do.
	Node int
	// Origin is that of the one document that may have the value, which is a secret.
	// It is put into the field at once, as keys can go astray.
	Origin string
	// Sense refuses what makes no sense for the element as it is now, such as to
	// clear an empty field.
	Sense bool
	// Identify has the effect say what the element is known by.
	Identify bool

	at   *spot               // where the element is, for one that is not named by Target
	do   func(*action) error // what to do, for what is no operation by itself
	wait patience            // for what it caused
}

// Expected is the role and name an element was shown with.
type Expected struct {
	Role string `json:"role"`
	Name string `json:"name"`
}

const (
	readyTimeout  = 3 * time.Second
	settleTimeout = 5 * time.Second
	inputTimeout  = 5 * time.Second // for the page's handlers to come to an end
	dragTimeout   = 2 * inputTimeout
	answerTimeout = 5 * time.Second // for a page that was asked something simple
)

// operations maps an operation to what does it and to what its value is.
var operations = map[string]struct {
	do       func(*action) error
	value    string // "" where it takes none
	optional bool   // it may be left out
}{
	"click":      {(*action).click, offsetValue, true},
	"dblclick":   {(*action).doubleClick, offsetValue, true},
	"rightclick": {(*action).rightClick, offsetValue, true},
	"hover":      {(*action).hover, "", false},
	"check":      {(*action).check, "", false},
	"uncheck":    {(*action).uncheck, "", false},
	"focus":      {(*action).focus, "", false},
	"input":      {(*action).input, "the text", true},
	"type":       {(*action).typeText, "the text", false},
	"clear":      {(*action).clear, "", false},
	"press":      {(*action).press, "the keys, such as Enter or Control+A", false},
	"select":     {(*action).choose, "the option", false},
	"set":        {(*action).set, "the value", false},
	"drag":       {(*action).drag, "where to: a ref, e9 before, e9 after, e9@x,y, @x,y on the page or +dx,+dy", false},
	"scroll":     {(*action).scroll, "where to", true},
	"mark":       {(*action).mark, "the words", true},
	"text":       {(*action).text, "", false},
	"attribute":  {(*action).attribute, "the attribute's name", false},
	"screenshot": {(*action).screenshot, "", false},
	"upload":     {(*action).upload, "the file's path", false},
}

const offsetValue = "where in the element: x,y"

// Operations lists what can be done to an element.
func Operations() []string {
	return slices.Sorted(maps.Keys(operations))
}

// action is an Action at work.
type action struct {
	Action
	ctx    context.Context
	tab    *Tab
	op     string // for messages
	frame  backend.Frame
	target *spot // of a drag, where it is not named by Value
	arg    prepareArg
	watch  *watcher
	effect *Effect
	before state
	after  *state      // as settle found it
	fought bool        // a press missed: something comes and goes where it is
	stir   bool        // the pointer has to stir before it goes anywhere
	way    *[2]float64 // that the pointer comes to an edge that is dropped on
	// answered: the chooser that opened was answered.
	answered bool
	closed   map[backend.FrameID]bool // frames that take no part, and have to be opened again
	takes    map[backend.FrameID]bool // frames that do, beside the action's own
	agreed   map[nodeKey]Touched      // what somebody agreed to have set off
	asked    int
	clicking bool   // and is to be let go where it came
	pressing bool   // a press was sent, and must have come
	unheard  bool   // and did not
	url      string // where the page was
}

// Act does one thing to an element as a person would, waits for what that
// caused and answers with what was seen of it.
func (t *Tab) Act(ctx context.Context, a Action) (*Effect, error) {
	op := a.Op + " " + a.Target
	o := operations[a.Op]
	if a.do != nil {
		o.do = a.do
	} else if err := CheckOperation(a.Target, a.Op, a.Value); err != nil {
		return nil, err
	}
	var frame backend.Frame
	var ref int
	var locator string
	var path []step
	var err error
	if a.at != nil {
		frame, path = a.at.frame, a.at.path
		if len(path) == 1 && path[0].Ref > 0 {
			ref, path = path[0].Ref, nil
		}
	} else if frame, ref, locator, err = t.target(op, a.Target); err != nil {
		return nil, err
	}
	whole := ctx
	ctx, cancel := spare(ctx)
	defer cancel()
	act := &action{Action: a, ctx: ctx, tab: t, op: op, frame: frame, effect: &Effect{}, url: t.URL()}
	act.guarded()
	act.arg = prepareArg{Who: a.Identify, Sets: t.driver.touch != nil, Node: a.Node, Ref: ref, Locator: locator, Path: path, Expect: a.Expect, Timeout: orDefault(a.Timeout, readyTimeout).Milliseconds()}
	open := t.tab.Dialog()
	if a.Followed {
		act.wait = a.followed()
	}
	act.watch = t.watch()
	defer func() { act.watch.stop() }()
	t.noted(ctx)
	err = cmp.Or(o.do(act), t.lostBrowser())
	act.reopen()
	act.watch.popups(ctx)
	act.watch.fill(act.effect, act.url)
	t.reason(whole, act.effect)
	act.effect.caused(open, err)
	if act.answered {
		act.effect.Chooser = nil
	}
	switch {
	case err == nil && act.unheard && !act.effect.Navigated && !act.effect.Closed && act.effect.Dialog == nil:
		t.covered.Store(true)
		return act.effect, act.refusal(&verdict{plain: plain{Code: "unheard"}, sketch: sketch{Ref: act.arg.Ref, Role: act.effect.Role, Name: act.effect.Name}})
	case err == nil:
	case act.effect.Dialog != nil && interrupted(err):
		// The dialog is what the action caused.
	case whole.Err() == nil && gone(t.tab) && t.lostBrowser() == nil:
		act.effect.Closed = true
	default:
		var held *heldBack
		if errors.As(err, &held) {
			err = act.notAgreed(held.nodes)
		}
		var u *untyped
		if errors.As(err, &u) {
			err = Invalid(op, "%v", err)
		}
		return act.effect, t.driver.failed(op, err)
	}
	return act.effect, nil
}

func orDefault(d, fallback time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return fallback
}

func interrupted(err error) bool {
	var b *backend.Error
	if errors.As(err, &b) {
		return b.Kind == backend.KindDialog
	}
	return CodeOf(err) == CodeDialog
}

func gone(t backend.Tab) bool {
	select {
	case <-t.Done():
		return true
	default:
		return false
	}
}

// lostBrowser is the error of a tab whose whole browser is gone: nothing that was done
// to it can be told. A tab that its page closed is no error.
func (t *Tab) lostBrowser() error {
	if err := t.tab.Err(); errors.Is(err, backend.ErrGone) {
		return err
	}
	return nil
}

// target reads what an action names: a ref, or a locator for the main frame.
func (t *Tab) target(op, target string) (frame backend.Frame, ref int, locator string, err error) {
	frames := t.tab.Frames()
	if len(frames) == 0 {
		return frame, 0, "", Explain(op, &backend.Error{Kind: backend.KindClosed})
	}
	target = strings.TrimSpace(target)
	target = strings.TrimPrefix(target, "ref:")
	if target == "" {
		return frame, 0, "", Invalid(op, "locator cannot be null or empty")
	}
	if !IsRef(target) {
		return frames[0], 0, target, nil
	}
	id, number, err := t.ownerOf(aria.Ref(target))
	if err != nil {
		return frame, 0, "", err
	}
	for _, f := range frames {
		if f.ID == id || id == "" && f.Parent == "" {
			return f, number, "", nil
		}
	}
	return frame, 0, "", stale(aria.Ref(target))
}

// ask calls the page script for this action's element; a refusal is an error.
func (a *action) ask(function string, arg prepareArg) (*verdict, error) {
	if deadline, ok := a.ctx.Deadline(); ok && arg.Timeout > 0 {
		// The page is to say what stopped it before the time is up.
		arg.Timeout = min(arg.Timeout, max(time.Until(deadline).Milliseconds()*3/4, 50))
	}
	v, err := a.tab.call(a.ctx, a.frame, function, arg)
	if err != nil {
		return nil, err
	}
	if !v.OK {
		return v, a.refusal(v)
	}
	return v, nil
}

// send moves pointer and keys. A page whose handlers do not come to an end has
// got them all the same: that is noted, and no error.
func (a *action) send(events ...backend.Input) error {
	ctx, cancel := context.WithTimeout(a.ctx, inputTimeout)
	defer cancel()
	err := a.tab.tab.Input(ctx, events...)
	if IsBusy(err) || errors.Is(err, context.DeadlineExceeded) {
		a.effect.Hung = true
		return nil
	}
	return err
}

// prepare waits until the element can be acted on.
func (a *action) prepare(need string, change func(*prepareArg)) (*verdict, error) {
	arg := a.arg
	arg.Need = need
	if change != nil {
		change(&arg)
	}
	closed := a.shut(need)
	v, err := a.ask("prepare", arg)
	closed()
	if err != nil {
		return v, err
	}
	a.before = v.state
	if v.Masked != nil {
		secret(a.ctx)
	}
	a.arg.Ref, a.arg.Locator = v.Ref, "" // the same element from here on
	if need != "here" {
		a.arg.Expect = nil // it is, and what happens now may rename it
	}
	a.noteElement(v)
	a.knownBy(v)
	return v, nil
}

// noteElement notes which element it is that was found, if it is one.
func (a *action) noteElement(v *verdict) {
	if v.Ref == 0 {
		return
	}
	a.effect.Ref, a.effect.Role, a.effect.Name = a.refOf(v.Ref), v.Role, cmp.Or(v.Name, v.Words)
}

// refOf is how a number of the action's frame is written.
func (a *action) refOf(number int) aria.Ref {
	f, _ := a.tab.driver.numbers.frame(a.tab.tab, a.frame)
	return aria.Ref(fmt.Sprintf("%s%d", prefix(f), number))
}
