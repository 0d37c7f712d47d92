package network

import (
	"encoding/base64"
	"slices"
	"strings"

	"rove/internal/outlet"
)

// Clean has all that pages and servers had a say in pass the outlet. What is in
// base64 is read first, so that nothing of it is lost but what has to be.
func (q *Request) Clean(o *outlet.Outlet) {
	if q.Sent != nil && q.Sent.Base64 {
		s := *q.Sent
		s.Text = cleanBase64(o, s.Text)
		q.Sent = &s
	}
	if slices.ContainsFunc(q.Messages, func(m Message) bool { return m.Binary }) {
		q.Messages = slices.Clone(q.Messages)
		for i := range q.Messages {
			if m := &q.Messages[i]; m.Binary {
				m.Data = cleanBase64(o, m.Data)
			}
		}
	}
	q.RequestHeaders = withoutLogin(q.RequestHeaders)
	q.Body = q.Body.Clean(o)
	q.cacheName = o.Text(q.cacheName)
	*q = outlet.Clean(o, *q)
}

// withoutLogin leaves name and password out of the headers that they become.
func withoutLogin(list []Header) []Header {
	for i := range list {
		h := list[i]
		scheme, rest, _ := strings.Cut(strings.TrimSpace(h.Value), " ")
		if !strings.EqualFold(scheme, "Basic") || rest == "" || !strings.EqualFold(h.Name, "Authorization") && !strings.EqualFold(h.Name, "Proxy-Authorization") {
			continue
		}
		list = slices.Clone(list)
		list[i].Value = scheme + " " + outlet.Mask
	}
	return list
}

func cleanBase64(o *outlet.Outlet, text string) string {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return o.Text(text)
	}
	return base64.StdEncoding.EncodeToString(o.Bytes(data))
}

// Clean gives the body without secrets.
func (b *Body) Clean(o *outlet.Outlet) *Body {
	if b == nil {
		return nil
	}
	out := outlet.Clean(o, *b)
	out.Data = o.Bytes(b.Data)
	return &out
}
