package driver

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rove/aria"
	"rove/driver/backend"
)

// Element is a place in a page where an element is, or may come to be: a
// locator, the frame it is for, and what it is inside of. It is looked for anew
// each time it is used, so it survives whatever the page does to its nodes, and
// having one does not mean that it is there.
//
// Actions wait until the element can take them: present, visible, at rest,
// enabled and not covered. Reads wait until it is there.
type Element struct {
	tab      *Tab
	frame    backend.FrameID // "" is the main frame
	path     []step
	name     string // for messages
	optional bool
	missing  string // the error's message, where the usual one says too little
}

// step is one part of the way to an element, as the page script takes it.
type step struct {
	By     string  `json:"by,omitempty"`     // a locator
	Ref    int     `json:"ref,omitempty"`    // a number of the page script
	To     string  `json:"to,omitempty"`     // parent, children, closest, rightOf, …
	Nth    *int    `json:"nth,omitempty"`    // which of those found, from 0
	Within float64 `json:"within,omitempty"` // px, for directions
}

// spot is the way to an element from a frame, without what only Go can resolve.
type spot struct {
	frame backend.Frame
	path  []step
}

// String is the locator.
func (e *Element) String() string { return e.name }

// Locate is the element a locator finds in the current frame. It does not look
// for it yet.
func (d *Driver) Locate(locator string) *Element {
	t := d.Tab()
	return &Element{tab: t, frame: t.frameID(), path: []step{{By: strings.TrimSpace(locator)}}, name: locator}
}

// Optional is an element that need not be there: where it is not, actions do
// nothing and reads give nothing, at once and without an error.
func (d *Driver) Optional(locator string) *Element {
	e := d.Locate(locator)
	e.optional = true
	return e
}

// IsOptional says whether the element is one that need not be there.
func (e *Element) IsOptional() bool { return e.optional }

// then is a way that goes on from an element.
func (e *Element) then(s step, name string) *Element {
	next := *e
	next.path = append(next.path[:len(next.path):len(next.path)], s)
	next.name = name
	return &next
}

// Locate is the element a locator finds inside this one. CSS, wildcards and
// XPath, relative or beginning with //, are looked for inside it; a JavaScript
// expression has it as _.
func (e *Element) Locate(locator string) *Element {
	return e.then(step{By: strings.TrimSpace(locator)}, e.name+" "+locator)
}

// Optional is an element inside this one that need not be there.
func (e *Element) Optional(locator string) *Element {
	o := e.Locate(locator)
	o.optional = true
	return o
}

// Parent is the element around this one; of the top of a shadow root, its host.
func (e *Element) Parent() *Element { return e.then(step{To: "parent"}, e.name+" (parent)") }

// Closest is the nearest element that a CSS selector matches, this one or one
// around it.
func (e *Element) Closest(selector string) *Element {
	return e.then(step{To: "closest", By: selector}, e.name+" (closest "+selector+")")
}

// each are the first n of those that the last step finds. There may be thousands,
// so they share their memory.
func (e *Element) each(n int) []*Element {
	length := len(e.path)
	list, all := make([]*Element, n), make([]Element, n)
	steps, index, ends := make([]step, n*length), make([]int, n), make([]int, n)
	var names []byte
	for i := range n {
		names = append(names, e.name...)
		names = append(names, " ["...)
		names = strconv.AppendInt(names, int64(i), 10)
		names = append(names, ']')
		ends[i] = len(names)
	}
	written, start := string(names), 0
	for i := range n {
		index[i] = i
		path := steps[i*length : (i+1)*length : (i+1)*length]
		copy(path, e.path)
		path[length-1].Nth = &index[i]
		all[i] = *e
		all[i].path, all[i].name = path, written[start:ends[i]]
		list[i], start = &all[i], ends[i]
	}
	return list
}

// LocateAll are the elements a locator finds now.
func (d *Driver) LocateAll(ctx context.Context, locator string) ([]*Element, error) {
	return d.Locate(locator).all(ctx)
}

// LocateAll are the elements a locator finds inside this one now.
func (e *Element) LocateAll(ctx context.Context, locator string) ([]*Element, error) {
	return e.Locate(locator).all(ctx)
}

// Children are the elements directly inside this one.
func (e *Element) Children(ctx context.Context) ([]*Element, error) {
	return e.then(step{To: "children"}, e.name+" (children)").all(ctx)
}

func (e *Element) all(ctx context.Context) ([]*Element, error) {
	n, err := e.find(ctx)
	if err != nil {
		return nil, err
	}
	return e.each(n), nil
}

// found is the page script's answer to find.
type found struct {
	plain
	Count int   `json:"count"`
	Refs  []int `json:"refs"`
}

// find counts what the path finds now, without waiting.
func (e *Element) find(ctx context.Context) (n int, err error) {
	op := "locate " + e.name
	ctx, noted := e.tab.driver.begin(ctx, "locate", e.name, "")
	defer func() { err = noted.end(err) }()
	ctx, cancel := e.tab.driver.within(ctx, elementWait)
	defer cancel()
	var got found
	err = e.tab.retry(ctx, op, time.Now(), func(ctx context.Context, _ time.Duration) (err error) {
		_, got, err = e.every(ctx, false)
		return err
	})
	if errors.Is(err, errNotThere) {
		return 0, nil
	}
	if err != nil {
		return 0, Explain(op, err)
	}
	return got.Count, nil
}

// every is all that the path finds now, and the frame it is in.
func (e *Element) every(ctx context.Context, refs bool) (frame backend.Frame, got found, err error) {
	if last := e.path[len(e.path)-1]; e.listed() {
		scope := *e
		scope.path = e.path[:len(e.path)-1]
		s, _, err := scope.spot(ctx)
		if err != nil {
			return frame, got, err
		}
		got.Refs, err = e.tab.refer(ctx, s, last)
		got.Count = len(got.Refs)
		return s.frame, got, err
	}
	s, _, err := e.spot(ctx)
	if err != nil {
		return frame, got, err
	}
	return s.frame, got, e.tab.count(ctx, s, refs, &got)
}

// count asks what a spot finds now. A page that is busy has as long to answer as elements
// are waited for: on a machine with much to do that is longer than answers take elsewhere.
func (t *Tab) count(ctx context.Context, s *spot, refs bool, got *found) error {
	patience := max(t.driver.limit(elementWait)-answerTimeout, 0)
	return t.asked(ctx, s.frame, "find", patience, map[string]any{"path": s.path, "refs": refs}, got)
}

// listed is true where the last step is JavaScript that may give a list.
func (e *Element) listed() bool {
	last := e.path[len(e.path)-1]
	return last.To == "" && last.Nth == nil && locatorKind(last.By) == kindScript
}

// Exists says whether the element is there now. It does not wait.
func (d *Driver) Exists(ctx context.Context, locator string) (bool, error) {
	return d.Locate(locator).Exists(ctx)
}

// Exists says whether the element is there now. It does not wait.
func (e *Element) Exists(ctx context.Context) (bool, error) {
	n, err := e.find(ctx)
	if known, ok := errors.AsType[*Error](err); ok && known.Code == CodeStale {
		return false, nil // the element of a ref that is gone
	}
	return n > 0, err
}

var errNotThere = errors.New("it is not there")

// spot resolves what only Go can: refs, which know their frame, and JavaScript,
// which runs in the page's own world. live says that the way has to be resolved
// again when it leads nowhere.
func (e *Element) spot(ctx context.Context) (s *spot, live bool, err error) {
	frame, err := e.tab.frameOf(e.frame)
	if err != nil {
		return nil, false, err
	}
	s = &spot{frame: frame}
	for i, st := range e.path {
		switch kind := locatorKind(st.By); {
		case st.To != "":
			s.path = append(s.path, st)
		case kind == kindNone:
			return nil, false, Invalid("locate", "locator cannot be null or empty")
		case kind == kindRef && i == 0:
			ref := aria.Ref(strings.TrimPrefix(st.By, "ref:"))
			id, number, err := e.tab.ownerOf(ref)
			if err != nil {
				return nil, false, err
			}
			if s.frame, err = e.tab.frameOf(id); err != nil {
				return nil, false, stale(ref)
			}
			s.path = []step{{Ref: number, Nth: st.Nth}}
		case kind == kindRef:
			return nil, false, Invalid("locate", "%s: a ref stands for one element of the page; it is not looked for inside another", st.By)
		case kind == kindScript:
			live = true
			numbers, err := e.tab.refer(ctx, s, st)
			n := 0
			if st.Nth != nil {
				n = *st.Nth
			}
			if err == nil && n >= len(numbers) {
				err = errNotThere
			}
			if err != nil {
				return nil, live, err
			}
			s.path = []step{{Ref: numbers[n]}}
		default:
			s.path = append(s.path, st)
		}
	}
	return s, live, nil
}

// The kinds of locators that Go tells apart.
const (
	kindNone   = iota
	kindRef    // ref:e5
	kindScript // (expression)
	kindPage   // all that the page script looks for by itself
)

func locatorKind(locator string) int {
	switch {
	case locator == "":
		return kindNone
	case strings.HasPrefix(locator, "ref:"):
		return kindRef
	case strings.HasPrefix(locator, "(") && !strings.HasPrefix(locator, "(//"):
		return kindScript
	}
	return kindPage
}

// RefuseScripts has locators that are scripts refused, whoever looks for what with
// them; why says so. It is called before the driver is used.
func (d *Driver) RefuseScripts(why error) { d.scriptless = why }

// refer runs a locator that is JavaScript and gives the numbers of its elements.
// Inside an element, the expression has it as _.
func (t *Tab) refer(ctx context.Context, s *spot, st step) ([]int, error) {
	if why := t.driver.scriptless; why != nil {
		return nil, &Error{Code: CodePolicy, Op: "locate", Message: "a locator in parentheses is a script: " + why.Error(), Hint: "use a ref, CSS, XPath or a text", Err: why}
	}
	var scope []int
	if len(s.path) > 0 {
		var got found
		if err := t.count(ctx, s, true, &got); err != nil {
			return nil, err
		}
		if len(got.Refs) == 0 {
			return nil, errNotThere
		}
		scope = got.Refs[:1]
	}
	number, next := t.driver.numbers.frame(t.tab, s.frame)
	function := fmt.Sprintf("async (_) => { let found = (%s\n); if (%t && typeof found === 'function') found = await found(_); return found }", st.By, isFunction(st.By))
	ctx, cancel := context.WithTimeout(ctx, t.driver.limit(scriptWait))
	defer cancel()
	refs, free, err := t.tab.Refer(ctx, s.frame.ID, scope, function, next)
	if b, ok := errors.AsType[*backend.Error](err); ok && b.Kind == backend.KindScript {
		if unparsed(err) {
			return nil, Invalid("locate", "not a valid locator: %s: %s", st.By, thrown(b.Text))
		}
		return nil, errNotThere // what it asks for is not there yet
	}
	if err != nil {
		return nil, err
	}
	t.driver.numbers.used(number, free)
	return refs, nil
}

// livePause is how long the page script waits for what was found by JavaScript
// before that is run again.
const livePause = 200 * time.Millisecond

// await does something with the element as soon as that is possible, for no
// longer than its budget. do gives errNotThere or an error with CodeNotFound
// while there is nothing to do it with.
func (e *Element) await(ctx context.Context, op string, budget time.Duration, do func(ctx context.Context, s *spot, left time.Duration) error) (err error) {
	start := time.Now()
	ctx, noted := e.tab.driver.begin(ctx, strings.TrimSuffix(op, " "+e.name), e.name, "")
	defer func() { err = noted.end(err) }()
	deadline := earlierDeadline(ctx, budget)
	if e.optional {
		if there, err := e.Exists(ctx); err != nil || !there {
			return err
		}
	}
	err = e.tab.retry(ctx, op, deadline, func(ctx context.Context, left time.Duration) error {
		s, live, err := e.spot(ctx)
		if err == nil {
			if live {
				left = min(left, livePause)
			}
			err = do(ctx, s, left)
		}
		missing := errors.Is(err, errNotThere) || errorIs(err, CodeNotFound)
		// An element that was replaced between two looks is looked for again.
		if live && missing || errorIs(err, CodeStale) && locatorKind(e.path[0].By) != kindRef {
			return &notYet{err, livePause / 4}
		}
		return err
	})
	return e.explain(op, err, time.Since(start))
}

func errorIs(err error, code Code) bool {
	var known *Error
	return errors.As(err, &known) && known.Code == code
}

// explain completes an error: the locator, the page, how long was waited.
func (e *Element) explain(op string, err error, waited time.Duration) error {
	if err == nil {
		return nil
	}
	ref := aria.Ref(strings.TrimPrefix(e.path[0].By, "ref:"))
	var known *Error
	if errors.Is(err, errNotThere) || errors.As(err, &known) && known.Code == CodeNotFound && strings.HasPrefix(known.Message, "element not found") {
		if locatorKind(e.path[0].By) == kindRef && len(e.path) == 1 {
			return stale(ref)
		}
		message := "element not found: " + e.name
		if e.missing != "" {
			message = e.missing
		}
		return &Error{
			Code: CodeNotFound, Op: op, Hint: "check the locator, or wait for what brings it about", Err: err,
			Message: fmt.Sprintf("%s on %s, waited %s", message, e.tab.URL(), roundedDuration(waited)),
		}
	}
	errors.As(Explain(op, err), &known)
	said := *known
	if !strings.Contains(said.Message, e.name) && !strings.Contains(said.Op, e.name) {
		said.Message += " (" + e.name + ")"
	}
	if url := e.tab.URL(); !strings.Contains(said.Message, url) {
		said.Message += " on " + url
	}
	said.Message += ", waited " + roundedDuration(waited)
	return &said
}

// roundedDuration writes a duration with no more digits than matter.
func roundedDuration(d time.Duration) string {
	if d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
}
