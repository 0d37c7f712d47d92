package policy

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"unicode"
)

// origin is a scheme, a host as Host gives it, and a port.
type origin struct {
	scheme, host string
	port         int
}

func (o origin) String() string {
	host := o.host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if o.port == network[o.scheme] {
		return o.scheme + "://" + host
	}
	return fmt.Sprintf("%s://%s:%d", o.scheme, host, o.port)
}

// address is a URL, as far as a policy reads it.
type address struct {
	origin        // of a network scheme
	rest   string // after the scheme, of another
}

// split reads an absolute URL as browsers do (url.spec.whatwg.org): white space
// around it and line breaks within are no part of it, a backslash is as good as a
// slash, and how many slashes there are before the host does not matter. Go's own
// parser reads some of these another way, and what two parsers disagree about is
// how policies are got around.
func split(raw string) (address, error) {
	var a address
	raw = strings.TrimFunc(raw, func(r rune) bool { return r <= ' ' })
	raw = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(raw)
	scheme, rest, ok := strings.Cut(raw, ":")
	if a.scheme = strings.ToLower(scheme); !ok || !isScheme(a.scheme) {
		return a, errors.New("it has no scheme")
	}
	if network[a.scheme] == 0 {
		a.rest = rest
		return a, nil
	}
	rest = strings.TrimLeft(rest, `/\`)
	if i := strings.IndexAny(rest, `/\?#`); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:] // user name and password
	}
	host, port, err := splitPort(rest)
	if err != nil {
		return a, err
	}
	a.port = network[a.scheme]
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || port[0] == '+' {
			return a, errors.New("its port is not one")
		}
		a.port = int(n)
	}
	a.host, err = Host(host)
	return a, err
}

func isScheme(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c >= 'a' && c <= 'z'
		if !letter && (i == 0 || c != '+' && c != '-' && c != '.' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

// splitPort takes host and port apart.
func splitPort(s string) (host, port string, err error) {
	if strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, ']')
		if end < 0 || s[end+1:] != "" && s[end+1] != ':' {
			return "", "", errors.New("its brackets do not match")
		}
		return s[:end+1], strings.TrimPrefix(s[end+1:], ":"), nil
	}
	host, port, _ = strings.Cut(s, ":")
	if strings.Contains(port, ":") {
		return "", "", errors.New("it has two ports; an IPv6 address stands in brackets")
	}
	return host, port, nil
}

// Host gives the one spelling of a host that all its spellings share: small
// letters, punycode, no dot at the end, addresses as numbers with dots or, for
// IPv6, in their short form; an IPv4 address in IPv6 clothes is an IPv4 address.
func Host(s string) (string, error) {
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		s = s[1 : len(s)-1]
		if ip, err := netip.ParseAddr(s); err == nil && ip.Is6() && ip.Zone() == "" {
			return ip.Unmap().String(), nil
		}
		return "", errors.New("its host is not an IPv6 address")
	}
	if ip, err := netip.ParseAddr(s); err == nil && ip.Is6() && ip.Zone() == "" { // as a proxy is told it
		return ip.Unmap().String(), nil
	}
	s, err := unescape(s)
	if err != nil {
		return "", err
	}
	if s, err = ascii(s); err != nil {
		return "", err
	}
	// Forbidden in a host, and so in nothing that a browser asks for.
	if i := strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7F || strings.ContainsRune(`#/<>?@[\]^|%:"`+"`{}", r) }); i >= 0 {
		return "", fmt.Errorf("its host has a %q", s[i])
	}
	s = strings.TrimSuffix(s, ".")
	switch {
	case s == "":
		return "", errors.New("it has no host")
	case len(s) > 253:
		return "", errors.New("its host is too long")
	case strings.Contains(s, "..") || s[0] == '.':
		return "", errors.New("its host has an empty part")
	}
	last := s[strings.LastIndexByte(s, '.')+1:]
	if _, err := number(last); err == nil || strings.Trim(last, "0123456789") == "" {
		return ipv4(s)
	}
	return s, nil
}

// unescape decodes %41, as browsers do in hosts.
func unescape(s string) (string, error) {
	if !strings.Contains(s, "%") {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", errors.New("its host has a %")
		}
		n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil || s[i+1] == '+' {
			return "", errors.New("its host has a %")
		}
		b.WriteByte(byte(n))
		i += 2
	}
	return b.String(), nil
}

// ipv4 reads an address the way browsers do: one to four numbers, each decimal,
// octal (017) or hexadecimal (0xf), the last one filling what is left.
func ipv4(s string) (string, error) {
	wrong := errors.New("its host is not an IPv4 address")
	parts := strings.Split(s, ".")
	if len(parts) > 4 {
		return "", wrong
	}
	var ip uint64
	for i, part := range parts {
		n, err := number(part)
		if err != nil {
			return "", wrong
		}
		if i < len(parts)-1 {
			if n > 255 {
				return "", wrong
			}
			ip |= n << (8 * (3 - i))
			continue
		}
		if n >= 1<<(8*(5-len(parts))) {
			return "", wrong
		}
		ip |= n
	}
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}).String(), nil
}

func number(s string) (uint64, error) {
	base := 10
	switch {
	case s == "" || strings.ContainsAny(s, "+-_"):
		return 0, strconv.ErrSyntax
	case len(s) > 1 && (s[:2] == "0x" || s[:2] == "0X"):
		if base, s = 16, s[2:]; s == "" {
			return 0, nil // as the specification has it
		}
	case len(s) > 1 && s[0] == '0':
		base = 8
	}
	return strconv.ParseUint(s, base, 64)
}

// ascii turns a name into the letters that go over the wire: small ones, and
// punycode for other scripts. Browsers map many characters more (full-width
// letters, ligatures, combining marks); a name with one of those is refused, for
// what it becomes must not be guessed.
func ascii(s string) (string, error) {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] < 0x80
	}
	if plain {
		return strings.ToLower(s), nil
	}
	var labels []string
	for label := range strings.SplitSeq(s, ".") {
		label = strings.ToLower(label)
		other := false
		for _, r := range label {
			if r >= 0x80 {
				other = true
				if !settled(r) {
					return "", fmt.Errorf("its host has a %q, which stands for another character; write it in punycode (xn--…)", r)
				}
			}
		}
		if other {
			label = "xn--" + punycode([]rune(label))
		}
		labels = append(labels, label)
	}
	return strings.Join(labels, "."), nil
}

// settled says of a small letter that browsers leave it as it is in a host.
func settled(r rune) bool {
	if unicode.IsDigit(r) || !unicode.IsLetter(r) || strings.ContainsRune("ªºĳŀŉſǆǉǌǳϐϑϕϖϰϱϲϵ", r) {
		return false
	}
	if r >= 0xF900 && r <= 0xFAFF || r >= 0xFF00 && r <= 0xFFEF || r >= 0x3130 && r <= 0x318F {
		return false // compatibility forms
	}
	return r <= 0x24F || unicode.In(r, unicode.Greek, unicode.Cyrillic, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) &&
		r < 0x1F00 || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) && r >= 0x3040
}

// punycode encodes a label (RFC 3492).
func punycode(label []rune) string {
	const base, tMin, tMax, skew, damp = 36, 1, 26, 38, 700
	var out []byte
	for _, r := range label {
		if r < 0x80 {
			out = append(out, byte(r))
		}
	}
	done := len(out)
	first := done
	if done > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(0x80), 0, 72
	for done < len(label) {
		next := rune(unicode.MaxRune)
		for _, r := range label {
			if r >= n && r < next {
				next = r
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range label {
			if r < n {
				delta++
			}
			if r != n {
				continue
			}
			q := delta
			for k := base; ; k += base {
				t := min(max(k-bias, tMin), tMax)
				if q < t {
					break
				}
				out = append(out, digit(t+(q-t)%(base-t)))
				q = (q - t) / (base - t)
			}
			out = append(out, digit(q))
			// Adapt the bias.
			if done == first {
				delta /= damp
			} else {
				delta /= 2
			}
			done++
			delta += delta / done
			k := 0
			for delta > (base-tMin)*tMax/2 {
				delta /= base - tMin
				k += base
			}
			bias = k + (base-tMin+1)*delta/(delta+skew)
			delta = 0
		}
		delta++
		n++
	}
	return string(out)
}

func digit(n int) byte {
	if n < 26 {
		return byte('a' + n)
	}
	return byte('0' + n - 26)
}
