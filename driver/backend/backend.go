// Package backend says what a browser must give to be driven by rove: small
// interfaces and plain structs, no logic.
//
// Everything that makes a driver pleasant (locators, waiting, refs, trees,
// receipts) is built once, in package driver, on these few methods. A backend
// only carries: it keeps the list of frames true, runs functions of rove's page
// script in them, moves the pointer, presses keys and tells what happened.
//
// All methods that talk to the browser take a context first and end when it
// does. They also end, with an *Error of the matching Kind, when the tab shows
// a dialog, crashes or is closed: no call ever hangs on a page.
package backend

import (
	"context"
	"net/netip"
	"time"
)

// Browser is one running browser.
type Browser interface {
	// Version is the product and version the browser gives itself, such as
	// "Chrome/156.0.8078.79" or "HeadlessChrome/153.0.0.0".
	Version() string
	// NewContext opens a browser context: cookies, storage, cache and
	// permissions of its own.
	NewContext(ctx context.Context, opts ContextOptions) (Context, error)
	// Done is closed when the browser is gone, for whatever reason.
	Done() <-chan struct{}
	// Close ends the browser and removes what it left on disk. It is
	// idempotent and returns only when the process is gone.
	Close() error
}

// ContextOptions shape a browser context. The zero value is useful.
type ContextOptions struct {
	Viewport Viewport // zero: 1280×720
	// Downloads is the directory for downloaded files; "" refuses downloads,
	// and still tells of them.
	Downloads string
	// Policy says what the context may reach; nil is everything.
	Policy Policy
	// Enters decides on every page that a tab is about to come to, whatever leads
	// there; an error keeps it where it is. It is called from any goroutine, and answers
	// at once. Nil lets all of them be, and so does a browser without CanPolicy.
	Enters func(Entry) error
}

// Entry is a page that a tab is about to come to.
type Entry struct {
	From   string // the page that is there, or that opened the tab where none is
	To     string
	Method string // of the request: GET, or POST for a form that is sent
	Popup  bool   // in a tab that was opened for it
}

// Policy decides what a context may reach. Its methods may be called from any
// goroutine; an error is the reason, in a sentence.
type Policy interface {
	// Limits says whether any host is out of reach: if none is, requests need not
	// be decided upon one by one.
	Limits() bool
	// URL decides on an address.
	URL(url string) error
	// Connection decides on a connection whose scheme is not known.
	Connection(host string, port int) error
	// Address decides on the address that a host turned out to have.
	Address(host string, port int, ip netip.Addr) error
	// Asked decides on an address that somebody wants to go to.
	Asked(url string) error
}

// Viewport is the size of the visible page in CSS pixels.
type Viewport struct {
	Width, Height int
	Scale         float64 // device pixels per CSS pixel; 0 means 1
	Mobile        bool
}

// Context is an isolated profile within a browser.
type Context interface {
	NewTab(ctx context.Context) (Tab, error)
	// Tabs lists the open tabs, oldest first, popups included.
	Tabs() []Tab
	// Cookies lists the cookies of this context.
	Cookies(ctx context.Context) ([]Cookie, error)
	// SetCookies adds cookies, or replaces those of the same name, domain and
	// path. One that has expired is removed.
	SetCookies(ctx context.Context, cookies ...Cookie) error
	// ClearCookies removes all cookies of this context.
	ClearCookies(ctx context.Context) error
	// Emulate has all tabs of the context, and those to come, emulate a device, a place, a network. It
	// replaces what was emulated before.
	Emulate(ctx context.Context, e Emulation) error
	// Intercept has requests that match a pattern stopped and handed to fn, in
	// a goroutine of its own each, in all tabs and those to come. It replaces
	// what was intercepted before; no patterns end it.
	Intercept(ctx context.Context, patterns []Pattern, fn func(Route)) error
	// Close closes the tabs and forgets the context's data. Idempotent.
	Close(ctx context.Context) error
}

// FrameID names a frame for as long as the frame lives, over navigations and
// process swaps.
type FrameID string

// Frame is one frame of a tab at a moment.
type Frame struct {
	ID     FrameID
	Parent FrameID // "" for the main frame
	URL    string
	Name   string
	// Unreachable: there is no page at URL, and the browser shows one of its own.
	Unreachable bool
	// Owner is the key under which the page script of the parent knows the
	// frame's element; see Call. It is a small number, unique within the tab
	// and never given to another frame.
	Owner int
}

// Tab is a page in a window of its own.
type Tab interface {
	ID() string
	// Frames lists the frames there are now: the main frame first, parents
	// before their children.
	Frames() []Frame
	// Call runs functions of rove's page script, one per call, all sent in
	// one write, and waits for all of them. The error of a single call is in
	// its result; the error returned is that of the tab as a whole.
	Call(ctx context.Context, calls ...Call) ([]Result, error)
	// Scan makes the page script acquainted with what a script cannot see by
	// itself: closed shadow roots and elements that only a listener makes
	// clickable. It reports whether anything new was found. After a load it
	// has run once by itself.
	Scan(ctx context.Context, frames ...FrameID) (found bool, err error)
	// Eval evaluates JavaScript in the frame's main world ("" is the main
	// frame) and returns the value as JSON.
	Eval(ctx context.Context, frame FrameID, expression string) ([]byte, error)
	// EvalOn calls a JavaScript function in a frame's main world with elements
	// the page script knows, and returns its value as JSON.
	EvalOn(ctx context.Context, f Function) ([]byte, error)
	// Refer does the same and returns the elements that the function gives, one
	// or a list, as ref numbers of the page script. next is the first number
	// that may be given out; free is the first one after the call.
	Refer(ctx context.Context, frame FrameID, refs []int, function string, next int) (found []int, free int, err error)
	// Input moves pointer and keys, all sent in one write, and returns when
	// the page has handled them.
	Input(ctx context.Context, events ...Input) error
	// Drag presses at the first point of a path, moves along it and releases
	// at the last. started is asked after the first moves whether the page has
	// begun a drag-and-drop of its own; on, at the end of the path and with
	// everything still held, where to go on to, until it gives no points.
	Drag(ctx context.Context, path []Point, started func(context.Context) (bool, error), on func(context.Context) ([]Point, error)) error
	// SetFiles gives files to the file input that the frame's page script knows
	// by a ref number.
	SetFiles(ctx context.Context, frame FrameID, ref int, paths []string) error
	// Chooser is the file chooser that the page has opened, or nil.
	Chooser() *Chooser
	// AnswerChooser gives it files.
	AnswerChooser(ctx context.Context, paths []string) error
	// Navigate sends the main frame to a URL and waits as told.
	Navigate(ctx context.Context, url string, opts NavigateOptions) (*Navigation, error)
	// Step goes back (-1) or forward (1) in the tab's history, without waiting.
	// It answers false where there is nothing to go to.
	Step(ctx context.Context, delta int) (bool, error)
	// Reload loads the page again, without waiting; hard bypasses the cache.
	Reload(ctx context.Context, hard bool) error
	// Dialog is the JavaScript dialog that is open, or nil.
	Dialog() *Dialog
	// AnswerDialog closes the open dialog.
	AnswerDialog(ctx context.Context, accept bool, text string) error
	// Screenshot takes a picture.
	Screenshot(ctx context.Context, opts ScreenshotOptions) ([]byte, error)
	// PDF prints the page.
	PDF(ctx context.Context, opts PDFOptions) ([]byte, error)
	// SetViewport changes the size of the visible page.
	SetViewport(ctx context.Context, v Viewport) error
	// Window is the window the tab is in.
	Window(ctx context.Context) (Window, error)
	// SetWindow moves or sizes the window, or changes its state.
	SetWindow(ctx context.Context, w Window) error
	// Activate brings the tab to the front.
	Activate(ctx context.Context) error
	// Watch has fn called for every event of the tab, in the order the
	// browser sent them, until stop is called: when stop has returned, fn is not
	// called any more. fn must not block, and must call neither the tab nor stop.
	Watch(fn func(Event)) (stop func())
	// Close closes the tab without asking the page. Idempotent.
	Close(ctx context.Context) error
	// Done is closed when the tab is gone; Err then says why.
	Done() <-chan struct{}
	Err() error
}

// Call is one call of a page-script function in the isolated world of a frame.
type Call struct {
	Frame FrameID
	Func  string // a function of the page script, such as "look"
	Arg   any    // encoded as JSON
}

// Result is what a Call gave: a string, as the page script's functions return
// one finished string, or the reason there is none.
type Result struct {
	Value string
	Err   error
}

// WaitUntil says how much of a page load to wait for.
type WaitUntil string

const (
	WaitLoad             WaitUntil = ""                 // the load event
	WaitDOMContentLoaded WaitUntil = "domcontentloaded" // the document is parsed
	WaitCommit           WaitUntil = "commit"           // the new document is there
)

// NavigateOptions shape a navigation.
type NavigateOptions struct {
	Until   WaitUntil
	Referer string
	// Patience bounds the wait once the document is there; 0 is none. When it
	// ends first, Navigation.Loading says so.
	Patience time.Duration
	// Leave gets away from a page that does not want to be left: its dialogs
	// are dismissed, a beforeunload accepted, a script without end stopped.
	Leave bool
}

// Navigation is what came of a navigation.
type Navigation struct {
	URL          string // where it ended, after redirects
	Status       int    // HTTP status, 0 where there is none
	MIME         string
	SameDocument bool     // a fragment or history entry of the same document
	Download     string   // suggested file name, if the URL was a download
	Document     string   // names the document that came
	Loading      bool     // patience ended before the load
	Left         []string // what of the page before had to be ended to leave it
}

// Dialog is an open alert, confirm, prompt or beforeunload.
type Dialog struct {
	Type    string // alert, confirm, prompt, beforeunload
	Message string
	Default string // the prompt's preset text
	URL     string // of the page that opened it
}

// Chooser is an open file chooser.
type Chooser struct {
	Multiple bool    // it takes several files
	Frame    FrameID `json:"-"` // whose field they are for; "" where the browser does not say
	Declined bool    // it was asked for by a script, showOpenFilePicker and its kind, and could not be answered: the page was told that nobody chose
}

// ScreenshotOptions shape a picture.
type ScreenshotOptions struct {
	FullPage bool
	Format   string // png (default), jpeg, webp
	Quality  int    // jpeg, webp: 1 to 100
	Clip     *Rect  // in CSS pixels of the page
}

// PDFOptions shape a printed page. The zero value is US Letter, upright, with
// the browser's margins.
type PDFOptions struct {
	Landscape      bool
	Background     bool    // with background colours and pictures
	Scale          float64 // 0 means 1
	Width, Height  float64 // of the paper, in inches
	Margin         *Margin // nil means the browser's
	Pages          string  // such as "1-3, 8"
	Header, Footer string  // HTML
	PreferCSS      bool    // the page's own @page size counts
}

// Margin is the white around a printed page, in inches.
type Margin struct{ Top, Right, Bottom, Left float64 }

// Rect is a rectangle in CSS pixels.
type Rect struct{ X, Y, Width, Height float64 }

// WorkerWatcher is a tab that can tell whether workers of its page have run: they compute and
// fetch for it, and nothing tells of the messages between them.
type WorkerWatcher interface {
	// WorkerActivity asks each worker, service and shared ones too, for a number that is another
	// one when it has run since, and answers with a function that waits for what they
	// say. Of one that is computing the number is negative. It is nil where there are no
	// workers.
	WorkerActivity() (read func(context.Context) map[string]float64)
}

// FileDropper is a tab that can drop files on its page, as a hand does.
type FileDropper interface {
	// DropFiles holds files over a point of the viewport. takes is asked whether the
	// page would have them; then they are dropped there, or else taken away again.
	DropFiles(ctx context.Context, at Point, paths []string, takes func(context.Context) (bool, error)) error
}
