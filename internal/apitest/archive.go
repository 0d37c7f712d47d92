package apitest

import (
	"bytes"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rove/internal/data"
	"rove/internal/har"
	"rove/internal/outlet"
)

// Archive writes the calls as HAR 1.2, without secrets.
func (s *Suite) Archive() []File {
	var b bytes.Buffer
	var list []*har.Entry
	for i, c := range s.Calls {
		list = append(list, outlet.Clean(s.out, s.entry(i, c)))
	}
	log := har.Log{Creator: har.Name{Name: "rove derive api", Version: "1"}, Comment: s.out.Text(strings.Join(s.Notes, "; "))}
	if err := har.Write(&b, log, slices.Values(list)); err != nil {
		return nil // memory takes all
	}
	return []File{{"api.har", b.String()}}
}

// shown is a text as an archive has it: without what is secret.
func shown(t Text) string {
	var b strings.Builder
	for _, p := range t {
		switch {
		case p.Var == nil:
			b.WriteString(p.Lit)
		case p.Var.Secret:
			b.WriteString(outlet.Mask)
		default:
			b.WriteString(p.Var.Value)
		}
	}
	return b.String()
}

func (s *Suite) entry(i int, c *Call) *har.Entry {
	address := s.Origins[c.Origin]
	for _, p := range c.Path {
		address += "/" + shown(p)
	}
	e := &har.Entry{
		Number: i + 1, Timings: har.Timings{Blocked: -1, DNS: -1, Connect: -1, TLS: -1},
		Request:  har.Request{Method: c.Method, HTTPVersion: "HTTP/1.1", HeadersSize: -1, BodySize: -1, Cookies: []har.Cookie{}, Headers: []har.Pair{}, QueryString: []har.Pair{}},
		Response: har.Response{Status: c.Answer.Status, HTTPVersion: "HTTP/1.1", HeadersSize: -1, BodySize: -1, Cookies: []har.Cookie{}, Headers: []har.Pair{}, Content: har.Content{MIMEType: c.Answer.Type}},
	}
	query := url.Values{}
	for _, f := range c.Query {
		e.Request.QueryString = append(e.Request.QueryString, har.Pair{Name: f.Name, Value: shown(f.Value)})
		query.Add(f.Name, shown(f.Value))
	}
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	e.Request.URL = address
	for _, h := range c.Headers {
		e.Request.Headers = append(e.Request.Headers, har.Pair{Name: h.Name, Value: shown(h.Value)})
	}
	for name := range c.sent {
		e.Request.Cookies = append(e.Request.Cookies, har.Cookie{Name: name, Value: outlet.Mask})
	}
	slices.SortFunc(e.Request.Cookies, func(a, b har.Cookie) int { return strings.Compare(a.Name, b.Name) })
	if b := c.Body; b != nil {
		e.Request.PostData = &har.PostData{MIMEType: b.Type}
		switch b.Kind {
		case "json":
			e.Request.PostData.Text = data.JSON(sample(b.JSON))
		case "form", "multipart":
			form := url.Values{}
			for _, f := range b.Fields {
				e.Request.PostData.Params = append(e.Request.PostData.Params, har.Param{Name: f.Name, Value: shown(f.Value), FileName: f.FileName, ContentType: f.Type})
				form.Add(f.Name, shown(f.Value))
			}
			if b.Kind == "form" {
				e.Request.PostData.Text = form.Encode()
			}
		default:
			e.Request.PostData.Text = shown(b.Text)
		}
	}
	for _, h := range c.Answer.Headers {
		if !quietHeader().MatchString(h.Name) || strings.EqualFold(h.Name, "Content-Type") {
			e.Response.Headers = append(e.Response.Headers, har.Pair{Name: h.Name, Value: h.Value})
		}
	}
	for _, name := range c.setNames {
		e.Response.Cookies = append(e.Response.Cookies, har.Cookie{Name: name, Value: outlet.Mask})
	}
	e.Response.Content.Text = s.answerText(c)
	e.Response.Content.Size = int64(len(e.Response.Content.Text))
	e.Response.RedirectURL, _ = c.Answer.lookup(Source{Kind: "header", Name: "location"})
	return e
}

// answerText is the body of an answer without secrets.
func (s *Suite) answerText(c *Call) string {
	switch {
	case c.Answer.IsJSON:
		return data.JSON(redacted(c.Answer.JSON, ""))
	case c.Answer.Binary:
		return ""
	}
	return s.out.Text(c.Answer.Text)
}

// redacted is a value of an answer without what stands under names of secrets.
func redacted(v any, key string) any {
	switch v := v.(type) {
	case *data.Object:
		o := data.NewObject()
		for k, kid := range v.All() {
			o.Set(k, redacted(kid, k))
		}
		return o
	case []any:
		list := make([]any, len(v))
		for i, kid := range v {
			list[i] = redacted(kid, key)
		}
		return list
	case string:
		if outlet.Secretive(key) && v != "" || jwt().MatchString(v) {
			return outlet.Mask
		}
	}
	return v
}

// sample is a body as it was sent, without secrets.
func sample(n *Node) any {
	switch n.Kind {
	case 'o':
		o := data.NewObject()
		for i, k := range n.Keys {
			o.Set(k, sample(n.Nodes[i]))
		}
		return o
	case 'a':
		list := []any{}
		for _, kid := range n.Nodes {
			list = append(list, sample(kid))
		}
		return list
	case 's':
		return shown(n.Value)
	}
	text := shown(n.Value)
	if v, err := data.ParseJSON(text); err == nil {
		return v
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return f
	}
	return int64(0)
}
