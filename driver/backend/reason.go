package backend

import "context"

// Reason tells apart why something could not be loaded. Every backend puts its
// browser's own words into these; see Error and RequestEnded, which have those words
// too.
type Reason string

const (
	ReasonDNS         Reason = "dns"         // there is no such host
	ReasonLookup      Reason = "lookup"      // the name could not be looked up
	ReasonRefused     Reason = "refused"     // nothing listens there
	ReasonReset       Reason = "reset"       // the connection was broken
	ReasonClosed      Reason = "closed"      // the connection was closed without an answer
	ReasonConnection  Reason = "connection"  // the connection failed in another way
	ReasonEmpty       Reason = "empty"       // the server sent nothing
	ReasonTimeout     Reason = "timeout"     // the server did not answer
	ReasonTLS         Reason = "tls"         // no secure connection
	ReasonCertificate Reason = "certificate" // one that is not valid for the address
	ReasonOffline     Reason = "offline"     // there is no network
	ReasonAddress     Reason = "address"     // the address cannot be reached
	ReasonNetwork     Reason = "network"     // the network changed, or is not there
	ReasonLogin       Reason = "login"       // a name and a password are wanted
	ReasonRedirects   Reason = "redirects"   // in circles
	ReasonBlocked     Reason = "blocked"     // not allowed
	ReasonNoFile      Reason = "nofile"      // there is no such file
	ReasonDenied      Reason = "denied"      // the file may not be read
	ReasonScheme      Reason = "scheme"      // a kind of URL that cannot be opened
	ReasonURL         Reason = "url"         // no URL at all
	ReasonPort        Reason = "port"        // one that browsers do not open
	ReasonAnswer      Reason = "answer"      // it was not HTTP
	ReasonAborted     Reason = "aborted"     // given up: by the page, or for a download or another navigation
	ReasonOther       Reason = "other"       // none of these
)

// What requests are for. A backend puts its browser's own kinds into these.
const (
	TypeDocument    = "Document"
	TypeStylesheet  = "Stylesheet"
	TypeImage       = "Image"
	TypeMedia       = "Media"
	TypeFont        = "Font"
	TypeScript      = "Script"
	TypeTrack       = "TextTrack" // subtitles
	TypeXHR         = "XHR"
	TypeFetch       = "Fetch"
	TypePrefetch    = "Prefetch"
	TypeEventSource = "EventSource" // a stream
	TypeWebSocket   = "WebSocket"
	TypeManifest    = "Manifest"
	TypePreflight   = "Preflight" // what a browser asks by itself before a request to another origin
	TypePing        = "Ping"      // a beacon or report, which nobody waits for
	TypeOther       = "Other"
)

// Explainer is a Tab that can tell, of a page its browser shows in place of one that
// could not be reached, why that was.
type Explainer interface {
	// Unreachable gives the reason and the browser's own word for it; "" where it
	// does not say.
	Unreachable(ctx context.Context) (Reason, string)
}
