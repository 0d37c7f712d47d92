package apitest

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"html"
	mathrand "math/rand/v2"
	"net/url"
	"slices"
	"strings"

	"rove/internal/har"
	"rove/internal/outlet"
	"rove/internal/wire"
)

// Disguise makes of an archive one that can lie on a disk: the calls that tests are made
// of, without their secrets. Passwords, those that were typed among them, are masked;
// tokens and cookies are other ones of the same form, the same wherever they stood, so
// that it still shows which answer a value came from. Nobody can sign in with them.
func Disguise(archive []byte, typed []string) ([]byte, error) {
	entries, err := har.Read(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	d := &deriver{o: &Options{}, secrets: map[string]string{}}
	var kept []*har.Entry
	for _, e := range entries {
		u, err := url.Parse(e.Request.URL)
		if err != nil || u.Host == "" || noise(e, u) != "" {
			continue
		}
		kept = append(kept, e)
		c := newCall(e, u)
		d.calls = append(d.calls, c)
		d.learn(c)
	}
	masks := &disguise{to: map[string]string{}}
	masks.key = make([]byte, 32)
	_, _ = rand.Read(masks.key)
	hidden := d.hidden()
	for _, c := range d.calls {
		for _, s := range c.slots() {
			if value := s.text.plain(); value != "" && (c.isPassword(s) || s.kind != "path" && slices.Contains(typed, value)) {
				masks.field(s.name, value)
			}
		}
	}
	for _, value := range typed {
		if !plainWord().MatchString(value) && outlet.Long(value) {
			masks.everywhere(value, outlet.Mask)
		}
	}
	for _, value := range hidden {
		masks.token(value)
	}
	var b bytes.Buffer
	if err := har.Write(&b, har.Log{Creator: har.Name{Name: "rove", Version: "1"}}, slices.Values(kept)); err != nil {
		return nil, err
	}
	return []byte(masks.replacer().Replace(b.String())), nil
}

// disguise is what stands for what.
type disguise struct {
	key []byte
	to  map[string]string
}

// everywhere puts a text in the place of another, in the spellings of addresses, pages
// and JSON: an archive is JSON, and the bodies in it often are.
func (m *disguise) everywhere(value, with string) {
	for _, spell := range []func(string) string{func(s string) string { return s }, url.QueryEscape, url.PathEscape, html.EscapeString, inJSON} {
		m.add(inJSON(spell(value)), inJSON(spell(with)))
	}
}

// field masks the value of one field: it may be a word that stands in other places, too.
func (m *disguise) field(name, value string) {
	form, body := url.QueryEscape(name)+"=", inJSON(`"`+inJSON(name)+`"`)
	m.add(inJSON(form+url.QueryEscape(value)), form+outlet.Mask)
	for _, colon := range []string{":", ": "} {
		m.add(body+colon+inJSON(`"`+inJSON(value)+`"`), body+colon+inJSON(`"`+outlet.Mask+`"`))
	}
	pair := `{"name":"` + inJSON(name) + `","value":"`
	m.add(pair+inJSON(value)+`"`, pair+outlet.Mask+`"`)
	if !plainWord().MatchString(value) && outlet.Long(value) {
		m.everywhere(value, outlet.Mask)
	}
}

// token puts another of the same form in the place of a token. Pages spell what is no
// letter or digit of it in many ways, so that its pieces between those are replaced, too.
func (m *disguise) token(value string) {
	other := m.other(value)
	m.everywhere(value, other)
	for _, at := range tokenPiece().FindAllStringIndex(value, -1) {
		if piece := value[at[0]:at[1]]; hasDigit().MatchString(piece) && hasAlpha().MatchString(piece) {
			m.add(piece, other[at[0]:at[1]])
		}
	}
}

var tokenPiece = pattern(`[A-Za-z0-9]{8,}`)

func (m *disguise) add(from, to string) {
	if _, ok := m.to[from]; !ok {
		m.to[from] = to
	}
}

// replacer replaces the longest first, where one has another in it.
func (m *disguise) replacer() *strings.Replacer {
	var all [][2]string
	for from, to := range m.to {
		all = append(all, [2]string{from, to})
	}
	slices.SortFunc(all, func(a, b [2]string) int {
		return cmp.Or(len(b[0])-len(a[0]), strings.Compare(a[0], b[0]))
	})
	var list []string
	for _, pair := range all {
		list = append(list, pair[0], pair[1])
	}
	return strings.NewReplacer(list...)
}

// other is another value of the same form: a letter for a letter and a digit for a digit.
func (m *disguise) other(value string) string {
	seed := sha256.Sum256(append(slices.Clone(m.key), value...))
	random := mathrand.New(mathrand.NewChaCha8(seed))
	text := []byte(value)
	for i, c := range text {
		switch {
		case i < len(tokenHead) && strings.HasPrefix(value, tokenHead):
		case c >= '0' && c <= '9':
			text[i] = '0' + byte(random.IntN(10))
		case c >= 'a' && c <= 'f':
			text[i] = 'a' + byte(random.IntN(6)) // it may be a number of base 16
		case c >= 'A' && c <= 'F':
			text[i] = 'A' + byte(random.IntN(6))
		case c >= 'a' && c <= 'z':
			text[i] = 'g' + byte(random.IntN(20))
		case c >= 'A' && c <= 'Z':
			text[i] = 'G' + byte(random.IntN(20))
		}
	}
	return string(text)
}

// tokenHead is what a JSON Web Token begins with.
const tokenHead = "eyJ"

// inJSON is a text as it stands within the quotes of JSON.
func inJSON(s string) string {
	text, err := wire.Marshal(s)
	if err != nil || len(text) < 2 {
		return s
	}
	return string(text[1 : len(text)-1])
}
