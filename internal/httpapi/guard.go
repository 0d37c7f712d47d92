package httpapi

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"rove"
)

// The guard stands before everything. In order:
//
//   - the path is one this server has, written plainly;
//   - the Host is a name of this server: a page whose own name points here (DNS
//     rebinding) sends that name;
//   - no web page is behind it: a request with an Origin, or that a browser says
//     comes from another site, is refused, unless that origin was let in;
//   - the token is right; where there is none, no browser is behind it at all: it
//     may be one that is driven from here, whose pages would drive the others;
//   - a POST has JSON in it, which no page can send without asking first.

// shortestToken keeps guessing out of reach.
const shortestToken = 16

// CheckToken says what is wrong with serving on an address with a token, or
// without one.
func CheckToken(addr, token string) error {
	if token != "" && len(token) < shortestToken {
		return fmt.Errorf("the token is shorter than %d characters", shortestToken)
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7F }) {
		return errors.New("the token has characters that a header cannot carry")
	}
	if token == "" && !loopback(addr) {
		return fmt.Errorf("%s can be reached by others, who could drive the browser: set a token, or listen on 127.0.0.1", addr)
	}
	return nil
}

// loopback says whether an address with a port is of this machine alone.
func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// recorder notes what was answered, for the log.
type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.ResponseWriter.Write(b)
}

func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *recorder) Flush() { _ = http.NewResponseController(r.ResponseWriter).Flush() }

func (s *Server) guard(addr string, next http.Handler) http.Handler {
	token := sha256.Sum256([]byte(s.opts.Token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		rec := &recorder{ResponseWriter: w}
		why := ""
		defer func() {
			// What a request says may be secret: of paths, the pattern is logged,
			// and of headers nothing.
			level := s.log.Info
			if why != "" {
				level = s.log.Warn
			}
			level("request", "method", method(r), "route", r.Pattern, "status", rec.status, "ms", time.Since(start).Milliseconds(), "from", r.RemoteAddr, "refused", why)
		}()
		h := rec.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")

		status := 0
		if status, why = s.refusal(addr, token, r); why != "" {
			if status == http.StatusUnauthorized {
				h.Set("WWW-Authenticate", "Bearer")
			}
			h.Set("Connection", "close") // the body is not worth waiting for
			refuse(rec, status, rove.CodePolicy, "%s", why)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && slices.Contains(s.opts.Origins, origin) {
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Cross-Origin-Resource-Policy", "cross-origin")
			h.Add("Vary", "Origin")
			if r.Method == http.MethodOptions {
				h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
				h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Mcp-Session-Id, Mcp-Protocol-Version, Last-Event-ID")
				rec.WriteHeader(http.StatusNoContent)
				return
			}
		}
		leave, status, much := s.enter(r)
		if why = much; why != "" {
			refuse(rec, status, rove.CodePolicy, "%s", why)
			return
		}
		defer leave()
		next.ServeHTTP(rec, r)
	})
}

func method(r *http.Request) string {
	if len(r.Method) > 10 {
		return "?"
	}
	return r.Method
}

// refusal is why a request is refused, or "".
func (s *Server) refusal(addr string, token [sha256.Size]byte, r *http.Request) (status int, why string) {
	switch {
	case r.URL.Host != "" || r.URL.Scheme != "" || r.Method == http.MethodConnect:
		return http.StatusBadRequest, "this is not a proxy"
	case !plainPath(r.URL):
		return http.StatusNotFound, "there is no such path"
	case !s.isOwnHost(addr, r.Host):
		return http.StatusForbidden, "the Host is not a name of this server"
	}
	origins := r.Header.Values("Origin")
	let := len(origins) == 1 && slices.Contains(s.opts.Origins, origins[0])
	for _, origin := range origins {
		if !let && !sameOrigin(origin, r.Host) {
			return http.StatusForbidden, "requests from web pages are refused"
		}
	}
	if site := r.Header.Get("Sec-Fetch-Site"); !let && site != "" && site != "same-origin" && site != "none" {
		return http.StatusForbidden, "requests from web pages are refused"
	}
	if !let && s.opts.Token == "" && fromBrowser(r) {
		return http.StatusForbidden, "requests from web browsers are refused where there is no token: they may be driven from here"
	}
	if let && r.Method == http.MethodOptions { // it cannot have a token
		return 0, ""
	}
	if s.opts.Token != "" && !bearer(r, token) {
		return http.StatusUnauthorized, "the token is missing or wrong"
	}
	if r.Method == http.MethodPost {
		kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
		if len(r.Header.Values("Content-Type")) != 1 || !strings.EqualFold(strings.TrimSpace(kind), "application/json") {
			return http.StatusUnsupportedMediaType, "the Content-Type is not application/json"
		}
		if r.Header.Get("Content-Encoding") != "" {
			return http.StatusUnsupportedMediaType, "the body is encoded"
		}
	}
	return 0, ""
}

// fromBrowser says whether a browser sent a request. On loopback every one of
// Chromium's has Sec-Fetch-Site, that of an address somebody typed too. Some
// programs have Sec-Fetch-Mode, so that says nothing; some say this server's own
// address as Origin, which no page has: this server has none.
func fromBrowser(r *http.Request) bool {
	foreign := 0
	for _, o := range r.Header.Values("Origin") {
		if !strings.EqualFold(o, "http://"+r.Host) {
			foreign++
		}
	}
	return foreign+len(r.Header.Values("Sec-Fetch-Site"))+len(r.Header.Values("Sec-Fetch-Dest"))+len(r.Header.Values("Sec-Websocket-Key")) > 0 ||
		strings.HasPrefix(r.UserAgent(), "Mozilla/")
}

// plainPath says whether a path is written as this server writes its own.
func plainPath(u *url.URL) bool {
	raw := u.EscapedPath()
	if len(raw) > 200 || !strings.HasPrefix(raw, "/") || strings.Contains(raw, "//") || strings.Contains(raw, "..") || strings.Contains(raw, "/.") && raw != "/openapi.json" {
		return false
	}
	return !strings.ContainsFunc(raw, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/_-.", r)
	})
}

// isOwnHost says whether a Host header is a name of this server.
func (s *Server) isOwnHost(addr, host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), ""
	}
	own, ownPort, err := net.SplitHostPort(addr)
	if err != nil || name == "" || strings.Trim(port, "0123456789") != "" {
		return false
	}
	for _, h := range s.opts.Hosts { // a proxy in front has a port of its own
		if strings.EqualFold(h, name) || strings.EqualFold(h, host) {
			return true
		}
	}
	if port != "" && port != ownPort {
		return false
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	// Browsers do not take an IPv4 address within IPv6 for this machine's, and say
	// nothing of themselves there by which they could be known.
	ip, err := netip.ParseAddr(name)
	if err != nil || ip.Zone() != "" || ip.Is4In6() {
		return false
	}
	if ip.IsLoopback() {
		return true
	}
	// Listening on all addresses, any of them is its own; a name never is.
	listening, err := netip.ParseAddr(own)
	return err == nil && !listening.Unmap().IsLoopback() && (listening.IsUnspecified() || listening.Unmap() == ip)
}

// sameOrigin says whether an Origin is that of the server itself.
func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && strings.EqualFold(u.Host, host) &&
		u.User == nil && u.Path == "" && u.RawQuery == "" && u.Fragment == ""
}

// bearer says whether a request has the token. How far a wrong one is right takes
// no time that could be measured.
func bearer(r *http.Request, token [sha256.Size]byte) bool {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return false
	}
	scheme, given, ok := strings.Cut(values[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return false
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(given)))
	return subtle.ConstantTimeCompare(sum[:], token[:]) == 1
}
