package anypage

import (
	"strings"

	"rove/driver/backend"
)

// reasons are the words of Firefox, WebKit and their drivers for what could not be loaded,
// in small letters. The first that is part of what is said counts.
var reasons = []struct {
	part   string
	reason backend.Reason
}{
	{"cannot navigate to invalid url", backend.ReasonURL},
	{"malformed", backend.ReasonURL},
	{"unknown_host", backend.ReasonDNS},
	{"dnsnotfound", backend.ReasonDNS},
	{"resolv", backend.ReasonDNS},
	{"connection_refused", backend.ReasonRefused},
	{"connectionfailure", backend.ReasonRefused},
	{"connection refused", backend.ReasonRefused},
	{"connect to", backend.ReasonRefused},
	{"could not connect", backend.ReasonRefused},
	{"net_reset", backend.ReasonReset},
	{"netreset", backend.ReasonReset},
	{"net_interrupt", backend.ReasonReset},
	{"net_timeout", backend.ReasonTimeout},
	{"nettimeout", backend.ReasonTimeout},
	{"net_empty_response", backend.ReasonEmpty},
	{"cert", backend.ReasonCertificate},
	{"mozilla_pkix", backend.ReasonCertificate},
	{"sec_error", backend.ReasonCertificate},
	{"unknown_issuer", backend.ReasonCertificate},
	{"ssl", backend.ReasonTLS},
	{"tls", backend.ReasonTLS},
	{"offline", backend.ReasonOffline},
	{"redirect_loop", backend.ReasonRedirects},
	{"redirectloop", backend.ReasonRedirects},
	{"port_access_not_allowed", backend.ReasonPort},
	{"deniedportaccess", backend.ReasonPort},
	{"file_not_found", backend.ReasonNoFile},
	{"file_access_denied", backend.ReasonDenied},
	{"unknown_protocol", backend.ReasonScheme},
	{"unknown protocol", backend.ReasonScheme},
	{"binding_aborted", backend.ReasonAborted},
	{"error_abort", backend.ReasonAborted},
	{"cancelled", backend.ReasonAborted},
}

// Reason is what a browser, or its driver, means by what it says of a page that could not
// be loaded: Chromium's words, or those of others. It is "" where nothing is said.
func Reason(said string) backend.Reason {
	if i := strings.Index(said, chromiumWord); i >= 0 {
		return ChromiumReason(said[i:])
	}
	if said == "" {
		return ""
	}
	said = strings.ToLower(said)
	for _, r := range reasons {
		if strings.Contains(said, r.part) {
			return r.reason
		}
	}
	return backend.ReasonOther
}
