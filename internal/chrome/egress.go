package chrome

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"sync"
	"syscall"
	"time"

	"rove/driver/backend"
)

// egress is the way out of a context with a policy: a proxy on loopback that
// connects to nothing the policy refuses. It sees hosts and ports, and of what is
// encrypted nothing else.
type egress struct {
	policy   backend.Policy
	proxy    func(*http.Request) (*url.URL, error) // what the machine itself goes through
	names    *net.Resolver                         // nil is the machine's
	listener net.Listener
	server   *http.Server
	plain    *http.Transport // requests that are not encrypted, to their hosts
	through  *http.Transport // the same, to the machine's own proxy

	mu      sync.Mutex
	closed  bool
	tunnels map[net.Conn]struct{}
	work    sync.WaitGroup
}

const (
	egressHeaders = 20 * time.Second // for the head of a request to come
	egressDial    = 30 * time.Second
	egressLookup  = 3 * time.Second // of a name that another proxy will look up itself
)

func newEgress(policy backend.Policy) (*egress, error) {
	return newEgressThrough(policy, http.ProxyFromEnvironment)
}

func newEgressThrough(policy backend.Policy, proxy func(*http.Request) (*url.URL, error)) (*egress, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("the policy's proxy: %w", err)
	}
	e := &egress{
		policy: policy, proxy: proxy, listener: l, tunnels: make(map[net.Conn]struct{}),
		through: &http.Transport{Proxy: proxy, DisableCompression: true, MaxIdleConnsPerHost: 6, IdleConnTimeout: 30 * time.Second},
	}
	e.plain = &http.Transport{DialContext: e.reach, DisableCompression: true, MaxIdleConnsPerHost: 6, IdleConnTimeout: 30 * time.Second}
	e.server = &http.Server{Handler: e, ReadHeaderTimeout: egressHeaders}
	e.work.Go(func() { _ = e.server.Serve(l) })
	return e, nil
}

// address is where the browser finds it.
func (e *egress) address() string { return "http://" + e.listener.Addr().String() }

// close ends it and its tunnels. It may be called twice, and on nil.
func (e *egress) close() {
	if e == nil {
		return
	}
	e.mu.Lock()
	e.closed = true
	for c := range e.tunnels {
		_ = c.Close()
	}
	e.mu.Unlock()
	_ = e.server.Close()
	e.plain.CloseIdleConnections()
	e.through.CloseIdleConnections()
	e.work.Wait()
}

func (e *egress) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		e.connect(w, r)
	case r.URL.Scheme == "http" && r.URL.Host != "":
		e.forward(w, r)
	default:
		// It was taken for a web server, by a page perhaps.
		http.Error(w, "not found", http.StatusNotFound)
	}
}

// forward passes on a request that is not encrypted.
func (e *egress) forward(w http.ResponseWriter, r *http.Request) {
	if err := e.policy.URL(r.URL.String()); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	out := r.Clone(r.Context())
	out.RequestURI = ""
	for _, name := range []string{"Proxy-Connection", "Proxy-Authorization", "Connection", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade"} {
		out.Header.Del(name)
	}
	if _, has := out.Header["User-Agent"]; !has {
		out.Header["User-Agent"] = nil // none was sent, so none is
	}
	by := e.plain
	if proxy, err := e.proxy(out); err != nil || proxy != nil {
		by = e.through
		if err := e.known(r.Context(), net.JoinHostPort(r.URL.Hostname(), cmp.Or(r.URL.Port(), "80"))); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
	}
	answer, err := by.RoundTrip(out)
	var refused *blocked
	switch {
	case errors.As(err, &refused):
		http.Error(w, refused.Error(), http.StatusForbidden)
		return
	case err != nil:
		e.fail(w)
		return
	}
	defer answer.Body.Close()
	for name, values := range answer.Header {
		if name != "Connection" && name != "Keep-Alive" && name != "Transfer-Encoding" {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(answer.StatusCode)
	flusher := http.NewResponseController(w)
	buf := make([]byte, 32<<10)
	for {
		n, err := answer.Body.Read(buf)
		if n > 0 {
			if _, err := w.Write(buf[:n]); err != nil {
				return
			}
			_ = flusher.Flush() // streams are not to be held up
		}
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			panic(http.ErrAbortHandler) // the server broke off, and so does this
		}
	}
}

// fail breaks the connection off, as the server it stands for would have.
func (e *egress) fail(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// connect opens a tunnel: for TLS, and for web sockets of either kind.
func (e *egress) connect(w http.ResponseWriter, r *http.Request) {
	host, portText, err := net.SplitHostPort(r.Host)
	port, err2 := strconv.Atoi(portText)
	if err != nil || err2 != nil {
		http.Error(w, "bad address", http.StatusBadRequest)
		return
	}
	if err := e.policy.Connection(host, port); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	there, err := e.dial(r.Context(), r.Host)
	var refused *blocked
	switch {
	case errors.As(err, &refused):
		http.Error(w, refused.Error(), http.StatusForbidden)
		return
	case err != nil:
		http.Error(w, "no connection", http.StatusBadGateway)
		return
	}
	here, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		_ = there.Close()
		return
	}
	if !e.keep(here, there) {
		return
	}
	defer e.drop(here, there)
	if _, err := io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		return
	}
	var both sync.WaitGroup
	both.Go(func() {
		_, _ = io.Copy(there, buffered)
		halfClose(there)
	})
	both.Go(func() {
		_, _ = io.Copy(here, there)
		halfClose(here)
	})
	both.Wait()
}

func halfClose(c net.Conn) {
	if t, ok := c.(interface{ CloseWrite() error }); ok && t.CloseWrite() == nil {
		return
	}
	_ = c.Close()
}

// keep notes a tunnel's connections, unless all is over.
func (e *egress) keep(conns ...net.Conn) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		for _, c := range conns {
			_ = c.Close()
		}
		return false
	}
	for _, c := range conns {
		e.tunnels[c] = struct{}{}
	}
	e.work.Add(1)
	return true
}

func (e *egress) drop(conns ...net.Conn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
		delete(e.tunnels, c)
	}
	e.work.Done()
}

// blocked is the policy's reason against an address that a name turned out to have.
type blocked struct{ error }

// reach connects to a host, if the policy lets it at the address that it has: the
// very one that is connected to, so that a name cannot change its mind in between.
func (e *egress) reach(ctx context.Context, network, hostPort string) (net.Conn, error) {
	host, portText, err := net.SplitHostPort(hostPort)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(portText)
	if err != nil {
		return nil, err
	}
	d := net.Dialer{Timeout: egressDial, Resolver: e.names, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if err := e.policy.Address(host, port, at.Addr()); err != nil {
			return &blocked{err}
		}
		return nil
	}}
	return d.DialContext(ctx, network, hostPort)
}

// known decides on a host that another proxy will look up: by what it is here, as
// far as that is known.
func (e *egress) known(ctx context.Context, hostPort string) error {
	host, portText, err := net.SplitHostPort(hostPort)
	if err != nil {
		return err
	}
	port, err := strconv.Atoi(portText)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, egressLookup)
	defer cancel()
	list, _ := cmp.Or(e.names, net.DefaultResolver).LookupNetIP(ctx, "ip", host)
	for _, ip := range list {
		if err := e.policy.Address(host, port, ip); err != nil {
			return &blocked{err}
		}
	}
	return nil
}

// dial connects to a host, through the proxy that the machine itself goes through,
// if there is one.
func (e *egress) dial(ctx context.Context, hostPort string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, egressDial)
	defer cancel()
	var d net.Dialer
	proxy, err := e.proxy(&http.Request{URL: &url.URL{Scheme: "https", Host: hostPort}})
	if err != nil {
		return nil, err
	}
	if proxy == nil || proxy.Scheme != "http" {
		return e.reach(ctx, "tcp", hostPort)
	}
	if err := e.known(ctx, hostPort); err != nil {
		return nil, err
	}
	conn, err := d.DialContext(ctx, "tcp", proxy.Host)
	if err != nil {
		return nil, err
	}
	ask := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: hostPort}, Host: hostPort, Header: make(http.Header)}
	if proxy.User != nil {
		password, _ := proxy.User.Password()
		ask.SetBasicAuth(proxy.User.Username(), password)
		ask.Header["Proxy-Authorization"] = ask.Header["Authorization"]
		delete(ask.Header, "Authorization")
	}
	deadline, _ := ctx.Deadline()
	_ = conn.SetDeadline(deadline)
	if err := ask.Write(conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), ask)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("the proxy answered %s", answer.Status)
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, conn.SetDeadline(time.Time{})
}
