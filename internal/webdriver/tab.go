package webdriver

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Tab is a window of a session. It implements backend.Tab. Nothing is told by itself:
// what is new is found out by looking, after every command.
type Tab struct {
	anypage.Framed        // its lock guards what follows context, too
	id             string // its handle
	context        *Context

	hand   anypage.WebDriverInput
	shown  state           // what the page's own frame told of its document first
	worked backend.FrameID // the frame that something was done in last; for who has the turn
}

var _ backend.Tab = (*Tab)(nil)

func newTab(c *Context, window string) *Tab {
	t := &Tab{id: window, context: c, hand: anypage.WebDriverInput{Whole: true, Counts: c.session.Browser == "firefox"}}
	t.Init(window)
	t.Attach(&anypage.Frame{ID: backend.FrameID(window), URL: "about:blank"})
	return t
}

// way are the owners of a frame and of those around it, from the outside in; nil where
// there is no such frame.
func (t *Tab) way(id backend.FrameID) []int {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	way := []int{}
	for f := t.Find(id); ; f = t.Find(f.Parent) {
		if f == nil {
			return nil
		}
		if f.Main() {
			slices.Reverse(way)
			return way
		}
		way = append(way, f.Owner)
	}
}

// unseen is a frame that was not looked at yet, "" where there is none. One that cannot
// be is asked once.
func (t *Tab) unseen() backend.FrameID {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	for _, f := range t.List[1:] {
		if f.Document == "" {
			f.Document = "unread"
			return f.ID
		}
	}
	return ""
}

// apply takes in what a script told of its frame.
func (t *Tab) apply(id backend.FrameID, s state) {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	f := t.Find(id)
	if f == nil {
		return
	}
	main, address := f.Main(), backend.WithoutLogin(s.URL)
	if f.Document != s.Document {
		f.URL, f.Document, f.Loaded, f.Unreachable = address, s.Document, false, unreachable(s.URL)
		if main {
			t.shown = s
		}
		t.DetachInside(f.ID)
		t.News.Add(
			backend.NavigationStarted{Frame: f.ID, URL: address, Main: main},
			backend.FrameNavigated{Frame: f.ID, URL: address, Document: s.Document, Main: main, Unreachable: f.Unreachable},
		)
	} else if f.URL != address {
		f.URL = address
		t.News.Add(backend.URLChanged{Frame: f.ID, URL: address, Main: main})
	}
	if s.Ready == "complete" && !f.Loaded {
		t.Finish(f)
	}
	now := map[int]bool{}
	for _, child := range s.Frames {
		now[child.Owner] = true
		of := backend.FrameID(t.id + "/" + strconv.Itoa(child.Owner))
		if old := t.Find(of); old != nil {
			old.Name = child.Name
			continue
		}
		t.AttachAs(child.Owner, &anypage.Frame{ID: of, Parent: f.ID, Name: child.Name, URL: "about:blank"})
	}
	for _, old := range slices.Clone(t.List) {
		if old.Parent == f.ID && !now[old.Owner] {
			t.Detach(old.ID)
		}
	}
}

// dialogOpened is for a dialog that a command ran into. The turn is held.
func (t *Tab) dialogOpened(ctx context.Context) error {
	var message string
	_ = t.context.do(ctx, http.MethodGet, "/alert/text", nil, &message)
	t.Mu.Lock()
	// Of which kind it is, a driver does not tell.
	d := &anypage.Prompt{Dialog: backend.Dialog{Type: "dialog", Message: message, URL: t.List[0].URL}, Answer: t.answerDialog}
	t.Mu.Unlock()
	t.DialogOpened(d)
	return d.Shuts()
}

// answerDialog closes the open dialog.
func (t *Tab) answerDialog(ctx context.Context, accept bool, text string) error {
	if err := t.context.take(ctx); err != nil {
		return err
	}
	defer t.News.Flush()
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
	if err != nil && backend.KindOf(err) != backend.KindProtocol { // "no such alert" is one that is closed
		return err
	}
	t.DialogClosed(nil, nil)
	err = t.after(ctx)
	if backend.KindOf(err) == backend.KindDialog {
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
	last := len(c.OpenTabs()) == 1 && c.spare == ""
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
	t.end(backend.Fail(backend.KindClosed, "the tab was closed"))
	if backend.KindOf(err) == backend.KindClosed {
		return nil
	}
	return err
}

// end is the end of the tab.
func (t *Tab) end(reason error) { t.End(reason, func() { t.context.Remove(t) }) }

// AnswerChooser has none to answer: a driver tells of no file chooser.
func (t *Tab) AnswerChooser(context.Context, []string) error {
	return t.context.cannot("the file chooser that a page opens")
}

// Input moves pointer and keys, and looks what came of it.
func (t *Tab) Input(ctx context.Context, events ...backend.Input) error {
	t.Mu.Lock()
	list, err := t.hand.Actions(events...)
	t.Mu.Unlock()
	if err != nil {
		return err
	}
	return t.acts(ctx, func() error {
		where := backend.FrameID("")
		if t.context.session.webkit() && !slices.ContainsFunc(list, func(p anypage.InputSource) bool { return p == nil || p["type"] != "key" }) {
			// Keys go to where the focus is, which to look into a frame takes there.
			if where = t.worked; t.way(where) == nil {
				where = "" // it is gone
			}
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

func (t *Tab) perform(ctx context.Context, one anypage.InputSource) error {
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
	_ = t.perform(ctx, anypage.ReleaseButton())
}

// SetViewport sizes the window so that the page has a size.
func (t *Tab) SetViewport(ctx context.Context, v backend.Viewport) error {
	v = anypage.Viewport(v)
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
		err = backend.Fail(backend.KindProtocol, fmt.Sprintf("the page's size is told as %v", *size))
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
	if err != nil {
		return backend.Window{}, err
	}
	return backend.Window{X: int(w.X), Y: int(w.Y), Width: int(w.Width), Height: int(w.Height), State: backend.WindowNormal}, nil
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
