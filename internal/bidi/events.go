package bidi

import (
	"cmp"
	"net/url"
	"strings"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// onEvent takes what the browser says, in order.
func (b *Browser) onEvent(ev cdp.Event) {
	switch ev.Method {
	case "browsingContext.contextCreated":
		b.contextCreated(ev)
		return
	case "browsingContext.contextDestroyed":
		b.contextDestroyed(ev)
		return
	}
	if strings.HasPrefix(ev.Method, "network.") {
		b.stopped(ev)
	}
	var e struct {
		Context string `json:"context"`
		Source  struct {
			Context string `json:"context"`
		} `json:"source"` // of what is logged
	}
	if ev.Decode(&e) != nil {
		return
	}
	if e.Context == "" {
		e.Context = e.Source.Context
	}
	b.mu.Lock()
	t := b.frames[e.Context]
	b.mu.Unlock()
	if t == nil {
		return
	}
	domain, _, _ := strings.Cut(ev.Method, ".")
	switch domain {
	case "network":
		t.loads(ev)
	case "log":
		t.tellConsole(e.Context, ev)
		t.complains(ev)
	case "input":
		t.chooserOpened(ev)
	case "browsingContext":
		t.moves(e.Context, ev)
	}
	t.News.Flush()
}

// contextCreated takes in a tab, or a frame of one.
func (b *Browser) contextCreated(ev cdp.Event) {
	var e struct {
		Context string `json:"context"`
		User    string `json:"userContext"`
		Parent  string `json:"parent"`
		Opener  string `json:"originalOpener"`
		URL     string `json:"url"`
	}
	if ev.Decode(&e) != nil {
		return
	}
	b.mu.Lock()
	c := b.contexts[e.User]
	if e.Parent != "" {
		t := b.frames[e.Parent]
		if t != nil {
			b.frames[e.Context] = t
		}
		b.mu.Unlock()
		if t != nil {
			t.Mu.Lock()
			t.Attach(&anypage.Frame{ID: backend.FrameID(e.Context), Parent: backend.FrameID(e.Parent), URL: e.URL})
			t.Mu.Unlock()
		}
		return
	}
	// The frames of the copy that is made of a page to print it are told of without their
	// parent by Firefox, and never again. They have numbers; tabs have longer names.
	copied := strings.Trim(e.Context, "0123456789") == ""
	if !copied {
		b.inFront(c, e.Context) // where new ones are
	}
	if c == nil || b.tabs[e.Context] != nil || copied {
		b.mu.Unlock()
		return
	}
	t := newTab(b, c, e.Context, e.URL)
	b.tabs[t.id], b.frames[t.id] = t, t
	opener := b.frames[e.Opener]
	b.changed.Fire()
	b.mu.Unlock()
	c.Add(t)
	c.observers.Arrive(t.source)
	if e.Opener != "" && b.chromium() {
		t.bornPopup()
	}
	if opener != nil {
		opener.News.Tell(backend.TabOpened{Tab: t})
	}
}

// contextDestroyed is the end of a tab, or of a frame and those inside it.
func (b *Browser) contextDestroyed(ev cdp.Event) {
	var e struct {
		Context string `json:"context"`
	}
	if ev.Decode(&e) != nil {
		return
	}
	b.mu.Lock()
	t := b.frames[e.Context]
	delete(b.frames, e.Context)
	top := t != nil && t.id == e.Context
	if top {
		b.notInFront(t)
		delete(b.tabs, t.id)
		for id, of := range b.frames {
			if of == t {
				delete(b.frames, id)
			}
		}
	}
	b.mu.Unlock()
	switch {
	case t == nil:
	case top:
		t.end(backend.Fail(backend.KindClosed, "the tab was closed"))
	default:
		t.Mu.Lock()
		t.Detach(backend.FrameID(e.Context))
		t.Mu.Unlock()
		t.News.Flush()
	}
}

// moves is where a frame goes, and what it shows on the way.
func (t *Tab) moves(id string, ev cdp.Event) {
	var e struct {
		Navigation string  `json:"navigation"`
		URL        string  `json:"url"`
		Message    string  `json:"message"` // why it failed, or that of a dialog
		Time       float64 `json:"timestamp"`
	}
	if ev.Decode(&e) != nil {
		return
	}
	_, what, _ := strings.Cut(ev.Method, ".")
	switch what {
	case "userPromptOpened":
		t.dialogOpened(ev)
		return
	case "userPromptClosed":
		t.dialogClosed(ev)
		return
	case "downloadWillBegin", "downloadEnd":
		t.downloads(what, ev)
		return
	}
	t.Mu.Lock()
	defer t.Mu.Unlock()
	f := t.Find(backend.FrameID(id))
	if f == nil {
		return
	}
	address, main := backend.WithoutLogin(e.URL), f.Main()
	n := t.nav.get(e.Navigation)
	switch what {
	case "navigationStarted":
		if main {
			t.nav.started, t.nav.last = true, e.Navigation
		}
		if e := t.context.emulation.Load(); e != nil {
			t.context.grant(address, e.Permissions, "granted")
		}
		t.News.Add(backend.NavigationStarted{Frame: f.ID, URL: address, Main: main})
	case "navigationCommitted":
		meant, unreachable := errorPage(address)
		if unreachable {
			address = meant
		}
		f.URL, f.Document, f.Parsed, f.Loaded, f.Unreachable = address, e.Navigation, false, false, unreachable
		n.committed = true
		if unreachable && n.failed == "" {
			n.failed = errorName(e.URL) // of some failures nothing else tells
		}
		if main {
			t.nav.commits++
			t.firstPage()
			t.ChooserGone()
			if t.shown = e.Navigation; t.loading.navigation == e.Navigation {
				t.shown = t.loading.request // by which its traffic knows it
			}
			t.context.observers.Tell(backend.ObserveTraffic, t.source, backend.DocumentCame{Document: t.shown, URL: address})
		}
		t.News.Add(backend.FrameNavigated{Frame: f.ID, URL: address, Document: e.Navigation, Main: main, Unreachable: unreachable})
		if unreachable { // of which no more is told
			t.Finish(f)
		}
		if !main {
			t.Owners.Add(f.ID)
		}
	case "fragmentNavigated", "historyUpdated":
		f.URL = address
		n.within = true
		t.News.Add(backend.URLChanged{Frame: f.ID, URL: address, Main: main})
	case "domContentLoaded":
		f.Parsed = true
		t.timed(main, e.Time, false)
	case "load":
		f.URL = address
		t.timed(main, e.Time, true)
		t.Finish(f)
	case "navigationFailed":
		n.failed = e.Message
		t.News.Add(backend.NavigationStopped{Frame: f.ID, Main: main})
	case "navigationAborted":
		n.aborted = true
		t.News.Add(backend.NavigationStopped{Frame: f.ID, Main: main})
	}
	t.nav.changed.Fire()
}

// timed tells when a document was parsed, or loaded.
func (t *Tab) timed(main bool, at float64, loaded bool) {
	if main {
		t.context.observers.Tell(backend.ObserveTraffic, t.source, backend.DocumentTimed{Document: t.shown, Time: at / 1000, Loaded: loaded})
	}
}

// errorPage says whether an address is of the page that Firefox shows in place of one
// that it could not reach, and of which.
func errorPage(address string) (meant string, ok bool) {
	if !strings.HasPrefix(address, "about:neterror?") && !strings.HasPrefix(address, "about:certerror?") {
		return "", false
	}
	_, query, _ := strings.Cut(address, "?")
	values, err := url.ParseQuery(query)
	if err != nil || values.Get("u") == "" {
		return address, true
	}
	return backend.WithoutLogin(values.Get("u")), true
}

// errorName is the name that Firefox has for why it shows an error page.
func errorName(address string) string {
	name := "neterror"
	if u, err := url.Parse(address); err == nil {
		name = cmp.Or(u.Query().Get("e"), name)
	}
	return name
}

// loads passes on what a page loads.
func (t *Tab) loads(ev cdp.Event) {
	var e networkEvent
	if ev.Decode(&e) != nil {
		return
	}
	t.tellTraffic(ev, &e)
	id := e.Request.ID
	switch ev.Method {
	case "network.beforeRequestSent":
		if e.Navigation != "" {
			t.Mu.Lock()
			t.loading = loading{e.Navigation, id}
			t.Mu.Unlock()
		}
		t.News.Add(backend.RequestStarted{
			ID: id, Method: e.Request.Method, URL: e.Request.URL, Type: e.kind(), Frame: backend.FrameID(e.Context), Redirected: t.leads(&e),
		})
	case "network.responseStarted":
		if e.Response.Status/100 == 3 {
			t.answered(id, e.Response.Status)
		}
		mime := anypage.MIME(e.Response.MIME)
		if e.Navigation != "" {
			t.Mu.Lock()
			n := t.nav.get(e.Navigation)
			n.status, n.mime = e.Response.Status, mime
			t.nav.changed.Fire()
			t.Mu.Unlock()
		}
		t.News.Add(backend.ResponseReceived{ID: id, Status: e.Response.Status, MIME: mime})
	case "network.responseCompleted":
		t.News.Add(backend.RequestEnded{ID: id})
	case "network.fetchError":
		t.News.Add(backend.RequestEnded{ID: id, Reason: anypage.Reason(e.Error), Failure: e.Error})
	}
}

// resource is what a request is for.
func resource(destination, initiator string) string {
	switch destination {
	case "document", "iframe", "frame":
		return backend.TypeDocument
	case "style":
		return backend.TypeStylesheet
	case "image":
		return backend.TypeImage
	case "audio", "video":
		return backend.TypeMedia
	case "font":
		return backend.TypeFont
	case "script", "worker", "sharedworker", "serviceworker":
		return backend.TypeScript
	case "track":
		return backend.TypeTrack
	case "manifest":
		return backend.TypeManifest
	case "report":
		return backend.TypePing
	}
	switch initiator {
	case "xmlhttprequest":
		return backend.TypeXHR
	case "fetch":
		return backend.TypeFetch
	case "beacon", "ping":
		return backend.TypePing
	case "eventsource":
		return backend.TypeEventSource
	}
	return backend.TypeOther
}

// complains passes on the errors that a page makes and tells of.
func (t *Tab) complains(ev cdp.Event) {
	var e struct {
		Level string `json:"level"`
		Text  string `json:"text"`
	}
	if ev.Decode(&e) == nil && e.Level == "error" {
		t.News.AddConsoleError(e.Text)
	}
}
