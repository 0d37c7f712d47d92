package chrome

import (
	"context"
	"regexp"
	"strings"

	"rove/driver/backend"
)

// reasons are Chrome's words for what could not be loaded, after net::ERR_. The first
// that is a prefix counts.
var reasons = []struct {
	prefix string
	reason backend.Reason
}{
	{"NAME_NOT_RESOLVED", backend.ReasonDNS},
	{"NAME_RESOLUTION_FAILED", backend.ReasonLookup},
	{"DNS_", backend.ReasonLookup},
	{"CONNECTION_REFUSED", backend.ReasonRefused},
	{"CONNECTION_RESET", backend.ReasonReset},
	{"CONNECTION_CLOSED", backend.ReasonClosed},
	{"CONNECTION_TIMED_OUT", backend.ReasonTimeout},
	{"TIMED_OUT", backend.ReasonTimeout},
	{"CONNECTION_", backend.ReasonConnection},
	{"EMPTY_RESPONSE", backend.ReasonEmpty},
	{"SSL_", backend.ReasonTLS},
	{"BAD_SSL_", backend.ReasonTLS},
	{"CERT_", backend.ReasonCertificate},
	{"INTERNET_DISCONNECTED", backend.ReasonOffline},
	{"ADDRESS_", backend.ReasonAddress},
	{"NETWORK_", backend.ReasonNetwork},
	{"INVALID_AUTH_CREDENTIALS", backend.ReasonLogin},
	{"TOO_MANY_REDIRECTS", backend.ReasonRedirects},
	{"BLOCKED_", backend.ReasonBlocked},
	{"FILE_NOT_FOUND", backend.ReasonNoFile},
	{"ACCESS_DENIED", backend.ReasonDenied},
	{"UNKNOWN_URL_SCHEME", backend.ReasonScheme},
	{"DISALLOWED_URL_SCHEME", backend.ReasonScheme},
	{"INVALID_URL", backend.ReasonURL},
	{"UNSAFE_PORT", backend.ReasonPort},
	{"INVALID_RESPONSE", backend.ReasonAnswer},
	{"INVALID_HTTP_RESPONSE", backend.ReasonAnswer},
	{"ABORTED", backend.ReasonAborted},
}

// reasonOf is what a word of Chrome's such as net::ERR_NAME_NOT_RESOLVED means; ""
// where there is no word.
func reasonOf(word string) backend.Reason {
	if word == "" {
		return ""
	}
	name, _ := strings.CutPrefix(word, "net::ERR_")
	for _, r := range reasons {
		if strings.HasPrefix(name, r.prefix) {
			return r.reason
		}
	}
	return backend.ReasonOther
}

// unreachable is the error of a navigation that came to nothing.
func unreachable(word string) error {
	return &backend.Error{Kind: backend.KindNavigation, Text: word, Reason: reasonOf(word)}
}

// resources are the kinds of requests that Chrome calls what everybody does.
var resources = map[string]string{
	"CSPViolationReport": backend.TypePing, "SignedExchange": backend.TypeOther, "FedCM": backend.TypeOther, "": backend.TypeOther,
}

func resource(kind string) string {
	if known, ok := resources[kind]; ok {
		return known
	}
	return kind
}

var netWord = regexp.MustCompile(`ERR_[A-Z_]+`)

// Unreachable reads why a page could not be reached from what a browser with a window
// shows in its place.
func (t *Tab) Unreachable(ctx context.Context) (backend.Reason, string) {
	text, err := t.Eval(ctx, "", "document.body.innerText")
	if err != nil {
		return "", ""
	}
	word := netWord.FindString(string(text))
	if word == "" {
		return "", ""
	}
	return reasonOf("net::" + word), "net::" + word
}
