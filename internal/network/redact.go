package network

import (
	"encoding/base64"
	"slices"
	"strings"
)

// Redact has hide called on all that pages and servers had a say in.
func (q *Request) Redact(hide func(string) string) {
	for _, s := range []*string{
		&q.Method, &q.URL, &q.StatusText, &q.ContentType, &q.Served, &q.cacheName, &q.ContextURL, &q.Document, &q.Initiator.URL, &q.Initiator.Name, &q.Cause,
	} {
		*s = hide(*s)
	}
	if q.Failure != nil {
		f := *q.Failure
		f.Text, f.Code = hide(f.Text), hide(f.Code)
		q.Failure = &f
	}
	if q.Sent != nil {
		s := *q.Sent
		if data, err := base64.StdEncoding.DecodeString(s.Text); s.Base64 && err == nil {
			s.Text = base64.StdEncoding.EncodeToString([]byte(hide(string(data))))
		} else {
			s.Text = hide(s.Text)
		}
		q.Sent = &s
	}
	q.Body = q.Body.Redact(hide)
	q.RequestHeaders, q.ResponseHeaders = slices.Clone(q.RequestHeaders), slices.Clone(q.ResponseHeaders)
	for _, list := range [][]Header{q.RequestHeaders, q.ResponseHeaders} {
		for i := range list {
			list[i] = Header{hide(list[i].Name), hideValue(list[i].Value, hide)}
		}
	}
	q.Messages = slices.Clone(q.Messages)
	for i := range q.Messages {
		m := &q.Messages[i]
		if data, err := base64.StdEncoding.DecodeString(m.Data); m.Binary && err == nil {
			m.Data = base64.StdEncoding.EncodeToString([]byte(hide(string(data))))
		} else {
			m.Data = hide(m.Data)
		}
		m.Event, m.ID = hide(m.Event), hide(m.ID)
	}
}

// hideValue takes secrets out of a header's value, also out of the name and
// password of Basic authentication, which are one text in base64.
func hideValue(value string, hide func(string) string) string {
	scheme, rest, ok := strings.Cut(value, " ")
	if ok && strings.EqualFold(scheme, "Basic") {
		if plain, err := base64.StdEncoding.DecodeString(strings.TrimSpace(rest)); err == nil && hide(string(plain)) != string(plain) {
			return scheme + " " + base64.StdEncoding.EncodeToString([]byte(hide(string(plain))))
		}
	}
	return hide(value)
}

// Redact gives the body without secrets.
func (b *Body) Redact(hide func(string) string) *Body {
	if b == nil {
		return nil
	}
	out := *b
	out.Data, out.Text, out.Missing = []byte(hide(string(b.Data))), hide(b.Text), hide(b.Missing)
	return &out
}
