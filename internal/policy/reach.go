package policy

import (
	"net"
	"net/netip"
	"strings"
)

// A reach is a part of the network that has many spellings: addresses, and names
// that stand for them. A blocked pattern that names one of them blocks all.
type reach string

const (
	nowhere  reach = ""
	loopback reach = "loopback" // this machine, as the machine itself calls it
	private  reach = "private"  // loopback, and every network that is not the public one
)

// reachOf reads the words loopback and private, and the hosts that are this
// machine: to block one of those is to block this machine.
func reachOf(host string) reach {
	switch {
	case host == string(private):
		return private
	case host == string(loopback), local(host):
		return loopback
	}
	if ip, err := netip.ParseAddr(host); err == nil && loopback.has(ip) {
		return loopback
	}
	return nowhere
}

// local says of a name that it is this machine's own, whatever DNS says.
func local(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// holds says whether a host, as Host gives it, is within reach by its spelling.
func (r reach) holds(host string) bool {
	if local(host) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && (r.has(ip) || own(ip))
}

// own says of an address that it is this machine's, on whichever of its networks: what
// listens on all of them can be reached by each.
func own(ip netip.Addr) bool {
	list, _ := net.InterfaceAddrs()
	for _, a := range list {
		if n, ok := a.(*net.IPNet); ok {
			if at, ok := netip.AddrFromSlice(n.IP); ok && at.Unmap() == ip.WithZone("").Unmap() {
				return true
			}
		}
	}
	return false
}

// same says whether a host is the very one, or an IPv6 address that carries it.
func same(host, other string) bool {
	if host == other {
		return true
	}
	ip, err := netip.ParseAddr(other)
	if err != nil {
		return false
	}
	inner, ok := carried(ip)
	return ok && inner.String() == host
}

// has says whether an address is within reach. One that carries another inside
// (IPv4 in IPv6 clothes, by any of the ways there are) is as good as that one.
func (r reach) has(ip netip.Addr) bool {
	ip = ip.WithZone("").Unmap()
	if ip.IsLoopback() || ip.IsUnspecified() || ip.Is4() && ip.As4()[0] == 0 {
		return true // 0.0.0.0 and :: connect to this machine
	}
	if inner, ok := carried(ip); ok && r.has(inner) {
		return true
	}
	if r != private {
		return false
	}
	if ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsMulticast() {
		return true
	}
	for _, p := range special {
		if p.Contains(ip) {
			return true
		}
	}
	return false
}

// special are the networks that are not the public one and have no word in
// net/netip.
var special = []netip.Prefix{
	netip.MustParsePrefix("100.64.0.0/10"),    // carriers' own; some clouds' metadata
	netip.MustParsePrefix("192.0.0.0/24"),     // protocols' own; some clouds' metadata
	netip.MustParsePrefix("192.0.2.0/24"),     // for documents
	netip.MustParsePrefix("192.88.99.0/24"),   // relays of 6to4, as they were
	netip.MustParsePrefix("168.63.129.16/32"), // a cloud's own, for its machines
	netip.MustParsePrefix("198.18.0.0/15"),    // for measurements
	netip.MustParsePrefix("198.51.100.0/24"),  // for documents
	netip.MustParsePrefix("203.0.113.0/24"),   // for documents
	netip.MustParsePrefix("240.0.0.0/4"),      // nobody's, and broadcast
	netip.MustParsePrefix("fec0::/10"),        // site-local, as it was
	netip.MustParsePrefix("100::/63"),         // discarded, and made up
	netip.MustParsePrefix("2001:2::/48"),      // for measurements
	netip.MustParsePrefix("2001:10::/28"),     // names of machines, and no addresses
	netip.MustParsePrefix("2001:20::/28"),     // the same
	netip.MustParsePrefix("2001:db8::/32"),    // for documents
	netip.MustParsePrefix("3fff::/20"),        // the same
	netip.MustParsePrefix("5f00::/16"),        // ways through a network
	netip.MustParsePrefix("64:ff9b:1::/48"),   // translated, within a network
}

// carried is the IPv4 address inside an IPv6 one: of a translator (64:ff9b::/96, or
// ::ffff:0:0:0/96), of 6to4 (2002::/16), compatible (::/96), or of Teredo (2001::/32).
func carried(ip netip.Addr) (netip.Addr, bool) {
	if !ip.Is6() {
		return ip, false
	}
	b := ip.As16()
	four := func(at int) netip.Addr { return netip.AddrFrom4([4]byte(b[at : at+4])) }
	switch {
	case translated.Contains(ip), compatible.Contains(ip), stateless.Contains(ip):
		return four(12), true
	case b[0] == 0x20 && b[1] == 0x02:
		return four(2), true
	case b[0] == 0x20 && b[1] == 0x01 && b[2] == 0 && b[3] == 0:
		for i := 12; i < 16; i++ {
			b[i] = ^b[i]
		}
		return four(12), true
	}
	return ip, false
}

var (
	translated = netip.MustParsePrefix("64:ff9b::/96")
	compatible = netip.MustParsePrefix("::/96")
	stateless  = netip.MustParsePrefix("::ffff:0:0:0/96")
)

// Address decides on the address that a host turned out to have, just before it is
// connected to: whatever name it goes by, and however often that changes.
func (p *Policy) Address(host string, port int, ip netip.Addr) error {
	if p == nil {
		return nil
	}
	ip = ip.WithZone("").Unmap()
	for _, b := range p.block {
		if b.port != -1 && b.port != port {
			continue
		}
		if b.reach != nowhere && (b.reach.has(ip) || own(ip)) || b.reach == nowhere && same(b.host, ip.String()) {
			return p.refuse(host, host+" is at "+ip.String()+", which is blocked here")
		}
	}
	return nil
}

// Asked decides on an address that somebody wants to go to, beside URL: where
// scripts are switched off, none may come along in it.
func (p *Policy) Asked(raw string) error {
	if err := p.URL(raw); err != nil || p == nil || !p.noScripts {
		return err
	}
	a, err := split(raw)
	if err != nil || network[a.scheme] > 0 || a.scheme == "about" || a.scheme == "file" {
		return nil
	}
	return &Refusal{
		URL:    a.scheme + ":",
		Reason: "eval is switched off here, and a " + a.scheme + ": address can bring a script of its own",
		Hint:   "go to an address of http or https",
	}
}

// NoScripts has Asked refuse addresses that bring their own scripts.
func (p *Policy) NoScripts() { p.noScripts = true }
