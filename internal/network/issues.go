package network

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/audits"

	"rove/cdp"
	"rove/internal/chrome"
	"rove/internal/wire"
)

// A fetch, beacon or socket that the page's Content-Security-Policy forbids is
// stopped before it is a request: of it the browser tells only as an issue with
// the page. Of others (XMLHttpRequest, EventSource) it tells both ways.

// watchIssues has a source tell of issues.
func watchIssues(src *chrome.Source) { src.Start(src.Command(audits.CommandEnable, nil)) }

var policyIssue = []byte(`"code":"ContentSecurityPolicyIssue"`)

// issue takes in a request that was not made.
func (l *Log) issue(src *chrome.Source, ev cdp.Event) {
	if !bytes.Contains(ev.Params, policyIssue) {
		return
	}
	var e struct {
		Issue struct {
			Details struct {
				CSP struct {
					URL       string `json:"blockedURL"`
					Directive string `json:"violatedDirective"`
					Report    bool   `json:"isReportOnly"`
					Place     *struct {
						URL    string  `json:"url"`
						Line   float64 `json:"lineNumber"`
						Column float64 `json:"columnNumber"`
					} `json:"sourceCodeLocation"`
				} `json:"contentSecurityPolicyIssueDetails"`
			} `json:"details"`
		} `json:"issue"`
	}
	if ev.Decode(&e) != nil {
		return
	}
	// What other directives forbid is told as a request that failed.
	d := e.Issue.Details.CSP
	if d.Report || d.URL == "" || d.Directive != "connect-src" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	url := cut(d.URL, mostText)
	if l.pair(src, url, false) != nil {
		return
	}
	now := time.Now()
	sent := event{Type: "Fetch", Wall: float64(now.UnixMicro()) / 1e6, Request: &request{URL: url, Method: "?"}, Initiator: &initiator{Type: "script"}}
	if strings.HasPrefix(url, "ws") {
		sent.Type, sent.Request.Method = "WebSocket", "GET"
	}
	if p := d.Place; p != nil {
		sent.Initiator.URL, sent.Initiator.Line, sent.Initiator.Column = cut(p.URL, mostText), p.Line, p.Column-1
	}
	params, err := wire.Marshal(&sent)
	if err != nil {
		return
	}
	r := l.begin(src, fmt.Sprintf("csp-%d", l.last+1), kindSent)
	l.number(r)
	r.over, r.failed = true, true
	l.block(blocked{r, src, url, true})
	r.events = []raw{{kindSent, params}, {kindFailed, []byte(`{"blockedReason":"csp"}`)}}
	l.grow(r, int64(len(params)))
}

// blocked is a request that was forbidden, of which the browser may tell once
// more: as an issue, or as a request that failed.
type blocked struct {
	record *record
	source *chrome.Source
	url    string
	issue  bool
}

const mostBlocked = 50

func (l *Log) block(b blocked) {
	if len(l.blocked) == mostBlocked {
		l.blocked = slices.Delete(l.blocked, 0, 1)
	}
	l.blocked = append(l.blocked, b)
}

// pair takes out what was told before of a forbidden request: as an issue, or as a
// failure. The lock is held.
func (l *Log) pair(src *chrome.Source, url string, issue bool) *record {
	i := slices.IndexFunc(l.blocked, func(b blocked) bool { return b.source == src && b.url == url && b.issue == issue })
	if i < 0 {
		return nil
	}
	r := l.blocked[i].record
	l.blocked = slices.Delete(l.blocked, i, i+1)
	return r
}

var blockedByPolicy = []byte(`"blockedReason":"csp"`)

// forbidden is a request that failed for the page's policy: the issue that told of
// it is not needed any more. The lock is held.
func (l *Log) forbidden(r *record, src *chrome.Source, params []byte) {
	if !bytes.Contains(params, blockedByPolicy) {
		return
	}
	i := slices.IndexFunc(r.events, func(e raw) bool { return e.kind == kindSent })
	if i < 0 {
		return
	}
	e, ok := r.events[i].decode()
	if !ok || e.Request == nil || e.Type != "XHR" && e.Type != "EventSource" && e.Type != "Fetch" && e.Type != "Ping" {
		return // of those there are no issues here
	}
	if other := l.pair(src, e.Request.URL, true); other == nil {
		l.block(blocked{r, src, e.Request.URL, false})
	} else if l.byID[other.id] == other {
		l.forget(other)
		l.records = slices.DeleteFunc(l.records, func(o *record) bool { return o == other })
	}
}
