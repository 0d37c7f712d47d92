package anypage

import (
	"strings"

	"rove/driver/backend"
)

// Chromium has the same words whoever passes them on: the DevTools protocol, or a driver
// that speaks BiDi or WebDriver.

// chromiumReasons are Chrome's words for what could not be loaded, after net::ERR_. The first
// that is a prefix counts.
var chromiumReasons = []struct {
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

// chromiumWord is how each of them begins.
const chromiumWord = "net::ERR_"

// ChromiumReason is what a word of Chrome's such as net::ERR_NAME_NOT_RESOLVED means; ""
// where there is no word.
func ChromiumReason(word string) backend.Reason {
	if word == "" {
		return ""
	}
	name, _ := strings.CutPrefix(word, chromiumWord)
	for _, r := range chromiumReasons {
		if strings.HasPrefix(name, r.prefix) {
			return r.reason
		}
	}
	return backend.ReasonOther
}

// ChromiumKind reads the browser's own words for what it refused, which is all there is
// to tell them apart.
func ChromiumKind(message string) backend.Kind {
	for _, w := range chromiumRefusals {
		if strings.Contains(message, w.words) {
			return w.kind
		}
	}
	return backend.KindProtocol
}

// ChromiumNoJSON says of a refusal that a script has run, and given what Chromium cannot put
// into JSON, such as a window or a symbol.
func ChromiumNoJSON(err error) bool {
	return strings.Contains(err.Error(), "Object reference chain is too long") || strings.Contains(err.Error(), "Object couldn't be returned by value")
}

var chromiumRefusals = []struct {
	words string
	kind  backend.Kind
}{
	{"uniqueContextId not found", backend.KindNavigated},
	{"Cannot find context with specified id", backend.KindNavigated},
	{"Execution context was destroyed", backend.KindNavigated},
	{"Inspected target navigated or closed", backend.KindNavigated},
	{"Cannot find default execution context", backend.KindNavigated},
	{"Promise was collected", backend.KindNavigated},
	{"No frame for given id found", backend.KindNavigated},
	{"Frame with the given id was not found", backend.KindNavigated},
	{"Target crashed", backend.KindCrashed},
	{"Target closed", backend.KindClosed},
	{"Session with given id not found", backend.KindClosed},
	{"No target with given id", backend.KindClosed},
	{"Failed to find browser context", backend.KindClosed},
	{"Not attached to an active page", backend.KindClosed},
	{"wasn't found", backend.KindUnsupported}, // "'Domain.method' wasn't found"
	{"not supported", backend.KindUnsupported},
}
