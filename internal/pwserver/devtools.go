package pwserver

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/wire"
)

// devtools is a session of Chromium's own protocol with a page, for what Playwright has
// no message for.
type devtools struct {
	once     sync.Once
	guid     string
	err      error
	scanning chan struct{} // holds one: scans take turns

	mu     sync.Mutex
	worlds map[int]*scriptWorld // those of the page script
	pages  map[string]string    // those of pages, by frame: what is unique of them
}

// scriptWorld is a world of the page script, and the frame that it is in.
type scriptWorld struct {
	anypage.ChromiumWorld[string]
	frame string
}

// session is that of the tab, which is opened when it is first wanted.
func (t *Tab) session(ctx context.Context) (*devtools, error) {
	if t.browser.name != "chromium" {
		return nil, backend.Fail(backend.KindUnsupported, "this with "+t.browser.name+" on a Playwright server; with its chromium it works")
	}
	t.Mu.Lock()
	if t.devtools == nil {
		t.devtools = &devtools{scanning: make(chan struct{}, 1), worlds: map[int]*scriptWorld{}, pages: map[string]string{}}
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

// onDevtoolsEvent keeps the list of worlds.
func (b *Browser) onDevtoolsEvent(guid, method string, params raw) {
	b.mu.Lock()
	d := b.devtools[guid]
	if d != nil && (method == "close" || method == "__dispose__") {
		delete(b.devtools, guid)
	}
	b.mu.Unlock()
	var e struct {
		Method string `json:"method"`
		Params struct {
			ID      int    `json:"executionContextId"`
			Unique  string `json:"executionContextUniqueId"`
			Context struct {
				ID     int    `json:"id"`
				Unique string `json:"uniqueId"`
				Name   string `json:"name"`
				Aux    struct {
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
			d.pages[c.Aux.Frame] = c.Unique
		case strings.Contains(c.Name, "playwright_utility"):
			d.worlds[c.ID] = &scriptWorld{anypage.ChromiumWorld[string]{ID: c.ID, Unique: c.Unique, Told: map[int]bool{}}, c.Aux.Frame}
		}
	case "Runtime.executionContextDestroyed":
		delete(d.worlds, e.Params.ID)
		maps.DeleteFunc(d.pages, func(_, unique string) bool { return unique == e.Params.Unique })
	case "Runtime.executionContextsCleared":
		clear(d.worlds)
		clear(d.pages)
	}
}

// list lists the worlds of the page script, the youngest first: those of frames inside are
// younger.
func (d *devtools) list() (worlds []*anypage.ChromiumWorld[string]) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range slices.Backward(slices.Sorted(maps.Keys(d.worlds))) {
		w := *d.worlds[id]
		w.Page = d.pages[w.frame]
		worlds = append(worlds, &w.ChromiumWorld)
	}
	return worlds
}

// Window is the window the tab is in.
func (t *Tab) Window(ctx context.Context) (backend.Window, error) {
	return anypage.ChromiumCall(t.protocol).Window(ctx)
}

// SetWindow moves or sizes the window, or changes its state.
func (t *Tab) SetWindow(ctx context.Context, w backend.Window) error {
	return anypage.ChromiumCall(t.protocol).SetWindow(ctx, w)
}
