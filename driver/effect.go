package driver

import (
	"rove/aria"
	"rove/driver/backend"
)

// Effect is what an action was seen to do.
type Effect struct {
	Ref  aria.Ref `json:"ref,omitempty"`
	Role string   `json:"role,omitempty"`
	Name string   `json:"name,omitempty"`

	Navigated bool            `json:"navigated,omitempty"` // a new document
	URL       string          `json:"url,omitempty"`       // where the page is now, if it changed
	Value     *Change         `json:"value,omitempty"`     // of the element itself
	Text      *string         `json:"text,omitempty"`      // what was read
	Dialog    *backend.Dialog `json:"dialog,omitempty"`    // that is open now
	Tabs      []string        `json:"tab,omitempty"`       // addresses of tabs that opened
	Download  string          `json:"download,omitempty"`  // file name of a download that began
	Requests  []Request       `json:"requests,omitempty"`
	Console   []string        `json:"console,omitempty"` // errors the page made meanwhile
	Closed    bool            `json:"closed,omitempty"`  // the tab is gone

	Picture []byte `json:"-"` // of a screenshot or PDF
	Changes int    `json:"-"` // mutations of the page's tree
	Busy    bool   `json:"-"` // the page had not come to rest when patience ended
}

// Change is a value before and after.
type Change struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Request is a request that an action caused.
type Request struct {
	Method  string `json:"method"`
	URL     string `json:"url"`
	Status  int    `json:"status,omitempty"`
	Failure string `json:"failure,omitempty"`
	Type    string `json:"type,omitempty"`
	Open    bool   `json:"open,omitempty"` // not finished yet
}

// Seen is true when the action was seen to do anything at all.
func (e *Effect) Seen() bool {
	return e.Navigated || e.URL != "" || e.Value != nil || e.Dialog != nil || len(e.Tabs) > 0 ||
		e.Download != "" || len(e.Requests) > 0 || e.Changes > 0 || e.Closed
}
