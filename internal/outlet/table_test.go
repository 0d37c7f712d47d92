package outlet

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"
)

// The table: every value, by every way to write it down, within every surrounding.

// values are secrets of all kinds. Those of fewer than eight characters are looked
// for more strictly; see TestShortValues.
var values = []string{
	"correct horse battery staple",
	"hunter2222",
	`p!a'ss(wo)r*d`,
	`quote"back\slash/and & <more>`,
	"100%25sure&amp;more+plus",
	"pässwörd-ünd-mehr",
	"пароль-секрет",
	"密码是这个不要告诉别人",
	"emoji😀secret🔑value",
	"blanks  inside it, twice",
	"0123456789012345",
	"AbCdEfGh",
	"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
	`\u0073ecret-looking\x41`,
}

// way is one way to write a value.
type way struct {
	name string
	of   func(string) string
	any  bool // it needs eight characters or more
}

func eachByte(format string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for _, c := range []byte(s) {
			fmt.Fprintf(&b, format, c)
		}
		return b.String()
	}
}

func eachRune(write func(rune) string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for _, r := range s {
			b.WriteString(write(r))
		}
		return b.String()
	}
}

func between(sep string) func(string) string {
	return func(s string) string {
		var parts []string
		for _, r := range s {
			parts = append(parts, string(r))
		}
		return strings.Join(parts, sep)
	}
}

func units(format string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for _, u := range utf16.Encode([]rune(s)) {
			fmt.Fprintf(&b, format, u)
		}
		return b.String()
	}
}

func little(s string) string { l, _ := wide(s); return string(l) }
func big(s string) string    { _, b := wide(s); return string(b) }

func jsonOf(s string) string {
	b, _ := json.Marshal(s)
	return strings.Trim(string(b), `"`)
}

func at(skip int, enc *base64.Encoding) func(string) string {
	return func(s string) string { return enc.EncodeToString([]byte("xyz"[:skip] + s + "tail")) }
}

func then(first, second func(string) string) func(string) string {
	return func(s string) string { return second(first(s)) }
}

// encodeURIComponent keeps what scripts keep.
func encodeURIComponent(s string) string {
	s = strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
	return strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*", "%7E", "~").Replace(s)
}

func lowerHex(s string) string {
	b := []byte(encodeURIComponent(s))
	for i := range b {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}

var simple = []way{
	{name: "plain", of: func(s string) string { return s }},
	{name: "lower", of: strings.ToLower},
	{name: "upper", of: strings.ToUpper},
	{name: "query", of: url.QueryEscape},
	{name: "path", of: url.PathEscape},
	{name: "component", of: encodeURIComponent},
	{name: "lower percent", of: lowerHex},
	{name: "all percent", of: eachByte("%%%02x")},
	{name: "percent u", of: units("%%u%04X")},
	{name: "json", of: jsonOf},
	{name: "json units", of: units(`\u%04x`)},
	{name: "script x", of: eachByte(`\x%02x`)},
	{name: "script brace", of: eachRune(func(r rune) string { return fmt.Sprintf(`\u{%x}`, r) })},
	{name: "python", of: eachRune(func(r rune) string { return fmt.Sprintf(`\U%08x`, r) })},
	{name: "octal", of: eachByte(`\%03o`)},
	{name: "css", of: eachRune(func(r rune) string { return fmt.Sprintf(`\%x `, r) })},
	{name: "css six", of: eachRune(func(r rune) string { return fmt.Sprintf(`\%06x`, r) })},
	{name: "css first", of: func(s string) string {
		r := []rune(s)
		return fmt.Sprintf(`\%x `, r[0]) + string(r[1:])
	}},
	{name: "html", of: html.EscapeString},
	{name: "entities", of: eachRune(func(r rune) string { return fmt.Sprintf("&#%d;", r) })},
	{name: "hex entities", of: eachRune(func(r rune) string { return fmt.Sprintf("&#x%X;", r) })},
	{name: "named", of: strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;", " ", "&nbsp;", "(", "&lpar;", "ä", "&auml;", "!", "&excl;").Replace},
	{name: "no semicolon", of: strings.NewReplacer("&", "&amp", "<", "&lt", ">", "&gt", `"`, "&quot").Replace},
	{name: "zero width", of: between("\u200b")},
	{name: "joiners", of: between("\u200d")},
	{name: "soft hyphens", of: between("\u00ad")},
	{name: "order marks", of: between("\ufeff")},
	{name: "nulls", of: between("\x00")},
	{name: "bidi", of: func(s string) string { return "\u202a" + between("\u2060")(s) + "\u202c" }},
	{name: "no-break", of: func(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }},
	{name: "thin", of: func(s string) string { return "\u2009" + strings.ReplaceAll(s, " ", "\u202f") + "\u3000" }},
	{name: "wide", of: eachRune(func(r rune) string {
		if r > ' ' && r < 0x7f {
			r += 0xFEE0
		}
		return string(r)
	})},
	{name: "utf-16 little", of: little},
	{name: "utf-16 big", of: big},
	{name: "file name", of: func(s string) string { return unnameable.ReplaceAllString(s, "_") }},
	{name: "hex", of: func(s string) string { return hex.EncodeToString([]byte(s)) }},
	{name: "upper hex", of: func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) }},
	{name: "hex of utf-16", of: func(s string) string { return hex.EncodeToString([]byte(little(s))) }},
	{name: "spaced hex", of: eachByte("%02x "), any: true},
	{name: "spaced", of: between(" "), any: true},
	{name: "lines", of: between("\n"), any: true},
	{name: "no-break between", of: between("\u00a0"), any: true},
	{name: "without blanks", of: func(s string) string { return strings.ReplaceAll(s, " ", "") }, any: true},
	{name: "quotes between", of: between(`" "`), any: true},
	{name: "a list", of: func(s string) string { return `["` + between(`","`)(s) + `"]` }, any: true},
	{name: "cells", of: between(`" | "`), any: true},
	{name: "two fields", of: func(s string) string { r := []rune(s); return string(r[:len(r)/2]) + "', '" + string(r[len(r)/2:]) }, any: true},
}

var encodings = func() (list []way) {
	for skip := range 3 {
		for name, enc := range map[string]*base64.Encoding{"std": base64.StdEncoding, "raw": base64.RawStdEncoding, "url": base64.URLEncoding, "rawurl": base64.RawURLEncoding} {
			list = append(list, way{name: fmt.Sprintf("base64 %s at %d", name, skip), of: at(skip, enc), any: true})
		}
		list = append(list,
			way{name: fmt.Sprint("base64 of utf-16 little at ", skip), of: then(little, at(skip, base64.StdEncoding)), any: true},
			way{name: fmt.Sprint("base64 of utf-16 big at ", skip), of: then(big, at(skip, base64.StdEncoding)), any: true},
			way{name: fmt.Sprint("base64 of json at ", skip), of: then(jsonOf, at(skip, base64.RawURLEncoding)), any: true},
			way{name: fmt.Sprint("base64 twice at ", skip), of: then(at(skip, base64.StdEncoding), at(skip, base64.StdEncoding)), any: true},
			way{name: fmt.Sprint("mime at ", skip), of: then(at(skip, base64.StdEncoding), func(s string) string { return s[:len(s)/2] + "\r\n" + s[len(s)/2:] }), any: true},
		)
	}
	return list
}()

// double are encodings within encodings.
var double = func() (list []way) {
	outer := []way{simple[3], simple[5], simple[7], simple[9], simple[10], simple[18], simple[19]}
	for _, a := range simple {
		for _, b := range outer {
			list = append(list, way{a.name + " in " + b.name, then(a.of, b.of), a.any || b.any})
		}
	}
	for _, a := range encodings {
		list = append(list, way{a.name + " in query", then(a.of, url.QueryEscape), a.any}, way{a.name + " in json", then(a.of, jsonOf), a.any})
	}
	return list
}()

var surroundings = []struct{ before, after string }{
	{"", ""},
	{`{"value":"`, `","other":1}`},
	{"https://shop.example/?q=", "&next=1#top"},
	{"e5 textbox \"Password\" =\"", "\" required\n"},
	{"<input value='", "'>"},
	{"\u200b\u00a0", "\u00a0\ufeff"},
}

func TestTable(t *testing.T) {
	t.Parallel()
	for _, value := range values {
		o := New(map[string]string{"V": value, "OTHER": "something else entirely"})
		for _, list := range [][]way{simple, encodings, double} {
			for _, w := range list {
				form := w.of(value)
				for _, s := range surroundings {
					got := o.Text(s.before + form + s.after)
					if !strings.Contains(got, Mask) {
						t.Errorf("%s of %q is left: %q", w.name, value, got)
						break
					}
					// What is left of it is what stood around it.
					rest := strings.ReplaceAll(got, Mask, "")
					if most := len(s.before) + len(s.after) + 48; len(rest) > most && len(rest) > len(s.before)+len(s.after)+len(form)/3 {
						t.Errorf("%s of %q: too much is left: %q", w.name, value, got)
						break
					}
				}
			}
		}
	}
}

// TestShortValues: of values with fewer than eight characters every spelling is
// found that keeps their characters together.
func TestShortValues(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"1234", "pin7", "a b1", `x"y<`, "se-cr"} {
		o := New(map[string]string{"V": value})
		for _, w := range append(simple, double...) {
			if w.any {
				continue
			}
			for _, s := range surroundings[:3] {
				if got := o.Text(s.before + w.of(value) + s.after); !strings.Contains(got, Mask) {
					t.Errorf("%s of %q is left: %q", w.name, value, got)
				}
			}
		}
	}
}

// TestShortForeignValues: the same for those beyond ASCII, except in UTF-16 that was
// taken for UTF-8: nothing is left of them there.
func TestShortForeignValues(t *testing.T) {
	t.Parallel()
	o := New(map[string]string{"V": "äöü1"})
	for _, w := range simple {
		if got := o.Text("<" + w.of("äöü1") + ">"); !w.any && !strings.Contains(got, Mask) {
			t.Errorf("%s is left: %q", w.name, got)
		}
	}
}

// TestHarmlessTexts: what is no secret stays as it is.
func TestHarmlessTexts(t *testing.T) {
	t.Parallel()
	o := New(map[string]string{"A": "correct horse battery staple", "B": "hunter2222", "C": "1234", "D": "Tr0ub4dor&3"})
	for _, text := range []string{
		"the correct answer", "correct hor", "a horse, a battery", "hunter", "hunter2 is a joke", "12 34", "1.234", "12:34", "0x12 0x34",
		"mailto:joe@shop.example", "write to joe@shop.example", "https://medium.example/@joe", "E-Mail:info@shop.example", "@import url(x.css)",
		"https://shop.example/?mail=joe@shop.example", "// see joe@shop.example", "a@b", "joe@", "@", "git@github.example:joe/rove.git",
		"C:\\users\\new", "100% & more", "a%zz", "&unknown;", `\u12`, "%", "\\", "&", "troubadour and 3",
	} {
		if got := o.Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestCutOff: what is left of a value that somebody cut is hidden as well.
func TestCutOff(t *testing.T) {
	t.Parallel()
	o := New(map[string]string{"A": "correct horse battery staple", "B": "hunter2-456"})
	for text, want := range map[string]string{
		"correct horse batt… more":   Mask + "… more",
		"a correct horse battery x":  "a " + Mask + " x",
		"correct hor":                "correct hor",
		"correct hor…":               Mask + "…",
		"corr... and so on":          Mask + "... and so on",
		"cor…":                       "cor…",
		"correct%20horse%20battery…": Mask + "…",
		"horse battery staple":       Mask,
		"hunter2-45":                 Mask,
		"unter2-456":                 Mask,
		"hunter2":                    "hunter2",
	} {
		if got := o.Text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestLogins(t *testing.T) {
	t.Parallel()
	var o *Outlet // without secrets
	for text, want := range map[string]string{
		"https://name:pw@host/path":                      "https://••••@host/path",
		"go to https://name:pw@host:8080/ now":           "go to https://••••@host:8080/ now",
		"https://:pw@host":                               "https://••••@host",
		"https://token@host":                             "https://••••@host",
		"HTTPS://NAME:PW@HOST":                           "HTTPS://••••@HOST",
		"https://name:p@ss@host/":                        "https://••••@host/",
		`https:\\name:pw@host`:                           `https:\\••••@host`,
		`"https:\/\/name:pw@host"`:                       `"https:\/\/••••@host"`,
		"https:/name:pw@host":                            "https:/••••@host",
		"https:name:pw@host":                             "https:••••@host",
		"//name:pw@host/x":                               "//••••@host/x",
		"postgres://name:pw@db":                          "postgres://••••@db",
		"view-source:https://name:pw@host":               "view-source:https://••••@host",
		"?next=https%3A%2F%2Fname%3Apw%40host%2F&x":      "?next=https%3A%2F%2F••••%40host%2F&x",
		"?next=https%253A%252F%252Fname%253Apw%2540host": "?next=https%253A%252F%252F••••%2540host",
		`https:\u002f\u002fname:pw\u0040host`:            `https:\u002f\u002f••••\u0040host`,
		"https://name:pw&#64;host":                       "https://••••&#64;host",
		`https://name:pw\u{40}host \100`:                 `https://••••\u{40}host \100`,
		"https://name:pw&#0064;host":                     "https://••••&#0064;host",
		"https://name:pw%252540host":                     "https://••••%252540host",
		"a https://n:p@h and ftp://n:p@h":                "a https://••••@h and ftp://••••@h",
		"wss://name:pw@[::1]:9/":                         "wss://••••@[::1]:9/",
	} {
		if got := o.Text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	for address, want := range map[string][2]string{
		"name:pw@host/x":          {"host/x", "pw"},
		"https://name:pw@host":    {"https://host", "pw"},
		"http:name:pw@host":       {"http:host", "pw"},
		"https://name@host":       {"https://host", ""},
		"name:p@w@host:80?q=a@b":  {"host:80?q=a@b", "p@w"},
		"host/@name":              {"host/@name", ""},
		"localhost:8080/a@b":      {"localhost:8080/a@b", ""},
		"mailto:joe@shop.example": {"mailto:joe@shop.example", ""},
		"joe@shop.example":        {"joe@shop.example", ""},
		"":                        {"", ""},
	} {
		if without, password := Login(address); without != want[0] || password != want[1] {
			t.Errorf("Login(%q) = %q, %q", address, without, password)
		}
	}
}

func TestLoginsOfWords(t *testing.T) {
	t.Parallel()
	o := New(nil)
	if got := o.LearnLogin("http://ada:harbour@host/x"); got != "http://host/x" {
		t.Error(got)
	}
	o.LearnLogin("bob:Sunday@host")
	o.LearnLogin("cid:hunter2222@host")
	for text, want := range map[string]string{
		"Harbour Works":                         "Harbour Works",
		`link "the harbour" Sunday`:             `link "the harbour" Sunday`,
		"ada, Harbour":                          "ada, Harbour",
		"harbour":                               "••••", // a field's value, a step's
		`textbox "Password" ="harbour"`:         `textbox "Password" ="••••"`,
		"ada:harbour@host, ada:harbour":         "ada:••••@host, ada:••••",
		"q=harbour&r=harbours":                  "q=••••&r=harbours",
		"?next=ada%3Aharbour%40host":            "?next=ada%3A••••%40host",
		"Authorization: Basic YWRhOmhhcmJvdXI=": "Authorization: Basic ••••=",
		"bob:Sunday sunday":                     "bob:•••• sunday",
		"say HUNTER2222":                        "say ••••",
		"give https://NAME:PASSWORD@host/path":  "give https://NAME:PASSWORD@host/path",
	} {
		if got := o.Fork().Text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

type inner struct{ Text string }

type sample struct {
	inner
	List  []string
	Map   map[string]any
	Any   any
	Next  *sample
	Raw   json.RawMessage
	Bytes []byte
	Pair  [2]string
	Kind  fmt.Stringer
	own   string
}

func TestClean(t *testing.T) {
	t.Parallel()
	const secret = "hunter2222"
	o := New(map[string]string{"A": secret})
	was := sample{
		inner: inner{secret}, List: []string{"a", secret}, Map: map[string]any{secret: map[string]string{"x": secret}, "y": 1}, Any: &inner{secret},
		Next: &sample{List: []string{secret}}, Raw: json.RawMessage(`{"a":"hunter2222"}`), Bytes: []byte(secret), Pair: [2]string{"a", secret}, own: "own",
	}
	is := Clean(o, was)
	is.Bytes = nil
	data, err := json.Marshal(is)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), secret) || strings.Count(string(data), Mask) != 8 {
		t.Errorf("%s", data)
	}
	if is.own != "own" || was.List[1] != secret || was.Next.List[0] != secret || was.Any.(*inner).Text != secret || was.Map[secret] == nil {
		t.Error("what came in was changed")
	}
	plain := sample{List: []string{"a"}, Next: &sample{}, Map: map[string]any{"a": 1}}
	if got := Clean(o, plain); got.Next != plain.Next {
		t.Error("what has no secret was copied")
	}
	if got := Clean[any](o, map[string]any{"a": []any{secret, 1, nil}}); fmt.Sprint(got) != "map[a:[•••• 1 <nil>]]" {
		t.Error(got)
	}
	if got := Clean(nil, secret); got != secret {
		t.Error(got)
	}
}

func TestLearn(t *testing.T) {
	t.Parallel()
	o := New(nil)
	if o.Secret() || o.Text("hunter2222") != "hunter2222" {
		t.Error("there is none yet")
	}
	if !o.Learn("LOGIN", "hunter2222") || o.Text("a hunter2222") != "a "+Mask {
		t.Error("it was not learned")
	}
	if o.Learn("LOGIN", "pw") || o.Text("a hunter2222") != "a "+Mask {
		t.Error("a short one took its place")
	}
}
