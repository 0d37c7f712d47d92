package anypage

import (
	"testing"

	"rove/driver/backend"
)

// TestReasons: what browsers and drivers say of pages that could not be loaded.
func TestReasons(t *testing.T) {
	for said, want := range map[string]backend.Reason{
		"": "",
		"unknown error: net::ERR_CONNECTION_REFUSED\n  (Session info: chrome=131)": backend.ReasonRefused,
		"net::ERR_NAME_NOT_RESOLVED": backend.ReasonDNS,
		"NS_ERROR_UNKNOWN_HOST":      backend.ReasonDNS,
		"Reached error page: about:neterror?e=connectionFailure&u=http%3A//127.0.0.1%3A9/": backend.ReasonRefused,
		"Could not connect to 127.0.0.1: Connection refused":                               backend.ReasonRefused,
		"NS_ERROR_NET_RESET":                      backend.ReasonReset,
		"SSL_ERROR_BAD_CERT_DOMAIN":               backend.ReasonCertificate,
		"SSL_ERROR_RX_RECORD_TOO_LONG":            backend.ReasonTLS,
		"NS_ERROR_PORT_ACCESS_NOT_ALLOWED":        backend.ReasonPort,
		"Cannot navigate to invalid URL":          backend.ReasonURL,
		"Error resolving “nowhere.invalid”":       backend.ReasonDNS,
		"NS_BINDING_ABORTED":                      backend.ReasonAborted,
		"something that nobody has heard of yet":  backend.ReasonOther,
		"NS_ERROR_UNKNOWN_PROTOCOL":               backend.ReasonScheme,
		"NS_ERROR_FILE_NOT_FOUND":                 backend.ReasonNoFile,
		"NS_ERROR_NET_TIMEOUT":                    backend.ReasonTimeout,
		"NS_ERROR_REDIRECT_LOOP":                  backend.ReasonRedirects,
		"about:neterror?e=redirectLoop&u=http://": backend.ReasonRedirects,
	} {
		if got := Reason(said); got != want {
			t.Errorf("%q is %q, want %q", said, got, want)
		}
	}
}
