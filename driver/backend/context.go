package backend

import (
	"context"
	"net/http"
	"time"
)

// Cookie is a cookie of a browser context.
type Cookie struct {
	Name, Value string
	// URL gives domain, path and security for setting; Domain and Path count
	// where they are given.
	URL          string
	Domain, Path string
	Expires      time.Time // zero: with the session
	HTTPOnly     bool
	Secure       bool
	SameSite     string // Strict, Lax, None or ""
	PartitionKey string // the top-level site of a partitioned cookie
}

// WindowState says how a window is shown.
type WindowState string

const (
	WindowNormal     WindowState = "normal"
	WindowMinimized  WindowState = "minimized"
	WindowMaximized  WindowState = "maximized"
	WindowFullscreen WindowState = "fullscreen"
)

// Window is where a tab's window is and how large, in pixels of the screen.
type Window struct {
	X, Y, Width, Height int
	State               WindowState // "" where only the place is to change
}

// Emulation is what a browser context shows itself as to pages. The zero value emulates
// nothing.
type Emulation struct {
	Viewport       *Viewport
	Touch          bool
	UserAgent      string
	AcceptLanguage string // with Locale where it is empty
	Platform       string // navigator.platform; with UserAgent
	Locale         string // de-DE
	Timezone       string // Europe/Berlin
	Geolocation    *Geolocation
	ColorScheme    string // light, dark
	ReducedMotion  string // reduce, no-preference
	Media          string // screen, print
	Offline        bool
	Latency        time.Duration // of every request
	Download       float64       // bytes a second; 0 is as fast as it goes
	Upload         float64
	CPU            float64  // times slower; 0 and 1 are as fast as it goes
	Permissions    []string // granted everywhere: geolocation, clipboard-read, …
}

// Geolocation is a place on earth, in degrees and metres.
type Geolocation struct{ Latitude, Longitude, Accuracy float64 }

// Pattern says which requests are intercepted.
type Pattern struct {
	URL      string // * is any text, ? any one character, \ takes the next as it is; "" is every URL
	Type     string // TypeDocument, TypeXHR, …; "" is any
	Response bool   // stopped once more when the answer's head is there
}

// Route is a request that was stopped. Exactly one of Continue, Fulfil and
// Abort ends it.
type Route interface {
	Request() RouteRequest
	// Response is the answer's head at the response stage, nil before.
	Response() *RouteResponse
	// Body reads the answer at the response stage.
	Body(ctx context.Context) ([]byte, error)
	// Continue lets it go on, changed where change is given.
	Continue(ctx context.Context, change *RouteRequest) error
	// Fulfil answers it.
	Fulfil(ctx context.Context, r RouteResponse) error
	// Abort ends it with a network error.
	Abort(ctx context.Context) error
}

// RouteRequest is a request on its way out.
type RouteRequest struct {
	ID     string // the same at both stages
	Method string
	URL    string
	Header http.Header
	Body   []byte
	Type   string
	Frame  FrameID
}

// RouteResponse is an answer.
type RouteResponse struct {
	Status int
	Header http.Header
	Body   []byte
}

// Raw is a Tab that gives the way to its protocol, as the package of that protocol knows
// it.
type Raw interface{ Raw() any }

// Commander is a Tab that takes commands of its protocol, for its page.
type Commander interface {
	Command(ctx context.Context, method string, params map[string]any) (*Reply, error)
}

// Reply is what a browser answered to a command: a result, or a refusal with its code.
type Reply struct {
	Result  []byte // JSON
	Code    int
	Message string // "" where it was not refused
}

// Counter is a Context that can tell how often it had to ask the browser.
type Counter interface {
	// Trips counts the round trips of all its tabs so far: what is sent
	// together counts once.
	Trips() int64
}

// Fronted is a tab of a browser that shows one tab of a window, and tells that one alone
// of the focus. Front has it shown, unless that would take the focus from somebody else.
type Fronted interface {
	Front(ctx context.Context) error
}

// Resizer is a Context that gives tabs to come another size.
type Resizer interface{ Resize(v Viewport) }

// Versioned is a Context that tells the product and version of its browser.
type Versioned interface{ Version() string }

// Measured is a Browser that tells how many bytes of memory its processes have.
type Measured interface{ Memory() (int64, error) }

// Function is a call of a JavaScript function in a frame's main world.
type Function struct {
	Frame FrameID // "" is the main one
	Refs  []int   // elements it is called with, by their ref numbers
	Text  string
	// Patient calls outlast dialogs: somebody else answers them, and the call's own
	// answer comes after that.
	Patient bool
}
