package network

import (
	"strings"

	"rove/driver/backend"
)

// Failure is why a request has no answer, or not the whole of one.
type Failure struct {
	// Kind tells failures apart: cors, policy, blocked, csp, mixed-content, dns,
	// refused, reset, tls, timeout, offline, aborted, connection, answer, other.
	Kind string `json:"kind"`
	Text string `json:"text"` // in words
	Code string `json:"code"` // as the browser has it: net::ERR_…, MissingAllowOriginHeader
}

// fail puts the reason of a failure into a request.
func (q *Request) fail(why *backend.LoadFailure, in reading) {
	q.State = Failed
	f := explain(why)
	if f.Kind == "aborted" {
		q.State = Cancelled
		switch {
		case q.Type != "document":
		case strings.HasPrefix(strings.ToLower(header(q.ResponseHeaders, "Content-Disposition")), "attachment"):
			f.Text = "it became a download"
		case q.Status == 204 || q.Status == 205:
			f.Text = "the answer has no content, so the page stayed"
		}
	}
	// What the policy refuses is failed by rove itself, or by the proxy that
	// sockets have to go through.
	if in.refuses != nil {
		switch f.Kind {
		case "cors", "csp", "mixed-content", "offline":
		default:
			if err := in.refuses(q.URL); err != nil {
				q.State = Failed
				f = Failure{Kind: "policy", Text: "refused by the session's policy: " + err.Error(), Code: f.Code}
			}
		}
	}
	q.Failure = &f
}

// explain puts a failure in words: the browser's where it says more than a reason does.
func explain(why *backend.LoadFailure) Failure {
	if why == nil {
		why = &backend.LoadFailure{}
	}
	f := Failure{Kind: why.Kind, Text: why.Text, Code: why.Code}
	if f.Kind == "" {
		words := reasonWords[why.Reason]
		if f.Kind, f.Text = words.kind, words.text; f.Kind == "" {
			f.Kind, f.Text = "other", "the browser gave no reason"
		}
	}
	return f
}

// reasonWords are the reasons for which a request fails, in words.
var reasonWords = map[backend.Reason]struct{ kind, text string }{
	backend.ReasonDNS:         {"dns", "DNS: there is no such host"},
	backend.ReasonLookup:      {"dns", "DNS: the name could not be looked up"},
	backend.ReasonRefused:     {"refused", "connection refused: nothing listens at that port"},
	backend.ReasonReset:       {"reset", "connection reset by the server"},
	backend.ReasonClosed:      {"reset", "the server closed the connection"},
	backend.ReasonEmpty:       {"reset", "the server closed the connection without an answer"},
	backend.ReasonConnection:  {"connection", "no connection could be made"},
	backend.ReasonTimeout:     {"timeout", "timed out"},
	backend.ReasonTLS:         {"tls", "TLS: no secure connection could be made"},
	backend.ReasonCertificate: {"tls", "TLS: the certificate is not accepted"},
	backend.ReasonOffline:     {"offline", "offline: there is no network"},
	backend.ReasonAddress:     {"connection", "the address cannot be reached"},
	backend.ReasonNetwork:     {"connection", "the network changed while it was under way"},
	backend.ReasonLogin:       {"answer", "a name and a password are wanted"},
	backend.ReasonRedirects:   {"answer", "too many redirects"},
	backend.ReasonBlocked:     {"blocked", "blocked by the browser"},
	backend.ReasonNoFile:      {"other", "no such file"},
	backend.ReasonDenied:      {"other", "the file may not be read"},
	backend.ReasonScheme:      {"other", "no such kind of address"},
	backend.ReasonURL:         {"other", "not an address"},
	backend.ReasonPort:        {"blocked", "blocked: browsers never connect to that port"},
	backend.ReasonAnswer:      {"answer", "what came is not HTTP"},
	backend.ReasonAborted:     {"aborted", "aborted by the page, or left behind by it"},
	backend.ReasonOther:       {"other", "failed; the browser does not say why"},
}
