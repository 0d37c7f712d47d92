package rove

import (
	"fmt"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"

	"rove/driver/backend"
	"rove/internal/outlet"
	"rove/internal/wire"
	"rove/recording"
)

// Wrote is a request of a replay that wrote something.
type Wrote struct {
	Step   int    `json:"step"` // that was at work, counted from 1
	Method string `json:"method"`
	Path   string `json:"path"` // as recording.PathPattern has it
	At     string `json:"at"`   // the path as it was
	Asks   string `json:"asks,omitempty"`
	// Made is the path of what it made, where the answer tells.
	Made string `json:"made,omitempty"`
	// Said is what was sent, in pieces that an answer may have too.
	Said []string `json:"said,omitempty"`
}

// How much is kept of what was written and read: enough to look for it later.
const (
	mostSaid    = 40
	longestSaid = 200
	mostReadBy  = 60
	longestRead = 500
)

// wrote keeps that a request of the flow was sent.
func (p *player) wrote(step int, at saved, r recording.Request, body []byte, answer backend.RouteResponse) {
	w := Wrote{Step: step + 1, Method: at.method, Path: at.path, At: r.URL, Asks: at.asks}
	if u, err := url.Parse(r.URL); err == nil {
		w.At = u.EscapedPath()
		w.Made = made(u, answer)
	}
	for _, piece := range pieces(body) {
		for _, param := range p.flow.Params {
			v := p.params[param.Name]
			switch {
			case v == "" || !strings.Contains(piece, v):
			case param.Kind == recording.Secret:
				piece = ""
			default:
				piece = strings.ReplaceAll(piece, v, "{{param:"+param.Name+"}}")
			}
		}
		if len(piece) > 1 && len(piece) <= longestSaid && len(w.Said) < mostSaid && !slices.Contains(w.Said, piece) && !strings.Contains(piece, outlet.Mask) {
			w.Said = append(w.Said, piece)
		}
	}
	p.wrotes.Lock()
	defer p.wrotes.Unlock()
	p.result.Wrote = append(p.result.Wrote, w)
}

// made is the path of what a request made, as its answer tells: by the header Location, or
// by an id in it, which applications have below the address of all of them.
func made(at *url.URL, answer backend.RouteResponse) string {
	if to, err := at.Parse(answer.Header.Get("Location")); err == nil && to.Host == at.Host && to.Path != at.Path && answer.Status == 201 {
		return to.EscapedPath()
	}
	var v map[string]any
	if wire.Unmarshal(answer.Body, &v) != nil {
		return ""
	}
	for _, name := range []string{"id", "_id", "uuid", "slug", "key"} {
		text, _ := v[name].(string)
		if n, ok := v[name].(float64); ok {
			text = strconv.FormatFloat(n, 'f', -1, 64)
		}
		if text != "" && len(text) <= 64 {
			return strings.TrimRight(at.EscapedPath(), "/") + "/" + url.PathEscape(text)
		}
	}
	return ""
}

// pieces are the parts of a body, in words that an answer would have: "done":true of
// JSON, and values by themselves, those of names that speak of secrets left out.
func pieces(body []byte) (list []string) {
	var v any
	if wire.Unmarshal(body, &v) == nil {
		walk("", v, func(name string, v any) {
			text, isText := v.(string)
			if isText {
				list = append(list, text)
			}
			if data, err := wire.Marshal(v); err == nil && name != "" {
				list = append(list, fmt.Sprintf("%q:%s", name, data))
			}
		})
		return list
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil
	}
	for name, values := range form {
		if !outlet.Secretive(name) {
			list = append(list, values...)
		}
	}
	sort.Strings(list)
	return list
}

func walk(name string, v any, leaf func(string, any)) {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for n := range v {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			if !outlet.Secretive(n) {
				walk(n, v[n], leaf)
			}
		}
	case []any:
		for _, one := range v {
			walk("", one, leaf)
		}
	case nil:
	default:
		leaf(name, v)
	}
}

// reads keeps which addresses of the application its pages asked for.
func (p *player) reads() {
	if p.session.network == nil {
		return
	}
	all, err := p.session.network.Requests(RequestFilter{})
	if err != nil {
		return
	}
	for _, q := range all.Requests {
		at, ok := strings.CutPrefix(q.URL, p.base()+"/")
		kind := strings.ToLower(q.Type)
		if q.Number <= p.begun || !ok || q.Method != "GET" || q.Status != 200 || kind != "xhr" && kind != "fetch" || len(at) > longestRead || slices.Contains(p.result.Reads, "/"+at) {
			continue
		}
		if p.result.Reads = append(p.result.Reads, "/"+at); len(p.result.Reads) == mostReadBy {
			return
		}
	}
}
