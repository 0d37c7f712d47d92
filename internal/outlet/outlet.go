// Package outlet is the one exit for what a session tells: every text of a
// result, error, log, archive, trace, event and recording passes through an Outlet,
// which takes secrets and logins out of it.
//
// A secret is looked for in the normal form of a text, so that no respelling of it
// gets by: see normal.go for the form, decode.go for the escapes that are read
// first, and spell.go for what else a value is looked for as.
//
//	o := outlet.New(map[string]string{"PASS": "correct horse"})
//	text = o.Text(text)              // one text
//	result = outlet.Clean(o, result) // every text of a result
//
// A nil Outlet has no secrets. It still takes logins out of addresses.
package outlet

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// Mask stands for what is hidden.
const Mask = "••••"

// Shortest is how many characters a secret has at least. A shorter one would be
// found, and hidden, where it only happens to stand.
const Shortest = 4

// Outlet takes secrets out of texts. Its methods may be called from several
// goroutines, and of a nil Outlet.
type Outlet struct {
	index atomic.Pointer[index]            // nil without secrets
	words atomic.Pointer[[]*regexp.Regexp] // passwords of addresses that are ordinary words

	mu      sync.Mutex
	secrets map[string]string
}

// New makes an outlet for secrets, by name.
func New(secrets map[string]string) *Outlet {
	o := &Outlet{secrets: map[string]string{}}
	maps.Copy(o.secrets, secrets)
	o.build()
	return o
}

// Learn adds a secret that came up later. One that is too short is not taken: it
// says whether it was.
func (o *Outlet) Learn(name, value string) bool {
	if o == nil || !Long(value) {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.secrets[name] == value {
		return true
	}
	o.secrets[name] = value
	o.build()
	return true
}

// Fork gives another outlet with the same secrets, which learns by itself.
func (o *Outlet) Fork() *Outlet {
	f := &Outlet{secrets: map[string]string{}}
	if o != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		maps.Copy(f.secrets, o.secrets)
		f.index.Store(o.index.Load())
		f.words.Store(o.words.Load())
	}
	return f
}

func (o *Outlet) build() {
	if len(o.secrets) > 0 {
		o.index.Store(newIndex(o.secrets))
	}
}

// Long says whether a value has enough characters to be kept out of texts.
func Long(value string) bool { return utf8.RuneCount(strict.of([]byte(value))) >= Shortest }

// Text gives a text without secrets and logins.
func (o *Outlet) Text(text string) string {
	if len(text) < Shortest {
		return text
	}
	if spans := o.find(text); len(spans) > 0 {
		return cover(text, spans)
	}
	return text
}

// Bytes is Text for bytes.
func (o *Outlet) Bytes(data []byte) []byte {
	if o.Secret() || o != nil && o.words.Load() != nil || mayLogin(string(data)) {
		return []byte(o.Text(string(data)))
	}
	return data
}

// Secret says whether there are secrets to hide.
func (o *Outlet) Secret() bool { return o != nil && o.index.Load() != nil }

func (o *Outlet) find(text string) []span {
	var spans []span
	if mayLogin(text) {
		spans = logins([]byte(text), layers)
	}
	spans = append(spans, o.loginWords(text)...)
	if o.Secret() {
		spans = append(spans, o.index.Load().find([]byte(text), layers)...)
	}
	return spans
}

// span is a part of a text: from a byte up to before another.
type span struct{ from, to int }

// cover puts the mask in the place of spans.
func cover(text string, spans []span) string {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	var b strings.Builder
	done := 0
	for i := 0; i < len(spans); {
		s := spans[i]
		for i++; i < len(spans) && spans[i].from <= s.to; i++ { // what touches is one
			s.to = max(s.to, spans[i].to)
		}
		if s.to <= done {
			continue
		}
		s.from = max(s.from, done)
		for s.from > done && s.from < len(text) && !utf8.RuneStart(text[s.from]) {
			s.from--
		}
		for s.to < len(text) && !utf8.RuneStart(text[s.to]) {
			s.to++
		}
		b.WriteString(text[done:s.from])
		b.WriteString(Mask)
		done = s.to
	}
	b.WriteString(text[done:])
	return b.String()
}
