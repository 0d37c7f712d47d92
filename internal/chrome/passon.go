package chrome

import (
	"bytes"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// passOn tells what a page does: what it loads, where it goes, what it
// complains of. These events come by the hundred, so of each only the fields
// that are told are decoded. The lock is held.
func (t *Tab) passOn(s *cdp.Session, ev cdp.Event) {
	switch domain, _, _ := strings.Cut(ev.Method, "."); domain {
	case "Network":
		t.loads(ev, "")
	case "Runtime":
		t.complains(ev)
	case "Page":
		t.passOnNavigation(s, ev)
	case "Input":
		if ev.Method == "Input.dragIntercepted" {
			t.dragIntercepted(ev)
		}
	}
}

// passOnNavigation passes on where a page goes, and what it opens.
func (t *Tab) passOnNavigation(s *cdp.Session, ev cdp.Event) {
	switch ev.Method {
	case "Page.frameRequestedNavigation", "Page.frameStartedNavigating":
		var e struct {
			Frame       backend.FrameID `json:"frameId"`
			URL         string          `json:"url"`
			Disposition string          `json:"disposition"`
			Kind        string          `json:"navigationType"`
		}
		if ev.Decode(&e) != nil || e.Disposition != "" && e.Disposition != "currentTab" || strings.HasSuffix(e.Kind, "ameDocument") {
			return
		}
		if f := t.tree.owns(s, e.Frame); f != nil && !strings.HasPrefix(e.URL, "javascript:") {
			t.News.Add(backend.NavigationStarted{Frame: f.id, URL: e.URL, Main: f == t.tree.main})
		}
	case "Page.windowOpen":
		var e struct {
			URL string `json:"url"`
		}
		if ev.Decode(&e) == nil {
			t.News.Add(backend.TabOpening{URL: e.URL})
		}
	case "Page.fileChooserOpened":
		t.chooserOpened(s, ev)
	case "Page.screencastFrame":
		t.filmedFrame(ev)
	case "Page.frameStoppedLoading":
		var e struct {
			Frame backend.FrameID `json:"frameId"`
		}
		if ev.Decode(&e) != nil {
			return
		}
		if f := t.tree.owns(s, e.Frame); f != nil {
			t.News.Add(backend.NavigationStopped{Frame: f.id, Main: f == t.tree.main})
		}
	}
}

// loads passes on what a page loads, or a worker of it, which is named then.
func (t *Tab) loads(ev cdp.Event, worker backend.FrameID) {
	switch ev.Method {
	case "Network.requestWillBeSent":
		var e struct {
			ID      string          `json:"requestId"`
			Frame   backend.FrameID `json:"frameId"`
			Type    string          `json:"type"`
			Request struct {
				URL    string `json:"url"`
				Method string `json:"method"`
			} `json:"request"`
			Redirect struct {
				Status int `json:"status"`
			} `json:"redirectResponse"`
		}
		if ev.Decode(&e) == nil {
			if e.Type == backend.TypeDocument && e.Frame == t.tree.main.id {
				t.nav.sent++
				t.nav.changed.Fire()
			}
			if worker != "" {
				e.Frame = worker
			}
			t.News.Add(backend.RequestStarted{ID: e.ID, Method: e.Request.Method, URL: e.Request.URL, Type: resource(e.Type), Frame: e.Frame, Redirected: e.Redirect.Status})
		}
	case "Network.responseReceived":
		var h head
		if ev.Decode(&h) == nil {
			t.nav.response(&h, t.tree.main.id)
			t.bodies.head(&h)
			t.News.Add(backend.ResponseReceived{ID: h.Request, Status: h.Response.Status, MIME: h.Response.MIME})
		}
	case "Network.webSocketFrameSent", "Network.webSocketFrameReceived":
		t.News.Add(backend.SocketMessage{Sent: ev.Method == "Network.webSocketFrameSent"})
	case "Network.dataReceived":
		if id, last := t.bodies.data(ev); last {
			one := t.bodies[id]
			time.AfterFunc(readTime, func() { t.endUnreadBody(id, one) })
		}
	case "Network.loadingFinished", "Network.loadingFailed":
		var e struct {
			ID      string `json:"requestId"`
			Failure string `json:"errorText"`
		}
		if ev.Decode(&e) == nil {
			delete(t.bodies, e.ID)
			t.News.Add(backend.RequestEnded{ID: e.ID, Reason: anypage.ChromiumReason(e.Failure), Failure: e.Failure})
		}
	}
}

// head is what an answer begins with.
type head struct {
	Request  string          `json:"requestId"`
	Loader   string          `json:"loaderId"`
	Frame    backend.FrameID `json:"frameId"`
	Type     string          `json:"type"`
	Response struct {
		Status  int               `json:"status"`
		MIME    string            `json:"mimeType"`
		Headers map[string]string `json:"headers"`
	} `json:"response"`
}

// wantsLogin says whether the server asks for a name and a password, in a way that
// browsers ask their users for.
func (h *head) wantsLogin() bool {
	if h.Response.Status != http.StatusUnauthorized {
		return false
	}
	for name, value := range h.Response.Headers {
		if strings.EqualFold(name, "WWW-Authenticate") && challenge.MatchString(value) {
			return true
		}
	}
	return false
}

// challenge is one in a list of them; several headers come as lines.
var challenge = regexp.MustCompile(`(?im)(^|,)\s*(basic|digest|ntlm)\b`)

// How many errors of a page are read: a receipt has room for few, and a page can make
// thousands a second, before the answer that somebody waits for.
const errorBurst, errorRate = 200, 100

// complains passes on the errors that a page makes and tells of.
func (t *Tab) complains(ev cdp.Event) {
	switch ev.Method {
	case "Runtime.exceptionThrown":
		if !t.errors.take(time.Now()) {
			return
		}
		var e struct {
			Details struct {
				Text      string `json:"text"`
				Exception struct {
					Description string `json:"description"`
				} `json:"exception"`
			} `json:"exceptionDetails"`
		}
		if ev.Decode(&e) == nil {
			text := e.Details.Text
			if d := e.Details.Exception.Description; d != "" {
				text = d
			}
			t.complaint(text)
		}
	case "Runtime.consoleAPICalled":
		if isChatter(ev.Params) || !t.errors.take(time.Now()) {
			return
		}
		var e struct {
			Type string `json:"type"`
			Args []struct {
				Value       any    `json:"value"`
				Description string `json:"description"`
			} `json:"args"`
		}
		if ev.Decode(&e) != nil || e.Type != "error" && e.Type != "assert" {
			return
		}
		var parts []string
		for _, a := range e.Args {
			switch v := a.Value.(type) {
			case string:
				parts = append(parts, v)
			case nil:
				parts = append(parts, a.Description)
			default:
				parts = append(parts, string(anypage.Encode(v)))
			}
		}
		t.complaint(strings.Join(parts, " "))
	}
}

// isChatter says of what a page writes to its console that it is no complaint,
// without decoding it: pages write a lot, and much at a time.
func isChatter(params []byte) bool {
	return slices.ContainsFunc([]string{"log", "debug", "info", "warning", "dir", "table", "trace"}, func(quiet string) bool { return bytes.HasPrefix(params, []byte(`{"type":"`+quiet+`"`)) })
}

// complaintLimit is how many characters of a complaint are told.
const complaintLimit = 500

// complaint is an error the page made or told of; its first line says enough.
func (t *Tab) complaint(text string) {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if text = firstRunes(text, complaintLimit); text != "" {
		t.News.Add(backend.ConsoleError{Text: text})
	}
}
