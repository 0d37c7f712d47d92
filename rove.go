// Package rove gives a language model a real browser through five verbs: look,
// act, go, wait and eval.
//
// A session is a browser with one person at it:
//
//	s, err := rove.Open(ctx, rove.Options{})
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//
// Go opens a page and already shows it; Look shows it again, or a part of it,
// or what changed since:
//
//	page, err := s.Go(ctx, "example.com/login")
//	fmt.Println(page.Text())
//	// https://example.com/login — Login
//	// heading "Login" 1
//	// e1 textbox "Email" required
//	// e2 textbox "Password"
//	// e3 button "Sign In"
//
// Every answer has two forms made from one value: Text is what a model reads,
// in as few tokens as possible; encoded as JSON it is the data form, with every
// operation each element takes.
//
// Refs such as e3 (in another frame f2e3) belong to one element for as long as
// it lives and are never given to another.
//
// Errors are *Error: a code to tell them apart, one sentence, and what to do
// next.
package rove

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"rove/driver"
	"rove/driver/advice"
	"rove/driver/backend"
	"rove/internal/launch"
	"rove/internal/outlet"
	"rove/internal/policy"
)

// Options shape a session. The zero value is a headless browser, found on the
// machine or fetched.
type Options struct {
	// Browser says which: "" for what is there (a headless shell first),
	// "shell", "chrome", "firefox", "playwright", a driver to go through
	// ("chromedriver", "geckodriver", "webkit", "safaridriver", "msedgedriver"), or
	// the path of an executable. ROVE_BROWSER decides when it is empty. What each can
	// do, and how a Playwright server that runs is named: docs/BACKENDS.md.
	Browser string
	// Headed shows the browser's window.
	Headed bool
	// Viewport is the size of the page; zero is 1280×720.
	Viewport Viewport
	// Profile is a directory that the browser keeps its profile in, cookies,
	// storage, cache and all, from one time to the next; it is made if need be.
	// One browser at a time can use it, for one session at a time. Without, the
	// profile is empty at first and gone at the end.
	Profile string
	// Connect is a browser that runs already, a person's own: its port, such as 9222,
	// an http or ws address, or auto for the one whose remote debugging is on. The
	// sessions work in tabs of their own there, with the person's cookies and logins,
	// and leave all else as it is. Nothing can be said then of how it is started, and
	// Allow and Block cannot be held.
	Connect string
	// Tabs is all where sessions may list the person's tabs, and go to them by name;
	// "" and own are their own tabs alone.
	Tabs string
	// Dial reaches the browser of Connect by a connection that is shared; nil makes
	// one.
	Dial Dialer
	// Grid is the address of a Selenium Grid whose browser is used, with a name and
	// password where it wants them. It is leased when the browser is needed, and
	// released at the end. Allow and Block cannot be held there.
	Grid string
	// Capabilities are what else is asked of the grid, or of the driver.
	Capabilities map[string]any
	// Emulate is what the pages of its sessions are to take the browser for: a
	// device, a language, a place.
	Emulate EmulateOptions
	// Args are further arguments for the browser.
	Args []string
	// Allow and Block say which origins pages, frames, workers and sockets may
	// reach: example.com, *.example.com, https://example.com:8443, localhost:*.
	// Without Allow it is the whole network. Nothing local (file:, chrome:) can be
	// opened, unless Allow has its scheme: file:.
	Allow, Block []string
	// Uploads are the folders that files may be uploaded from, and pictures read
	// from, beside the session's own. Nil is any folder, an empty list none.
	Uploads []string
	// Output is a directory to keep the files of sessions in, each session's in a
	// folder of its own below it; it is made if need be. Without, they go with the
	// session.
	Output string
	// Caps are what agents can do beside looking and operating: names such as eval,
	// upload and download (see docs/SECURITY.md), or each with a minus, what is
	// switched off. Nil is all of it.
	Caps []string
	// Confirm are operations that a person has to agree to: upload, click:Buy,
	// *@bank.example. See WithConfirm.
	Confirm []string
	// Secrets can be typed, but not seen.
	Secrets *Secrets
	// Progress is told of a browser being fetched; nil keeps silent.
	Progress io.Writer
}

// Dialer gives a connection to a running browser: messages of the DevTools
// protocol, each ended by a NUL byte.
type Dialer func(ctx context.Context, connect string) (io.ReadWriteCloser, error)

// Viewport is the size of the visible page in CSS pixels.
type Viewport = backend.Viewport

// EmulateOptions is what pages are to take a browser for: a device, a language, a place.
type EmulateOptions = driver.EmulateOptions

// Error is what every verb fails with.
type Error = driver.Error

// Code tells errors apart.
type Code = driver.Code

// CodeOf gives the code of an error.
func CodeOf(err error) Code { return driver.CodeOf(err) }

// The codes of errors, from package driver.
const (
	CodeStale       = driver.CodeStale
	CodeNotFound    = driver.CodeNotFound
	CodeHidden      = driver.CodeHidden
	CodeCovered     = driver.CodeCovered
	CodeDisabled    = driver.CodeDisabled
	CodeTimeout     = driver.CodeTimeout
	CodeNavigation  = driver.CodeNavigation
	CodeDialog      = driver.CodeDialog
	CodeCrashed     = driver.CodeCrashed
	CodeClosed      = driver.CodeClosed
	CodeUnsupported = driver.CodeUnsupported
	CodeInvalid     = driver.CodeInvalid
	CodePolicy      = driver.CodePolicy
	CodeProtocol    = driver.CodeProtocol
)

// Browser is a running browser that several sessions can share, each in a
// context of its own: no cookie, cache or storage crosses over.
type Browser struct {
	backend  *launch.Browser
	output   string // where its sessions' files are kept, if they are
	policy   *policy.Policy
	uploads  policy.Folders
	secrets  *Secrets
	caps     policy.Caps
	confirm  policy.Confirm
	tabs     string // all: a person's tabs may be told of, and named
	emulated EmulateOptions
	closing  sync.Once
	closed   error
	flows    flows // that can be called by name
}

// Launch starts a browser with nothing in it: no cookies, no history, a profile
// of its own that is gone after Close, unless Options.Profile names one to keep.
func Launch(ctx context.Context, opts Options) (*Browser, error) {
	made, err := opts.browser()
	if err != nil {
		return nil, err
	}
	if opts.Profile != "" {
		if opts.Profile, err = filepath.Abs(opts.Profile); err != nil {
			return nil, driver.Invalid("launch", "%v", err)
		}
	}
	if opts.Output != "" {
		if made.output, err = outputFolder(opts.Output); err != nil {
			return nil, err
		}
	}
	if made.backend, err = launch.Open(ctx, opts.way(made.policy)); err != nil {
		return nil, err
	}
	return made, nil
}

// Check refuses what is wrong with the options, and what cannot be had together,
// before anything is started.
func (o *Options) Check() error {
	_, err := o.browser()
	return err
}

// browser is what a browser of these options will hold to; it is not started yet.
func (o *Options) browser() (*Browser, error) {
	rules, err := policy.New(o.Allow, o.Block)
	if err != nil {
		return nil, driver.Invalid("launch", "%v", err)
	}
	caps, confirm, err := o.rules()
	if err != nil {
		return nil, err
	}
	if caps.Off("eval") {
		rules.NoScripts()
	}
	if _, err := o.Emulate.Emulation(); err != nil {
		return nil, err
	}
	switch o.Tabs {
	case "", "own", "all":
	default:
		return nil, driver.Invalid("connect", "tabs are own or all, not %q", o.Tabs)
	}
	if o.Tabs != "" && o.Connect == "" {
		return nil, driver.Invalid("connect", "tabs are another's only in a browser that runs already: say which with connect")
	}
	way := o.way(rules)
	if err := way.Check(); err != nil {
		return nil, err
	}
	return &Browser{policy: rules, uploads: o.Uploads, secrets: o.Secrets, caps: caps, confirm: confirm, tabs: o.Tabs, emulated: o.Emulate}, nil
}

func (o *Options) way(rules *policy.Policy) launch.Options {
	return launch.Options{
		Browser: o.Browser, Headed: o.Headed, Viewport: o.Viewport, Profile: o.Profile, Connect: o.Connect, Dial: launch.Dialer(o.Dial),
		Grid: o.Grid, Capabilities: o.Capabilities, Args: o.Args, Policy: rules, Progress: o.Progress,
	}
}

// Open opens a session in a context of its own.
func (b *Browser) Open(ctx context.Context, view Viewport) (*Session, error) {
	folder, err := newFolder(b.backend.Folder, b.output)
	if err != nil {
		return nil, err
	}
	downloads := folder.dir
	if b.caps.Off("download") {
		downloads = "" // refuses them
	}
	in := newEntries(b.confirm)
	c, err := b.backend.NewContext(ctx, backend.ContextOptions{Viewport: view, Downloads: downloads, Policy: b.policy, Enters: in.decider()})
	if err != nil {
		folder.close()
		if e := new(backend.Error); errors.As(err, &e) && e.Kind == backend.KindPolicy {
			return nil, (&Error{Code: CodePolicy, Op: "open", Message: e.Text, Err: err}).Advise(advice.GetChrome)
		}
		return nil, err
	}
	out := b.secrets.fork()
	n := newNetwork(c, b.policy, out, keptAnswers)
	log := newConsole(c, out)
	d, err := driver.New(ctx, c)
	if err == nil && b.emulated != (EmulateOptions{}) {
		err = d.EmulateWith(ctx, b.emulated, view)
	}
	if err != nil {
		n.stop()
		log.stop()
		_ = c.Close(ctx)
		folder.close()
		return nil, err
	}
	if b.caps.Off("eval") {
		d.RefuseScripts(b.caps.Check("eval"))
	}
	switch {
	case b.caps.Off("upload"):
		d.ConfineUploads(func(string) (string, error) { return "", b.caps.Check("upload") })
	case b.uploads != nil:
		d.ConfineUploads(append(slices.Clone(b.uploads), folder.dir).File)
	}
	s := &Session{browser: b, driver: d, secrets: b.secrets, out: out, folder: folder, network: n, console: log, entries: in, emulated: b.emulated}
	if b.emulated == (EmulateOptions{}) {
		if s.recorder.size = view; view == (Viewport{}) {
			s.recorder.size = Viewport{Width: 1280, Height: 720}
		}
	}
	if len(b.confirm) > 0 {
		d.OnTrigger(s.touch)
	}
	if n != nil {
		n.verb, n.unseen = s.verbOf, s.typedUnseen
	}
	return s, nil
}

// Version is the browser's name and version.
func (b *Browser) Version() string { return b.backend.Version() }

// Memory is how much memory the browser's processes have, in bytes, where the
// system tells. What they share is counted for each of them.
func (b *Browser) Memory() (int64, error) {
	if m, ok := b.backend.Browser.(backend.Measured); ok {
		return m.Memory()
	}
	return 0, errors.ErrUnsupported
}

// Gone says why the browser is gone, where that is known: "" for one that ended by
// itself.
func (b *Browser) Gone() string { return b.backend.Gone() }

// Done is closed when the browser is gone, for whatever reason.
func (b *Browser) Done() <-chan struct{} { return b.backend.Done() }

// Close ends the browser and leaves nothing behind. It may be called twice.
func (b *Browser) Close() error {
	b.closing.Do(func() { b.closed = b.backend.Close() })
	return b.closed
}

// Session is a browser with one conversation at it. Its verbs may be called
// from several goroutines; they take turns.
type Session struct {
	browser *Browser
	owner   bool // the browser ends with the session
	attends bool // on a driver of somebody else, who ends it
	driver  *driver.Driver
	secrets *Secrets
	out     *outlet.Outlet // what all that it tells has to pass
	entries *entries       // the sites that somebody has to agree to come to; nil where there are none

	mu       sync.Mutex // held by the verb at work
	looks    memory
	pictures pictures

	failurePictures bool // see PictureOnFailure

	network  *Network        // what it loads; nil if its browser does not tell
	console  *Console        // what its pages write; the same
	folder   *Folder         // of files it made and downloaded
	fetched  map[string]bool // downloads whose end was told of, by id
	emulated EmulateOptions  // what its pages take the browser for

	histMu    sync.Mutex
	history   []Entry
	histories int // how many there were
	listeners map[int]func(Entry)
	listened  int

	recorder recorder // what was done, for whoever wants it again
	kept     sync.Map // what others keep with it: see keep.go
}

// Open starts a browser for one session, which ends with it.
func Open(ctx context.Context, opts Options) (*Session, error) {
	b, err := Launch(ctx, opts)
	if err != nil {
		return nil, err
	}
	s, err := b.Open(ctx, opts.Viewport)
	if err != nil {
		_ = b.Close()
		return nil, err
	}
	s.owner = true
	return s, nil
}

// Driver is what the verbs are made of: the whole of the browser.
func (s *Session) Driver() *driver.Driver { return s.driver }

// Done is closed when the session's browser is gone.
func (s *Session) Done() <-chan struct{} {
	if s.attends {
		return nil
	}
	return s.browser.Done()
}

// closeTimeout bounds the goodbye to a browser that is shared.
const closeTimeout = 10 * time.Second

// Close ends the session: its tabs, cookies and storage, and the browser if it
// was opened for this session alone. It may be called twice.
func (s *Session) Close() error {
	defer s.folder.close()
	s.network.stop()
	s.console.stop()
	if s.attends {
		return nil
	}
	if s.owner {
		return s.browser.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return s.driver.Close(ctx)
}
