package chrome

import (
	"bytes"

	"github.com/chromedp/cdproto/audits"

	"rove/cdp"
	"rove/driver/backend"
)

// A fetch, beacon or socket that the page's Content-Security-Policy forbids is
// stopped before it is a request: of it the browser tells only as an issue with
// the page. Of others (XMLHttpRequest, EventSource) it tells both ways.

// watchIssues has a source tell of issues.
func (s *Source) watchIssues() { s.Start(s.Command(audits.CommandEnable, nil)) }

var policyIssue = []byte(`"code":"ContentSecurityPolicyIssue"`)

// forbidden reads of a request that was not made.
func forbidden(ev cdp.Event) (told backend.Forbidden, ok bool) {
	if !bytes.Contains(ev.Params, policyIssue) {
		return told, false
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
		return told, false
	}
	// What other directives forbid is told as a request that failed.
	d := e.Issue.Details.CSP
	if d.Report || d.URL == "" || d.Directive != "connect-src" {
		return told, false
	}
	told.URL = cut(d.URL, mostText)
	if p := d.Place; p != nil {
		told.Place = &backend.ScriptPlace{URL: cut(p.URL, mostText), Line: place(p.Line), Column: place(p.Column - 1)}
	}
	return told, true
}
