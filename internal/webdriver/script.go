package webdriver

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/wire"
)

// elementKey is what an element is known by in answers and arguments.
const elementKey = "element-6066-11e4-a52e-4f735466cecf"

// state is what every script tells of the frame it ran in.
type state struct {
	URL      string `json:"url"`
	Document string `json:"document"`
	Ready    string `json:"ready"`
	Status   int    `json:"status"`
	MIME     string `json:"mime"`
	Frames   []struct {
		Owner int    `json:"owner"`
		Name  string `json:"name"`
	} `json:"frames"`
}

// answer is what a script gave.
type answer struct {
	Lost  bool                `json:"lost"` // there is no page script yet
	Late  bool                `json:"late"` // its time was up
	Threw *string             `json:"threw"`
	JSON  *string             `json:"json"`
	Nodes []map[string]string `json:"nodes"`
	State state               `json:"state"`
}

// run is the script around every script. There is no world but the page's: the page
// script hangs on a name that nobody knows.
//
//go:embed run.js
var run string

// script is a script to run.
type script struct {
	body    string // an expression, in which rove and given are known
	nodes   bool   // it gives nodes, not a value
	foreign bool   // it runs what others wrote, and what may work without end
	args    []any
}

// exec runs a script in a frame. The turn is held.
func (t *Tab) exec(ctx context.Context, f backend.FrameID, s script) (*answer, error) {
	for _, bring := range []bool{false, true} {
		a, err := t.once(ctx, f, s, bring)
		if err != nil || !a.Lost {
			return a, err
		}
	}
	return nil, anypage.ErrScriptMissing
}

func (t *Tab) once(ctx context.Context, f backend.FrameID, s script, bring bool) (*answer, error) {
	if err := t.enterFrame(ctx, f); err != nil {
		return nil, err
	}
	source := "null"
	if bring {
		source = "() => {" + strings.ReplaceAll(anypage.Script(), "globalThis.rove", "window[name].rove") + "}"
	}
	left := int64(0)
	if end, ok := ctx.Deadline(); ok {
		left = max(time.Until(end).Milliseconds(), 1)
	}
	if err := t.context.grant(ctx, time.Duration(left)*time.Millisecond, s.foreign); err != nil {
		return nil, t.trouble(ctx, err)
	}
	t.Mu.Lock()
	next := t.NextOwner()
	t.Mu.Unlock()
	args := s.args
	if args == nil {
		args = []any{}
	}
	text := fmt.Sprintf(run, t.context.name, source, next, left, s.body, !s.nodes)
	var a answer
	if err := t.context.do(ctx, http.MethodPost, "/execute/async", object{"script": text, "args": args}, &a); err != nil {
		return nil, t.trouble(ctx, err)
	}
	if a.Lost {
		return &a, nil
	}
	t.apply(f, a.State)
	switch {
	case a.Late:
		<-ctx.Done()
		return nil, ctx.Err()
	case a.Threw != nil && anypage.ScriptMissing(*a.Threw):
		return nil, anypage.ErrScriptMissing
	case a.Threw != nil:
		return nil, backend.Fail(backend.KindScript, *a.Threw)
	}
	return &a, nil
}

// trouble is what a failed command means for the tab. The turn is held.
func (t *Tab) trouble(ctx context.Context, err error) error {
	var refused *Refusal
	if !errors.As(err, &refused) {
		return err
	}
	switch {
	case refused.Code == "unexpected alert open":
		return t.dialogOpened(ctx)
	case refused.Code == "no such window":
		gone := backend.Fail(backend.KindClosed, "the tab was closed")
		t.end(gone)
		return gone
	case refused.Code == "script timeout":
		return &backend.Error{Kind: backend.KindTimeout, Text: "the script to end", Err: context.DeadlineExceeded}
	case refused.Code == "javascript error" || refused.Code == "unknown error":
		for _, word := range []string{"unload", "navigat", "execution context", "aborted", "detached", "no longer"} {
			if strings.Contains(strings.ToLower(refused.Message), word) {
				return &backend.Error{Kind: backend.KindNavigated, Text: refused.Message, Err: err}
			}
		}
	}
	return err
}

// enterFrame makes a frame the one that commands are for. The turn is held.
func (t *Tab) enterFrame(ctx context.Context, f backend.FrameID) error {
	c := t.context
	main := backend.FrameID(t.id)
	if f == "" {
		f = main
	}
	if c.at.window != t.id {
		if err := c.do(ctx, http.MethodPost, "/window", object{"handle": t.id}, nil); err != nil {
			return t.trouble(ctx, err)
		}
		c.at.window, c.at.frame = t.id, ""
	}
	if c.at.frame == f {
		return nil
	}
	way := t.way(f)
	if way == nil {
		return backend.Fail(backend.KindNavigated, "the frame is gone")
	}
	back := c.at.frame != "" && f == main && c.session.webkit()
	c.at.frame = ""
	if err := c.do(ctx, http.MethodPost, "/frame", object{"id": nil}, nil); err != nil {
		return t.trouble(ctx, err)
	}
	for _, owner := range way {
		var element map[string]string
		body := object{"script": "const own = window[arguments[0]], now = document.activeElement; if (own && now && !now.contentWindow) own.focus = now; return own && own.held && own.held[arguments[1]] && own.held[arguments[1]].deref() || null", "args": []any{c.name, owner}}
		if err := c.do(ctx, http.MethodPost, "/execute/sync", body, &element); err != nil {
			return t.trouble(ctx, err)
		}
		if element == nil {
			return backend.Fail(backend.KindNavigated, "the frame is gone")
		}
		if err := c.do(ctx, http.MethodPost, "/frame", object{"id": element}, nil); err != nil {
			return t.trouble(ctx, err)
		}
	}
	c.at.frame = f
	if back {
		// To go into a frame takes the focus there.
		const focus = "const own = window[arguments[0]], at = own && own.focus; window.focus(); if (at && at.isConnected && at !== document.activeElement) at.focus({preventScroll: true})"
		return t.trouble(ctx, c.do(ctx, http.MethodPost, "/execute/sync", object{"script": focus, "args": []any{c.name}}, nil))
	}
	return nil
}

// turned does something with the turn, and tells the news of it. The caller whose time is
// up does not wait for a driver, which goes on with what it was told: the turn is given
// back when that is over. So do sets nothing that is read after an error.
func (t *Tab) turned(ctx context.Context, do func() error) error {
	if _, err := t.Enter(); err != nil {
		return err
	}
	if err := t.context.take(ctx); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		err := do()
		t.context.give()
		t.News.Flush()
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(grace):
		return ctx.Err()
	}
}

// grace is for a driver that is about to say what it has done.
const grace = 100 * time.Millisecond

// Call runs functions of the page script, one after the other.
func (t *Tab) Call(ctx context.Context, calls ...backend.Call) ([]backend.Result, error) {
	results := make([]backend.Result, len(calls))
	err := t.turned(ctx, func() error {
		for i, c := range calls {
			expression, err := anypage.Expression(c)
			if t.context.session.webkit() && (c.Func == "close" || c.Func == "open") {
				// To go into a frame takes the focus there: what is typed would go astray.
				err = backend.Fail(backend.KindUnsupported, "frames closed while their page is typed into, on "+t.context.Backend())
			}
			if c.Func == "prepare" || c.Func == "attend" {
				t.worked = c.Frame
			}
			if err == nil {
				var a *answer
				if a, err = t.exec(ctx, c.Frame, script{body: "(" + expression + ")"}); err == nil {
					results[i].Value = text(a)
				}
			}
			results[i].Err = err
			if err != nil && (ctx.Err() != nil || anypage.TabWide(err)) {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return slices.Repeat([]backend.Result{{Err: err}}, len(calls)), err
	}
	return results, nil
}

// text is a string as it is, anything else as JSON.
func text(a *answer) string {
	var s string
	if a.JSON == nil || *a.JSON == "null" {
		return ""
	}
	if wire.Unmarshal([]byte(*a.JSON), &s) == nil {
		return s
	}
	return *a.JSON
}

// Eval evaluates JavaScript in a frame: an expression, or statements.
func (t *Tab) Eval(ctx context.Context, f backend.FrameID, expression string) ([]byte, error) {
	var out []byte
	err := t.acts(ctx, func() error {
		a, err := t.exec(ctx, f, script{body: "(0, eval)(given[0])", foreign: true, args: []any{expression}})
		if backend.KindOf(err) == backend.KindScript && strings.Contains(err.Error(), "EvalError") {
			// The page forbids it; what the driver runs is not the page's.
			a, err = t.exec(ctx, f, script{body: "(" + expression + "\n)", foreign: true})
		}
		if err == nil && a.JSON != nil {
			out = []byte(*a.JSON)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// acts does something that may open and close windows.
func (t *Tab) acts(ctx context.Context, do func() error) error {
	return t.turned(ctx, func() error {
		if err := do(); err != nil {
			return err
		}
		return t.after(ctx)
	})
}

// after looks what came of an act: other windows, another page, a dialog. The turn is held.
func (t *Tab) after(ctx context.Context) error {
	if err := t.context.windows(ctx, t); err != nil {
		return t.trouble(ctx, err)
	}
	if t.Err() != nil {
		return nil // it closed itself
	}
	if err := t.survey(ctx); err != nil && (ctx.Err() != nil || anypage.TabWide(err)) {
		return err
	}
	return nil
}

// survey looks at the page and those of its frames that are new. The turn is held.
func (t *Tab) survey(ctx context.Context) error {
	if _, err := t.exec(ctx, "", script{body: "0"}); err != nil {
		return err
	}
	for range maxFrames {
		f := t.unseen()
		if f == "" {
			return nil
		}
		if _, err := t.exec(ctx, f, script{body: "0"}); err != nil && (ctx.Err() != nil || anypage.TabWide(err)) {
			return err
		}
	}
	return nil
}

const maxFrames = 200

// caller calls functions in a frame. It implements anypage.Caller: both worlds are the
// page's, and a node is known by its reference.
type caller struct {
	tab   *Tab
	frame backend.FrameID
}

var _ anypage.Caller[string] = (*caller)(nil)

func (c *caller) Value(ctx context.Context, w anypage.World, function string, args ...anypage.Arg[string]) ([]byte, error) {
	s := called(function, false, args)
	s.foreign = w == anypage.PageWorld
	a, err := c.tab.exec(ctx, c.frame, s)
	if err != nil {
		return nil, err
	}
	if a.JSON == nil {
		return []byte("null"), nil
	}
	return []byte(*a.JSON), nil
}

func (c *caller) Nodes(ctx context.Context, w anypage.World, function string, args ...anypage.Arg[string]) ([]string, error) {
	s := called(function, true, args)
	s.foreign = w == anypage.PageWorld
	a, err := c.tab.exec(ctx, c.frame, s)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, n := range a.Nodes {
		ids = append(ids, n[elementKey])
	}
	return ids, nil
}

// called is the script of a call.
func called(function string, nodes bool, args []anypage.Arg[string]) script {
	s := script{nodes: nodes, args: []any{}}
	for _, a := range args {
		if a.IsNode {
			s.args = append(s.args, map[string]string{elementKey: a.Node})
		} else {
			s.args = append(s.args, a.Value)
		}
	}
	s.body = "(" + function + "\n)(...Array.prototype.slice.call(given, 0, -1))"
	return s
}

// EvalOn calls a function with elements that the page script knows. A driver answers
// nothing while a dialog is open, so that no call outlasts one.
func (t *Tab) EvalOn(ctx context.Context, f backend.Function) ([]byte, error) {
	var out []byte
	err := t.acts(ctx, func() (err error) {
		out, err = anypage.EvalOn(ctx, &caller{t, f.Frame}, f)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Refer does the same and makes the elements that it gives known to the page script.
func (t *Tab) Refer(ctx context.Context, f backend.FrameID, refs []int, function string, next int) ([]int, int, error) {
	var found []int
	free := next
	err := t.turned(ctx, func() (err error) {
		found, free, err = anypage.Refer(ctx, &caller{t, f}, refs, function, next)
		return err
	})
	if err != nil {
		return nil, next, err
	}
	return found, free, nil
}

// SetFiles gives files to a file input, as if their names were typed into it.
func (t *Tab) SetFiles(ctx context.Context, f backend.FrameID, ref int, paths []string) error {
	return t.acts(ctx, func() error {
		nodes, err := anypage.Elements(ctx, &caller{t, f}, []int{ref})
		if err != nil {
			return err
		}
		// A driver adds to what a field for several has already.
		if _, err := t.exec(ctx, f, called("el => { el.value = '' }", false, []anypage.Arg[string]{{Node: nodes[0], IsNode: true}})); err != nil {
			return err
		}
		return t.trouble(ctx, t.context.do(ctx, http.MethodPost, "/element/"+nodes[0]+"/value", object{"text": strings.Join(paths, "\n")}, nil))
	})
}

// Scan finds nothing: closed shadow roots and listeners are told to no script.
func (t *Tab) Scan(context.Context, ...backend.FrameID) (bool, error) { return false, nil }
