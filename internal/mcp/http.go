package mcp

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rove/internal/session"
)

// mostBody bounds a request, of which the longest are scripts for eval.
const mostBody = 4 << 20

// mostEvents bounds what is kept of answers that were sent.
const mostEvents = 4 << 20

// Handler serves MCP over streamable HTTP to programs on this machine. Whoever
// can reach it can drive the browser, so it only answers on loopback, to a Host
// that means this machine, and never to a web page: a request that names another
// origin is refused.
func (s *Server) Handler() http.Handler { return guard(s.Unguarded()) }

// Unguarded is Handler for a door that has a guard of its own.
func (s *Server) Unguarded() http.Handler {
	idle := s.opts.Sessions.Idle
	if idle == 0 {
		idle = session.DefaultIdle
	}
	if idle < 0 || s.opts.Sessions.Browser.Headed {
		idle = 0 // never
	}
	// What was sent is kept for a while, for a client whose connection broke.
	events := sdk.NewMemoryEventStore(nil)
	events.SetMaxBytes(mostEvents)
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
		SessionTimeout:      idle,
		MaxRequestBodyBytes: mostBody,
		EventStore:          events,
	})
}

// guard lets requests through that come from this machine and not from a page.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := refusal(r); why != "" {
			http.Error(w, why, http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refusal is why a request is refused, or "".
func refusal(r *http.Request) string {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	switch {
	case local != nil && !loopbackAddr(local.String()), !loopbackAddr(r.RemoteAddr):
		return "rove only answers on loopback"
	case !loopbackHost(r.Host):
		// A page that has its own name point here sends that name.
		return "the Host is not this machine's loopback name"
	}
	for _, origin := range r.Header.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" || !strings.EqualFold(u.Host, r.Host) || u.User != nil || strings.Trim(u.Path, "/") != "" {
			return "requests from web pages are refused"
		}
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return "requests from web pages are refused"
	}
	return ""
}

// loopbackAddr says whether an address with a port is of this machine alone.
func loopbackAddr(addr string) bool {
	a, err := netip.ParseAddrPort(addr)
	return err == nil && a.Addr().Unmap().IsLoopback()
}

// loopbackHost says whether a Host header means loopback: localhost, or a
// loopback address, written plainly.
func loopbackHost(host string) bool {
	name := host
	if h, port, err := net.SplitHostPort(host); err == nil {
		if strings.Trim(port, "0123456789") != "" {
			return false
		}
		name = h
	} else {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(name)
	return err == nil && a.Zone() == "" && a.Unmap().IsLoopback()
}
