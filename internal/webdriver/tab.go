package webdriver

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Tab is a window of a session. It implements backend.Tab. Nothing is told by itself:
// what is new is found out by looking, after every command.
type Tab struct {
	id      string // its handle
	context *Context
	news    anypage.News
	done    chan struct{}

	mu        sync.Mutex
	frames    []*frame // the main one first, parents before their children
	lastOwner int
	gate      *anypage.Gate
	dialog    *backend.Dialog
	hand      anypage.Hand
	err       error // set before done is closed
}

// frame is a frame of the tab.
type frame struct {
	id, parent backend.FrameID
	url, name  string
	owner      int
	document   string // "" before it was looked at
	loaded     bool
	status     int
	mime       string
}

var _ backend.Tab = (*Tab)(nil)

func newTab(c *Context, window string) *Tab {
	return &Tab{
		id: window, context: c, done: make(chan struct{}), gate: anypage.NewGate(), hand: anypage.Hand{Whole: true, Counts: c.session.Browser == "firefox"},
		frames: []*frame{{id: backend.FrameID(window), url: "about:blank"}},
	}
}

// ID names the tab.
func (t *Tab) ID() string { return t.id }

// Done is closed when the tab is gone.
func (t *Tab) Done() <-chan struct{} { return t.done }

// Err says why the tab is gone.
func (t *Tab) Err() error {
	select {
	case <-t.done:
		return t.err
	default:
		return nil
	}
}

// Watch has fn called for every event of the tab until stop is called.
func (t *Tab) Watch(fn func(backend.Event)) (stop func()) { return t.news.Watch(fn) }

// Frames lists the frames there were when the page was last looked at.
func (t *Tab) Frames() []backend.Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return nil
	}
	list := make([]backend.Frame, len(t.frames))
	for i, f := range t.frames {
		list[i] = backend.Frame{ID: f.id, Parent: f.parent, URL: f.url, Name: f.name, Owner: f.owner}
	}
	return list
}

// find finds a frame; "" is the main one. The lock is held.
func (t *Tab) find(id backend.FrameID) *frame {
	for _, f := range t.frames {
		if f.id == id || id == "" {
			return f
		}
	}
	return nil
}

// way are the owners of a frame and of those around it, from the outside in; nil where
// there is no such frame.
func (t *Tab) way(id backend.FrameID) []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	way := []int{}
	for f := t.find(id); ; f = t.find(f.parent) {
		if f == nil {
			return nil
		}
		if f.parent == "" {
			slices.Reverse(way)
			return way
		}
		way = append(way, f.owner)
	}
}

// unseen is a frame that was not looked at yet, "" where there is none. One that cannot
// be is asked once.
func (t *Tab) unseen() backend.FrameID {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.frames[1:] {
		if f.document == "" {
			f.document = "unread"
			return f.id
		}
	}
	return ""
}

// apply takes in what a script told of its frame.
func (t *Tab) apply(id backend.FrameID, s state) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.find(id)
	if f == nil {
		return
	}
	main, address := f.parent == "", backend.WithoutLogin(s.URL)
	if f.document != s.Document {
		f.url, f.document, f.loaded = address, s.Document, false
		f.status, f.mime = s.Status, s.MIME
		t.forget(f.id)
		t.news.Add(
			backend.NavigationStarted{Frame: f.id, URL: address, Main: main},
			backend.FrameNavigated{Frame: f.id, URL: address, Document: s.Document, Main: main, Unreachable: unreachable(s.URL)},
		)
	} else if f.url != address {
		f.url = address
		t.news.Add(backend.URLChanged{Frame: f.id, URL: address, Main: main})
	}
	if s.Ready == "complete" && !f.loaded {
		f.loaded = true
		t.news.Add(backend.Loaded{Frame: f.id, Document: f.document, Main: main}, backend.NavigationStopped{Frame: f.id, Main: main})
	}
	now := map[int]bool{}
	for _, child := range s.Frames {
		now[child.Owner] = true
		t.lastOwner = max(t.lastOwner, child.Owner)
		of := backend.FrameID(t.id + "/" + strconv.Itoa(child.Owner))
		if old := t.find(of); old != nil {
			old.name = child.Name
			continue
		}
		t.frames = append(t.frames, &frame{id: of, parent: f.id, owner: child.Owner, name: child.Name, url: "about:blank"})
	}
	for _, old := range slices.Clone(t.frames) {
		if old.parent == f.id && f.id != "" && !now[old.owner] {
			t.forget(old.id)
			t.frames = slices.DeleteFunc(t.frames, func(o *frame) bool { return o == old })
			t.news.Add(backend.FrameRemoved{Frame: old.id})
		}
	}
}

// forget forgets the frames inside one. The lock is held.
func (t *Tab) forget(id backend.FrameID) {
	for _, f := range slices.Clone(t.frames) {
		if f.parent == id && id != "" {
			t.forget(f.id)
			t.frames = slices.DeleteFunc(t.frames, func(o *frame) bool { return o == f })
			t.news.Add(backend.FrameRemoved{Frame: f.id})
		}
	}
}

// enter gives the gate to watch, or the reason there is no use in asking.
func (t *Tab) enter() (*anypage.Gate, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.gate.Shut:
		return nil, t.gate.Err
	default:
		return t.gate, nil
	}
}

// dialogOpened is for a dialog that a command ran into. The turn is held.
func (t *Tab) dialogOpened(ctx context.Context) error {
	var message string
	_ = t.context.do(ctx, http.MethodGet, "/alert/text", nil, &message)
	t.mu.Lock()
	defer t.mu.Unlock()
	// Of which kind it is, a driver does not tell.
	d := backend.Dialog{Type: "dialog", Message: message, URL: t.frames[0].url}
	reason := &backend.Error{Kind: backend.KindDialog, Text: d.Type + ": " + d.Message, Dialog: &d}
	if t.dialog == nil && t.err == nil {
		t.dialog = &d
		t.shut(reason)
		t.news.Add(backend.DialogOpened{Dialog: d})
	}
	return reason
}

// Dialog is the dialog that is open, or nil.
func (t *Tab) Dialog() *backend.Dialog {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog == nil {
		return nil
	}
	d := *t.dialog
	return &d
}

// AnswerDialog closes the open dialog.
func (t *Tab) AnswerDialog(ctx context.Context, accept bool, text string) error {
	if t.Dialog() == nil {
		return fail(backend.KindProtocol, "no dialog is open")
	}
	if err := t.context.take(ctx); err != nil {
		return err
	}
	defer t.news.Flush()
	defer t.context.give()
	if accept && text != "" {
		// It is refused by what has no field to type in.
		_ = t.context.do(ctx, http.MethodPost, "/alert/text", object{"text": text}, nil)
	}
	way := "/alert/dismiss"
	if accept {
		way = "/alert/accept"
	}
	err := t.context.do(ctx, http.MethodPost, way, nil, nil)
	if err != nil && kindOf(err) != backend.KindProtocol { // "no such alert" is one that is closed
		return err
	}
	t.mu.Lock()
	t.dialog = nil
	t.gate = anypage.NewGate()
	t.news.Add(backend.DialogClosed{Accepted: accept})
	t.mu.Unlock()
	err = t.after(ctx)
	if kindOf(err) == backend.KindDialog {
		return nil // the next one
	}
	return err
}

// Close closes the tab without asking the page. The last window of a session is kept
// for the next tab: without one the session would end.
func (t *Tab) Close(ctx context.Context) error {
	if t.Err() != nil {
		return nil
	}
	c := t.context
	if err := c.take(ctx); err != nil {
		return err
	}
	defer c.give()
	if t.Dialog() != nil {
		_ = c.do(ctx, http.MethodPost, "/alert/dismiss", nil, nil)
	}
	if c.at.window != t.id {
		_ = c.do(ctx, http.MethodPost, "/window", object{"handle": t.id}, nil)
	}
	c.mu.Lock()
	last := len(c.tabs) == 1 && c.spare == ""
	if last {
		c.spare = t.id
	}
	c.mu.Unlock()
	var err error
	if last {
		err = c.do(ctx, http.MethodPost, "/url", object{"url": "about:blank"}, nil)
		c.at.window, c.at.frame = t.id, ""
	} else {
		err = c.do(ctx, http.MethodDelete, "/window", nil, nil)
		c.at.window, c.at.frame = "", ""
	}
	t.end(fail(backend.KindClosed, "the tab was closed"))
	if kindOf(err) == backend.KindClosed {
		return nil
	}
	return err
}

// end is the end of the tab.
func (t *Tab) end(reason error) {
	t.context.remove(t)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return
	}
	t.err = reason
	close(t.done)
	t.shut(reason)
}

// shut ends all that waits for the page. The lock is held.
func (t *Tab) shut(reason error) {
	select {
	case <-t.gate.Shut:
		t.gate = anypage.NewGate()
	default:
	}
	t.gate.Close(reason)
}

// Chooser is nil: a driver tells of no file chooser.
func (t *Tab) Chooser() *backend.Chooser { return nil }

// AnswerChooser has none to answer.
func (t *Tab) AnswerChooser(context.Context, []string) error {
	return t.context.cannot("the file chooser that a page opens")
}

// Input moves pointer and keys, and looks what came of it.
func (t *Tab) Input(ctx context.Context, events ...backend.Input) error {
	t.mu.Lock()
	list, err := t.hand.Actions(events...)
	t.mu.Unlock()
	if err != nil {
		return err
	}
	return t.acts(ctx, func() error {
		where := backend.FrameID("")
		if t.context.session.webkit() && !slices.ContainsFunc(list, func(p anypage.Performance) bool { return p == nil || p["type"] != "key" }) {
			where = t.context.at.frame // keys go to where the focus is, which is where the last call was
		}
		if err := t.enterFrame(ctx, where); err != nil {
			return err
		}
		for _, one := range list {
			if err := t.perform(ctx, one); err != nil {
				return t.trouble(ctx, err)
			}
		}
		return nil
	})
}

func (t *Tab) perform(ctx context.Context, one anypage.Performance) error {
	if one == nil {
		return t.context.do(ctx, http.MethodDelete, "/actions", nil, nil)
	}
	return t.context.do(ctx, http.MethodPost, "/actions", object{"actions": []object{one}}, nil)
}

// Drag presses at the first point, moves along the path and releases at the last.
func (t *Tab) Drag(ctx context.Context, path []backend.Point, started func(context.Context) (bool, error), on func(context.Context) ([]backend.Point, error)) error {
	return anypage.Drag(ctx, t, path, started, on, func([]backend.Point, *anypage.Dragging) error {
		return t.context.cannot("drag and drop of the page's own")
	})
}

// LetGo releases the left button.
func (t *Tab) LetGo(backend.Point) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if t.context.take(ctx) != nil {
		return
	}
	defer t.context.give()
	_ = t.perform(ctx, anypage.LetGo())
}

// SetViewport sizes the window so that the page has a size.
func (t *Tab) SetViewport(ctx context.Context, v backend.Viewport) error {
	if v.Width <= 0 || v.Height <= 0 {
		v.Width, v.Height = 1280, 720
	}
	if v.Mobile || v.Scale > 1 {
		return t.context.cannot("a mobile viewport, or a finer one")
	}
	return t.turned(ctx, func() error {
		for range 3 { // what is around the page has a size of its own
			var inner []int
			if err := t.inner(ctx, &inner); err != nil {
				return err
			}
			if inner[0] == v.Width && inner[1] == v.Height {
				return nil
			}
			var w window
			if err := t.context.do(ctx, http.MethodGet, "/window/rect", nil, &w); err != nil {
				return t.trouble(ctx, err)
			}
			width, height := int(w.Width)+v.Width-inner[0], int(w.Height)+v.Height-inner[1]
			if err := t.context.do(ctx, http.MethodPost, "/window/rect", object{"width": width, "height": height}, nil); err != nil {
				return t.trouble(ctx, err)
			}
		}
		return nil
	})
}

func (t *Tab) inner(ctx context.Context, size *[]int) error {
	if err := t.enterFrame(ctx, ""); err != nil {
		return err
	}
	err := t.context.do(ctx, http.MethodPost, "/execute/sync", object{"script": "return [innerWidth, innerHeight]", "args": []any{}}, size)
	if err == nil && len(*size) != 2 {
		err = fail(backend.KindProtocol, fmt.Sprintf("the page's size is told as %v", *size))
	}
	return t.trouble(ctx, err)
}

// window is a window's place; some drivers tell it in parts of pixels.
type window struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Window is the window the tab is in.
func (t *Tab) Window(ctx context.Context) (backend.Window, error) {
	var w window
	err := t.turned(ctx, func() error {
		if err := t.enterFrame(ctx, ""); err != nil {
			return err
		}
		return t.trouble(ctx, t.context.do(ctx, http.MethodGet, "/window/rect", nil, &w))
	})
	return backend.Window{X: int(w.X), Y: int(w.Y), Width: int(w.Width), Height: int(w.Height), State: backend.WindowNormal}, err
}

// SetWindow moves or sizes the window, or changes its state.
func (t *Tab) SetWindow(ctx context.Context, w backend.Window) error {
	path, body := "/window/rect", object{"x": w.X, "y": w.Y}
	if w.Width > 0 && w.Height > 0 {
		body["width"], body["height"] = w.Width, w.Height
	}
	switch w.State {
	case backend.WindowMaximized:
		path, body = "/window/maximize", nil
	case backend.WindowMinimized:
		path, body = "/window/minimize", nil
	case backend.WindowFullscreen:
		path, body = "/window/fullscreen", nil
	}
	return t.turned(ctx, func() error {
		if err := t.enterFrame(ctx, ""); err != nil {
			return err
		}
		var to any
		if body != nil {
			to = body
		}
		return t.trouble(ctx, t.context.do(ctx, http.MethodPost, path, to, nil))
	})
}

// Activate brings the tab to the front, as a driver does with the window it is told to
// work in.
func (t *Tab) Activate(ctx context.Context) error {
	return t.turned(ctx, func() error {
		t.context.at.window = ""
		return t.enterFrame(ctx, "")
	})
}
