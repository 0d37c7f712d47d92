package apitest

import (
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"rove/internal/data"
	"rove/internal/har"
)

// recording is what one archive has: the calls that count, and why others do not.
type recording struct {
	calls   []*Call
	origins []string
	dropped map[string]int
}

// keep reads the entries of one archive and leaves out what is no API call.
// Origins are those of an earlier recording.
func keep(entries []*har.Entry, o *Options, origins []string) *recording {
	r := &recording{origins: slices.Clone(origins), dropped: map[string]int{}}
	var all []*Call
	for _, e := range entries {
		u, why := e.Request.URL, ""
		address, err := url.Parse(u)
		switch {
		case err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https":
			why = "no HTTP"
		case o.Exclude != nil && o.Exclude.MatchString(u):
			why = "excluded"
		case o.Include != nil && !o.Include.MatchString(u) && !page(e):
			why = "not included"
		default:
			why = noise(e, address)
		}
		if why != "" {
			r.dropped[why]++
			continue
		}
		c := newCall(e, address)
		origin := address.Scheme + "://" + address.Host
		if c.Origin = slices.Index(r.origins, origin); c.Origin < 0 {
			c.Origin = len(r.origins)
			r.origins = append(r.origins, origin)
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b *Call) int {
		if a.started == 0 || b.started == 0 {
			return 0
		}
		return int(min(max(a.started-b.started, -1), 1))
	})
	hideTyped(all)
	r.calls = r.fold(r.withoutExpired(all))
	return r
}

// noise says why an entry is no part of an API, or nothing.
func noise(e *har.Entry, u *url.URL) string {
	a := &e.Response
	switch {
	case e.Request.Method == http.MethodOptions || e.ResourceType == "preflight":
		return "preflight"
	case strings.HasSuffix(u.Path, "/favicon.ico"):
		return "picture" // browsers ask for it by themselves, and it may not be there
	case a.Status < 200:
		return "no answer"
	case e.ResourceType == "ping" || e.ResourceType == "cspviolationreport" || measured(u):
		return "analytics"
	case e.ResourceType == "websocket" || e.ResourceType == "eventsource" || mimeOf(e) == "text/event-stream":
		return "stream"
	}
	if e.Request.Method != http.MethodGet && e.Request.Method != http.MethodHead {
		return ""
	}
	switch e.ResourceType {
	case "image", "font", "stylesheet", "script", "media", "manifest", "texttrack", "prefetch":
		return "pictures, fonts, scripts, styles"
	}
	if static().MatchString(mimeOf(e)) || mimeOf(e) == "" && staticPath().MatchString(u.Path) {
		return "pictures, fonts, scripts, styles"
	}
	return ""
}

var (
	static     = pattern(`^(image|font|audio|video)/|^text/css$|javascript$|^application/(wasm|font|x-font|manifest\+json)|ecmascript$`)
	staticPath = pattern(`(?i)\.(png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|otf|css|m?js|map|mp4|webm|mp3|wasm)$`)
	// measuring are hosts and paths that count visitors and failures.
	measuring     = pattern(`(?i)(^|\.)(google-analytics|googletagmanager|analytics\.google|doubleclick|googleadservices|segment|mixpanel|amplitude|hotjar|clarity|fullstory|heap(analytics)?|sentry|bugsnag|rollbar|datadoghq(-browser-agent)?|newrelic|nr-data|plausible|posthog|matomo|optimizely|launchdarkly|intercom|facebook|connect\.facebook|bat\.bing|snowplow(analytics)?|statsig(api)?|logrocket|mouseflow|crazyegg|quantserve|scorecardresearch|chartbeat)\.(com|net|io|ms|org|eu|cloud)$`)
	measuringPath = pattern(`(?i)/(g/collect|j/collect|r/collect|collect|beacon|analytics(/(events?|track|collect))?|telemetry|rum|matomo\.php|piwik\.php|pixel|__utm\.gif|csp-?report|web-?vitals|_vercel/(insights|speed-insights)/\w+)/?$`)
)

func measured(u *url.URL) bool {
	return measuring().MatchString(u.Hostname()) || measuringPath().MatchString(u.Path)
}

func mimeOf(e *har.Entry) string {
	kind, _, _ := strings.Cut(header(e.Response.Headers, "Content-Type"), ";")
	if kind == "" {
		kind, _, _ = strings.Cut(e.Response.Content.MIMEType, ";")
	}
	if kind = strings.ToLower(strings.TrimSpace(kind)); kind == "x-unknown" {
		return ""
	}
	return kind
}

func header(list []har.Pair, name string) string {
	for _, h := range list {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// page says whether an entry is a document that was asked for, or what leads to
// one.
func page(e *har.Entry) bool {
	if e.Request.Method != http.MethodGet && e.Request.Method != http.MethodHead || e.ResourceType == "xhr" || e.ResourceType == "fetch" {
		return false
	}
	redirects := e.Response.Status >= 300 && e.Response.Status < 400 && e.Response.Status != http.StatusNotModified
	kind := mimeOf(e)
	return kind == "text/html" || kind == "application/xhtml+xml" || redirects || e.ResourceType == "document" && kind != "application/json"
}

// usual are headers that every browser sends, or that the client sends by itself.
var usual = pattern(`(?i)^(:.*|host|user-agent|accept-.*|connection|content-length|content-type|cookie|cache-control|pragma|dnt|te|upgrade.*|origin|referer|sec-.*|priority|proxy-.*|if-modified-since|purpose|x-forwarded-.*|x-client-data|traceparent|tracestate|baggage|sentry-trace|x-datadog-.*|newrelic|keep-alive|transfer-encoding|forwarded|via)$`)

func newCall(e *har.Entry, u *url.URL) *Call {
	c := &Call{
		Method: e.Request.Method, document: page(e), sent: map[string]string{},
		Answer: Answer{Status: e.Response.Status, Type: mimeOf(e), Cookies: map[string]string{}},
	}
	if at := time.Time(e.Started); at.Year() > 1970 {
		c.started = at.UnixMicro()
	}
	for segment := range strings.SplitSeq(strings.TrimPrefix(u.EscapedPath(), "/"), "/") {
		c.Path = append(c.Path, literal(segment))
	}
	c.Query = fields(u.RawQuery)
	for _, h := range e.Request.Headers {
		switch {
		case strings.EqualFold(h.Name, "Accept"):
			if first, more, _ := strings.Cut(h.Value, ","); h.Value != "*/*" && first != "" {
				if more != "" && first != "text/html" {
					first = h.Value
				}
				c.Headers = append(c.Headers, &Field{Name: "Accept", Value: literal(first)})
			}
		case strings.EqualFold(h.Name, "Cookie"):
			for part := range strings.SplitSeq(h.Value, ";") {
				if name, value, ok := strings.Cut(strings.TrimSpace(part), "="); ok {
					c.sent[name] = value
				}
			}
		case strings.EqualFold(h.Name, "Referer"):
			c.referer = h.Value
		case strings.EqualFold(h.Name, "If-None-Match") && e.Response.Status != http.StatusNotModified:
			// A browser asks so by itself for what it keeps; what is new by then is as if nobody had.
		case !usual().MatchString(h.Name):
			c.Headers = append(c.Headers, &Field{Name: h.Name, Value: literal(h.Value)})
		}
	}
	for _, k := range e.Request.Cookies {
		c.sent[k.Name] = k.Value
	}
	c.Body = newBody(e)
	if p := e.Request.PostData; p != nil {
		c.hides(p.Secret...)
	}
	c.readAnswer(e)
	c.shape = c.Method + " " + u.Scheme + "://" + u.Host + c.pathShape() + operation(c.Body)
	return c
}

func fields(query string) (list []*Field) {
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		list = append(list, &Field{Name: unescape(name), Value: literal(unescape(value))})
	}
	return list
}

func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil && utf8.ValidString(plain) {
		return plain
	}
	return s
}

// newBody reads what was sent.
func newBody(e *har.Entry) *Body {
	p := e.Request.PostData
	if p == nil || p.Text == "" && len(p.Params) == 0 {
		return nil
	}
	full := header(e.Request.Headers, "Content-Type")
	if full == "" {
		full = p.MIMEType
	}
	kind, params, _ := mime.ParseMediaType(full)
	text := p.Text
	if p.Comment == "base64" {
		if raw, err := base64.StdEncoding.DecodeString(text); err == nil {
			text = string(raw)
		}
	}
	b := &Body{Kind: "text", Type: full, Text: literal(text)}
	switch {
	case kind == "application/x-www-form-urlencoded":
		b.Kind, b.Fields = "form", fields(text)
		if text == "" {
			b.Fields = paramFields(p.Params)
		}
	case kind == "multipart/form-data":
		b.Kind, b.Fields = "multipart", parts(text, params["boundary"])
		if len(b.Fields) == 0 {
			b.Fields = paramFields(p.Params)
		}
	case strings.HasSuffix(kind, "json") || kind == "" || kind == "text/plain" && strings.HasPrefix(strings.TrimSpace(text), "{"):
		if v, err := data.ParseJSON(text); err == nil {
			b.Kind, b.JSON = "json", newNode(v)
		}
	}
	return b
}

func paramFields(list []har.Param) (out []*Field) {
	for _, p := range list {
		out = append(out, &Field{Name: p.Name, Value: literal(p.Value), FileName: p.FileName, Type: p.ContentType, File: p.FileName != ""})
	}
	return out
}

// parts reads a multipart body.
func parts(text, boundary string) (list []*Field) {
	if boundary == "" {
		return nil
	}
	r := multipart.NewReader(strings.NewReader(text), boundary)
	for len(list) < 1000 {
		p, err := r.NextRawPart()
		if err != nil {
			return list
		}
		content, err := io.ReadAll(p)
		if err != nil {
			return list
		}
		list = append(list, &Field{Name: p.FormName(), Value: literal(string(content)), FileName: p.FileName(), Type: p.Header.Get("Content-Type"), File: p.FileName() != ""})
	}
	return list
}

func (c *Call) readAnswer(e *har.Entry) {
	a, r := &c.Answer, &e.Response
	for _, h := range r.Headers {
		if !strings.EqualFold(h.Name, "Set-Cookie") {
			a.Headers = append(a.Headers, Pair{h.Name, h.Value})
			continue
		}
		for line := range strings.SplitSeq(h.Value, "\n") { // some programs join them so
			if k, err := http.ParseSetCookie(line); err == nil {
				a.Cookies[k.Name] = k.Value
				c.setNames = append(c.setNames, k.Name)
			}
		}
	}
	for _, k := range r.Cookies {
		if _, ok := a.Cookies[k.Name]; !ok {
			a.Cookies[k.Name] = k.Value
			c.setNames = append(c.setNames, k.Name)
		}
	}
	a.Text = r.Content.Text
	if r.Content.Encoding == "base64" {
		raw, err := base64.StdEncoding.DecodeString(a.Text)
		a.Text, a.Binary = string(raw), err != nil || !utf8.Valid(raw)
	}
	c.bodyless = a.Text == "" && r.Content.Size > 0
	if strings.HasSuffix(a.Type, "json") {
		if v, err := data.ParseJSON(a.Text); err == nil {
			a.JSON, a.IsJSON = v, true
		}
	}
}

// pathShape is the path without what looks like an id.
func (c *Call) pathShape() string {
	var b strings.Builder
	for _, s := range c.Path {
		b.WriteByte('/')
		if text := s.plain(); idLike(text) {
			b.WriteString("{}")
		} else {
			b.WriteString(text)
		}
	}
	return b.String()
}

func idLike(s string) bool { return s != "" && (digits().MatchString(s) || opaque(s)) }

var digits = pattern(`^\d+$`)

// operation is that of a GraphQL body, which tells calls of one address apart.
func operation(b *Body) string {
	if b == nil || b.JSON == nil || b.JSON.Kind != 'o' {
		return ""
	}
	name, query := "", ""
	for i, k := range b.JSON.Keys {
		if n := b.JSON.Nodes[i]; n.Kind == 's' && k == "operationName" {
			name = n.Value.plain()
		} else if n.Kind == 's' && k == "query" {
			query = n.Value.plain()
		}
	}
	if query == "" || !strings.Contains(query, "{") {
		return ""
	}
	if name == "" {
		name, _, _ = strings.Cut(strings.TrimSpace(query), "{")
		name = strings.TrimSpace(name)
	}
	return " " + name
}

// writes says whether a call may change something.
func (c *Call) writes() bool {
	if c.Method == http.MethodGet || c.Method == http.MethodHead {
		return false
	}
	if op := operation(c.Body); op != "" {
		for i, k := range c.Body.JSON.Keys {
			if k == "query" {
				return strings.HasPrefix(strings.TrimSpace(c.Body.JSON.Nodes[i].Value.plain()), "mutation")
			}
		}
	}
	return true
}

// sameRequest is equal for calls that ask the same.
func (c *Call) sameRequest() string {
	var b strings.Builder
	b.WriteString(c.shape)
	for _, s := range c.slots() {
		if s.kind == "header" && strings.EqualFold(s.name, "Authorization") {
			continue
		}
		fmt.Fprintf(&b, "\x00%s=%s", s.key, s.text.plain())
	}
	return b.String()
}

// withoutExpired leaves out calls that were refused because a token had run out,
// and were made again with a new one: a test is quicker than the token.
func (r *recording) withoutExpired(all []*Call) (list []*Call) {
	for i, c := range all {
		expired := false
		if c.Answer.Status == http.StatusUnauthorized && c.signed() {
			renewed := false
			for _, later := range all[i+1:] {
				if expired = renewed && later.sameRequest() == c.sameRequest() && later.Answer.Status < 400; expired {
					break
				}
				renewed = renewed || later.writes() && later.Answer.Status < 400
			}
		}
		if expired {
			r.dropped["refused for an expired token, and made again"]++
			continue
		}
		list = append(list, c)
	}
	return list
}

// signed says whether a call tells who makes it.
func (c *Call) signed() bool {
	return len(c.sent) > 0 || slices.ContainsFunc(c.Headers, func(f *Field) bool { return strings.EqualFold(f.Name, "Authorization") })
}

// fold makes one of calls that only ask the same again, with nothing done between.
func (r *recording) fold(all []*Call) (list []*Call) {
	last := map[string]*Call{}
	for _, c := range all {
		if c.writes() {
			clear(last)
			list = append(list, c)
			continue
		}
		key := c.sameRequest()
		if first := last[key]; first != nil {
			first.folded = append(first.folded, c)
			why := "identical"
			if c.document {
				why = "documents"
			}
			r.dropped[why]++
			continue
		}
		last[key] = c
		list = append(list, c)
	}
	for _, c := range list {
		c.poll()
	}
	return list
}

// poll finds what a call was repeated for: the status, or a word of the answer,
// that was the same all the time until the last.
func (c *Call) poll() {
	if len(c.folded) == 0 || c.document {
		return
	}
	end := c.folded[len(c.folded)-1]
	before := append([]*Call{c}, c.folded[:len(c.folded)-1]...)
	differs := func(of func(*Call) (any, bool)) bool {
		want, ok := of(end)
		if !ok {
			return false
		}
		for _, b := range before {
			if got, there := of(b); there && data.Equal(got, want) {
				return false
			}
		}
		return true
	}
	if differs(func(c *Call) (any, bool) { return int64(c.Answer.Status), true }) {
		c.Until = fmt.Sprintf("responseStatus == %d", end.Answer.Status)
	} else if o, ok := end.Answer.JSON.(*data.Object); ok {
		for k, v := range o.All() {
			word, isWord := v.(string)
			_, isFlag := v.(bool)
			if !isFlag && (!isWord || opaque(word) || !plainWord().MatchString(word)) || !identifier().MatchString(k) {
				continue
			}
			if differs(func(c *Call) (any, bool) { return at(c.Answer.JSON, []any{k}) }) {
				c.Until = "response." + k + " == " + quote(v)
				break
			}
		}
	}
	if c.Until != "" {
		c.Answer, c.folded = end.Answer, nil
	}
}

var (
	plainWord  = pattern(`^[A-Za-z][A-Za-z _-]*$`)
	identifier = pattern(`^[A-Za-z_$][\w$]*$`)
)
