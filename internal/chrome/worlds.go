package chrome

import (
	"context"
	"errors"
	"strings"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/wire"
)

// world is a JavaScript global of a frame: the page's own, or the isolated one
// in which the page script runs. It ends with the document.
type world struct {
	id      runtime.ExecutionContextID
	unique  string // ids are given again, these are not
	frame   *frame
	session *cdp.Session
	bare    bool // the page script is still to come

	told map[int]bool // the nodes that Scan told it of; used by whoever holds Tab.scanning
}

// worldTimeout bounds the wait for a world that had to be asked for.
const worldTimeout = 2 * time.Second

func (t *Tab) worldCreated(l *link, c *runtime.ExecutionContextDescription) {
	var aux struct {
		Default bool            `json:"isDefault"`
		Frame   backend.FrameID `json:"frameId"`
	}
	if wire.Unmarshal(c.AuxData, &aux) != nil {
		return
	}
	f := t.tree.owns(l.session, aux.Frame)
	if f == nil {
		return
	}
	w := &world{id: c.ID, unique: c.UniqueID, frame: f, session: l.session, told: map[int]bool{}}
	switch {
	case aux.Default:
		f.global = w
	case c.Name == t.browser.world:
		w.bare = f.making
		f.world = w
		for _, child := range f.children {
			t.owners.Add(child)
		}
	default:
		return // an extension's
	}
	l.worlds[w.unique] = w
	t.settling.Fire()
}

// drop forgets a world that has ended.
func (l *link) drop(unique string) {
	w := l.worlds[unique]
	if w == nil {
		return
	}
	delete(l.worlds, unique)
	if w.frame.world == w {
		w.frame.world = nil
	}
	if w.frame.global == w {
		w.frame.global = nil
	}
}

// makeWorlds makes worlds for frames that have none: documents the browser did
// not run the page script in by itself.
func (t *Tab) makeWorlds(batch []*frame) {
	ctx, cancel := context.WithTimeout(t.Life, worldTimeout)
	defer cancel()
	t.Mu.Lock()
	var frames []*frame
	var cmds []cdp.Command
	for _, f := range batch {
		if f.session == nil || (f.world != nil && !f.world.bare) {
			continue
		}
		f.making = true
		frames = append(frames, f)
		cmds = append(cmds, f.session.Command(page.CommandCreateIsolatedWorld,
			&page.CreateIsolatedWorldParams{FrameID: proto.FrameID(f.id), WorldName: t.browser.world}))
	}
	t.Mu.Unlock()
	for _, p := range t.browser.conn.Start(cmds...) {
		_ = p.Wait(ctx, nil)
	}

	// By now the new worlds have been announced.
	t.Mu.Lock()
	cmds = nil
	var worlds []*world
	for _, f := range frames {
		f.making = false
		if w := f.world; w != nil && w.bare {
			worlds = append(worlds, w)
			cmds = append(cmds, w.session.Command(runtime.CommandEvaluate, &runtime.EvaluateParams{
				Expression: t.browser.script(), UniqueContextID: w.unique,
			}))
		}
	}
	t.Mu.Unlock()
	for i, p := range t.browser.conn.Start(cmds...) {
		if p.Wait(ctx, nil) == nil {
			t.Mu.Lock()
			worlds[i].bare = false
			t.Mu.Unlock()
		}
	}
}

// globalOf is the page's own world in a frame. A document without scripts has
// none until somebody asks for it.
func (t *Tab) globalOf(ctx context.Context, g *anypage.Gate, f *frame) (*world, error) {
	ctx, cancel := context.WithTimeout(ctx, worldTimeout)
	defer cancel()
	asked := false
	for {
		t.Mu.Lock()
		w, changed := f.global, t.settling.Next()
		session, isolated := f.session, f.world
		root := f.parent == nil || f.parent.session != session
		t.Mu.Unlock()
		switch {
		case w != nil:
			return w, nil
		case asked || session == nil:
		case root:
			asked = true
			session.Start(runtime.CommandEvaluate, &runtime.EvaluateParams{Expression: "0"})
		case isolated != nil:
			asked = true
			go t.createMainWorld(ctx, isolated)
		default:
			t.worldless.Add(f)
		}
		select {
		case <-changed:
		case <-g.Shut:
			return nil, g.Err
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), context.Canceled) {
				return nil, ctx.Err()
			}
			return nil, anypage.ErrUnreadable
		}
	}
}

// createMainWorld has the page's own world made in a frame, by asking for its
// document there.
func (t *Tab) createMainWorld(ctx context.Context, w *world) {
	var document answer
	group := t.objects()
	defer group.release(w.session)
	err := w.session.Call(ctx, runtime.CommandEvaluate,
		&runtime.EvaluateParams{Expression: "document", UniqueContextID: w.unique, ObjectGroup: string(group)}, &document)
	if err != nil {
		return
	}
	var r dom.DescribeNodeResult
	err = w.session.Call(ctx, dom.CommandDescribeNode, &dom.DescribeNodeParams{ObjectID: document.Result.ObjectID}, &r)
	if err != nil || r.Node == nil {
		return
	}
	w.session.Start(dom.CommandResolveNode, &dom.ResolveNodeParams{BackendNodeID: r.Node.BackendNodeID, ObjectGroup: string(group)})
}

// find finds a frame; "" is the main frame.
func (t *Tab) find(id backend.FrameID) *frame {
	if id == "" {
		return t.tree.main
	}
	return t.tree.byID[id]
}

// worldlessAmong lists the frames of calls that have no world and could have one.
func (t *Tab) worldlessAmong(calls []backend.Call) []*frame {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	var list []*frame
	for _, c := range calls {
		if f := t.find(c.Frame); f != nil && !f.crashed && (f.world == nil || f.world.bare) {
			list = append(list, f)
		}
	}
	return list
}

// withWorlds has worlds made for the frames of calls that have none, and waits for them.
func (t *Tab) withWorlds(ctx context.Context, g *anypage.Gate, calls []backend.Call) error {
	missing := t.worldlessAmong(calls)
	if len(missing) == 0 {
		return nil
	}
	t.worldless.Add(missing...)
	return t.settled(ctx, g, worldTimeout, t.worldless.Busy())
}

// transitTimeout bounds the wait for frames between two processes.
const transitTimeout = time.Second

// awaitMovedFrames waits for frames that have left one process and are not yet known in
// the next.
func (t *Tab) awaitMovedFrames(ctx context.Context, g *anypage.Gate, calls []backend.Call) error {
	var timer *time.Timer
	for {
		t.Mu.Lock()
		moving := false
		for _, c := range calls {
			f := t.find(c.Frame)
			moving = moving || f != nil && f.session == nil && !f.crashed
		}
		changed := t.settling.Next()
		t.Mu.Unlock()
		if !moving {
			return nil
		}
		if timer == nil {
			timer = time.NewTimer(transitTimeout)
			defer timer.Stop()
		}
		select {
		case <-changed:
		case <-timer.C:
			return nil
		case <-g.Shut:
			return g.Err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// settled waits for the work behind the calls that a call depends on.
func (t *Tab) settled(ctx context.Context, g *anypage.Gate, bound time.Duration, works ...<-chan struct{}) error {
	timer := time.NewTimer(bound)
	defer timer.Stop()
	for _, work := range works {
		if work == nil {
			continue
		}
		select {
		case <-work:
		case <-timer.C:
			return nil
		case <-g.Shut:
			return g.Err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// ownersTimeout bounds how long a call waits for parents to be told of their
// frames. Without it a frame's content would be shown in no place.
const ownersTimeout = 500 * time.Millisecond

const (
	// frameWait is how long the page waits for its frames in other processes
	// when all are asked together, and hungWait how long while one of them is
	// known to hang.
	frameWait = 1500 * time.Millisecond
	hungWait  = 200 * time.Millisecond
)

func (t *Tab) framePatience(ctx context.Context) time.Duration {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	for _, l := range t.links {
		if l.hangs {
			return hungWait
		}
	}
	if deadline, ok := ctx.Deadline(); ok {
		return min(frameWait, time.Until(deadline)/3)
	}
	return frameWait
}

// hangs notes whether the frames of a session answer.
func (t *Tab) hangs(s *cdp.Session, hangs bool) {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	if l := t.links[s.ID()]; l != nil {
		l.hangs = hangs
	}
}

// Call runs functions of the page script, all sent in one write.
func (t *Tab) Call(ctx context.Context, calls ...backend.Call) ([]backend.Result, error) {
	g, err := t.enter(ctx)
	if err != nil {
		return nil, err
	}
	if err := t.awaitMovedFrames(ctx, g, calls); err != nil {
		return nil, err
	}
	if err := t.withWorlds(ctx, g, calls); err != nil {
		return nil, err
	}
	if err := t.settled(ctx, g, ownersTimeout, t.owners.Busy()); err != nil {
		return nil, err
	}

	results := make([]backend.Result, len(calls))
	cmds := make([]cdp.Command, 0, len(calls))
	sent := make([]int, 0, len(calls)) // the call each command belongs to
	worlds := make([]*world, 0, len(calls))
	for i, c := range calls {
		expression, err := anypage.Expression(c)
		if err != nil {
			results[i].Err = err
			continue
		}
		t.Mu.Lock()
		var w *world
		if f := t.find(c.Frame); f == nil {
			results[i].Err = fail(backend.KindNavigated, "the frame is gone")
		} else if w = f.world; w == nil && f.crashed {
			results[i].Err = ended(errFrameDied, f.why)
		} else if w == nil || w.bare {
			results[i].Err, w = anypage.ErrUnreadable, nil
		}
		t.Mu.Unlock()
		if w == nil {
			continue
		}
		cmds = append(cmds, w.session.Command(runtime.CommandEvaluate, &runtime.EvaluateParams{
			Expression: expression, UniqueContextID: w.unique, ReturnByValue: new(true), AwaitPromise: new(true),
		}))
		sent = append(sent, i)
		worlds = append(worlds, w)
	}
	// One frame that hangs in a process of its own is not to take the others
	// with it.
	others, cancel := context.WithTimeout(ctx, t.framePatience(ctx))
	defer cancel()
	for k, p := range t.browser.conn.Start(cmds...) {
		var a answer
		patience := ctx
		if len(calls) > 1 && p.Session() != t.session {
			patience = others
		}
		err := t.await(patience, g, p, &a)
		if err == nil && a.scriptless() {
			t.lostScript(worlds[k])
			err = anypage.ErrScriptMissing
		}
		if patience == others {
			hangs := err != nil && others.Err() != nil && ctx.Err() == nil
			t.hangs(p.Session(), hangs)
			if hangs {
				err = &backend.Error{Kind: backend.KindBusy, Err: others.Err()}
			}
		}
		if err == nil {
			err = a.exception()
		}
		r := &results[sent[k]]
		if r.Err = err; err == nil {
			r.Value = a.text()
		}
	}
	// What ended the tab's patience ended all that were still waiting.
	for _, i := range sent {
		if err := results[i].Err; err != nil && (ctx.Err() != nil || tabWide(err)) {
			return results, err
		}
	}
	return results, nil
}

// scriptless says that there was no page script to call.
func (a *answer) scriptless() bool {
	e := a.Exception
	return e != nil && e.Exception != nil && anypage.ScriptMissing(e.Exception.Description)
}

func (t *Tab) lostScript(w *world) {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	w.bare = true
}

// tabWide tells the failures of a tab from those of a frame.
func tabWide(err error) bool {
	var e *backend.Error
	if !errors.As(err, &e) {
		return true
	}
	switch e.Kind {
	case backend.KindDialog, backend.KindClosed:
		return true
	case backend.KindCrashed:
		return errors.Is(err, errPageDied)
	}
	return false
}

// answer is the reply to Runtime.evaluate and callFunctionOn, as far as it
// matters: a large string in it is decoded once, into place.
type answer struct {
	Result struct {
		Type           string                 `json:"type"`
		Value          any                    `json:"value"`
		Unserializable string                 `json:"unserializableValue"`
		ObjectID       runtime.RemoteObjectID `json:"objectId"`
		Description    string                 `json:"description"`
	} `json:"result"`
	Exception *runtime.ExceptionDetails `json:"exceptionDetails"`
}

func (a *answer) text() string {
	if s, ok := a.Result.Value.(string); ok {
		return s
	}
	if a.Result.Value == nil {
		return ""
	}
	b, err := wire.Marshal(a.Result.Value)
	if err != nil {
		return ""
	}
	return string(b)
}

func (a *answer) exception() error { return thrown(a.Exception) }

func thrown(e *runtime.ExceptionDetails) error {
	if e == nil {
		return nil
	}
	text := e.Text
	if e.Exception != nil && e.Exception.Description != "" {
		text = e.Exception.Description
	} else if e.Exception != nil && len(e.Exception.Value) > 0 {
		text = strings.TrimSuffix(e.Text, " ") + " " + string(e.Exception.Value)
	}
	return fail(backend.KindScript, text)
}
