package driver

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"rove/aria"
	"rove/driver/backend"
)

// Target is what something is done to: an element, or the page as a whole, which is
// the zero value.
type Target struct {
	one     bool     // it is an element
	name    string   // as whoever asks for it says it
	element *Element // the way to it, which is gone again until it leads there
	spot    *spot    // where it is, for who has gone the way just now
}

// WholePage is the page as a whole.
var WholePage Target

// At is an element by its ref, such as e5, or by a locator for the main frame, such as
// #save.
func At(target string) Target { return Target{one: true, name: target} }

// On is an element by the way that leads to it. It is waited for as the driver's
// Timeouts say, and then until the page reacts.
func On(e *Element) Target { return Target{one: true, name: e.name, element: e} }

// Op is one thing to do.
type Op struct {
	Name  string // click, input, select, …; see Operations
	Value string // what to type, choose, set
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

	said string              // in messages, where it is not the name and the target
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
	inputTimeout  = 5 * time.Second       // for the page's handlers to come to an end
	keyTime       = 15 * time.Millisecond // more for each key: some browsers take long for one
	hungTimeout   = 2 * time.Second       // for a page to answer that has not come to an end by then
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

// pageOperations are those of the page as a whole.
var pageOperations = map[string]func(*action) error{
	"back":    (*action).history,
	"forward": (*action).history,
	"refresh": (*action).reload,
	"reload":  (*action).reload,
	"press":   (*action).pressAnywhere,
	"scroll":  (*action).scroll,
	"upload":  (*action).uploadToChooser,
}

// action is an Op at work.
type action struct {
	Op
	ctx    context.Context
	tab    *Tab
	target string // as it was named
	op     string // for messages
	frame  backend.Frame
	onto   *spot // of a drag, where it is not named by Value
	arg    prepareArg
	watch  *watcher
	effect *Effect
	before state
	after  *state      // as settle found it
	fought bool        // a press missed: something comes and goes where it is
	stir   bool        // the pointer has to stir before it goes anywhere
	way    *[2]float64 // that the pointer comes to an edge that is dropped on
	// answered: the chooser that opened was answered.
	answered   bool
	closed     map[backend.FrameID]bool // frames that take no part, and have to be opened again
	takes      map[backend.FrameID]bool // frames that do, beside the action's own
	agreed     map[nodeKey]ElementInfo  // what somebody agreed to have set off
	asked      int
	lostTo     string          // what took the focus while something was typed
	lostInside bool            // which is of the same document
	clicking   bool            // and is to be let go where it came
	presses    int             // how many presses make one try, a click each
	pressing   bool            // a press was sent, and must have come
	unheard    bool            // and did not
	sent       int             // keys that were pressed, all of which must have come
	activates  bool            // Enter or Space is among them, which press what has the focus
	inner      backend.FrameID // the frame that was pressed, in the action's own
	url        string          // where the page was
	workers    *workerWatch    // its workers
	overdue    bool            // what the page said over a socket had no answer in time, as far as was told
	spread     bool            // the page has changed elsewhere than in the element
}

// usedFrame is where something was done: in the frame of what was named, and in one that lay there.
type usedFrame struct{ frame, inner backend.FrameID }

// Do does one thing as a person would, waits for what that caused and answers with
// what was seen of it. All that acts on a page goes through here.
func (t *Tab) Do(ctx context.Context, to Target, op Op) (*Effect, error) {
	if to.element != nil {
		return to.element.do(ctx, op)
	}
	a := &action{Op: op, tab: t, target: to.name, op: cmp.Or(op.said, strings.TrimSpace(op.Name+" "+to.name)), effect: &Effect{}, url: t.URL()}
	do, err := a.find(to)
	if err != nil {
		return nil, err
	}
	whole := ctx
	ctx, cancel := endEarly(ctx)
	defer cancel()
	a.ctx = ctx
	a.guarded()
	open := t.tab.Dialog()
	if op.Name == "dialog" {
		open = nil // it is being answered; another one is news
	}
	if op.Followed {
		a.wait = op.followed()
	}
	a.watch = t.watch()
	defer func() { a.watch.stop() }()
	t.awaitEditor(ctx)
	if a.wait.requests() {
		a.workers = t.watchWorkers()
		defer a.workers.end()
	}
	err = cmp.Or(do(a), t.lostBrowser())
	if to.one {
		t.used.Store(&usedFrame{a.frame.ID, cmp.Or(a.inner, a.frame.ID)})
	}
	if err != nil && a.frame.Parent != "" {
		a.takes[a.frame.ID] = true // it may not have come to its end
	}
	a.reopen()()
	a.watch.popups(ctx)
	a.watch.fill(a.effect, a.url)
	t.unreachable(whole, a.effect)
	a.effect.caused(open, err)
	if a.answered {
		a.effect.Chooser = nil
	}
	switch {
	case err == nil && a.unheard && !a.effect.Navigated && !a.effect.Closed && a.effect.Dialog == nil:
		t.covered.Store(true)
		return a.effect, a.refused("unheard", nil)
	case err == nil:
	case a.effect.Dialog != nil && interrupted(err):
		// The dialog is what the action caused.
	case whole.Err() == nil && gone(t.tab) && t.lostBrowser() == nil:
		a.effect.Closed = true
	default:
		if held, ok := errors.AsType[*consentNeeded](err); ok {
			err = a.notAgreed(held.nodes)
		}
		if _, ok := errors.AsType[*notTypable](err); ok {
			err = Invalid(a.op, "%v", err)
		}
		return a.effect, t.driver.failed(a.op, err)
	}
	return a.effect, nil
}

// find finds what is to be done, and the frame and element to do it to.
func (a *action) find(to Target) (do func(*action) error, err error) {
	do = a.do
	switch {
	case !to.one:
		if do == nil {
			if do = pageOperations[a.Name]; do == nil {
				return nil, CheckPageOperation(a.Name, slices.Sorted(maps.Keys(pageOperations)))
			}
		}
		a.frame, err = a.tab.frameOf("")
		if err != nil {
			err = Explain(a.op, err)
		}
		return do, err
	case do == nil:
		if err := CheckOperation(to.name, a.Name, a.Value); err != nil {
			return nil, err
		}
		do = operations[a.Name].do
	}
	a.arg = prepareArg{Who: a.Identify, Sets: a.tab.driver.onTrigger != nil, Node: a.Node, Expect: a.Expect, Timeout: orDefault(a.Timeout, readyTimeout).Milliseconds()}
	if s := to.spot; s == nil {
		a.frame, a.arg.Ref, a.arg.Locator, err = a.tab.target(a.op, to.name)
	} else if a.frame = s.frame; len(s.path) == 1 && s.path[0].Ref > 0 {
		a.arg.Ref = s.path[0].Ref
	} else {
		a.arg.Path = s.path
	}
	return do, err
}

// page does something to the page as a whole, and waits for what that causes.
func (t *Tab) page(ctx context.Context, op Op, do func(*action) error) (*Effect, error) {
	op.do = func(a *action) error {
		if err := do(a); err != nil {
			return err
		}
		return a.settle()
	}
	return t.Do(ctx, WholePage, op)
}

// refused is the page script's refusal of the action's own element, found out here.
func (a *action) refused(code string, by *scriptElement) error {
	return a.refusal(&verdict{plain: plain{Code: code}, scriptElement: scriptElement{Ref: a.arg.Ref, Role: a.effect.Role, Name: a.effect.Name}, By: by})
}

func orDefault(d, fallback time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return fallback
}

func interrupted(err error) bool {
	if b, ok := errors.AsType[*backend.Error](err); ok {
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
// got them all the same: that is noted, and no error. One that answers meanwhile is
// getting them still, one after the other.
func (a *action) send(events ...backend.Input) error {
	ctx, cancel := context.WithCancel(a.ctx)
	defer cancel()
	var hung atomic.Bool
	over := make(chan struct{})
	defer close(over)
	go func() {
		patience := time.NewTimer(inputTimeout + time.Duration(strokesOf(events))*keyTime)
		defer patience.Stop()
		for {
			select {
			case <-over:
				return
			case <-patience.C:
			}
			if !a.answers(ctx) {
				hung.Store(true)
				cancel()
				return
			}
			patience.Reset(inputTimeout)
		}
	}()
	err := a.tab.tab.Input(ctx, events...)
	if IsBusy(err) || errors.Is(err, context.DeadlineExceeded) || err != nil && hung.Load() {
		a.effect.Hung = true
		return nil
	}
	return err
}

// answers says whether the page of the action is not hung.
func (a *action) answers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, hungTimeout)
	defer cancel()
	_, err := a.tab.tab.Eval(ctx, a.frame.ID, "1")
	return err == nil
}

// strokesOf is how many keys some input is, where a text is typed as well.
func strokesOf(events []backend.Input) (n int) {
	for _, e := range events {
		switch e := e.(type) {
		case backend.Key:
			n++
		case backend.Text:
			n += utf8.RuneCountInString(e.Text)
		}
	}
	return n
}

// prepare waits until the element can be acted on.
func (a *action) prepare(need string, change func(*prepareArg)) (*verdict, error) {
	arg := a.arg
	arg.Need, arg.Sets = need, a.tab.driver.onTrigger != nil
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
func (a *action) refOf(number int) aria.Ref { return a.tab.refIn(a.frame, number) }

// refIn is how a number of a frame is written.
func (t *Tab) refIn(frame backend.Frame, number int) aria.Ref {
	f, _ := t.driver.numbers.frame(t.tab, frame)
	return aria.Ref(prefix(f) + strconv.Itoa(number))
}
