package policy_test

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"rove/internal/policy"
)

// TestReach has every way to write an address that is blocked, and what is near it
// and is not.
func TestReach(t *testing.T) {
	machine := []string{
		"localhost", "LOCALHOST", "localhost.", "a.localhost", "x.y.localhost", "127.0.0.1", "127.0.0.53", "127.255.255.254", "127.1", "2130706433",
		"0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "0.0.0.0", "0", "0x0", "0.1.2.3", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]",
		"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:0.0.0.0]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "%6cocalhost",
		"[::ffff:0:127.0.0.1]", "[::ffff:0:0]", "127.0.0.1.", "0x7f.0.0.0x1", "00000177.1", "127.0.1", "[0::]", "[::0.0.0.1]", "loc%61l%68ost", "LocalHost.", "app.localhost.", "0.0", "00", "0x",
	}
	within := []string{
		"10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "0xc0a80001", "3232235521", "169.254.169.254", "0xa9fea9fe",
		"100.64.0.1", "100.100.100.200", "192.0.0.192", "198.18.0.1", "224.0.0.1", "255.255.255.255", "[fe80::1]", "[fc00::1]", "[fd00:ec2::254]", "[fec0::1]",
		"[ff02::1]", "[::ffff:10.0.0.1]", "[::ffff:a9fe:a9fe]", "[64:ff9b::a9fe:a9fe]", "[2002:0a00:1::1]", "[2001:0:0:0:0:0:f5ff:fffe]",
		"168.63.129.16", "[::ffff:168.63.129.16]", "192.88.99.1", "[2001:2::1]", "[2001:10::1]", "[3fff::1]", "[5f00::1]", "[100::1]", "[100:0:0:1::1]", "[::ffff:0:10.0.0.1]", "[::ffff:0:a9fe:a9fe]", "10.1", "0xa.1", "012.1", "167772161",
		"169.254.170.2", "[febf::1]", "[fdff:ffff::1]", "[64:ff9b:1::1]", "192.0.2.1", "198.51.100.1", "203.0.113.1", "240.0.0.1", "239.255.255.250",
	}
	public := []string{
		"example.com", "localhost.example", "notlocalhost", "1.1.1.1", "9.255.255.255", "11.0.0.1", "172.15.255.255", "172.32.0.1", "192.167.255.255",
		"169.253.1.1", "100.63.255.255", "100.128.0.1", "126.255.255.255", "128.0.0.1", "8.8.8.8", "[2606:4700::1111]", "[2002:0808:808::1]", "[::ffff:8.8.8.8]",
	}
	own := cards(t)
	for _, host := range own {
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		machine = append(machine, host)
	}
	check := func(block string, hosts []string, want bool) {
		t.Helper()
		p := mustNew(t, nil, strings.Split(block, ","))
		for _, host := range hosts {
			if plain, err := policy.Host(host); err == nil && !want && slices.Contains(own, plain) {
				continue // it is this machine
			}
			for _, form := range []string{"http://%/", "https://%/x", "ws://%:3000/", "http://u:p@%:65000/?a#b"} {
				url := strings.Replace(form, "%", host, 1)
				if blocked := p.URL(url) != nil; blocked != want {
					t.Errorf("--block %s: %s blocked %v", block, url, blocked)
				}
			}
		}
	}
	for _, block := range []string{"127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::]", "*.localhost", "127.8.9.10", "loopback", "0x7f.1"} {
		check(block, machine, true)
		check(block, within, false)
		check(block, public, false)
	}
	check("private", machine, true)
	check("private", within, true)
	check("PRIVATE", within, true)
	check("private", public, false)
	check("10.0.0.1", []string{"10.0.0.2", "localhost"}, false)
	check("93.184.216.34", []string{"93.184.216.34", "0x5db8d822", "[::ffff:93.184.216.34]", "[64:ff9b::93.184.216.34]", "[2002:5db8:d822::1]", "[::ffff:0:93.184.216.34]"}, true)

	// A port is part of the rule, in all spellings.
	some := mustNew(t, nil, []string{"localhost:3000"})
	for url, want := range map[string]bool{"http://127.0.0.1:3000": true, "http://0.0.0.0:3000": true, "http://[::]:3000": true, "http://127.0.0.1:3001": false, "http://localhost": false} {
		if blocked := some.URL(url) != nil; blocked != want {
			t.Errorf("localhost:3000: %s blocked %v", url, blocked)
		}
	}
	// What is allowed is what was named: an allowed host does not open the machine.
	only := mustNew(t, []string{"localhost:3000"}, nil)
	if only.URL("http://0.0.0.0:3000") == nil || only.URL("http://localhost:3000") != nil {
		t.Error("an allowed host stands for itself")
	}
}

// cards are the addresses that this machine has.
func cards(t *testing.T) (list []string) {
	t.Helper()
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		list = append(list, a.(*net.IPNet).IP.String())
	}
	return list
}

// TestAddress: names are held to what they turn out to be.
func TestAddress(t *testing.T) {
	type turnedOut struct {
		block, ip string
		port      int
		ok        bool
	}
	cases := []turnedOut{
		{"private", "10.1.2.3", 80, false},
		{"private", "127.0.0.1", 80, false},
		{"private", "::1", 443, false},
		{"private", "fd00::1", 443, false},
		{"private", "fe80::1%eth0", 80, false},
		{"private", "::ffff:169.254.169.254", 80, false},
		{"private", "93.184.216.34", 80, true},
		{"localhost", "127.0.0.1", 80, false},
		{"localhost", "10.0.0.1", 80, true},
		{"localhost:3000", "127.0.0.1", 3000, false},
		{"localhost:3000", "127.0.0.1", 80, true},
		{"10.0.0.1", "10.0.0.1", 80, false},
		{"10.0.0.1", "::ffff:10.0.0.1", 80, false},
		{"10.0.0.1", "10.0.0.2", 80, true},
		{"10.0.0.1", "64:ff9b::a00:1", 80, false},
		{"evil.example", "127.0.0.1", 80, true},
	}
	for _, ip := range cards(t) { // a name of this machine in its network
		cases = append(cases, turnedOut{"localhost", ip, 80, false}, turnedOut{"private", ip, 80, false})
	}
	for _, c := range cases {
		err := mustNew(t, nil, []string{c.block}).Address("name.example", c.port, netip.MustParseAddr(c.ip))
		var refused *policy.Refusal
		if (err == nil) != c.ok || err != nil && !errors.As(err, &refused) {
			t.Errorf("--block %s: %s:%d: %v", c.block, c.ip, c.port, err)
		}
	}
}

// TestAskedWithoutScripts: where scripts are switched off, no address brings one.
func TestAskedWithoutScripts(t *testing.T) {
	p := mustNew(t, []string{"*:*", "view-source:", "filesystem:", "javascript:"}, nil)
	p.NoScripts()
	for url, ok := range map[string]bool{
		"https://example.com": true, "about:blank": true, "http://localhost:1/a": true,
		"data:text/html,<script>1</script>": false, " DATA:text/html;base64,PHNjcmlwdD4": false, "da\nta:,x": false, "javascript:alert(1)": false,
		"blob:https://example.com/1": false, "blob:null/1": false, "filesystem:https://example.com/temporary/x": false, "view-source:data:text/html,x": false,
		"about:srcdoc":     true, // which is empty
		"\x01javascript:1": false, "java\tscript:1": false, "JaVaScRiPt://x%0a1": false, "vbscript:1": false, "view-source:https://example.com": false, "data:": false, "blob:": false, "filesystem:x": false,
		"about:config": false, "about:blank#<script>": true, "jar:https://example.com!/x": false, "feed:data:text/html,x": false, "wyciwyg://x": false, "intent://x#Intent;end": false, "x-javascript:1": false, "ms-its:x": false, "mhtml:https://example.com": false,
	} {
		if err := p.Asked(url); (err == nil) != ok {
			t.Errorf("%q: %v", url, err)
		}
	}
	if err := p.URL("data:image/png;base64,xx"); err != nil {
		t.Errorf("a page's own picture: %v", err)
	}
}
