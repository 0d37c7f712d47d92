package outlet

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strings"
)

// A name and a password in an address, scheme://name:password@host, are nobody's
// business but the server's, whether they are secrets of the session or not.

// mayLogin says whether there can be a login in a text. It is quick: all texts are
// asked.
func mayLogin(text string) bool {
	return strings.IndexByte(text, '@') >= 0 || encodedAt(text, '%', "40", "25") || encodedAt(text, '\\', "u0040", "u{", "x40", "40", "0", "1") || encodedAt(text, '&', "#", "commat")
}

// encodedAt says whether a text has an escape that stands for an @.
func encodedAt(text string, begin byte, rests ...string) bool {
	for {
		at := strings.IndexByte(text, begin)
		if at < 0 {
			return false
		}
		text = text[at+1:]
		for _, rest := range rests {
			if strings.HasPrefix(text, rest) {
				return true
			}
		}
	}
}

// logins gives the places of logins in a text, also in addresses within it that are
// encoded.
func logins(text []byte, depth int) []span {
	var all []span
	for from := 0; ; {
		at := bytes.IndexByte(text[from:], '@')
		if at < 0 {
			break
		}
		at += from
		from = at + 1
		if s, ok := loginAt(text, at); ok {
			all = append(all, s)
			from = s.to + 1
		}
	}
	if depth == 0 {
		return all
	}
	for _, how := range []reading{asCSS, asOctal} {
		inner := decode(text, how, nil)
		if inner == nil || !mayLogin(string(inner)) {
			continue
		}
		if spans := logins(inner, depth-1); len(spans) > 0 {
			var p places
			decode(text, how, &p)
			all = append(all, p.back(spans)...)
		}
	}
	return all
}

// longestLogin bounds how far back a login is looked for.
const longestLogin = 1024

// loginAt gives the login that ends with the @ at a place, or the last one of its
// address.
func loginAt(text []byte, at int) (span, bool) {
	from := at
	for from > 0 && at-from < longestLogin && !endsHost(text[from-1]) {
		from--
	}
	to := at
	for i := at + 1; i < len(text) && !endsHost(text[i]); i++ {
		if text[i] == '@' {
			to = i // a password with an @ in it
		}
	}
	slashes := from
	for slashes > 0 && (text[slashes-1] == '/' || text[slashes-1] == '\\') {
		slashes--
	}
	scheme := ""
	if slashes < from && slashes > 0 && text[slashes-1] == ':' {
		scheme = schemeBefore(text[:slashes-1])
	}
	switch {
	case slashes == from: // https:name:password@host, which browsers take too
		name, rest, ok := strings.Cut(string(text[from:to]), ":")
		if !ok || !special[strings.ToLower(name)] || rest == "" {
			return span{}, false
		}
		from += len(name) + 1
	case scheme == "" && (from-slashes < 2 || bytes.IndexByte(text[from:to], ':') < 0):
		return span{}, false
	}
	return span{from, to}, from < to && string(text[from:to]) != exampleLogin
}

// exampleLogin is what advice writes where a login is to stand.
const exampleLogin = "NAME:PASSWORD"

// special are the schemes whose addresses need no slashes.
var special = map[string]bool{"http": true, "https": true, "ws": true, "wss": true, "ftp": true}

func schemeBefore(text []byte) string {
	from := len(text)
	for from > 0 && (isLetter(text[from-1]) || text[from-1] >= '0' && text[from-1] <= '9' || bytes.IndexByte([]byte("+-."), text[from-1]) >= 0) {
		from--
	}
	for from < len(text) && !isLetter(text[from]) {
		from++
	}
	return string(text[from:])
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// endsHost says whether a byte ends the part of an address that a login stands in.
func endsHost(c byte) bool {
	return c <= ' ' || c == '/' || c == '\\' || c == '?' || c == '#' || c == '"' || c == '<' || c == '>' || c == '`' || c == '|'
}

// Login takes the login out of an address as a person types it, with a scheme or
// without, and gives its password.
func Login(address string) (without, password string) {
	without, _, password = login(address)
	return without, password
}

func login(address string) (without, name, password string) {
	text := strings.TrimSpace(address)
	scheme, rest, ok := strings.Cut(text, ":")
	if slashes := len(rest) - len(strings.TrimLeft(rest, `/\`)); ok && (slashes > 0 || special[strings.ToLower(scheme)]) {
		scheme, rest = scheme+":"+rest[:slashes], rest[slashes:]
	} else {
		scheme, rest = "", text
	}
	end := strings.IndexAny(rest, `/\?#`)
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@')
	if at < 0 || scheme == "" && !strings.Contains(rest[:at], ":") || strings.HasPrefix(strings.ToLower(text), "mailto:") {
		return address, "", ""
	}
	name, password, _ = strings.Cut(rest[:at], ":")
	return scheme + rest[at+1:], name, password
}

// LearnLogin takes the login out of an address as Login does, and hides its password from now on: everywhere, or where it is an ordinary word
// only where it stands for the login, as pages have such a word for other reasons.
func (o *Outlet) LearnLogin(address string) (without string) {
	without, name, password := login(address)
	switch {
	case o == nil || password == "":
	case !ordinary.MatchString(password):
		o.Learn("the password of an address", password)
	default:
		o.mu.Lock()
		defer o.mu.Unlock()
		word := regexp.QuoteMeta(password)
		pair := base64.RawStdEncoding.EncodeToString([]byte(name + ":" + password))
		pair = regexp.QuoteMeta(pair[:len(pair)-1]) // its last character is another where more follows
		now := regexp.MustCompile(`^(` + word + `)$|` + beforeLogin + `(` + word + `)(?:$|[^\pL\pN])|(?:^|[^\pL\pN])(` + word + `)` + afterLogin + `|(` + pair + `[\w+/-]?)`)
		list := []*regexp.Regexp{now}
		if was := o.words.Load(); was != nil {
			for _, re := range *was {
				if re.String() != now.String() {
					list = append(list, re)
				}
			}
		}
		o.words.Store(&list)
	}
	return without
}

// ordinary is what a word of a page may be, too.
var ordinary = regexp.MustCompile(`^\pL\p{Ll}{0,15}$|^\p{Lu}{1,16}$`)

// What is around a password where it stands for a login: name:password@host, the value of a field, and escapes of these.
const (
	beforeLogin = `(?:[\pL\pN]:|=["']?|(?i:%3a|%3d|&#58;|&#61;|\\u003a|\\u003d))`
	afterLogin  = `(?:@|%40|&#64;|\\u0040)`
)

// loginWords gives the places of passwords that are ordinary words.
func (o *Outlet) loginWords(text string) []span {
	if o == nil {
		return nil
	}
	list := o.words.Load()
	if list == nil {
		return nil
	}
	var all []span
	for _, re := range *list {
		for from := 0; from < len(text); {
			m := re.FindStringSubmatchIndex(text[from:])
			if m == nil {
				break
			}
			for k := 2; k < len(m); k += 2 {
				if m[k] < 0 || from > 0 && k == 2 {
					continue
				}
				all = append(all, span{from + m[k], from + m[k+1]})
				break
			}
			from += max(m[1]-1, m[0]+1) // what ends one may begin the next
		}
	}
	return all
}
