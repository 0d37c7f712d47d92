package policy_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rove/internal/policy"
)

func mustNew(t testing.TB, allow, block []string) *policy.Policy {
	t.Helper()
	p, err := policy.New(allow, block)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestURL has the ways in which an address pretends to be another, and the plain
// ones beside them.
func TestURL(t *testing.T) {
	shop := []string{"shop.example", "*.cdn.example", "https://pay.example:8443", "http://127.0.0.1:3000", "[2001:db8::1]", "bücher.example"}
	cases := []struct {
		name         string
		allow, block []string
		url          string
		ok           bool
	}{
		{"plain", shop, nil, "https://shop.example/cart?x=1#y", true},
		{"plain http", shop, nil, "http://shop.example", true},
		{"web socket", shop, nil, "wss://shop.example/live", true},
		{"other host", shop, nil, "https://evil.example/", false},
		{"upper case", shop, nil, "HTTPS://SHOP.Example/", true},
		{"default port said", shop, nil, "https://shop.example:443/", true},
		{"default port with zeros", shop, nil, "https://shop.example:00443/", true},
		{"odd port", shop, nil, "https://shop.example:22/", false},
		{"port of the other scheme", shop, nil, "https://shop.example:80/", false},
		{"empty port", shop, nil, "https://shop.example:/", true},
		{"port too large", shop, nil, "https://shop.example:65979/", false},
		{"trailing dot", shop, nil, "https://shop.example./", true},
		{"two trailing dots", shop, nil, "https://shop.example../", false},
		{"user name", shop, nil, "https://shop.example@evil.example/", false},
		{"user name and password", shop, nil, "https://shop.example:443@evil.example/", false},
		{"two @", shop, nil, "https://a@shop.example@evil.example/", false},
		{"user name on the right host", shop, nil, "https://evil.example@shop.example/", true},
		{"backslash before @", shop, nil, `https://evil.example\@shop.example/`, false},
		{"backslashes for slashes", shop, nil, `https:\\evil.example\shop.example`, false},
		{"one slash", shop, nil, "https:/evil.example/shop.example", false},
		{"no slash", shop, nil, "https:evil.example", false},
		{"many slashes", shop, nil, "https://///evil.example//shop.example", false},
		{"tab in the host", shop, nil, "https://evil.ex\tample/", false},
		{"tab in the scheme", shop, nil, "ht\ntps://shop.example/", true},
		{"white space around", shop, nil, " \x00https://shop.example/ ", true},
		{"fragment before @", shop, nil, "https://evil.example#@shop.example/", false},
		{"query before @", shop, nil, "https://evil.example?@shop.example/", false},
		{"suffix without a dot", shop, nil, "https://notshop.example/", false},
		{"name as a prefix", shop, nil, "https://shop.example.evil.example/", false},
		{"escaped dot", shop, nil, "https://shop%2Eexample/", true},
		{"escaped letter", shop, nil, "https://evil%2Eexample/", false},
		{"escaped slash", shop, nil, "https://evil.example%2Fshop.example/", false},
		{"escaped NUL", shop, nil, "https://shop.example%00.evil.example/", false},
		{"below", shop, nil, "https://a.b.cdn.example/x.js", true},
		{"the name itself is not below", shop, nil, "https://cdn.example/x.js", false},
		{"below without a dot", shop, nil, "https://evilcdn.example/", false},
		{"port of the pattern", shop, nil, "https://pay.example:8443/", true},
		{"scheme of the pattern", shop, nil, "http://pay.example:8443/", false},
		{"default port instead", shop, nil, "https://pay.example/", false},
		{"address", shop, nil, "http://127.0.0.1:3000/", true},
		{"address, decimal", shop, nil, "http://2130706433:3000/", true},
		{"address, octal", shop, nil, "http://0177.0.0.1:3000/", true},
		{"address, hexadecimal", shop, nil, "http://0x7f.1:3000/", true},
		{"address, short", shop, nil, "http://127.1:3000/", true},
		{"address, trailing dot", shop, nil, "http://127.0.0.1.:3000/", true},
		{"address, mapped", shop, nil, "http://[::ffff:127.0.0.1]:3000/", true},
		{"address, mapped in hexadecimal", shop, nil, "http://[::ffff:7f00:1]:3000/", true},
		{"address, too many parts", shop, nil, "http://127.0.0.0.1:3000/", false},
		{"address, part too large", shop, nil, "http://127.0.0.256:3000/", false},
		{"address, too large", shop, nil, "http://4294967296:3000/", false},
		{"IPv6", shop, nil, "https://[2001:DB8:0:0::1]/", true},
		{"IPv6, zone", shop, nil, "https://[2001:db8::1%25eth0]/", false},
		{"IPv6, another", shop, nil, "https://[2001:db8::2]/", false},
		{"other scripts", shop, nil, "https://BÜCHER.example/", true},
		{"other scripts, punycode", shop, nil, "https://xn--bcher-kva.example/", true},
		{"look-alike letters", shop, nil, "https://shоp.example/", false}, // a Cyrillic о
		{"full-width letters", shop, nil, "https://ｓhop.example/", false},
		{"ideographic dot", shop, nil, "https://shop。example/", false},
		{"no host", shop, nil, "https:///", false},
		{"not an address", shop, nil, "shop.example", false},
		{"empty", shop, nil, "", false},

		{"blank", shop, nil, "about:blank", true},
		{"blank with a fragment", shop, nil, "about:blank#x", true},
		{"other about pages", shop, nil, "about:version", false},
		{"data", shop, nil, "data:text/html,x", true},
		{"blob", shop, nil, "blob:https://shop.example/1-2", true},
		{"blob of another", shop, nil, "blob:https://evil.example/1-2", false},
		{"blob of a file", nil, nil, "blob:file:///x", false},
		{"blob in a blob", nil, nil, "blob:blob:https://shop.example/", false},
		{"blob of nobody", shop, nil, "blob:null/1-2", true},
		{"file", nil, nil, "file:///etc/passwd", false},
		{"file in capitals", nil, nil, "FILE:///etc/passwd", false},
		{"file with a tab", nil, nil, "fi\tle:///etc/passwd", false},
		{"file, allowed", []string{"file:"}, nil, "file:///tmp/x.html", true},
		{"file allowed, network as before", []string{"file:"}, nil, "https://anything.example/", true},
		{"browser page", nil, nil, "chrome://settings", false},
		{"source of a file", nil, nil, "view-source:file:///etc/passwd", false},
		{"source of a page", nil, nil, "view-source:https://shop.example/", false},
		{"script", nil, nil, "javascript:alert(1)", false},
		{"devtools", nil, nil, "devtools://devtools/bundled/x", false},
		{"extension", nil, nil, "chrome-extension://abc/x", false},
		{"ftp", nil, nil, "ftp://shop.example/", false},

		{"all allowed", nil, nil, "http://anything.example:1234/", true},
		{"blocked", nil, []string{"evil.example"}, "https://evil.example/", false},
		{"blocked on every port", nil, []string{"evil.example"}, "https://evil.example:8443/", false},
		{"blocked, trailing dot", nil, []string{"evil.example"}, "https://evil.example./", false},
		{"blocked, not below", nil, []string{"evil.example"}, "https://a.evil.example/", true},
		{"blocked below", nil, []string{"*.evil.example"}, "wss://a.evil.example/", false},
		{"blocked although allowed", []string{"*"}, []string{"evil.example"}, "https://evil.example/", false},
		{"blocked address, mapped", nil, []string{"169.254.169.254"}, "http://[::ffff:a9fe:a9fe]/latest", false},
		{"blocked address, decimal", nil, []string{"169.254.169.254"}, "http://2852039166/latest", false},
		{"blocked on one port alone", nil, []string{"evil.example:8080"}, "https://evil.example/", true},
		{"any port", []string{"localhost:*"}, nil, "http://localhost:5173/", true},
		{"every host, usual ports", []string{"*"}, nil, "https://x.example:81/", false},
		{"every host and port", []string{"*:*"}, nil, "https://x.example:81/", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := mustNew(t, c.allow, c.block).URL(c.url)
			if (err == nil) != c.ok {
				t.Fatalf("%q: %v", c.url, err)
			}
			var r *policy.Refusal
			if err != nil && (!errors.As(err, &r) || r.Reason == "" || r.Hint == "") {
				t.Errorf("a refusal says why and what is allowed: %#v", err)
			}
		})
	}
}

func TestNilAllowsTheNetwork(t *testing.T) {
	var p *policy.Policy
	if err := p.URL("https://x.example:81/"); err != nil {
		t.Error(err)
	}
	if p.URL("file:///etc/passwd") == nil || p.Limits() {
		t.Error("without a policy nothing local is allowed, and nothing else is limited")
	}
}

func TestConnection(t *testing.T) {
	p := mustNew(t, []string{"https://shop.example", "http://dev.example", "[2001:db8::1]"}, []string{"dev.example:8080"})
	cases := []struct {
		host string
		port int
		ok   bool
	}{
		{"shop.example", 443, true},
		{"shop.example", 80, false},
		{"SHOP.example.", 443, true},
		{"dev.example", 80, true},
		{"dev.example", 8080, false},
		{"2001:db8::1", 443, true},
		{"evil.example", 443, false},
		{"", 443, false},
	}
	for _, c := range cases {
		if err := p.Connection(c.host, c.port); (err == nil) != c.ok {
			t.Errorf("%s:%d: %v", c.host, c.port, err)
		}
	}
}

func TestWrongPatterns(t *testing.T) {
	for _, s := range []string{
		"", "https://", "https://a.example/path", "a.*.example", "*a.example", "user@a.example", "a.example:0", "a.example:x",
		"*.127.0.0.1", "ftp://a.example", "2001:db8::1", "a b.example", "1.2.3.4.5", "ﬁ.example", "https://a.example?x",
	} {
		if _, err := policy.New([]string{s}, nil); err == nil {
			t.Errorf("%q was taken", s)
		}
	}
}

func TestRefusalSaysWhatIsAllowed(t *testing.T) {
	err := mustNew(t, []string{"shop.example"}, nil).URL("https://user:pass@evil.example/secret?token=1")
	if got, want := err.Error(), "https://evil.example is not allowed here; allowed: shop.example"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// FuzzURL: however an address is written, it is allowed only if the host that is
// left of it is the allowed one, and decisions do not depend on spelling.
func FuzzURL(f *testing.F) {
	for _, s := range []string{"https://shop.example/", "https://a@shop.example:443#", `http:\\shop.example`, "http://0x7f.1/", "blob:https://x/", "http://[::ffff:1.2.3.4]:80/", "https://bücher.example"} {
		f.Add(s)
	}
	p := mustNew(f, []string{"shop.example"}, []string{"evil.example"})
	f.Fuzz(func(t *testing.T, s string) {
		err := p.URL(s)
		if err != nil && len(err.Error()) > 600 {
			t.Errorf("a long refusal: %v", err)
		}
		low := strings.ToLower(s)
		if err == nil && !strings.Contains(low, "shop") && !strings.Contains(low, "%") && !strings.Contains(low, "data:") &&
			!strings.Contains(low, "blank") && !strings.Contains(low, "srcdoc") && !strings.Contains(low, "blob:null") && !strings.Contains(low, "filesystem:null") &&
			!strings.ContainsAny(low, "\t\r\n") {
			t.Errorf("%q is allowed", s)
		}
		if again := p.URL(" " + s + "\n"); (again == nil) != (err == nil) {
			t.Errorf("%q: %v, with white space around it %v", s, err, again)
		}
	})
}

func FuzzHost(f *testing.F) {
	for _, s := range []string{"a.example", "0x7f.1", "[::1]", "bücher.example", "1.2.3", "%41"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		host, err := policy.Host(s)
		if err != nil {
			return
		}
		again, err := policy.Host(host)
		if err != nil || again != host {
			t.Errorf("%q became %q, and that %q (%v)", s, host, again, err)
		}
	})
}

func TestFolders(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write := func(path string) string {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	in := write(filepath.Join(dir, "sub", "in.txt"))
	out := write(filepath.Join(outside, "out.txt"))
	sibling := write(dir + "-more/x.txt")
	defer os.RemoveAll(dir + "-more")
	link := func(target, name string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.Symlink(target, path); err != nil {
			t.Skip("links cannot be made here")
		}
		return path
	}
	cases := []struct {
		name, path string
		ok         bool
	}{
		{"inside", in, true},
		{"outside", out, false},
		{"climbing out", filepath.Join(dir, "sub") + "/../../" + filepath.Base(outside) + "/out.txt", false},
		{"a folder that begins alike", sibling, false},
		{"link to a file outside", link(out, "link.txt"), false},
		{"link to a folder outside", link(outside, "linked") + "/out.txt", false},
		{"link to a link", link(filepath.Join(dir, "link.txt"), "again.txt"), false},
		{"link within", link(in, "fine.txt"), true},
		{"the folder itself", dir, false},
		{"a folder", filepath.Join(dir, "sub"), false},
		{"not there", filepath.Join(dir, "none"), false},
		{"not there, outside", filepath.Join(outside, "none"), false},
		{"a device", "/dev/null", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := policy.Folders{dir}.File(c.path)
			if (err == nil) != c.ok {
				t.Fatalf("%s: %q, %v", c.path, got, err)
			}
			if want, _ := filepath.EvalSymlinks(c.path); c.ok && got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	if _, err := (policy.Folders{}).File(in); err == nil {
		t.Error("no folders allow no file")
	}
}
