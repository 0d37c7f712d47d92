package daemon

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/semver"

	"rove"
	"rove/aria"
	"rove/internal/tool"
)

// protocol changes when an old and a new rove would misunderstand each other.
const protocol = 2

// A connection carries one Request and then lines of JSON, each a message. The
// first says that the call has begun: a client that sees the connection end
// before that can safely try again. The last is the answer.

// The things to Do.
const (
	doCall   = "call"
	doStatus = "status"
	doEnd    = "end"
	doStop   = "stop"
	doSave   = "save"
	doLoad   = "load"
	doShare  = "share"
)

// Request is what a client asks for.
type Request struct {
	Protocol int    `json:"protocol"`
	Build    Build  `json:"build"`
	Do       string `json:"do"`

	Session string          `json:"session,omitempty"`
	Launch  Launch          `json:"launch,omitzero"`
	Tool    string          `json:"tool,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	Data    bool            `json:"data,omitempty"`   // the answer's data is wanted as well
	File    string          `json:"file,omitempty"`   // to save to or load from, an absolute path
	Agreed  bool            `json:"agreed,omitempty"` // to saving what a person's browser keeps
	// Unchecked is for a load after which nobody looks whether it still counts.
	Unchecked bool `json:"unchecked,omitempty"`

	// Within is how long the client waits, in milliseconds, so that a call that
	// is too slow can say what it waits for.
	Within int64 `json:"within,omitempty"`
}

// isWork says whether a request is work on a session, which keeps the daemon busy.
func (r *Request) isWork() bool {
	return r.Do == doCall || r.Do == doSave || r.Do == doLoad || r.Do == doShare
}

// Launch says how a session that does not run yet is started.
type Launch struct {
	Browser string `json:"browser,omitempty"`
	Headed  bool   `json:"headed,omitempty"`
	Width   int    `json:"width,omitempty"`
	Height  int    `json:"height,omitempty"`
	Profile string `json:"profile,omitempty"` // a directory to keep it in, by its absolute path
	// What it may reach, as in rove.Options; Secrets is the path of a file.
	Allow   []string `json:"allow,omitempty"`
	Block   []string `json:"block,omitempty"`
	Uploads []string `json:"uploads,omitempty"`
	Secrets string   `json:"secrets,omitempty"`
	Output  string   `json:"output,omitempty"` // a directory to keep files in, by its absolute path
	Caps    []string `json:"caps,omitempty"`
	Confirm []string `json:"confirm,omitempty"`
	// Connect is a browser that runs already, and Tabs whose tabs in it may be used.
	Connect string `json:"connect,omitempty"`
	Tabs    string `json:"tabs,omitempty"`
	Grid    string `json:"grid,omitempty"` // the address of a grid whose browser is used
	// Emulate is what pages are to take the browser for.
	Emulate rove.EmulateOptions `json:"emulate,omitzero"`
	// Insisted names what was asked for by a flag, which a session that runs
	// otherwise must not ignore; the rest are defaults.
	Insisted []string `json:"insisted,omitempty"`
	// Display is where the caller's windows go: the daemon may have been
	// started from elsewhere.
	Display map[string]string `json:"display,omitempty"`
}

// message is one line from the daemon.
type message struct {
	Begun    bool    `json:"begun,omitempty"`
	Again    bool    `json:"again,omitempty"`    // the daemon is ending: try the next one
	Progress string  `json:"progress,omitempty"` // of a browser being fetched
	Ask      string  `json:"ask,omitempty"`      // somebody has to agree: a consent is to follow
	Unseen   int     `json:"unseen,omitempty"`   // how many characters of that are not shown
	Answer   *Answer `json:"answer,omitempty"`
}

// consent is what a client sends in answer to Ask. Refused says why nobody could be
// asked.
type consent struct {
	Yes     bool   `json:"yes"`
	Refused string `json:"refused,omitempty"`
}

// Answer is what came of a request.
type Answer struct {
	Text   string          `json:"text,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
	Images []tool.Image    `json:"images,omitempty"`
	Status *Status         `json:"status,omitempty"`
	Error  *tool.Failure   `json:"error,omitempty"`
}

// NewAnswer is what a tool answered, as a client gets it; the data only if it
// is wanted, since making it costs.
func NewAnswer(out tool.Output, err error, data bool) *Answer {
	a := &Answer{Text: out.Text, Images: out.Images, Error: tool.NewFailure(err)}
	if data && out.Data != nil {
		var bad error
		if a.Data, bad = json.Marshal(out.Data); bad != nil && err == nil {
			a.Error = tool.NewFailure(bad)
		}
		a.Data = aria.RevealJSON(a.Data)
	}
	return a
}

// Status is a daemon's state.
type Status struct {
	Pid      int       `json:"pid"`
	Version  string    `json:"version"`
	Started  time.Time `json:"started"`
	Socket   string    `json:"socket"`
	Log      string    `json:"log"`
	Idle     string    `json:"idle"` // how long it stays without a call
	Sessions []Session `json:"sessions"`
}

// Session is one session of a daemon.
type Session struct {
	Name    string `json:"name"`
	URL     string `json:"url,omitempty"`
	Headed  bool   `json:"headed,omitempty"`
	Browser string `json:"browser,omitempty"`
	Busy    bool   `json:"busy,omitempty"`
	Idle    int64  `json:"idle"` // seconds since the last call
}

// Build says which rove this is.
type Build struct {
	Version string `json:"version"`
	Stamp   int64  `json:"stamp"` // when the program's file was written
}

// ThisBuild is the build of this process, of a version that the caller knows.
func ThisBuild(version string) Build { return Build{version, stamp()} }

// stamp is taken once: the file may be replaced while the daemon runs.
var stamp = sync.OnceValue(func() int64 {
	exe, err := os.Executable()
	if err != nil {
		return 0
	}
	info, err := os.Stat(exe)
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
})

// newer says whether b is a later build than c: by version if those can be
// compared and differ, else by the age of the file.
func (b Build) newer(c Build) bool {
	if semver.IsValid(b.Version) && semver.IsValid(c.Version) {
		if order := semver.Compare(b.Version, c.Version); order != 0 {
			return order > 0
		}
	}
	return b.Stamp > c.Stamp
}

// rules are what a session may reach, in one string to compare.
func (l Launch) rules() string {
	return fmt.Sprintf("%q %q %q %q %q %q", l.Allow, l.Block, l.Uploads, l.Secrets, l.Caps, l.Confirm)
}

// conflict says how a running session differs from what a caller insists on.
func (l Launch) conflict(running Launch) string {
	var all []string
	for _, name := range l.Insisted {
		switch {
		case name == "headed" && l.Headed && !running.Headed:
			all = append(all, "without a window, not --headed")
		case name == "headed" && !l.Headed && running.Headed:
			all = append(all, "with a window, not --headed=false")
		case (name == "browser" || name == "backend") && l.Browser != running.Browser:
			all = append(all, "in "+cmp.Or(running.Browser, "the default browser")+", not "+cmp.Or(l.Browser, "the default one"))
		case name == "viewport" && (l.Width != running.Width || l.Height != running.Height):
			all = append(all, "at another size")
		case name == "connect" && l.Connect != running.Connect:
			all = append(all, "in "+cmp.Or(running.Connect, "a browser of rove's own")+", not "+cmp.Or(l.Connect, "one of rove's own"))
		case name == "grid" && l.Grid != running.Grid:
			all = append(all, "in another browser than that of the grid asked for")
		case name == "tabs" && l.Tabs != running.Tabs:
			all = append(all, "with other --tabs")
		case slices.Contains([]string{"device", "locale", "timezone", "geolocation", "color-scheme", "offline"}, name) && l.Emulate != running.Emulate:
			all = append(all, "emulating "+running.Emulate.String()+", not "+l.Emulate.String())
		case name == "output" && l.Output != running.Output:
			all = append(all, "with its files in "+cmp.Or(running.Output, "a folder that goes with it")+", not "+cmp.Or(l.Output, "in one that does"))
		case name == "profile" && l.Profile != running.Profile:
			all = append(all, "in "+cmp.Or(running.Profile, "a profile that is not kept")+", not "+cmp.Or(l.Profile, "one that is not kept"))
		case slices.Contains([]string{"allow", "block", "uploads", "caps", "confirm", "secrets"}, name) && l.rules() != running.rules():
			all = append(all, "with other rules than --"+name+" asks for")
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return strings.Join(all, ", ")
}
