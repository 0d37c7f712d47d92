package pwserver

import (
	"context"
	"time"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Tab is a page. It implements backend.Tab.
type Tab struct {
	anypage.Framed // its lock guards what follows scans, too
	guid           string
	browser        *Browser
	context        *Context
	opener         *Tab
	source         *backend.Source
	scans          anypage.BatchWorker[backend.FrameID] // frames that were loaded
	hand           chan struct{}                        // full while pointer and keys move

	documents int                        // of all frames, so far
	worlds    map[backend.FrameID]*world // of the page script, once it is asked for
	moved     anypage.Signal             // a frame has gone on, in whatever way
	asked     int                        // navigations by Navigate
	commits   int                        // documents of the main frame, so far
	mainMoves int                        // how often the main frame went on, or began to
	wanted    string                     // the address that the main frame asked for last
	empty     int                        // the status of an answer that brings no document
	download  *backend.DownloadStarted
	devtools  *devtools
	resized   bool // its screen is not the one that the context was opened with
	film      *film
	shown     string            // the document that is there, by its request
	answersOf map[string]string // answers by the requests they are to
	pointer   backend.Point
}

var _ backend.Tab = (*Tab)(nil)

func newTab(b *Browser, c *Context, guid string) *Tab {
	t := &Tab{guid: guid, browser: b, context: c, worlds: map[backend.FrameID]*world{}, hand: make(chan struct{}, 1)}
	t.Init(guid)
	t.source = &backend.Source{Kind: "page", ID: guid, Tab: guid, Bodies: t}
	t.Owners.Run = t.registerOwners
	t.scans.Run = t.scanLoaded
	return t
}

// ready brings a tab to where the others of its context are.
func (t *Tab) ready(ctx context.Context) error {
	if err := t.browser.conn.call(ctx, t.guid, "updateSubscription", object{"event": "fileChooser", "enabled": true}, nil); err != nil {
		return err
	}
	t.context.mu.Lock()
	e := t.context.emulation
	t.context.mu.Unlock()
	if e == nil {
		return nil
	}
	return t.emulate(ctx, *e)
}

// registerOwners tells the page scripts of parents which of their elements holds which
// frame.
func (t *Tab) registerOwners(batch []backend.FrameID) {
	list := t.Inner(batch)
	var cmds []command
	for _, f := range list {
		cmds = append(cmds, command{string(f.ID), "frameElement", nil})
	}
	for i, r := range t.browser.conn.start(cmds...) {
		var made struct {
			Element ref `json:"element"`
		}
		if r.wait(t.Life, t.browser.conn, &made) != nil {
			continue // gone in the meantime
		}
		ctx, cancel := context.WithTimeout(t.Life, ownerTimeout)
		_, _ = t.inWorld(ctx, list[i].Parent, "([element]) => { rove.frames(["+string(anypage.Encode(list[i].Owner))+"], element) }", []string{made.Element.GUID})
		cancel()
		t.forget(made.Element.GUID)
	}
}

const ownerTimeout = 3 * time.Second // for a parent to be told of a frame

// start sends messages in one write.
func (t *Tab) start(cmds ...command) []*reply {
	if len(cmds) > 0 {
		t.context.Sent.Add(1)
	}
	return t.browser.conn.start(cmds...)
}

// await waits for an answer, or for what makes waiting pointless.
func (t *Tab) await(ctx context.Context, g *anypage.Gate, r *reply, out any) error {
	err := t.Await(ctx, g, r.done, func() error { return r.read(out) })
	select {
	case <-r.done:
	default:
		if ctx.Err() != nil {
			t.browser.conn.abort(r)
		}
	}
	return err
}

// ask calls an object of the server for the tab.
func (t *Tab) ask(ctx context.Context, guid, method string, params, out any) error {
	g, err := t.Enter()
	if err != nil {
		return err
	}
	return t.await(ctx, g, t.start(command{guid, method, params})[0], out)
}

// forget lets go of handles.
func (t *Tab) forget(handles ...string) {
	var cmds []command
	for _, h := range handles {
		cmds = append(cmds, command{h, "dispose", nil})
	}
	t.browser.conn.start(cmds...)
}

// Close closes the tab without asking the page.
func (t *Tab) Close(ctx context.Context) error {
	if t.Err() != nil {
		return nil
	}
	err := t.browser.conn.call(ctx, t.guid, "close", nil, nil)
	if err == nil || backend.KindOf(err) == backend.KindClosed {
		t.browser.tabGone(t, backend.Fail(backend.KindClosed, "the tab was closed"))
		return nil
	}
	return err
}

// end is the end of the tab.
func (t *Tab) end(reason error) {
	t.End(reason, func() {
		t.context.Remove(t)
		t.context.observers.Leave(t.source)
	})
	t.Mu.Lock()
	defer t.Mu.Unlock()
	t.moved.Fire()
}

// Activate brings the tab to the front.
func (t *Tab) Activate(ctx context.Context) error {
	return t.ask(ctx, t.guid, "bringToFront", nil, nil)
}
