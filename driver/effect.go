package driver

import (
	"errors"
	"time"

	"rove/aria"
	"rove/driver/backend"
)

// Effect is what an action was seen to do.
type Effect struct {
	Ref  aria.Ref `json:"ref,omitempty"`
	Role string   `json:"role,omitempty"`
	Name string   `json:"name,omitempty"`

	Matches   int              `json:"matches,omitempty"`   // how many elements the locator found, where this is the first of several
	Navigated bool             `json:"navigated,omitempty"` // a new document
	URL       string           `json:"url,omitempty"`       // where the page is now, if it changed
	Value     *Change          `json:"value,omitempty"`     // of the element itself
	Already   string           `json:"already,omitempty"`   // as it was asked to be, before anything was done
	Text      *string          `json:"text,omitempty"`      // what was read
	Dialog    *backend.Dialog  `json:"dialog,omitempty"`    // that is open now
	Chooser   *backend.Chooser `json:"chooser,omitempty"`   // a file chooser that opened
	Tabs      []string         `json:"tab,omitempty"`       // addresses of tabs that opened
	Downloads []Download       `json:"download,omitempty"`  // files that came, or are coming
	Requests  []Request        `json:"requests,omitempty"`
	Console   []string         `json:"console,omitempty"` // errors the page made meanwhile
	Refused   string           `json:"refused,omitempty"` // why the policy kept the page from going where it wanted
	// Unreachable is why there is no page where the tab went to, in the browser's
	// own words.
	Unreachable string `json:"unreachable,omitempty"`
	reason      backend.Reason
	// Unclicked says that the element was pressed, and that the page got no click of it: a
	// window that opened at once took the release, or the element was switched off meanwhile.
	Unclicked bool     `json:"unclicked,omitempty"`
	Outside   string   `json:"outside,omitempty"` // an address for another program, which the page asked for and rove did not open
	Closed    bool     `json:"closed,omitempty"`  // the tab is gone
	Crashed   bool     `json:"crashed,omitempty"` // the page's process died
	Why       string   `json:"why,omitempty"`     // … because it was ended, for what it did
	Hung      bool     `json:"hung,omitempty"`    // a script of the page does not come to an end
	Ended     []string `json:"ended,omitempty"`   // what of the page had to be ended to leave it

	// Unfilled is the field that kept a form from being sent, and what the
	// browser says about it.
	Unfilled string `json:"unfilled,omitempty"`

	// Unchosen is the box or button whose label was pressed, and that is as it was.
	Unchosen string `json:"unchosen,omitempty"`

	// Covers are what the element lies over or under since it was moved, in words.
	Covers []string `json:"covers,omitempty"`

	// Moved is how far it was moved, in pixels, where it is placed freely; and Drawn how
	// many more shapes the page's drawings have, such as a line between two nodes.
	Moved *[2]int `json:"moved,omitempty"`
	Drawn int     `json:"drawn,omitempty"`

	Shot    *PictureInfo `json:"picture,omitempty"` // what a picture shows
	Picture []byte       `json:"-"`                 // of a screenshot or PDF
	Who     *Identity    `json:"-"`                 // what the element is known by, where that was asked for
	Onto    *Identity    `json:"-"`                 // and what it was dropped on
	Changes int          `json:"-"`                 // mutations of the page's tree
	Stirred bool         `json:"-"`                 // the focus, the selection or what is scrolled changed
	Busy    bool         `json:"-"`                 // the page had not come to rest when patience ended
}

// Change is a value before and after.
type Change struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Download is a file that a page gave.
type Download struct {
	ID     string `json:"-"`
	Name   string `json:"name"`
	URL    string `json:"url"`
	Path   string `json:"path,omitempty"` // once it is there
	Size   int64  `json:"size,omitempty"`
	Type   string `json:"type,omitempty"`
	Failed bool   `json:"failed,omitempty"`
	Open   bool   `json:"open,omitempty"` // still on its way
}

// finished notes how a download ended.
func (d *Download) finished(e backend.DownloadEnded) {
	d.Open, d.Failed, d.Path, d.Size, d.Type = false, e.Failed, e.Path, e.Size, e.Type
}

// Request is a request that an action caused.
type Request struct {
	Method  string `json:"method"`
	URL     string `json:"url"`
	Status  int    `json:"status,omitempty"`
	Failure string `json:"failure,omitempty"` // the browser's own word
	Type    string `json:"type,omitempty"`
	Open    bool   `json:"open,omitempty"` // not finished yet

	Reason backend.Reason `json:"-"` // what that means

	frame backend.FrameID // that asked for it
	left  bool            // what asked for it is gone, so nobody hears of its end
	ended time.Time
}

// caused notes the dialog that ended an action, if none was open before: the
// error may be there a moment before the event is.
func (e *Effect) caused(before *backend.Dialog, err error) {
	if b, ok := errors.AsType[*backend.Error](err); e.Dialog == nil && before == nil && ok && b.Kind == backend.KindDialog {
		e.Dialog = b.Dialog
	}
}

// Told is true when an action did something that its receipt tells.
func (e *Effect) Told() bool {
	told := *e
	told.Changes = 0
	return told.Seen()
}

// Seen is true when the action was seen to do anything at all.
func (e *Effect) Seen() bool {
	return e.Navigated || e.URL != "" || e.Value != nil || e.Dialog != nil || e.Chooser != nil || len(e.Tabs) > 0 ||
		len(e.Downloads) > 0 || len(e.Requests) > 0 || e.Changes > 0 || e.Moved != nil || e.Drawn != 0 || e.Outside != "" || e.Closed
}
