package network

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"rove/internal/har"
	"rove/internal/outlet"
)

// HAROptions shape an archive. The zero value is all requests without bodies.
type HAROptions struct {
	Filter
	// Bodies has the bodies of answers written too, as far as they can be had: up
	// to so many bytes in all. An entry without one says why.
	Bodies int64
	// Out is what all of it has to pass, and Name puts a cause in words.
	Out              *outlet.Outlet
	Name             func(string) string
	Creator, Browser har.Name
	// Unseen is what was typed into fields that hide it: fields of requests that have it are
	// marked.
	Unseen []string
}

// HAR writes requests as a HAR 1.2 archive.
func (l *Log) HAR(ctx context.Context, w io.Writer, opts HAROptions) error {
	found, err := l.Requests(opts.Filter)
	if err != nil {
		return err
	}
	log := har.Log{Creator: opts.Creator, Browser: opts.Browser, Pages: outlet.Clean(opts.Out, l.harPages(found.Requests))}
	if found.Dropped > 0 {
		log.Comment = fmt.Sprintf("%d older requests were dropped for want of space", found.Dropped)
	}
	known := map[string]bool{}
	for i := range log.Pages {
		known[log.Pages[i].ID] = true
	}
	left := opts.Bodies
	err = har.Write(w, log, func(yield func(*har.Entry) bool) {
		for _, q := range found.Requests {
			if ctx.Err() != nil {
				return
			}
			if opts.Bodies > 0 {
				q.Body = l.bodyFor(ctx, &q, &left)
			}
			if opts.Name != nil {
				q.Cause = opts.Name(q.Cause)
			}
			q.Clean(opts.Out)
			e := outlet.Clean(opts.Out, q.entry())
			e.Request.PostData.MarkSecret(opts.Unseen)
			if e.Page = pageID(e.Page); !known[e.Page] {
				e.Page = ""
			}
			if !yield(e) {
				return
			}
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// bodyFor gets the body of a request for an archive, out of what is left of its
// space, or the reason why not.
func (l *Log) bodyFor(ctx context.Context, q *Request, left *int64) *Body {
	if q.Size == 0 || q.redirect || q.Status == 0 || q.MessageCount > 0 {
		return nil
	}
	if q.Size > *left {
		return &Body{Missing: "no space was left for it"}
	}
	b, err := l.Body(ctx, q.Number, *left)
	if err != nil {
		return &Body{Missing: err.Error()}
	}
	*left -= b.Size
	return b
}

// pageID is the name of a document in an archive.
func pageID(loader string) string {
	if loader == "" {
		return ""
	}
	return "page_" + loader
}

// harPages are the documents that requests belong to.
func (l *Log) harPages(requests []Request) []har.Page {
	begun := map[string]*Request{}
	used := map[string]bool{}
	for i := range requests {
		q := &requests[i]
		used[q.page] = true
		if q.page == q.id && q.page != "" && begun[q.page] == nil {
			begun[q.page] = q
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []har.Page
	for _, p := range l.pages {
		if !used[p.id] {
			continue
		}
		out := har.Page{ID: pageID(p.id), Title: p.url, Started: har.Time(p.at), Timings: har.PageTimings{OnContentLoad: -1, OnLoad: -1}}
		began := p.at
		if q := begun[p.id]; q != nil {
			out.Started, began = har.Time(q.Start), q.Start
		}
		if l.offset != nil {
			start := float64(began.UnixNano())/1e9 - *l.offset
			if p.content >= start {
				out.Timings.OnContentLoad = har.Millis((p.content - start) * 1000)
			}
			if p.load >= start {
				out.Timings.OnLoad = har.Millis((p.load - start) * 1000)
			}
		}
		list = append(list, out)
	}
	return list
}

// entry is the request as an archive has it.
func (q *Request) entry() *har.Entry {
	e := &har.Entry{
		Page: q.page, Started: har.Time(q.Start), Time: har.Millis(q.Millis), Connection: q.connection,
		Number: q.Number, ResourceType: q.Type, Source: q.Source, Context: q.Context, Cause: q.Cause, Priority: q.priority,
		Initiator: &har.Initiator{Type: q.Initiator.Type, URL: q.Initiator.URL, Line: q.Initiator.Line, Column: q.Initiator.Column, Name: q.Initiator.Name, Entry: q.PreflightFor},
		Request: har.Request{
			Method: q.Method, URL: q.URL, HTTPVersion: q.Protocol, Headers: pairs(q.RequestHeaders), QueryString: query(q.URL),
			Cookies: sentCookies(q.RequestHeaders), HeadersSize: -1,
		},
		Response: har.Response{
			Status: q.Status, StatusText: q.StatusText, HTTPVersion: q.Protocol, Headers: pairs(q.ResponseHeaders), Cookies: setCookies(q.ResponseHeaders),
			RedirectURL: "", HeadersSize: q.headBytes, BodySize: -1, TransferSize: q.Transferred,
			Content: har.Content{Size: q.Size, MIMEType: header(q.ResponseHeaders, "Content-Type")},
		},
		Timings: har.Timings{Blocked: -1, DNS: -1, Connect: -1, TLS: -1, Send: 0, Wait: 0, Receive: har.Millis(q.Millis)},
	}
	if host, _, err := net.SplitHostPort(q.Remote); err == nil && net.ParseIP(host) != nil {
		e.ServerIPAddress = host
	}
	if p := q.Phases; p != nil {
		e.Timings = har.Timings{
			Blocked: har.Millis(p.Blocked), DNS: har.Millis(p.DNS), Connect: har.Millis(p.Connect), TLS: har.Millis(p.TLS),
			Send: har.Millis(p.Send), Wait: har.Millis(p.Wait), Receive: har.Millis(p.Receive),
		}
	}
	e.Time = e.Timings.Total()
	q.answer(e)
	if q.State == Pending {
		e.Comment = "it has not ended"
	}
	if s := q.Sent; s != nil {
		e.Request.BodySize = int64(s.Size)
		e.Request.PostData = &har.PostData{MIMEType: header(q.RequestHeaders, "Content-Type"), Text: s.Text, Comment: s.Note}
		if s.Base64 {
			e.Request.PostData.Comment = "base64"
		}
		if strings.HasPrefix(e.Request.PostData.MIMEType, "application/x-www-form-urlencoded") && s.Note == "" {
			for _, p := range fields(s.Text) {
				e.Request.PostData.Params = append(e.Request.PostData.Params, har.Param{Name: p.Name, Value: p.Value})
			}
		}
	}
	for _, m := range q.Messages {
		at := har.Seconds(float64(m.Time.UnixMicro()) / 1e6)
		switch {
		case q.Type != "websocket":
			e.EventSourceMessages = append(e.EventSourceMessages, har.EventMessage{Time: at, Event: m.Event, ID: m.ID, Data: m.Data})
		case m.Sent:
			e.WebSocketMessages = append(e.WebSocketMessages, har.SocketMessage{Type: "send", Time: at, Opcode: m.Opcode, Data: m.Data})
		default:
			e.WebSocketMessages = append(e.WebSocketMessages, har.SocketMessage{Type: "receive", Time: at, Opcode: m.Opcode, Data: m.Data})
		}
	}
	return e
}

// answer puts in what an archive tells of the answer: sizes, where it came from,
// why there is none, and its body.
func (q *Request) answer(e *har.Entry) {
	a := &e.Response
	if a.Content.MIMEType == "" {
		a.Content.MIMEType = cmp.Or(q.ContentType, "x-unknown")
	}
	if q.redirect {
		a.RedirectURL = header(q.ResponseHeaders, "Location")
	}
	if q.headBytes >= 0 && q.Source == FromNetwork {
		a.BodySize = max(q.Transferred-q.headBytes, 0)
		if q.Size > a.BodySize && a.BodySize > 0 {
			a.Content.Compression = q.Size - a.BodySize
		}
	}
	switch q.Source {
	case FromMemory, FromDisk, FromPrefetch:
		e.FromCache, _, _ = strings.Cut(q.Source, " ")
		a.BodySize = 0
	case FromWorker:
		a.FetchedViaServiceWorker, a.ServiceWorkerResponseSource, a.ResponseCacheStorageName = true, q.Served, q.cacheName
	}
	if q.Failure != nil {
		a.Error, e.Comment = q.Failure.Code, q.Failure.Text
	}
	if b := q.Body; b != nil {
		a.Content.Comment = b.Missing
		switch {
		case b.Missing != "":
		case b.IsText():
			a.Content.Text = string(b.Data)
		default:
			a.Content.Text, a.Content.Encoding = base64.StdEncoding.EncodeToString(b.Data), "base64"
		}
	}
}

func pairs(list []Header) []har.Pair {
	out := make([]har.Pair, len(list))
	for i, h := range list {
		out[i] = har.Pair(h)
	}
	return out
}

// query reads the parameters of an address in their order.
func query(address string) []har.Pair {
	_, rest, ok := strings.Cut(address, "?")
	if !ok {
		return nil
	}
	rest, _, _ = strings.Cut(rest, "#")
	return fields(rest)
}

func fields(text string) []har.Pair {
	var list []har.Pair
	for part := range strings.SplitSeq(text, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		list = append(list, har.Pair{Name: unescape(name), Value: unescape(value)})
	}
	return list
}

func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

func sentCookies(list []Header) []har.Cookie {
	var out []har.Cookie
	for _, h := range list {
		if !strings.EqualFold(h.Name, "Cookie") {
			continue
		}
		for part := range strings.SplitSeq(h.Value, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
			if name != "" {
				out = append(out, har.Cookie{Name: name, Value: value})
			}
		}
	}
	return out
}

func setCookies(list []Header) []har.Cookie {
	var out []har.Cookie
	for _, h := range list {
		if !strings.EqualFold(h.Name, "Set-Cookie") {
			continue
		}
		c, err := http.ParseSetCookie(h.Value)
		if err != nil {
			continue
		}
		one := har.Cookie{Name: c.Name, Value: c.Value, Path: c.Path, Domain: c.Domain, HTTPOnly: c.HttpOnly, Secure: c.Secure}
		if !c.Expires.IsZero() && c.Expires.Year() < 10000 {
			at := har.Time(c.Expires)
			one.Expires = &at
		}
		switch c.SameSite {
		case http.SameSiteLaxMode:
			one.SameSite = "Lax"
		case http.SameSiteStrictMode:
			one.SameSite = "Strict"
		case http.SameSiteNoneMode:
			one.SameSite = "None"
		}
		out = append(out, one)
	}
	return out
}
