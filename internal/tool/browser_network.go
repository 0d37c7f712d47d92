package tool

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"rove"
	"rove/aria"
)

// browserNetworkTools tell what pages, frames and workers load.
var browserNetworkTools = []*Tool{
	rowOf("browser_network_requests", true, "List the requests of the page, its frames and workers, oldest first: method, status, type, size, time, where the answer came from (network, service worker, memory, disk or prefetch cache), URL, what began it, why it failed. filter: part of the URL, or all of it with *. status: 404, 4xx, failed, cancelled, pending, ok.", networkRequests),
	rowOf("browser_clear_network_requests", false, "Forget the requests so far.", clearRequests).gentle().local(),
}

type requestsParams struct {
	Filter string `json:"filter,omitempty" about:"a part of the URL; with * in it all of the URL, as in */api/*"`
	Type   string `json:"type,omitempty" about:"document, fetch, xhr, script, stylesheet, image, font, media, websocket, eventsource, preflight, …; several with commas"`
	Status Text   `json:"status,omitempty" about:"404, 4xx, failed, cancelled, pending or ok; several with commas"`
	Limit  *int   `json:"limit,omitempty" about:"only the newest so many; all unless told"`
	Bodies bool   `json:"bodies,omitempty" about:"with what was sent and answered, as far as the browser still has it; from the first time on it is kept over navigations"`
	HAR    bool   `json:"har,omitempty" about:"write them to a HAR file of the session instead, for developer tools and the like"`
	Where
}

// requestsAnswer is the data of the answer: the requests, or the file they are in.
type requestsAnswer struct {
	Count    int            `json:"count"`
	All      int            `json:"all"`
	Dropped  int            `json:"dropped,omitempty"`
	Requests []rove.Request `json:"requests,omitempty"`
	File     string         `json:"file,omitempty"`
	Size     int64          `json:"size,omitempty"`
}

const (
	inlineBody = 500       // bytes of a body in an answer
	fileBody   = 256 << 10 // … and in a file
	mostFile   = 16 << 20  // of all bodies in a file
	keptBodies = 16 << 20  // of those kept once somebody has asked
)

func networkRequests(ctx context.Context, c *Context, in requestsParams) (Output, error) {
	const name = "browser_network_requests"
	f := rove.RequestFilter{URL: in.Filter, Type: in.Type, Status: string(in.Status)}
	if in.Limit != nil {
		if f.Limit = *in.Limit; f.Limit < 1 {
			return Output{}, invalid(name, "limit takes how many: 1 or more, not %d", f.Limit)
		}
	}
	if err := f.Check(); err != nil {
		return Output{}, invalid(name, "%v", err)
	}
	s, n, err := network(ctx, c, name)
	if err != nil {
		return Output{}, err
	}
	r, err := n.Requests(f)
	if err != nil {
		return Output{}, err
	}
	answer := requestsAnswer{Count: len(r.Requests), All: r.All, Dropped: r.Dropped}
	if in.HAR {
		if in.Bodies {
			n.KeepBodies(keptBodies)
		}
		return writeHAR(ctx, s, n, rove.HAROptions{RequestFilter: f, Bodies: in.Bodies}, answer)
	}
	if in.Bodies {
		// Who asks once will ask again, then for what came before the next page.
		n.KeepBodies(keptBodies)
		fetchBodies(ctx, n, r)
	}
	text := r.Summary() + "\n"
	for i := range r.Requests {
		text += r.Requests[i].Line() + "\n"
		if in.Bodies {
			text += bodies(&r.Requests[i], inlineBody, false)
		}
		if len(text) > inlineLimit {
			return requestsFile(s, r, answer)
		}
	}
	answer.Requests = r.Requests
	return Output{Text: text, Data: answer}, nil
}

// network is the network of the call's session.
func network(ctx context.Context, c *Context, name string) (*rove.Session, *rove.Network, error) {
	s, err := c.Session(ctx)
	if err != nil {
		return nil, nil, err
	}
	n := s.Network()
	if n == nil {
		return nil, nil, &rove.Error{Code: rove.CodeUnsupported, Op: name, Message: "this browser does not tell what it loads", Hint: "use another browser for that"}
	}
	return s, n, nil
}

// fetchBodies asks for the bodies of answers, or why there is none.
func fetchBodies(ctx context.Context, n *rove.Network, r *rove.Requests) {
	left := int64(mostFile)
	for i := range r.Requests {
		q := &r.Requests[i]
		switch {
		case q.Size == 0 || q.MessageCount > 0:
			continue // nothing, or messages that are told anyway
		case q.Size > left:
			q.Body = &rove.ResponseBody{Missing: "there was no room left for it: ask for fewer requests"}
			continue
		}
		b, err := n.Body(ctx, q.Number)
		if err != nil {
			q.Body = &rove.ResponseBody{Missing: err.Error()}
			continue
		}
		left -= b.Size
		q.Body = b
	}
}

// bodies is what was sent and answered, indented; on one line each unless lines.
func bodies(q *rove.Request, most int, lines bool) string {
	var b strings.Builder
	put := func(what, text, note string) {
		fmt.Fprintf(&b, "  %s", what)
		if note != "" {
			fmt.Fprintf(&b, " (%s)", note)
		}
		b.WriteString(": ")
		if len(text) > most {
			text = strings.ToValidUTF8(text[:most], "") + "…"
		}
		text = strings.TrimSpace(text)
		if lines {
			b.WriteString(strings.ReplaceAll(text, "\n", "\n    ") + "\n")
			return
		}
		// In an answer, what pages say stays on a line that begins with our words.
		b.WriteString(aria.Plain(text) + "\n")
	}
	if s := q.Sent; s != nil {
		note := s.Note
		if s.Base64 {
			note = "base64"
		}
		put("sent", s.Text, note)
	}
	switch a := q.Body; {
	case a == nil:
	case a.Missing != "":
		put("answered", a.Missing, "")
	case a.IsText():
		put("answered", a.Text, "")
	default:
		put("answered", fmt.Sprintf("%d bytes that are no text", a.Size), "")
	}
	for _, m := range q.Messages {
		who := "received"
		if m.Sent {
			who = "sent"
		}
		put(who, m.Data, strings.TrimSpace(m.Event+" "+m.Time.Format("15:04:05.000")))
	}
	return b.String()
}

// requestsFile writes all of it to a file of the session, and shows the newest.
func requestsFile(s *rove.Session, r *rove.Requests, answer requestsAnswer) (Output, error) {
	var whole strings.Builder
	whole.WriteString(r.Summary() + "\n")
	for i := range r.Requests {
		q := &r.Requests[i]
		whole.WriteString(q.Line() + "\n")
		fmt.Fprintf(&whole, "  began %s", q.Start.Format("2006-01-02 15:04:05.000"))
		if q.Answered != nil {
			fmt.Fprintf(&whole, ", answered %s", q.Answered.Format("15:04:05.000"))
		}
		if q.Remote != "" {
			fmt.Fprintf(&whole, ", %s %s", q.Protocol, q.Remote)
		}
		if p := q.Phases; p != nil {
			whole.WriteString(", ms:")
			for _, part := range []struct {
				name string
				ms   float64
			}{{"blocked", p.Blocked}, {"dns", p.DNS}, {"connect", p.Connect}, {"tls", p.TLS}, {"send", p.Send}, {"wait", p.Wait}, {"receive", p.Receive}} {
				if part.ms >= 0 {
					fmt.Fprintf(&whole, " %s %.1f", part.name, part.ms)
				}
			}
		}
		whole.WriteByte('\n')
		for _, h := range q.RequestHeaders {
			fmt.Fprintf(&whole, "  > %s: %s\n", h.Name, h.Value)
		}
		for _, h := range q.ResponseHeaders {
			fmt.Fprintf(&whole, "  < %s: %s\n", h.Name, h.Value)
		}
		whole.WriteString(bodies(q, fileBody, true))
	}
	out, err := saveWhole(s, "requests.txt", whole.String())
	if err != nil {
		return Output{}, err
	}
	answer.File, answer.Size = out.File, out.Size
	text := fmt.Sprintf("%s: all in %s (%d bytes), with headers and times; the newest:\n", r.Summary(), out.File, out.Size)
	from := len(r.Requests)
	for room := preview; from > 0; from-- {
		if room -= len(r.Requests[from-1].Line()) + 1; room < 0 && from < len(r.Requests) {
			break
		}
	}
	for i := from; i < len(r.Requests); i++ {
		text += r.Requests[i].Line() + "\n"
	}
	return Output{Text: text, Data: answer}, nil
}

// writeHAR writes an archive to a file of the session.
func writeHAR(ctx context.Context, s *rove.Session, n *rove.Network, opts rove.HAROptions, answer requestsAnswer) (Output, error) {
	var b bytes.Buffer
	if err := n.HAR(ctx, &b, opts); err != nil {
		return Output{}, err
	}
	file, err := s.Folder().Save(rove.FileResult, "network.har", b.Bytes())
	if err != nil {
		return Output{}, err
	}
	answer.File, answer.Size = file.Path, file.Size
	return Output{Text: fmt.Sprintf("%s as HAR 1.2 in %s (%d bytes)\n", counted(answer.Count), file.Path, file.Size), Data: answer}, nil
}

func counted(n int) string {
	if n == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", n)
}

type clearRequestsParams struct{ Where }

func clearRequests(ctx context.Context, c *Context, _ clearRequestsParams) (Output, error) {
	_, n, err := network(ctx, c, "browser_clear_network_requests")
	if err != nil {
		return Output{}, err
	}
	count := n.Clear()
	return Output{Text: "forgot " + counted(count) + "\n", Data: map[string]int{"cleared": count}}, nil
}
