package pwserver

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/wire"
)

// onEvent takes what the server says, in order.
func (b *Browser) onEvent(method, guid string, params raw) {
	b.mu.Lock()
	c, t, of := b.contexts[guid], b.tabs[guid], b.frames[guid]
	b.mu.Unlock()
	switch {
	case c != nil:
		b.onContextEvent(c, method, params)
	case t != nil:
		t.onPageEvent(method, params)
		t.News.Flush()
	case of != nil:
		of.onFrameEvent(backend.FrameID(guid), method, params)
		of.News.Flush()
	case method == "navigated" || method == "loadstate":
		b.mu.Lock()
		b.early[guid] = append(b.early[guid], earlyEvent{method, params})
		b.mu.Unlock()
	default:
		b.onDevtoolsEvent(guid, method, params)
	}
	if c != nil && method == "__create__" {
		b.pageCreated(c, params)
	}
}

// onContextEvent takes the events of a context, most of which are of a tab.
func (b *Browser) onContextEvent(c *Context, method string, params raw) {
	var e struct {
		Page     ref    `json:"page"`
		Request  ref    `json:"request"`
		Response ref    `json:"response"`
		Failure  string `json:"failureText"`
		Dialog   ref    `json:"dialog"`
		Route    ref    `json:"route"`
		Type     string `json:"type"`
		Text     string `json:"text"`
		Args     []ref  `json:"args"`
		Error    struct {
			Error struct {
				Name    string `json:"name"`
				Message string `json:"message"`
			} `json:"error"`
			Value raw `json:"value"`
		} `json:"error"`
	}
	if wire.Unmarshal(params, &e) != nil {
		return
	}
	switch method {
	case "page":
		b.opened(c, e.Page.GUID)
		return
	case "route":
		c.route(e.Route.GUID)
		return
	case "dialog", "dialogClosed":
		b.dialogs(method, e.Dialog.GUID)
		return
	case "console":
		if b.logs(e.Text, e.Args) {
			return
		}
	}
	b.mu.Lock()
	t := b.tabs[e.Page.GUID]
	b.mu.Unlock()
	if t == nil {
		return
	}
	switch method {
	case "console":
		t.consoleWritten(params)
		if e.Type == "error" && len(e.Args) > 0 { // else the browser says it, of a request that is told of by itself
			t.News.AddConsoleError(e.Text)
		}
	case "pageError":
		t.consoleWritten(params)
		text := e.Error.Error.Message
		if name := e.Error.Error.Name; name != "" && !strings.HasPrefix(text, name) {
			text = name + ": " + text
		}
		if len(e.Error.Value) > 0 {
			var v value
			if v.UnmarshalJSON(e.Error.Value) == nil {
				text = v.text()
			}
		}
		t.News.AddConsoleError("Uncaught " + text)
	case "request":
		t.requested(e.Request.GUID)
	case "response":
		t.responded(e.Response.GUID)
	case "requestFinished":
		t.requestFinished(e.Request.GUID, e.Response.GUID)
		t.News.Add(backend.RequestEnded{ID: t.original(e.Request.GUID)})
	case "requestFailed":
		t.failed(e.Request.GUID, e.Failure)
	}
	t.News.Flush()
}

// earlyEvent is what a frame did whose tab is not known yet: the server names frames of a
// new page before the page.
type earlyEvent struct {
	method string
	params raw
}

// pageCreated takes in a tab when the server first names it: it is told of what happens to the
// page before it is ready.
func (b *Browser) pageCreated(c *Context, params raw) {
	var p struct {
		Type  string `json:"type"`
		GUID  string `json:"guid"`
		First struct {
			Main   ref  `json:"mainFrame"`
			Opener *ref `json:"opener"`
		} `json:"initializer"`
	}
	if wire.Unmarshal(params, &p) != nil || p.Type != "Page" {
		return
	}
	t := newTab(b, c, p.GUID)
	t.source.ID = p.First.Main.GUID
	c.observers.Arrive(t.source)
	b.mu.Lock()
	b.tabs[t.guid] = t
	if p.First.Opener != nil {
		t.opener = b.tabs[p.First.Opener.GUID]
	}
	b.mu.Unlock()
	for _, guid := range b.conn.framesBelow(p.First.Main.GUID) {
		b.mu.Lock()
		b.frames[guid] = t
		before := b.early[guid]
		delete(b.early, guid)
		b.mu.Unlock()
		t.attached(guid)
		for _, e := range before {
			t.onFrameEvent(backend.FrameID(guid), e.method, e.params)
		}
	}
}

// opened tells of a tab that is ready now.
func (b *Browser) opened(c *Context, guid string) {
	b.mu.Lock()
	t := b.tabs[guid]
	b.mu.Unlock()
	if t == nil {
		return
	}
	c.Add(t)
	if t.opener != nil {
		go func() { _ = t.ready(t.Life) }() // one that is asked for is made ready by who asks
		t.opener.News.Tell(backend.TabOpened{Tab: t})
	}
}

// tabGone is the end of a tab.
func (b *Browser) tabGone(t *Tab, why error) {
	b.mu.Lock()
	delete(b.tabs, t.guid)
	for guid, of := range b.frames {
		if of == t {
			delete(b.frames, guid)
		}
	}
	b.mu.Unlock()
	t.end(why)
}

// onPageEvent takes the events of a page.
func (t *Tab) onPageEvent(method string, params raw) {
	var e struct {
		Frame    ref    `json:"frame"`
		URL      string `json:"url"`
		Name     string `json:"suggestedFilename"`
		Artifact ref    `json:"artifact"`
		Element  ref    `json:"element"`
		Multiple bool   `json:"isMultiple"`
	}
	if wire.Unmarshal(params, &e) != nil {
		return
	}
	switch method {
	case "close":
		t.browser.tabGone(t, backend.Fail(backend.KindClosed, "the tab was closed"))
	case "crash":
		t.crashed()
	case "frameAttached":
		t.browser.mu.Lock()
		t.browser.frames[e.Frame.GUID] = t
		t.browser.mu.Unlock()
		t.attached(e.Frame.GUID)
	case "frameDetached":
		t.browser.mu.Lock()
		delete(t.browser.frames, e.Frame.GUID)
		t.browser.mu.Unlock()
		t.Mu.Lock()
		t.Detach(backend.FrameID(e.Frame.GUID))
		maps.DeleteFunc(t.worlds, func(id backend.FrameID, _ *world) bool { return t.Find(id) == nil })
		t.Mu.Unlock()
	case "download":
		t.downloads(e.URL, e.Name, e.Artifact.GUID)
	case "fileChooser":
		t.Mu.Lock()
		t.ChooserOpened(backend.Chooser{Multiple: e.Multiple}, func(ctx context.Context, paths []string) error { return t.give(ctx, e.Element.GUID, paths) })
		t.Mu.Unlock()
	case "screencastFrame":
		t.filmed(params)
	}
}

// crashed is a page whose process is gone.
func (t *Tab) crashed() {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	clear(t.worlds)
	t.Crashed(errCrashed, "")
	t.moved.Fire()
}

// attached takes in a frame.
func (t *Tab) attached(guid string) {
	var about struct {
		URL    string   `json:"url"`
		Name   string   `json:"name"`
		Parent *ref     `json:"parentFrame"`
		States []string `json:"loadStates"`
	}
	if !t.browser.conn.objectOf(guid).decode(&about) {
		return
	}
	t.Mu.Lock()
	defer t.Mu.Unlock()
	f := &anypage.Frame{ID: backend.FrameID(guid), URL: backend.WithoutLogin(about.URL), Name: about.Name}
	if about.Parent != nil {
		f.Parent = backend.FrameID(about.Parent.GUID)
	}
	f.Parsed, f.Loaded = slices.Contains(about.States, "domcontentloaded"), slices.Contains(about.States, "load")
	if t.Attach(f) {
		t.document(f)
	}
}

// document gives a frame's document a name. The lock is held.
func (t *Tab) document(f *anypage.Frame) {
	t.documents++
	f.Document = "d" + strconv.Itoa(t.documents)
	delete(t.worlds, f.ID)
}

// onFrameEvent takes where a frame goes.
func (t *Tab) onFrameEvent(id backend.FrameID, method string, params raw) {
	var e struct {
		URL      string `json:"url"`
		Name     string `json:"name"`
		Error    string `json:"error"`
		Document *struct {
			Request *ref `json:"request"`
		} `json:"newDocument"`
		Add string `json:"add"`
	}
	if wire.Unmarshal(params, &e) != nil {
		return
	}
	t.Mu.Lock()
	defer t.Mu.Unlock()
	f := t.Find(id)
	if f == nil {
		return
	}
	defer t.moved.Fire()
	main := f.Main()
	switch method {
	case "navigated":
		address := backend.WithoutLogin(e.URL)
		switch {
		case e.Error != "":
			t.News.Add(backend.NavigationStopped{Frame: id, Main: main})
		case e.Document == nil:
			f.URL = address
			if main {
				t.mainMoves++
			}
			t.News.Add(backend.URLChanged{Frame: id, URL: address, Main: main})
		default:
			t.committed(f, address, e.Name)
			if main {
				if t.shown = f.Document; e.Document.Request != nil {
					t.shown = t.original(e.Document.Request.GUID)
				}
				t.context.observers.Tell(backend.ObserveTraffic, t.source, backend.DocumentCame{Document: t.shown, URL: f.URL})
			}
		}
	case "loadstate":
		switch e.Add {
		case "domcontentloaded":
			f.Parsed = true
			t.timed(main, false)
		case "load":
			t.Finish(f)
			t.timed(main, true)
			t.scans.Add(id)
		}
	}
}

// timed tells that a document was parsed, or loaded.
func (t *Tab) timed(main, loaded bool) {
	if main {
		now := float64(time.Now().UnixMicro()) / 1e6
		t.context.observers.Tell(backend.ObserveTraffic, t.source, backend.DocumentTimed{Document: t.shown, Time: now, Loaded: loaded})
	}
}

// committed is a new document in a frame. The lock is held.
func (t *Tab) committed(f *anypage.Frame, address, name string) {
	main := f.Main()
	f.Unreachable = strings.HasPrefix(address, "chrome-error://")
	if f.Unreachable && main && t.wanted != "" {
		address = t.wanted
	}
	f.URL, f.Name, f.Parsed, f.Loaded = address, name, false, false
	t.document(f)
	if main {
		t.commits++
		t.mainMoves++
		t.ChooserGone()
		t.Revived()
	} else {
		t.Owners.Add(f.ID)
	}
	t.News.Add(backend.FrameNavigated{Frame: f.ID, URL: address, Document: f.Document, Main: main, Unreachable: f.Unreachable})
}

// request is what a request was made with.
type request struct {
	Frame      *ref   `json:"frame"`
	URL        string `json:"url"`
	Type       string `json:"resourceType"`
	Method     string `json:"method"`
	Headers    pairs  `json:"headers"`
	Body       []byte `json:"postData"`
	Navigation bool   `json:"isNavigationRequest"`
	From       *ref   `json:"redirectedFrom"`
}

// original is the request that redirects led away from: it gives all of them their name.
func (t *Tab) original(guid string) string {
	for range maxRedirects {
		var r request
		if !t.browser.conn.objectOf(guid).decode(&r) || r.From == nil {
			break
		}
		guid = r.From.GUID
	}
	return guid
}

const maxRedirects = 30

func (t *Tab) requested(guid string) {
	var r request
	if !t.browser.conn.objectOf(guid).decode(&r) {
		return
	}
	started := backend.RequestStarted{ID: t.original(guid), Method: r.Method, URL: r.URL, Type: resource(r.Type)}
	if r.From != nil {
		started.Redirected = t.ledBy(started.ID)
	}
	if r.Frame != nil {
		started.Frame = backend.FrameID(r.Frame.GUID)
	}
	t.Mu.Lock()
	f := t.Find(started.Frame)
	main := f != nil && r.Frame != nil && f.Main()
	t.Mu.Unlock()
	t.sent(guid, &r, main)
	if r.Navigation && r.Frame != nil && r.From == nil {
		t.Mu.Lock()
		if main {
			t.wanted = backend.WithoutLogin(r.URL)
			t.mainMoves++
			t.moved.Fire()
		}
		t.Mu.Unlock()
		t.News.Add(backend.NavigationStarted{Frame: started.Frame, URL: backend.WithoutLogin(r.URL), Main: main})
	}
	t.News.Add(started)
}

func (t *Tab) responded(guid string) {
	var r response
	if !t.browser.conn.objectOf(guid).decode(&r) {
		return
	}
	var of request
	t.browser.conn.objectOf(r.Request.GUID).decode(&of)
	t.answers(guid, &r, of.Type)
	if of.Navigation && (r.Status == 204 || r.Status == 205) {
		t.Mu.Lock()
		t.empty = r.Status
		t.Mu.Unlock()
	}
	t.News.Add(backend.ResponseReceived{ID: t.original(r.Request.GUID), Status: r.Status, MIME: anypage.MIME(r.Headers.get("content-type"))})
}

func (t *Tab) failed(guid, failure string) {
	ended := backend.RequestEnded{ID: t.original(guid), Reason: reasonOf(failure), Failure: failure}
	if ended.Reason == "" {
		ended.Reason, ended.Failure = backend.ReasonOther, "failed"
	}
	t.tell(backend.TrafficFailed, guid, nil, func(r *backend.TrafficRecord) {
		r.Failure = &backend.LoadFailure{Reason: ended.Reason, Code: ended.Failure}
	})
	var r request
	if t.browser.conn.objectOf(guid).decode(&r); r.Navigation && r.Frame != nil {
		t.Mu.Lock()
		f := t.Find(backend.FrameID(r.Frame.GUID))
		t.Mu.Unlock()
		if f != nil {
			t.News.Add(backend.NavigationStopped{Frame: f.ID, Main: f.Main()})
		}
	}
	t.News.Add(ended)
}

// resources are Playwright's words for what a request is for.
var resources = map[string]string{
	"document": backend.TypeDocument, "stylesheet": backend.TypeStylesheet, "image": backend.TypeImage, "media": backend.TypeMedia,
	"font": backend.TypeFont, "script": backend.TypeScript, "texttrack": backend.TypeTrack, "xhr": backend.TypeXHR, "fetch": backend.TypeFetch,
	"eventsource": backend.TypeEventSource, "websocket": backend.TypeWebSocket, "manifest": backend.TypeManifest, "ping": backend.TypePing,
	"beacon": backend.TypePing, "cspreport": backend.TypePing, "prefetch": backend.TypePrefetch, "preflight": backend.TypePreflight,
}

func resource(kind string) string {
	if known, ok := resources[kind]; ok {
		return known
	}
	return backend.TypeOther
}

// pairs are headers.
type pairs []struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (p pairs) get(name string) string {
	for _, h := range p {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}
