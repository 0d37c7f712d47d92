// Package person plays somebody at a browser of his own, for tests: a browser that
// was started by hand, with a profile, tabs and debugging on.
package person

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"rove/cdp"
	"rove/internal/chrome"
	"rove/internal/provision"
	"rove/internal/testkit"
	"rove/internal/wire"
)

// Person is somebody with a browser.
type Person struct {
	t       testing.TB
	Profile string
	Address string // of the websocket
	Port    string
	pid     int
	conn    *cdp.Conn
}

// Start opens a browser with a tab for each address. Extra switches are for its
// command line.
func Start(t *testing.T, profile string, args []string, urls ...string) *Person {
	t.Helper()
	testkit.NeedsBrowser(t)
	if testkit.OnShell() {
		t.Skip("nobody has a headless shell open for himself")
	}
	ctx := testkit.Context(t)
	b, err := provision.Find(ctx, provision.Request{})
	if err != nil {
		t.Fatal(err)
	}
	// Files go into the profile, and not to whoever runs the tests.
	prefs, err := wire.Marshal(map[string]any{"download": map[string]any{"default_directory": filepath.Join(profile, "Downloads")}})
	if err == nil {
		err = os.MkdirAll(filepath.Join(profile, "Default"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(profile, "Default", "Preferences"), prefs, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	args = append(append(slices.Clone(b.Args), "--disable-background-networking", "--disable-component-update"), args...)
	open, err := chrome.Open(ctx, chrome.OpenOptions{Path: b.Path, Args: args, Profile: profile, Headless: true, URL: urls[0]})
	if err != nil {
		t.Fatal(err)
	}
	p := &Person{t: t, Profile: profile, Address: open.Address, pid: open.Pid}
	at, err := url.Parse(open.Address)
	if err != nil {
		t.Fatal(err)
	}
	p.Port = at.Port()
	t.Cleanup(p.Quit)
	transport, err := wire.Dial(ctx, p.Address, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.conn = cdp.New(transport)
	for _, u := range urls[1:] {
		p.call("", "Target.createTarget", map[string]any{"url": u}, nil)
	}
	testkit.Eventually(t, "the person's tabs are there", func() bool {
		loaded := 0
		for _, tab := range p.Tabs() {
			var state string
			if slices.Contains(urls, tab.URL) {
				p.Eval(tab.URL, "location.href + document.readyState", &state)
			}
			if state == tab.URL+"complete" {
				loaded++
			}
		}
		return loaded == len(urls)
	})
	return p
}

// Quit closes the browser, if it is still there.
func (p *Person) Quit() {
	if p.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		_ = p.conn.Root().Call(ctx, "Browser.close", nil, nil)
		cancel()
		_ = p.conn.Close()
		p.conn = nil
	}
	// It is no child of ours to wait for any more than by its id.
	if !testkit.Within(func() bool { return !testkit.Alive(p.pid) }) {
		if proc, err := os.FindProcess(p.pid); err == nil {
			_ = proc.Kill()
		}
	}
}

// Alive says whether the browser is.
func (p *Person) Alive() bool { return testkit.Alive(p.pid) }

func (p *Person) call(session, method string, params, out any) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s := p.conn.Root()
	if session != "" {
		s = p.conn.Attach(session, nil, func(cdp.Event) {})
	}
	if err := s.Call(ctx, method, params, out); err != nil {
		p.t.Fatalf("%s: %v", method, err)
	}
}

// Tab is a tab of the browser, whoever opened it.
type Tab struct {
	ID       string `json:"targetId"`
	Type     string `json:"type"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Attached bool   `json:"attached"`
}

// Tabs are those that are open.
func (p *Person) Tabs() []Tab {
	p.t.Helper()
	var r struct {
		TargetInfos []Tab `json:"targetInfos"`
	}
	p.call("", "Target.getTargets", nil, &r)
	return slices.DeleteFunc(r.TargetInfos, func(t Tab) bool { return t.Type != "page" })
}

// URLs are the addresses of the tabs, sorted.
func (p *Person) URLs() []string {
	p.t.Helper()
	var list []string
	for _, t := range p.Tabs() {
		list = append(list, t.URL)
	}
	slices.Sort(list)
	return list
}

// Eval runs a script in the tab of an address, as the page itself would.
func (p *Person) Eval(url, js string, out any) {
	p.t.Helper()
	for _, t := range p.Tabs() {
		if t.URL != url {
			continue
		}
		var a struct {
			SessionID string `json:"sessionId"`
		}
		p.call("", "Target.attachToTarget", map[string]any{"targetId": t.ID, "flatten": true}, &a)
		var r struct {
			Result struct {
				Value json.RawMessage `json:"value"`
			} `json:"result"`
		}
		p.call(a.SessionID, "Runtime.evaluate", map[string]any{"expression": js, "returnByValue": true, "awaitPromise": true}, &r)
		p.call("", "Target.detachFromTarget", map[string]any{"sessionId": a.SessionID}, nil)
		if err := wire.Unmarshal(r.Result.Value, out); err != nil {
			p.t.Fatal(err)
		}
		return
	}
	p.t.Fatalf("no tab at %s", url)
}

// State is all that a page could tell of having been touched: its address, place,
// focus, events, and what is in its global object.
func (p *Person) State(url string) string {
	p.t.Helper()
	var s string
	p.Eval(url, `JSON.stringify([location.href, scrollY, document.activeElement && document.activeElement.id, document.visibilityState,
		Object.getOwnPropertyNames(window).length, document.documentElement.outerHTML, window.heard])`, &s)
	return s
}

// Close closes the tab of an address.
func (p *Person) Close(url string) {
	p.t.Helper()
	for _, t := range p.Tabs() {
		if t.URL == url {
			p.call("", "Target.closeTarget", map[string]any{"targetId": t.ID}, nil)
		}
	}
}
