package rove

import (
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"rove/aria"
	"rove/driver"
	"rove/internal/policy"
	"rove/internal/wire"
)

// Secrets are values that a model can have typed without seeing them: it writes
// {{secret:NAME}} where a value stands, in input, type and set. Each is bound to
// the origins it may be typed into, and none is shown, logged or kept in the
// history: wherever one would come back from a page it reads ••••. What a picture
// shows, and what a script makes of a value, cannot be kept out.
type Secrets struct {
	list   []secret
	hidden []string // what must not be shown: the values, in their several spellings
}

type secret struct {
	name, value string
	origins     []string
}

// ReadSecrets reads secrets from a file that nobody but its owner may read, a
// line for each:
//
//	# NAME@ORIGIN[,ORIGIN…]=VALUE
//	SHOP_PASSWORD@https://shop.example=correct horse
//	STAGING_KEY@*.staging.example,localhost:*=0123456789
//
// The value is the rest of the line as it is. @* is for a secret that may be
// typed anywhere.
func ReadSecrets(path string) (*Secrets, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("secrets: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("secrets: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("secrets: %s is not a file", path)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("secrets: others can read %s; make it yours alone: chmod 600 %s", path, path)
	}
	text, err := io.ReadAll(io.LimitReader(f, mostSecrets+1))
	if err != nil {
		return nil, fmt.Errorf("secrets: %w", err)
	}
	if len(text) > mostSecrets {
		return nil, fmt.Errorf("secrets: %s is too large", path)
	}
	return ParseSecrets(string(text))
}

const (
	mostSecrets = 1 << 20
	// A shorter value would be found, and hidden, where it only happens to stand.
	shortestSecret = 4
	// As much of the beginning of a value is hidden where a page or an answer cuts
	// it off.
	tellingPrefix = 12
)

var secretLine = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)(?:@([^=]*))?=(.*)$`)

// ParseSecrets reads what ReadSecrets finds in a file. Its errors name lines and
// names, never values.
func ParseSecrets(text string) (*Secrets, error) {
	s := &Secrets{}
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		line = strings.TrimSuffix(line, "\r")
		if trimmed := strings.TrimSpace(line); trimmed == "" || trimmed[0] == '#' {
			continue
		}
		m := secretLine.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("secrets: line %d is not NAME@ORIGIN=VALUE", number)
		}
		one := secret{name: m[1], value: m[3]}
		wrong := func(why string) (*Secrets, error) {
			return nil, fmt.Errorf("secrets: line %d, %s: %s", number, one.name, why)
		}
		switch {
		case len(one.value) < shortestSecret:
			return wrong("the value is too short to be kept out of answers")
		case strings.ContainsFunc(one.value, func(r rune) bool { return r < ' ' }):
			return wrong("the value has control characters in it")
		case strings.Contains(one.value, "•"):
			return wrong("the value has a • in it, which stands for what is hidden")
		case slices.ContainsFunc(s.list, func(o secret) bool { return o.name == one.name }):
			return wrong("it is there twice")
		case strings.TrimSpace(m[2]) == "":
			return wrong(fmt.Sprintf("say where it may be typed: %s@https://host=…, or %s@*=… for anywhere", one.name, one.name))
		}
		for origin := range strings.SplitSeq(m[2], ",") {
			if origin = strings.TrimSpace(origin); origin == "*" {
				origin = "*:*"
			}
			if _, err := policy.Match(origin, "https://x.example"); err != nil {
				return wrong(err.Error())
			}
			one.origins = append(one.origins, origin)
		}
		s.list = append(s.list, one)
	}
	s.spell()
	return s, nil
}

// Names lists the secrets by name.
func (s *Secrets) Names() []string {
	if s == nil {
		return nil
	}
	names := make([]string, len(s.list))
	for i, one := range s.list {
		names[i] = one.name
	}
	return names
}

// spell lists the ways in which a value may come back: as it is, and as addresses,
// JSON, HTML, quotes and scripts write it.
func (s *Secrets) spell() {
	for _, one := range s.list {
		for _, v := range []string{one.value, strings.ToLower(one.value), strings.ToUpper(one.value)} {
			encoded, _ := wire.Marshal(v)
			for _, form := range []string{
				v, url.QueryEscape(v), url.PathEscape(v), strings.ReplaceAll(url.QueryEscape(v), "+", "%20"), strings.Trim(string(encoded), `"`),
				html.EscapeString(v), strings.Trim(fmt.Sprintf("%q", v), `"`), base64.StdEncoding.EncodeToString([]byte(v)), base64.RawURLEncoding.EncodeToString([]byte(v)),
			} {
				if !slices.Contains(s.hidden, form) {
					s.hidden = append(s.hidden, form)
				}
			}
		}
	}
	// The longest first: one value may be the beginning of another.
	slices.SortStableFunc(s.hidden, func(a, b string) int { return len(b) - len(a) })
}

const mask = "••••"

// hide takes the values out of a text.
func (s *Secrets) hide(text string) string {
	if s == nil || len(text) < shortestSecret {
		return text
	}
	for _, v := range s.hidden {
		least := min(len(v), tellingPrefix)
		for least < len(v) && !utf8.RuneStart(v[least]) {
			least++
		}
		begin := v[:least]
		from := 0
		for {
			at := strings.Index(text[from:], begin)
			if at < 0 {
				break
			}
			at += from
			end := at + len(begin)
			for i := len(begin); i < len(v) && end < len(text) && text[end] == v[i]; i++ {
				end++
			}
			for end < len(text) && end > at+len(begin) && !utf8.RuneStart(text[end]) {
				end-- // half a character is none of the value
			}
			text = text[:at] + mask + text[end:]
			from = at + len(mask)
		}
	}
	return text
}

// each has hide called on several texts.
func (s *Secrets) each(texts ...*string) {
	for _, t := range texts {
		if t != nil {
			*t = s.hide(*t)
		}
	}
}

// tree takes the values out of a page, before anything of it is cut or compared.
func (s *Secrets) tree(t *aria.Tree) *aria.Tree {
	if s == nil || t == nil {
		return t
	}
	s.each(&t.URL, &t.Title)
	for i := range t.Nodes {
		n := &t.Nodes[i]
		s.each(&n.Name, &n.Value, &n.Desc, &n.URL)
	}
	for i := range t.Unreadable {
		s.each(&t.Unreadable[i])
	}
	return t
}

// effect takes the values out of what a step did.
func (s *Secrets) effect(e *driver.Effect) {
	if s == nil || e == nil {
		return
	}
	s.each(&e.Name, &e.URL, e.Text, &e.Refused, &e.Outside)
	if e.Value != nil {
		e.Value = &driver.Change{From: s.hide(e.Value.From), To: s.hide(e.Value.To)}
	}
	if e.Dialog != nil {
		d := *e.Dialog
		s.each(&d.Message, &d.Default, &d.URL)
		e.Dialog = &d
	}
	for i := range e.Tabs {
		s.each(&e.Tabs[i])
	}
	for i := range e.Console {
		s.each(&e.Console[i])
	}
	for i := range e.Requests {
		s.each(&e.Requests[i].URL, &e.Requests[i].Failure)
	}
	for i := range e.Downloads {
		s.each(&e.Downloads[i].Name, &e.Downloads[i].URL)
	}
}

// failure takes the values out of an error. What it wraps is let go if it had one.
func (s *Secrets) failure(err error) error {
	if s == nil || err == nil || s.hide(err.Error()) == err.Error() {
		return err
	}
	var e *Error
	if !errors.As(err, &e) {
		return errors.New(s.hide(err.Error()))
	}
	told := *e
	told.Err = nil
	told.Log = slices.Clone(e.Log)
	s.each(&told.Op, &told.Message, &told.Hint)
	for i := range told.Log {
		s.each(&told.Log[i])
	}
	return &told
}

// view takes the values out of what a verb shows.
func (s *Secrets) view(r *LookResult) {
	if s == nil || r == nil {
		return
	}
	s.each(&r.URL, &r.Title, &r.Tree, &r.text)
	for i := range r.Tabs {
		s.each(&r.Tabs[i].URL)
	}
	if r.Dialog != nil {
		s.each(&r.Dialog.Message, &r.Dialog.Default)
	}
}

var secretPlace = regexp.MustCompile(`\{\{\s*secret:([^{}]*)\}\}`)

// reveal puts secrets into the value of a step, if it names any and the element
// is of a page that may have them.
func (s *Session) reveal(st Step) (Step, error) {
	if !strings.Contains(st.Value, "{{") || !secretPlace.MatchString(st.Value) {
		return st, nil
	}
	refuse := func(format string, args ...any) (Step, error) {
		return st, &Error{Code: CodePolicy, Op: st.Op + " " + st.Ref, Message: fmt.Sprintf(format, args...), Hint: s.secretsHint()}
	}
	if st.Op != "input" && st.Op != "type" && st.Op != "set" || st.Ref == "_page" {
		return refuse("a secret can be typed into a field, and nothing else")
	}
	at, err := s.driver.Tab().FrameURL(st.Ref)
	if err != nil {
		return st, err
	}
	var wrong error
	value := secretPlace.ReplaceAllStringFunc(st.Value, func(place string) string {
		name := strings.TrimSpace(secretPlace.FindStringSubmatch(place)[1])
		var one *secret
		if s.secrets != nil {
			for i := range s.secrets.list {
				if s.secrets.list[i].name == name {
					one = &s.secrets.list[i]
				}
			}
		}
		if one == nil {
			_, wrong = refuse("there is no secret %q", name)
			return ""
		}
		for _, origin := range one.origins {
			if ok, err := policy.Match(origin, at); err == nil && ok {
				return one.value
			}
		}
		_, wrong = refuse("the secret %s is not for %s; it is for %s", name, clip(at, 100), strings.Join(one.origins, ", "))
		return ""
	})
	if wrong != nil {
		return st, wrong
	}
	st.Value = value
	return st, nil
}

// URL is the address of the current tab, without secrets.
func (s *Session) URL() string { return s.secrets.hide(s.driver.Tab().URL()) }

func (s *Session) secretsHint() string {
	if names := s.secrets.Names(); len(names) > 0 {
		return "there are " + strings.Join(names, ", ")
	}
	return "none were given to this session"
}
