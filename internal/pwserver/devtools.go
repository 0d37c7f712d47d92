package pwserver

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"rove/driver/backend"
	"rove/internal/wire"
)

// devtools is a session of Chromium's own protocol with a page, for what Playwright has
// no message for.
type devtools struct {
	once sync.Once
	guid string
	err  error

	mu     sync.Mutex
	worlds map[int]string       // those of the page script, and the frames they are in
	pages  map[string]int       // those of pages, by frame
	heard  map[int]map[int]bool // nodes that a world was told of
}

// session is that of the tab, which is opened when it is first wanted.
func (t *Tab) session(ctx context.Context) (*devtools, error) {
	if t.browser.name != "chromium" {
		return nil, backend.Fail(backend.KindUnsupported, "this with "+t.browser.name+" on a Playwright server; with its chromium it works")
	}
	t.Mu.Lock()
	if t.devtools == nil {
		t.devtools = &devtools{worlds: map[int]string{}, pages: map[string]int{}, heard: map[int]map[int]bool{}}
	}
	d := t.devtools
	t.Mu.Unlock()
	d.once.Do(func() {
		var made struct {
			Session ref `json:"session"`
		}
		d.err = t.browser.conn.call(ctx, t.context.guid, "newCDPSession", object{"page": ref{t.guid}}, &made)
		d.guid = made.Session.GUID
		t.browser.mu.Lock()
		t.browser.devtools[d.guid] = d
		t.browser.mu.Unlock()
		if d.err == nil {
			d.err = t.browser.conn.call(ctx, d.guid, "send", object{"method": "Runtime.enable", "params": object{}}, nil)
		}
	})
	return d, d.err
}

// protocol calls Chromium itself.
func (t *Tab) protocol(ctx context.Context, method string, params, out any) error {
	d, err := t.session(ctx)
	if err != nil {
		return err
	}
	return t.devtool(ctx, d, method, params, out)
}

func (t *Tab) devtool(ctx context.Context, d *devtools, method string, params, out any) error {
	var r struct {
		Result raw `json:"result"`
	}
	if err := t.ask(ctx, d.guid, "send", object{"method": method, "params": params}, &r); err != nil {
		return err
	}
	if out != nil {
		return wire.Unmarshal(r.Result, out)
	}
	return nil
}

// ofDevtools keeps the list of worlds.
func (b *Browser) ofDevtools(guid, method string, params raw) {
	b.mu.Lock()
	d := b.devtools[guid]
	if d != nil && (method == "close" || method == "__dispose__") {
		delete(b.devtools, guid)
	}
	b.mu.Unlock()
	var e struct {
		Method string `json:"method"`
		Params struct {
			ID      int `json:"executionContextId"`
			Context struct {
				ID   int    `json:"id"`
				Name string `json:"name"`
				Aux  struct {
					Frame   string `json:"frameId"`
					Default bool   `json:"isDefault"`
				} `json:"auxData"`
			} `json:"context"`
		} `json:"params"`
	}
	if d == nil || method != "event" || !strings.Contains(string(params[:min(len(params), 60)]), "executionContext") || wire.Unmarshal(params, &e) != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch e.Method {
	case "Runtime.executionContextCreated":
		switch c := e.Params.Context; {
		case c.Aux.Default:
			d.pages[c.Aux.Frame] = c.ID
		case strings.Contains(c.Name, "playwright_utility"):
			d.worlds[c.ID] = c.Aux.Frame
		}
	case "Runtime.executionContextDestroyed":
		delete(d.worlds, e.Params.ID)
		delete(d.heard, e.Params.ID)
		maps.DeleteFunc(d.pages, func(_ string, id int) bool { return id == e.Params.ID })
	case "Runtime.executionContextsCleared":
		clear(d.worlds)
		clear(d.pages)
		clear(d.heard)
	}
}

// list lists the worlds of the page script, the eldest first.
func (d *devtools) list() []int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Keys(d.worlds))
}

// page is the world of the page beside one of the page script; 0 is none.
func (d *devtools) page(world int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.pages[d.worlds[world]]
}

// unheard are the nodes that neither a world was told of before, nor another one claims.
func (d *devtools) unheard(world int, nodes []int, claimed map[int]bool) (list []node) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.heard[world] == nil {
		d.heard[world] = map[int]bool{}
	}
	for _, id := range nodes {
		if claimed[id] {
			continue
		}
		claimed[id] = true
		if !d.heard[world][id] && len(list) < scanLimit {
			d.heard[world][id] = true
			list = append(list, node{world, id})
		}
	}
	return list
}

// Window is the window the tab is in.
func (t *Tab) Window(ctx context.Context) (backend.Window, error) {
	_, w, err := t.window(ctx)
	return w, err
}

func (t *Tab) window(ctx context.Context) (int, backend.Window, error) {
	var r struct {
		ID     int `json:"windowId"`
		Bounds struct {
			Left   int    `json:"left"`
			Top    int    `json:"top"`
			Width  int    `json:"width"`
			Height int    `json:"height"`
			State  string `json:"windowState"`
		} `json:"bounds"`
	}
	if err := t.protocol(ctx, "Browser.getWindowForTarget", object{}, &r); err != nil {
		return 0, backend.Window{}, err
	}
	b := r.Bounds
	return r.ID, backend.Window{X: b.Left, Y: b.Top, Width: b.Width, Height: b.Height, State: backend.WindowState(b.State)}, nil
}

// SetWindow moves or sizes the window, or changes its state.
func (t *Tab) SetWindow(ctx context.Context, w backend.Window) error {
	id, now, err := t.window(ctx)
	if err != nil {
		return err
	}
	set := func(bounds object) error {
		return t.protocol(ctx, "Browser.setWindowBounds", object{"windowId": id, "bounds": bounds}, nil)
	}
	// From one state to another it goes by way of the normal one.
	if now.State != backend.WindowNormal && now.State != w.State {
		if err := set(object{"windowState": backend.WindowNormal}); err != nil {
			return err
		}
	}
	if w.State != "" && w.State != backend.WindowNormal {
		return set(object{"windowState": w.State})
	}
	bounds := object{"left": w.X, "top": w.Y}
	if w.Width > 0 {
		bounds["width"] = w.Width
	}
	if w.Height > 0 {
		bounds["height"] = w.Height
	}
	return set(bounds)
}
