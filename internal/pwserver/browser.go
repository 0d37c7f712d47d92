package pwserver

import (
	"context"
	"errors"
	"sync"
	"time"

	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/proc"
	"rove/internal/wire"
)

// Browser is a browser behind a Playwright server. It implements backend.Browser.
type Browser struct {
	conn    *conn
	guid    string
	name    string // chromium, firefox, webkit
	version string
	process *proc.Process // of the server, where it was started here
	scratch *proc.Scratch

	mu       sync.Mutex
	contexts map[string]*Context     // by guid
	tabs     map[string]*Tab         // by the guid of the page
	frames   map[string]*Tab         // whose frame it is
	early    map[string][]earlyEvent // by frame
	logged   map[string]chan string  // by the token that a world was given
	devtools map[string]*devtools    // by guid

	close func() error
}

var _ backend.Browser = (*Browser)(nil)

func newBrowser(t wire.Transport) *Browser {
	b := &Browser{
		contexts: map[string]*Context{}, tabs: map[string]*Tab{}, frames: map[string]*Tab{}, early: map[string][]earlyEvent{}, logged: map[string]chan string{},
		devtools: map[string]*devtools{},
	}
	b.close = sync.OnceValue(b.end)
	b.conn = newConn(t, b.onEvent)
	go func() {
		<-b.conn.done
		b.lost()
	}()
	return b
}

// start greets the server, and takes the browser it has.
func (b *Browser) start(ctx context.Context) error {
	var root struct {
		Playwright ref `json:"playwright"`
	}
	if err := b.conn.call(ctx, "", "initialize", object{"sdkLanguage": "javascript"}, &root); err != nil {
		return err
	}
	var offers struct {
		Browser *ref `json:"preLaunchedBrowser"`
	}
	if !b.conn.objectOf(root.Playwright.GUID).decode(&offers) || offers.Browser == nil {
		return errors.New("the server gave no browser")
	}
	var about struct {
		Version string `json:"version"`
		Name    string `json:"browserName"`
	}
	b.guid = offers.Browser.GUID
	b.conn.objectOf(b.guid).decode(&about)
	b.name, b.version = about.Name, about.Version
	return nil
}

// products are what browsers call themselves.
var products = map[string]string{"chromium": "Chrome", "firefox": "Firefox", "webkit": "WebKit"}

// Version is the product and version of the browser.
func (b *Browser) Version() string {
	if p := products[b.name]; p != "" {
		return p + "/" + b.version
	}
	return b.name + "/" + b.version
}

// Done is closed when the browser is gone.
func (b *Browser) Done() <-chan struct{} { return b.conn.done }

// Memory is how much memory the server and its browser have; 0 where they are elsewhere.
func (b *Browser) Memory() (int64, error) {
	if b.process == nil {
		return 0, nil
	}
	return b.process.Memory()
}

// Folder is a directory that goes with the browser; "" where it is elsewhere.
func (b *Browser) Folder() string {
	if b.scratch == nil {
		return ""
	}
	return b.scratch.Dir
}

// Close ends the browser and a server that was started here. Of another server only what
// was opened is closed.
func (b *Browser) Close() error { return b.close() }

func (b *Browser) end() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	b.mu.Lock()
	var cmds []command
	for guid := range b.contexts {
		cmds = append(cmds, command{guid, "close", nil})
	}
	b.mu.Unlock()
	if b.process != nil {
		cmds = []command{{b.guid, "close", nil}}
	}
	for _, r := range b.conn.start(cmds...) {
		_ = r.wait(ctx, b.conn, nil)
	}
	if b.process == nil {
		b.conn.close()
		return nil
	}
	_ = b.process.ToBrowser.Close() // which ends it; see launch.js
	select {
	case <-b.process.Done():
	case <-ctx.Done():
	}
	b.conn.close()
	return errors.Join(b.process.Kill(), b.scratch.Remove())
}

const closeTimeout = 5 * time.Second

// lost ends all tabs when the connection has.
func (b *Browser) lost() {
	b.mu.Lock()
	tabs := b.tabs
	b.tabs, b.frames = map[string]*Tab{}, map[string]*Tab{}
	b.mu.Unlock()
	for _, t := range tabs {
		t.end(&backend.Error{Kind: backend.KindClosed, Err: backend.ErrGone})
	}
}

// NewContext opens a browser context.
func (b *Browser) NewContext(ctx context.Context, opts backend.ContextOptions) (backend.Context, error) {
	if opts.Policy != nil && opts.Policy.Limits() {
		return nil, backend.Fail(backend.KindUnsupported, "a session whose network is limited (allow, block) on a Playwright server; with Chrome it works")
	}
	view := anypage.Viewport(opts.Viewport)
	params := object{
		"viewport": object{"width": view.Width, "height": view.Height}, "deviceScaleFactor": view.Scale, "acceptDownloads": "deny",
		"colorScheme": "no-override", "reducedMotion": "no-override", "forcedColors": "no-override", "contrast": "no-override",
	}
	if view.Mobile && b.name != "firefox" {
		params["isMobile"] = true
	}
	if opts.Downloads != "" {
		params["acceptDownloads"] = "accept"
	}
	var made struct {
		Context ref `json:"context"`
	}
	if err := b.conn.call(ctx, b.guid, "newContext", params, &made); err != nil {
		return nil, err
	}
	c := &Context{browser: b, guid: made.Context.GUID}
	c.Configure(opts)
	var parts struct {
		Requests ref `json:"requestContext"`
	}
	b.conn.objectOf(c.guid).decode(&parts)
	c.requests = parts.Requests.GUID
	b.mu.Lock()
	b.contexts[c.guid] = c
	b.mu.Unlock()
	cmds := []command{{c.guid, "registerSelectorEngine", object{"selectorEngine": object{"name": engineName, "source": engine(), "contentScript": true}}}}
	for _, event := range []string{"console", "dialog", "dialogClosed", "request", "response", "requestFinished", "requestFailed"} {
		cmds = append(cmds, command{c.guid, "updateSubscription", object{"event": event, "enabled": true}})
	}
	for _, r := range b.conn.start(cmds...) {
		if err := r.wait(ctx, b.conn, nil); err != nil {
			_ = c.Close(ctx)
			return nil, err
		}
	}
	return c, nil
}
