// Package policy decides which addresses a browser session may reach and which
// folders it may read files from. It is pure but for the addresses of this machine
// itself: addresses are read as a browser reads them, no name is looked up.
//
//	p, err := policy.New([]string{"shop.example", "*.cdn.example", "localhost:*"}, nil)
//	err = p.URL("https://shop.example/cart") // nil, or a *Refusal that says why
//
// A pattern names origins: [scheme://]host[:port]. The host may be * or begin
// with "*.", which stands for every name below it, but not for that name itself.
//
//   - Allowed, a pattern without a port stands for the usual ones (80 and 443, or
//     that of its scheme); :* is any port. Blocked, it stands for every port.
//   - Blocked, localhost and every other name or address of this machine stand for
//     all of them, and the word private for every network but the public one, also
//     under names that turn out to be there (see Address).
//   - http also stands for ws, and https for wss; without a scheme all four.
//   - A scheme alone (file:, chrome:) allows addresses that are not on the network.
//     Those are off otherwise; about:blank, data: and the blobs of allowed origins
//     are not.
//
// What is blocked is blocked even if it is allowed as well. Without any allowed
// host, all are.
package policy

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// Policy says what is allowed. The zero value and nil allow the whole network,
// and nothing local.
type Policy struct {
	allow, block []pattern
	schemes      []string // local ones that are allowed
	names        []string // the patterns of allow, as they were written
	noScripts    bool     // see NoScripts
}

// pattern is one that was read.
type pattern struct {
	scheme string // http or https; "" is both
	host   string // without "*."; "" with below is every host
	below  bool
	port   int   // -1 is any, 0 the scheme's own
	reach  reach // of a blocked one: all that is within, whatever the host
	blocks bool  // it is a blocked one
}

// New reads patterns.
func New(allow, block []string) (*Policy, error) {
	p := &Policy{}
	for _, s := range allow {
		if scheme, ok := schemeAlone(s); ok {
			p.schemes = append(p.schemes, scheme)
			continue
		}
		one, err := parse(s)
		if err != nil {
			return nil, err
		}
		p.allow = append(p.allow, one)
		p.names = append(p.names, s)
	}
	for _, s := range block {
		if scheme, ok := schemeAlone(s); ok && network[scheme] == 0 {
			continue // local schemes are blocked unless they are allowed
		}
		one, err := parse(s)
		if err != nil {
			return nil, err
		}
		if one.port == 0 {
			one.port = -1
		}
		one.reach, one.blocks = reachOf(one.host), true
		p.block = append(p.block, one)
	}
	return p, nil
}

// schemeAlone reads "file:" and "file://".
func schemeAlone(s string) (string, bool) {
	scheme, rest, ok := strings.Cut(strings.ToLower(strings.TrimSpace(s)), ":")
	if !ok || strings.Trim(rest, "/") != "" || network[scheme] > 0 || !isScheme(scheme) {
		return "", false
	}
	return scheme, true
}

// network are the schemes that reach for a host, with their ports.
var network = map[string]int{"http": 80, "https": 443, "ws": 80, "wss": 443}

// parse reads one pattern.
func parse(s string) (pattern, error) {
	var p pattern
	wrong := func(why string) (pattern, error) {
		return p, fmt.Errorf("%q is not a pattern of origins: %s; write it as example.com, *.example.com, https://example.com:8443 or localhost:*", s, why)
	}
	rest := strings.TrimSpace(s)
	if scheme, after, ok := strings.Cut(rest, "://"); ok {
		switch p.scheme = strings.ToLower(scheme); p.scheme {
		case "http", "https":
		case "ws", "wss":
			p.scheme = "http" + p.scheme[2:]
		case "*":
			p.scheme = ""
		default:
			return wrong("the scheme is http or https")
		}
		rest = after
	}
	rest = strings.TrimSuffix(rest, "/")
	if _, err := netip.ParsePrefix(rest); err == nil {
		return wrong("a network is no host; --block private is every network but the public one")
	}
	if strings.ContainsAny(rest, "/?#\\") {
		return wrong("it has a path")
	}
	if strings.Contains(rest, "@") {
		return wrong("it has a user name")
	}
	host, port, err := splitPort(rest)
	if err != nil {
		return wrong(err.Error())
	}
	switch port {
	case "":
	case "*":
		p.port = -1
	default:
		n, err := strconv.Atoi(port)
		if err != nil || n < 1 || n > 65535 {
			return wrong("the port is a number, or *")
		}
		p.port = n
	}
	if host == "*" {
		p.below = true
		return p, nil
	}
	host, p.below = strings.CutPrefix(host, "*.")
	if strings.Contains(host, "*") {
		return wrong("a * stands for a whole host, or for all names below one")
	}
	if p.host, err = Host(host); err != nil {
		return wrong(err.Error())
	}
	if p.below && net.ParseIP(p.host) != nil {
		return wrong("an address has no names below it")
	}
	return p, nil
}

// matches says whether a pattern stands for an origin.
func (p pattern) matches(o origin) bool {
	secure := o.scheme == "https" || o.scheme == "wss"
	if p.scheme != "" && (p.scheme == "https") != secure {
		return false
	}
	switch p.port {
	case -1:
	case 0:
		if o.port != network[o.scheme] {
			return false
		}
	default:
		if o.port != p.port {
			return false
		}
	}
	switch {
	case p.host == "":
		return true
	case p.reach != nowhere:
		return p.reach.holds(o.host)
	case p.below:
		return strings.HasSuffix(o.host, "."+p.host)
	}
	return p.blocks && same(p.host, o.host) || o.host == p.host
}

// Limits says whether any host is out of reach.
func (p *Policy) Limits() bool { return p != nil && len(p.allow)+len(p.block) > 0 }

// Refusal is a decision against an address.
type Refusal struct {
	URL    string // shortened, without user name and query
	Reason string // one sentence
	Hint   string // what is allowed
}

func (r *Refusal) Error() string { return r.Reason + "; " + r.Hint }

// URL decides on an address: nil, or a *Refusal.
func (p *Policy) URL(raw string) error {
	a, err := split(raw)
	if err != nil {
		return p.refuse("that address", fmt.Sprintf("that address is not allowed: %v", err))
	}
	switch {
	case network[a.scheme] > 0:
		return p.origin(a.origin)
	case a.scheme == "about" && (a.rest == "blank" || a.rest == "srcdoc" || strings.HasPrefix(a.rest, "blank#") || strings.HasPrefix(a.rest, "blank?")):
		return nil
	case a.scheme == "data":
		return nil
	case a.scheme == "blob" || a.scheme == "filesystem":
		if strings.HasPrefix(a.rest, "null/") { // of a document without an origin, such as data:
			return nil
		}
		if a, err = split(a.rest); err == nil && network[a.scheme] > 0 {
			return p.origin(a.origin)
		}
	}
	if p != nil && slices.Contains(p.schemes, a.scheme) {
		return nil
	}
	return p.refuse(a.scheme+":", fmt.Sprintf("%s: addresses are not allowed here", a.scheme))
}

// Connection decides on a connection whose scheme is not known: nil if any
// scheme may be spoken with that host and port.
func (p *Policy) Connection(host string, port int) error {
	name, err := Host(host)
	if err != nil {
		return p.refuse("that address", fmt.Sprintf("that address is not allowed: %v", err))
	}
	for _, scheme := range []string{"https", "http"} {
		if err = p.origin(origin{scheme, name, port}); err == nil {
			return nil
		}
	}
	return err
}

func (p *Policy) origin(o origin) error {
	if p == nil {
		return nil
	}
	for _, b := range p.block {
		if b.matches(o) {
			return p.refuse(o.String(), o.String()+" is blocked here")
		}
	}
	if len(p.allow) == 0 {
		return nil
	}
	for _, a := range p.allow {
		if a.matches(o) {
			return nil
		}
	}
	return p.refuse(o.String(), o.String()+" is not allowed here")
}

// mostNamed bounds how many patterns a hint names.
const mostNamed = 8

func (p *Policy) refuse(url, reason string) *Refusal {
	hint := "allowed are http and https"
	if p != nil && len(p.names) > 0 {
		names := p.names
		more := ""
		if len(names) > mostNamed {
			more = fmt.Sprintf(" and %d more", len(names)-mostNamed)
			names = names[:mostNamed]
		}
		hint = "allowed: " + strings.Join(names, ", ") + more
	} else if p != nil && len(p.block) > 0 {
		hint = "go somewhere else"
	}
	return &Refusal{URL: url, Reason: reason, Hint: hint}
}

// Origin is the origin of an address as a document of it has it; "null" where it
// has none.
func Origin(rawURL string) string {
	a, err := split(rawURL)
	if err != nil || network[a.scheme] == 0 {
		return "null"
	}
	return a.origin.String()
}

// Match says whether one pattern stands for the origin of an address. A pattern
// without a port stands for the usual ones.
func Match(patternText, rawURL string) (bool, error) {
	p, err := parse(patternText)
	if err != nil {
		return false, err
	}
	a, err := split(rawURL)
	if err != nil || network[a.scheme] == 0 {
		return false, nil
	}
	return p.matches(a.origin), nil
}
