package bidi

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// Browser is a running browser. It implements backend.Browser.
type Browser struct {
	conn    *cdp.Conn
	root    *cdp.Session
	at      Attachment
	version string
	sandbox string // of the page script

	mu       sync.Mutex
	contexts map[string]*Context
	tabs     map[string]*Tab // by top-level context
	frames   map[string]*Tab // whose frame a context is
	front    string          // the tab with the focus, if that is known; see comeToFront
	frontAt  time.Time       // when it last did something there
	changed  anypage.Signal  // tabs

	intercepts atomic.Int32    // how many there are
	stopping   sync.Mutex      // guards stops
	stops      map[string]bool // phases of requests at which a Chromium stops them all

	close func() error
}

var _ backend.Browser = (*Browser)(nil)

func newBrowser(conn *cdp.Conn, at Attachment) *Browser {
	b := &Browser{
		at: at, version: at.Version,
		conn: conn, root: conn.Root(), sandbox: "rove-" + rand.Text(),
		contexts: map[string]*Context{}, tabs: map[string]*Tab{}, frames: map[string]*Tab{},
	}
	b.close = sync.OnceValue(b.end)
	b.root.OnEvent(b.onEvent)
	go func() {
		<-conn.Done()
		b.lost()
	}()
	return b
}

type object = map[string]any

// open begins the one session of a browser that has none.
func (b *Browser) open(ctx context.Context) error {
	var made struct {
		Capabilities struct {
			Name    string `json:"browserName"`
			Version string `json:"browserVersion"`
		} `json:"capabilities"`
	}
	always := object{"unhandledPromptBehavior": prompts}
	if err := b.root.Call(ctx, "session.new", object{"capabilities": object{"alwaysMatch": always}}, &made); err != nil {
		return fault(err)
	}
	b.version = made.Capabilities.Name + "/" + made.Capabilities.Version
	return nil
}

// prompts is what a Firefox is to do about what a page asks its user: dialogs stay open to be
// answered; a file chooser is told of and closed, else its field could not open another (it
// is a preference that says so in versions that do not know "file").
var prompts = object{"default": "ignore", "file": "dismiss"}

// undismissed keeps from pages that their file choosers were closed: they are answered later.
const undismissed = `addEventListener('cancel', (ev) => { if (ev.isTrusted && ev.target && ev.target.type === 'file') ev.stopImmediatePropagation() }, true);`

// start asks for news, and has the page script put into every page.
func (b *Browser) start(ctx context.Context) error {
	source := anypage.Script() + "\n" + undismissed
	pending := b.conn.Start(
		b.root.Command("session.subscribe", object{"events": []string{"browsingContext", "network", "log", "input"}}),
		b.root.Command("script.addPreloadScript", object{"functionDeclaration": "() => {" + source + "}", "sandbox": b.sandbox}),
	)
	for _, p := range pending {
		if err := p.Wait(ctx, nil); err != nil {
			return fault(err)
		}
	}
	return nil
}

// Version is the product and version of the browser.
func (b *Browser) Version() string { return b.version }

// Done is closed when the browser is gone.
func (b *Browser) Done() <-chan struct{} { return b.conn.Done() }

// Memory is how much memory the browser's processes have.
func (b *Browser) Memory() (int64, error) {
	if b.at.Memory == nil {
		return 0, errors.ErrUnsupported
	}
	return b.at.Memory()
}

// Folder is a directory that goes with the browser.
func (b *Browser) Folder() string { return b.at.Folder }

// Close ends the browser and removes what it left on disk.
func (b *Browser) Close() error { return b.close() }

func (b *Browser) end() error {
	end := b.at.End
	if end == nil {
		end = b.leave
	}
	err := end(b.quit)
	_ = b.conn.Close()
	return err
}

// leave ends the session of a browser that goes on.
func (b *Browser) leave(func() <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	err := fault(b.root.Call(ctx, "session.end", object{}, nil))
	if backend.KindOf(err) == backend.KindClosed {
		return nil
	}
	return err
}

// quit asks the browser to end, and does not wait for that.
func (b *Browser) quit() <-chan struct{} { return b.root.Start("browser.close", object{}).Done() }

// lost ends all tabs when the connection has.
func (b *Browser) lost() {
	b.mu.Lock()
	tabs := b.tabs
	b.tabs, b.frames = map[string]*Tab{}, map[string]*Tab{}
	b.changed.Fire()
	b.mu.Unlock()
	for _, t := range tabs {
		t.end(&backend.Error{Kind: backend.KindClosed, Err: backend.ErrGone})
	}
}

// NewContext opens a user context. One that may not reach everything is refused: there
// is nothing yet that would keep this browser to it.
func (b *Browser) NewContext(ctx context.Context, opts backend.ContextOptions) (backend.Context, error) {
	if opts.Policy != nil && opts.Policy.Limits() {
		return nil, backend.Fail(backend.KindUnsupported, "a session whose network is limited (allow, block) on "+b.at.Name+"; with Chrome it works")
	}
	var made struct {
		ID string `json:"userContext"`
	}
	if err := b.root.Call(ctx, "browser.createUserContext", object{}, &made); err != nil {
		return nil, fault(err)
	}
	c := &Context{browser: b, id: made.ID}
	c.Configure(opts)
	b.mu.Lock()
	b.contexts[c.id] = c
	b.mu.Unlock()
	behavior := object{"type": "denied"}
	if opts.Downloads != "" {
		behavior = object{"type": "allowed", "destinationFolder": opts.Downloads}
	}
	// A browser that does not know it saves them where it likes to; see downloads.
	err := b.root.Call(ctx, "browser.setDownloadBehavior", object{"downloadBehavior": behavior, "userContexts": []string{c.id}}, nil)
	if err = fault(err); err != nil && backend.KindOf(err) != backend.KindUnsupported {
		_ = c.Close(ctx)
		return nil, err
	}
	c.Resize(c.Viewport)
	return c, nil
}
