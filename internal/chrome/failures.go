package chrome

import (
	"strings"
	"unicode"

	"rove/aria"
	"rove/driver/backend"
)

// explain puts a failure into words. Chrome tells more apart than reasons do.
func explain(e *loadEvent) backend.LoadFailure {
	code := e.Error
	if at := strings.Index(code, "net::"); at > 0 {
		code = code[at:] // sockets say more before it
	}
	if c := e.CORS; c != nil && c.Error != "" {
		return backend.LoadFailure{Kind: "cors", Code: c.Error, Text: corsWords(c)}
	}
	if e.Blocked != "" {
		if f, ok := blockedWords[e.Blocked]; ok {
			f.Code = e.Blocked
			return f
		}
		return backend.LoadFailure{Kind: "blocked", Code: e.Blocked, Text: "blocked: " + strings.ReplaceAll(e.Blocked, "-", " ")}
	}
	name := strings.TrimPrefix(code, "net::ERR_")
	for _, w := range netWords {
		if name == w.name || strings.HasSuffix(w.name, "_") && strings.HasPrefix(name, w.name) {
			return backend.LoadFailure{Kind: w.kind, Code: code, Text: w.text}
		}
	}
	switch {
	case e.Cancel:
		return backend.LoadFailure{Kind: "aborted", Code: code, Text: "aborted by the page, or left behind by it"}
	case code == "":
		return backend.LoadFailure{Kind: "other", Text: "the browser gave no reason"}
	case name != code:
		return backend.LoadFailure{Kind: "other", Code: code, Text: strings.ToLower(strings.ReplaceAll(name, "_", " "))}
	}
	return backend.LoadFailure{Kind: "other", Code: code, Text: code}
}

// netWords are the errors of the network, the more precise first; a name that
// ends in _ is the beginning of several.
var netWords = []struct{ name, kind, text string }{
	{"NAME_NOT_RESOLVED", "dns", "DNS: there is no such host"},
	{"NAME_RESOLUTION_FAILED", "dns", "DNS: the name could not be looked up"},
	{"DNS_", "dns", "DNS: the name could not be looked up"},
	{"ICANN_NAME_COLLISION", "dns", "DNS: the name is not to be used"},
	{"CONNECTION_REFUSED", "refused", "connection refused: nothing listens at that port"},
	{"CONNECTION_RESET", "reset", "connection reset by the server"},
	{"CONNECTION_CLOSED", "reset", "the server closed the connection"},
	{"CONNECTION_ABORTED", "reset", "the connection was broken off"},
	{"EMPTY_RESPONSE", "reset", "the server closed the connection without an answer"},
	{"SOCKET_NOT_CONNECTED", "reset", "the connection was lost"},
	{"CERT_AUTHORITY_INVALID", "tls", "TLS: the certificate's issuer is not trusted (self-signed?)"},
	{"CERT_COMMON_NAME_INVALID", "tls", "TLS: the certificate is for another host"},
	{"CERT_DATE_INVALID", "tls", "TLS: the certificate has expired, or is not valid yet"},
	{"CERT_REVOKED", "tls", "TLS: the certificate was revoked"},
	{"CERT_", "tls", "TLS: the certificate is not accepted"},
	{"SSL_PROTOCOL_ERROR", "tls", "TLS: the server does not speak it, or not in a way the browser takes"},
	{"SSL_", "tls", "TLS: no secure connection could be made"},
	{"BAD_SSL_", "tls", "TLS: no secure connection could be made"},
	{"ECH_", "tls", "TLS: no secure connection could be made"},
	{"TIMED_OUT", "timeout", "timed out"},
	{"CONNECTION_TIMED_OUT", "timeout", "timed out while connecting"},
	{"INTERNET_DISCONNECTED", "offline", "offline: there is no network"},
	{"NETWORK_CHANGED", "connection", "the network changed while it was under way"},
	{"ADDRESS_UNREACHABLE", "connection", "the address cannot be reached"},
	{"ADDRESS_INVALID", "connection", "the address is not valid"},
	{"CONNECTION_FAILED", "connection", "no connection could be made"},
	{"PROXY_", "connection", "the proxy does not let it through, or is not there"},
	{"TUNNEL_CONNECTION_FAILED", "connection", "the proxy does not let it through"},
	{"SOCKS_CONNECTION_", "connection", "the proxy does not let it through"},
	{"UNSAFE_PORT", "blocked", "blocked: browsers never connect to that port"},
	{"BLOCKED_BY_CSP", "csp", "blocked by the page's Content-Security-Policy"},
	{"BLOCKED_BY_CLIENT", "blocked", "blocked by an interception or an extension"},
	{"BLOCKED_BY_ADMINISTRATOR", "blocked", "blocked by the administrator of this machine"},
	{"BLOCKED_BY_ORB", "blocked", "blocked: the answer is of a type that another origin may not load (ORB)"},
	{"BLOCKED_BY_RESPONSE", "blocked", "blocked by a header of the answer (CORP, COEP, COOP or X-Frame-Options)"},
	{"BLOCKED_BY_LOCAL_NETWORK_ACCESS_CHECKS", "blocked", "blocked: a public page asked for an address of the local network"},
	{"BLOCKED_BY_", "blocked", "blocked by the browser"},
	{"ABORTED", "aborted", "aborted by the page, or left behind by it"},
	{"TOO_MANY_REDIRECTS", "answer", "too many redirects"},
	{"UNSAFE_REDIRECT", "answer", "redirected to an address that is not allowed"},
	{"INVALID_REDIRECT", "answer", "redirected to nowhere"},
	{"INVALID_HTTP_RESPONSE", "answer", "what came is not HTTP"},
	{"CONTENT_LENGTH_MISMATCH", "answer", "cut off: less came than the server announced"},
	{"INCOMPLETE_CHUNKED_ENCODING", "answer", "cut off: the server ended in the middle"},
	{"CONTENT_DECODING_FAILED", "answer", "the body is not encoded as its head says"},
	{"RESPONSE_HEADERS_", "answer", "the answer's head is broken"},
	{"HTTP2_", "answer", "the server broke the rules of HTTP/2"},
	{"UNKNOWN_URL_SCHEME", "other", "no such kind of address"},
	{"INVALID_URL", "other", "not an address"},
	{"FILE_NOT_FOUND", "other", "no such file"},
	{"CACHE_MISS", "other", "not in the cache, and only the cache was to be asked"},
	{"FAILED", "other", "failed; the browser does not say why"},
}

var blockedWords = map[string]backend.LoadFailure{
	"csp":                {Kind: "csp", Text: "blocked by the page's Content-Security-Policy"},
	"mixed-content":      {Kind: "mixed-content", Text: "blocked: mixed content, http: on a page of https:"},
	"origin":             {Kind: "blocked", Text: "blocked: another origin may not load it"},
	"inspector":          {Kind: "blocked", Text: "blocked by an interception"},
	"integrity":          {Kind: "blocked", Text: "blocked: it is not what its integrity attribute says"},
	"subresource-filter": {Kind: "blocked", Text: "blocked by the browser's filter"},
	"content-type":       {Kind: "blocked", Text: "blocked: its Content-Type is not one for this use"},
	"corp-not-same-site": {Kind: "blocked", Text: "blocked by its Cross-Origin-Resource-Policy: same-site only"},

	"corp-not-same-origin":                                        {Kind: "blocked", Text: "blocked by its Cross-Origin-Resource-Policy: same-origin only"},
	"coep-frame-resource-needs-coep-header":                       {Kind: "blocked", Text: "blocked: a frame of this page needs Cross-Origin-Embedder-Policy"},
	"corp-not-same-origin-after-defaulted-to-same-origin-by-coep": {Kind: "blocked", Text: "blocked: this page's Cross-Origin-Embedder-Policy needs a Cross-Origin-Resource-Policy on it"},
}

// corsText says what was wrong; %s is the value the browser names.
var corsText = map[string]string{
	"DisallowedByMode":               "the request was to stay with its own origin (mode same-origin)",
	"InvalidResponse":                "the answer cannot be used",
	"WildcardOriginNotAllowed":       "Access-Control-Allow-Origin is *, which does not do for a request with credentials",
	"MissingAllowOriginHeader":       "the answer has no Access-Control-Allow-Origin",
	"MultipleAllowOriginValues":      "Access-Control-Allow-Origin has several values: %s",
	"InvalidAllowOriginValue":        "Access-Control-Allow-Origin is not an origin: %s",
	"AllowOriginMismatch":            "Access-Control-Allow-Origin is for another origin: %s",
	"InvalidAllowCredentials":        "Access-Control-Allow-Credentials is not true: %s",
	"CorsDisabledScheme":             "only http: and https: can be asked across origins",
	"PreflightInvalidStatus":         "the preflight was not answered with success: %s",
	"PreflightDisallowedRedirect":    "the preflight was redirected",
	"RedirectContainsCredentials":    "redirected to an address with a user name or password",
	"NoCorsRedirectModeNotFollow":    "redirected, in mode no-cors with redirect not follow",
	"InsecurePrivateNetwork":         "a public page that is not secure asked for an address of the local network",
	"InsecureLocalNetwork":           "a public page that is not secure asked for an address of the local network",
	"UnexpectedPrivateNetworkAccess": "the address turned out to be one of the local network",

	"LocalNetworkAccessPermissionDenied":   "the page may not reach the local network",
	"InvalidAllowMethodsPreflightResponse": "the preflight's Access-Control-Allow-Methods cannot be read: %s",
	"InvalidAllowHeadersPreflightResponse": "the preflight's Access-Control-Allow-Headers cannot be read: %s",
	"MethodDisallowedByPreflightResponse":  "the preflight's answer does not allow the method %s (Access-Control-Allow-Methods)",
	"HeaderDisallowedByPreflightResponse":  "the preflight's answer does not allow the header %s (Access-Control-Allow-Headers)",
}

func corsWords(c *corsError) string {
	name, of := c.Error, ""
	text, ok := corsText[name]
	if rest, is := strings.CutPrefix(name, "Preflight"); !ok && is {
		name, of = rest, "the preflight: "
		text, ok = corsText[rest]
	}
	if !ok {
		text = words(name)
		if c.Parameter != "" {
			text += ": %s"
		}
	}
	return "CORS: " + of + strings.ReplaceAll(text, "%s", aria.Quote(cut(c.Parameter, 200)))
}

// words takes a name apart: AllowOriginMismatch is allow origin mismatch.
func words(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
