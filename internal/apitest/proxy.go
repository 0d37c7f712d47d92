package apitest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"rove/internal/har"
)

// markHeader tells the proxy which call a request is. It goes no further.
const markHeader = "x-rove-call"

// proxy stands before the application while a suite is proved: it keeps what was
// asked and answered, and alters an answer where it is told to.
type proxy struct {
	target *url.URL
	server *http.Server
	client *http.Client
	url    string
	done   chan struct{}

	mu      sync.Mutex
	entries []*har.Entry
	marks   []int
	status  map[int]int // by mark
	alter   func(mark int, a *Answer) bool
	altered int
}

// bodyLimit bounds what passes through the proxy.
const bodyLimit = 64 << 20

func startProxy(target string) (*proxy, error) {
	u, err := url.Parse(target)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%q is no address of an application", target)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{target: u, url: "http://" + l.Addr().String(), done: make(chan struct{}), status: map[int]int{}}
	p.client = &http.Client{
		Transport:     &http.Transport{DisableCompression: true, Proxy: http.ProxyFromEnvironment, ResponseHeaderTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: 30 * time.Second}
	go func() {
		defer close(p.done)
		_ = p.server.Serve(l)
	}()
	return p, nil
}

func (p *proxy) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if p.server.Shutdown(ctx) != nil {
		_ = p.server.Close()
	}
	p.client.CloseIdleConnections()
	<-p.done
}

// begin forgets what was seen, and alters answers from now on; nil alters none.
func (p *proxy) begin(alter func(int, *Answer) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.entries, p.marks, p.status, p.alter, p.altered = nil, nil, map[int]int{}, alter, 0
}

// answered is the status that a call got, if it was made.
func (p *proxy) answered(mark int) (int, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	status, ok := p.status[mark]
	return status, ok
}

// alterations counts the answers that were altered.
func (p *proxy) alterations() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.altered
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	mark, _ := strconv.Atoi(r.Header.Get(markHeader))
	r.Header.Del(markHeader)
	e, answer, err := p.pass(r)
	if err != nil {
		http.Error(w, "the application cannot be reached: "+err.Error(), http.StatusBadGateway)
		return
	}
	p.mu.Lock()
	p.entries, p.marks = append(p.entries, e), append(p.marks, mark)
	if mark > 0 {
		p.status[mark] = e.Response.Status
	}
	alter := p.alter
	p.mu.Unlock()
	a := Answer{Status: e.Response.Status, Type: mimeOf(e), Text: string(answer)}
	if alter != nil && mark > 0 && alter(mark, &a) {
		p.mu.Lock()
		p.altered++
		p.mu.Unlock()
	}
	for _, h := range e.Response.Headers {
		switch http.CanonicalHeaderKey(h.Name) {
		case "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive":
		case "Set-Cookie":
			w.Header().Add(h.Name, here(h.Value))
		default:
			w.Header().Add(h.Name, h.Value)
		}
	}
	w.WriteHeader(a.Status)
	_, _ = io.WriteString(w, a.Text)
}

// here is a cookie without what binds it to the application's own address.
func here(cookie string) string {
	var kept []string
	for i, part := range strings.Split(cookie, ";") {
		name, _, _ := strings.Cut(strings.TrimSpace(part), "=")
		if i == 0 || !strings.EqualFold(name, "Domain") && !strings.EqualFold(name, "Secure") {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, ";")
}

// pass asks the application.
func (p *proxy) pass(r *http.Request) (*har.Entry, []byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, bodyLimit))
	if err != nil {
		return nil, nil, err
	}
	to := *r.URL
	to.Scheme, to.Host = p.target.Scheme, p.target.Host
	out, err := http.NewRequestWithContext(r.Context(), r.Method, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	out.Header = r.Header.Clone()
	for _, name := range []string{"Connection", "Keep-Alive", "Accept-Encoding", "Te", "Upgrade", "Proxy-Connection"} {
		out.Header.Del(name)
	}
	// The application is told of its own address: it may take another for a stranger's.
	for _, name := range []string{"Referer", "Origin"} {
		if path, ok := strings.CutPrefix(out.Header.Get(name), "http://"+r.Host); ok {
			out.Header.Set(name, p.target.Scheme+"://"+p.target.Host+path)
		}
	}
	if len(body) == 0 {
		out.Body, out.ContentLength = nil, 0
		out.GetBody = nil
	}
	started := time.Now()
	resp, err := p.client.Do(out)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, bodyLimit))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, nil, err
	}
	return entryOf(out, body, resp, answer, started), answer, nil
}

// entryOf is what passed, as an archive has it.
func entryOf(q *http.Request, sent []byte, a *http.Response, got []byte, at time.Time) *har.Entry {
	e := &har.Entry{
		Started:  har.Time(at),
		Request:  har.Request{Method: q.Method, URL: q.URL.String(), Headers: pairsOf(q.Header)},
		Response: har.Response{Status: a.StatusCode, Headers: pairsOf(a.Header), Content: har.Content{MIMEType: a.Header.Get("Content-Type"), Text: string(got), Size: int64(len(got))}},
	}
	if len(sent) > 0 {
		e.Request.PostData = &har.PostData{MIMEType: q.Header.Get("Content-Type"), Text: string(sent)}
	}
	return e
}

func pairsOf(h http.Header) (list []har.Pair) {
	for name, values := range h {
		for _, v := range values {
			list = append(list, har.Pair{Name: name, Value: v})
		}
	}
	return list
}
