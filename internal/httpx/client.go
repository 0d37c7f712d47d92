package httpx

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// A Client sends requests with one Config.
type Client struct {
	Pool   *Pool
	Config Config
}

const maxRedirects = 30

// Do sends a request and reads the whole answer.
func (c *Client) Do(ctx context.Context, r *Request) (*Response, error) {
	transport, err := c.Pool.transport(&c.Config)
	if err != nil {
		return nil, err
	}
	credentials, err := c.before(ctx)
	if err != nil {
		return nil, err
	}
	request := *r
	request.Header = r.Header.Clone()
	if credentials != "" && !request.Header.has("Authorization") {
		request.Header.Set("Authorization", credentials)
	}
	start := time.Now()
	var (
		redirects []Redirect
		set       []Cookie
		tried     bool // the digest challenge was answered
	)
	for {
		hop, err := c.send(ctx, transport, &request)
		if err != nil {
			return nil, err
		}
		for _, k := range hop.Cookies {
			set = setCookie(set, k)
		}
		hop.Cookies = set
		hop.Redirects = redirects
		hop.Start, hop.Time = start, time.Since(start)
		if a := c.Config.Auth; hop.Status == http.StatusUnauthorized && a != nil && a.Type == "digest" && !tried && !r.Header.has("Authorization") {
			u, _ := url.Parse(request.URL)
			if answer := a.digest(headerOf(hop), request.Method, u.RequestURI(), request.Body, rand.Text()); answer != "" {
				tried = true
				request.Header.Set("Authorization", answer)
				continue
			}
		}
		next, err := c.redirected(&request, hop, redirects)
		if err != nil || next == nil {
			return hop, err
		}
		redirects = append(redirects, Redirect{Status: hop.Status, From: request.URL, To: next.URL})
		if len(redirects) > maxRedirects {
			return nil, &Error{Reason: "redirect", Method: r.Method, URL: r.URL, Message: fmt.Sprintf("redirected %d times, the last time to %s", len(redirects), WithoutLogin(next.URL))}
		}
		next.Header = carryCookies(next, &request, hop.Cookies)
		request = *next
	}
}

func headerOf(r *Response) http.Header {
	h := http.Header{}
	for _, f := range r.Header {
		h[http.CanonicalHeaderKey(f.Name)] = f.Values
	}
	return h
}

// redirected is the request that an answer asks for, or nil.
func (c *Client) redirected(r *Request, hop *Response, before []Redirect) (*Request, error) {
	if !c.Config.FollowRedirects || !slices.Contains([]int{301, 302, 303, 307, 308}, hop.Status) {
		return nil, nil
	}
	if hop.Status != 303 && !slices.Contains([]string{"GET", "HEAD", "POST", "DELETE"}, r.Method) {
		return nil, nil // a PUT or a PATCH is not done again elsewhere, as in Karate
	}
	location := hop.Header.Get("Location")
	if location == "" {
		return nil, nil
	}
	base, err := url.Parse(r.URL)
	if err != nil {
		return nil, nil
	}
	to, err := base.Parse(escapeOdd(location))
	if err != nil || to.Scheme != "http" && to.Scheme != "https" {
		return nil, &Error{Reason: "redirect", Method: r.Method, URL: r.URL, Message: fmt.Sprintf("redirected to %q, which cannot be asked", WithoutLogin(location)), Err: err}
	}
	if to.Fragment == "" {
		to.Fragment = base.Fragment
	}
	next := &Request{Method: r.Method, URL: to.String(), Header: r.Header.Clone()}
	switch {
	case hop.Status == 307 || hop.Status == 308:
		next.Body = r.Body
	case r.Method != "HEAD":
		next.Method = "GET"
		for _, name := range []string{"Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding"} {
			next.Header.Del(name)
		}
	}
	if !strings.EqualFold(base.Host, to.Host) {
		// What was meant for one host is not told to another.
		for _, name := range []string{"Authorization", "Proxy-Authorization", "Host"} {
			next.Header.Del(name)
		}
	}
	for _, b := range before {
		if b.From == next.URL && next.Method == r.Method && next.Method == "GET" && len(hop.Cookies) == 0 {
			return nil, &Error{Reason: "redirect", Method: r.Method, URL: r.URL, Message: fmt.Sprintf("redirects go in a circle: %s leads back to itself", WithoutLogin(next.URL))}
		}
	}
	return next, nil
}

// carryCookies gives a redirected request the cookies of the one before it, where
// it goes to the same host, and those that answers set for its host.
func carryCookies(next, before *Request, set []Cookie) Fields {
	h := next.Header
	from, err1 := url.Parse(before.URL)
	to, err2 := url.Parse(next.URL)
	if err1 != nil || err2 != nil {
		return h
	}
	var send []Cookie
	same := strings.EqualFold(from.Hostname(), to.Hostname())
	if same {
		for _, line := range before.Header.Values("Cookie") {
			cookies, _ := http.ParseCookie(line)
			for _, k := range cookies {
				send = setCookie(send, Cookie{Name: k.Name, Value: k.Value})
			}
		}
	}
	now := time.Now()
	for _, k := range set {
		host := strings.ToLower(to.Hostname())
		domain := strings.TrimPrefix(strings.ToLower(k.Domain), ".")
		switch {
		case k.Expired(now):
			send = slices.DeleteFunc(send, func(d Cookie) bool { return d.Name == k.Name })
		case same || domain != "" && (host == domain || strings.HasSuffix(host, "."+domain)):
			send = setCookie(send, k)
		}
	}
	h.Del("Cookie")
	if len(send) > 0 {
		h.Set("Cookie", cookieHeader(send))
	}
	return h
}

// send does one exchange, without redirects.
func (c *Client) send(ctx context.Context, transport *http.Transport, r *Request) (*Response, error) {
	if scheme(r.URL) == "https" {
		ctx = context.WithValue(ctx, askedKey{}, new(atomic.Bool))
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	progress := func() {}
	var names *head
	trace := &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) {
		if conn, ok := i.Conn.(*heard); ok {
			names = conn.begin()
		}
		progress() // with a connection the time for the answer begins
	}}
	if c.Config.Read > 0 {
		timer := time.AfterFunc(c.Config.Connect+c.Config.Read, func() {
			cancel(&Error{Reason: "timeout", Method: r.Method, URL: r.URL, Message: fmt.Sprintf("no byte of an answer within %v (configure readTimeout)", c.Config.Read)})
		})
		defer timer.Stop()
		progress = func() { timer.Reset(c.Config.Read) }
		trace.WroteRequest = func(httptrace.WroteRequestInfo) { progress() } // and again when all is sent
	}
	ctx = httptrace.WithClientTrace(ctx, trace)
	address, socket := overSocket(r.URL)
	out, err := http.NewRequestWithContext(ctx, r.Method, address, nil)
	if err != nil {
		return nil, &Error{Reason: "address", Method: r.Method, URL: r.URL, Message: plainURLError(err).Error(), Err: err}
	}
	if socket {
		out.Host = "localhost"
	}
	sent := Request{Method: r.Method, URL: r.URL, Header: r.Header.Clone(), Body: r.Body}
	if len(r.Body) == 0 && r.Body != nil {
		out.Body = http.NoBody // its length, 0, is told
	} else if r.Body != nil {
		out.Body = io.NopCloser(bytes.NewReader(r.Body))
		out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(r.Body)), nil }
		out.ContentLength = int64(len(r.Body))
	}
	if !sent.Header.has("User-Agent") && c.Config.UserAgent != "" {
		sent.Header.Set("User-Agent", c.Config.UserAgent)
	}
	if !sent.Header.has("Accept-Encoding") {
		sent.Header.Set("Accept-Encoding", "gzip, deflate, br")
	}
	for _, f := range sent.Header {
		switch {
		case strings.EqualFold(f.Name, "Host") && len(f.Values) > 0:
			out.Host = f.Values[0]
		case strings.EqualFold(f.Name, "Content-Length"):
			// The protocol's own.
		case strings.EqualFold(f.Name, "Transfer-Encoding"):
			if strings.Contains(strings.Join(f.Values, ","), "chunked") {
				out.ContentLength = -1
			}
		default:
			out.Header[f.Name] = f.Values
		}
	}
	if u := out.URL.User; u != nil && !sent.Header.has("Authorization") {
		password, _ := u.Password()
		out.SetBasicAuth(u.Username(), password)
	}
	answer, err := transport.RoundTrip(out)
	if err != nil {
		return nil, c.explain(ctx, r, err)
	}
	defer answer.Body.Close()
	progress()
	length := answer.ContentLength
	if answer.Body == http.NoBody {
		length = 0 // the answer to HEAD tells the length of what it leaves out
	}
	body, err := c.read(&watched{answer.Body, progress}, length, answer.Header)
	if err != nil {
		if slow := new(Error); errors.As(context.Cause(ctx), &slow) {
			return nil, slow // whatever a decoder makes of it
		}
		if e := new(Error); errors.As(err, &e) {
			e.Method, e.URL = r.Method, r.URL
			return nil, e
		}
		return nil, c.explain(ctx, r, err)
	}
	_, reason, _ := strings.Cut(answer.Status, " ")
	return &Response{
		Status: answer.StatusCode, Reason: reason, Proto: answer.Proto, URL: r.URL,
		Header: names.asSent(answer.Header), Body: body, Cookies: readCookies(answer.Header), Sent: sent,
	}, nil
}

// watched tells of every read, for the time limit.
type watched struct {
	io.Reader
	progress func()
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if n > 0 {
		w.progress()
	}
	return n, err
}

// fieldsOf sorts headers by name: net/http does not keep their order.
func fieldsOf(h http.Header) Fields {
	f := make(Fields, 0, len(h))
	for name, values := range h {
		f = append(f, Field{name, values})
	}
	slices.SortFunc(f, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	return f
}

// explain says in plain words why there is no answer.
func (c *Client) explain(ctx context.Context, r *Request, err error) error {
	e := &Error{Reason: "network", Method: r.Method, URL: r.URL, Err: err}
	host := ""
	if u, parseErr := url.Parse(r.URL); parseErr == nil {
		host = u.Host
	}
	var (
		dns        *net.DNSError
		op         *net.OpError
		unknown    x509.UnknownAuthorityError
		wrongName  x509.HostnameError
		invalid    x509.CertificateInvalidError
		record     tls.RecordHeaderError
		alert      tls.AlertError
		certVerify *tls.CertificateVerificationError
		ours       *Error
		timeout    net.Error
	)
	lost := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		strings.Contains(err.Error(), "http2: client conn could not be established")
	switch cause := context.Cause(ctx); {
	case errors.As(cause, &ours):
		return ours
	case cause != nil:
		e.Reason, e.Message = "cancelled", "ended before there was an answer: "+cause.Error()
	case errors.As(err, &dns):
		e.Reason, e.Message = "dns", fmt.Sprintf("there is no host %q", dns.Name)
	case errors.As(err, &op) && op.Op == "proxyconnect" || strings.Contains(err.Error(), "Proxy Authentication Required"):
		e.Reason, e.Message = "proxy", fmt.Sprintf("the proxy did not let it through: %v", err)
	case errors.Is(err, syscall.EADDRNOTAVAIL) && c.Config.LocalAddress != "":
		e.Reason, e.Message = "address", fmt.Sprintf("this machine has no address %s to ask from (configure localAddress)", c.Config.LocalAddress)
	case errors.As(err, &op) && op.Net == "unix":
		e.Reason, e.Message = "refused", fmt.Sprintf("no server at the socket file %v: %v", op.Addr, plainTLS(op.Err))
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Reason, e.Message = "refused", fmt.Sprintf("connection refused: nothing listens at %s", host)
	case errors.As(err, &unknown), errors.As(err, &invalid), errors.As(err, &wrongName), errors.As(err, &certVerify):
		e.Reason, e.Message = "tls", fmt.Sprintf("the certificate is not trusted: %v (configure ssl = true takes any)", plainTLS(err))
	case errors.As(err, &record):
		e.Reason, e.Message = "tls", "the server does not speak TLS here: is it http:// that was meant?"
	case errors.As(err, &alert), strings.Contains(err.Error(), "tls: "):
		e.Reason, e.Message = "tls", "TLS failed: "+plainTLS(err).Error()
	case lost && askedForCertificate(ctx):
		e.Reason, e.Message = "tls", "the server wants a client certificate, and ended the connection without one (configure ssl = { keyStore: … })"
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		e.Reason, e.Message = "tls", "the server does not speak TLS here: is it http:// that was meant?"
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, os.ErrDeadlineExceeded):
		e.Reason, e.Message = "timeout", fmt.Sprintf("no connection within %v (configure connectTimeout)", c.Config.Connect)
	case strings.Contains(err.Error(), "server response headers exceeded"):
		e.Reason, e.Message = "size", fmt.Sprintf("the headers of the answer are larger than %d MiB, which is the limit", maxHeaders>>20)
	case strings.Contains(err.Error(), "malformed"), strings.Contains(err.Error(), "chunk length"):
		e.Reason, e.Message = "encoding", "the answer is no proper HTTP: "+strings.TrimPrefix(err.Error(), "net/http: HTTP/1.x transport connection broken: ")
	case lost:
		e.Reason, e.Message = "closed", "the server closed the connection before its answer was complete"
	default:
		e.Message = err.Error()
	}
	return e
}

func askedForCertificate(ctx context.Context) bool {
	asked, ok := ctx.Value(askedKey{}).(*atomic.Bool)
	return ok && asked.Load()
}

// plainTLS takes the words about URL and operation away.
func plainTLS(err error) error {
	for {
		if verify, ok := errors.AsType[*tls.CertificateVerificationError](err); ok && verify.Err != nil {
			err = verify.Err
			continue
		}
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
