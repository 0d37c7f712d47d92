package httpx

import (
	"context"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Config says how requests are sent. Its zero value follows no redirects and
// has no time limits: begin with Defaults.
type Config struct {
	// Connect bounds the time to a connection, TLS included; Read the time
	// without any byte of the answer.
	Connect, Read   time.Duration
	FollowRedirects bool
	LocalAddress    string
	Proxy           *Proxy
	TLS             *TLS
	Auth            *Auth
	// MaxBody is the largest answer that is taken, in bytes.
	MaxBody int64
	// UserAgent is sent where a request has none.
	UserAgent string
}

// Defaults are the settings that a scenario begins with.
func Defaults() Config {
	return Config{Connect: 30 * time.Second, Read: 30 * time.Second, FollowRedirects: true, MaxBody: 256 << 20, UserAgent: "rove"}
}

// A Proxy is where requests go instead of to their host.
type Proxy struct {
	URI                string
	Username, Password string
	// Except are hosts that are asked directly: "localhost", "*.corp.example".
	Except []string
}

// A Pool keeps connections, for each way to connect its own. All scenarios of a
// suite share one.
type Pool struct {
	mu         sync.Mutex
	transports map[way]*http.Transport
	tokens     map[string]*token
}

// way is what makes connections different from others.
type way struct {
	connect           time.Duration
	local, proxy, tls string
}

// NewPool is an empty pool.
func NewPool() *Pool {
	return &Pool{transports: map[way]*http.Transport{}, tokens: map[string]*token{}}
}

// Close ends the connections that nobody uses.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.transports {
		t.CloseIdleConnections()
	}
	clear(p.transports)
}

// Check says what keeps a config from being used: a store that cannot be read, a proxy
// that is no address.
func (p *Pool) Check(c *Config) error {
	_, err := p.transport(c)
	return err
}

// transport is the one for a config, made when it is first wanted.
func (p *Pool) transport(c *Config) (*http.Transport, error) {
	key := way{connect: c.Connect, local: c.LocalAddress, tls: c.TLS.key()}
	if c.Proxy != nil {
		key.proxy = fmt.Sprintf("%+v", *c.Proxy)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if t, ok := p.transports[key]; ok {
		return t, nil
	}
	t, err := newTransport(c)
	if err != nil {
		return nil, err
	}
	p.transports[key] = t
	return t, nil
}

// maxHeaders bounds the headers of an answer.
const maxHeaders = 1 << 20

func newTransport(c *Config) (*http.Transport, error) {
	dialer := &net.Dialer{Timeout: c.Connect, KeepAlive: 30 * time.Second}
	if c.LocalAddress != "" {
		ip, err := net.ResolveIPAddr("ip", c.LocalAddress)
		if err != nil {
			return nil, &Error{Reason: "address", Message: fmt.Sprintf("localAddress %q: %v", c.LocalAddress, err), Err: err}
		}
		dialer.LocalAddr = &net.TCPAddr{IP: ip.IP, Zone: ip.Zone}
	}
	t := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           hear(dialSockets(dialer)),
		TLSHandshakeTimeout:   c.Connect,
		ForceAttemptHTTP2:     true,
		DisableCompression:    true, // decoded here, brotli and deflate too
		MaxIdleConns:          256,
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       90 * time.Second,
		ExpectContinueTimeout: time.Second,
		// The size of headers is bounded as bodies are.
		MaxResponseHeaderBytes: maxHeaders,
	}
	if c.Proxy != nil {
		through, err := c.Proxy.choose()
		if err != nil {
			return nil, err
		}
		t.Proxy = through
	}
	config, err := c.TLS.config()
	if err != nil {
		return nil, err
	}
	t.TLSClientConfig = config
	t.DialTLSContext = hearTLS(dialSockets(dialer), config, c.Connect)
	return t, nil
}

// choose says for each request whether it goes through the proxy.
func (p *Proxy) choose() (func(*http.Request) (*url.URL, error), error) {
	u, err := url.Parse(p.URI)
	if err != nil || u.Host == "" {
		return nil, &Error{Reason: "proxy", Message: fmt.Sprintf("proxy %q is no address such as http://host:3128", WithoutLogin(p.URI)), Err: err}
	}
	if p.Username != "" {
		u.User = url.UserPassword(p.Username, p.Password)
	}
	except := p.Except
	return func(r *http.Request) (*url.URL, error) {
		host := strings.ToLower(r.URL.Hostname())
		for _, e := range except {
			e = strings.ToLower(e)
			if host == e || strings.HasPrefix(e, "*.") && strings.HasSuffix(host, e[1:]) {
				return nil, nil
			}
		}
		return u, nil
	}, nil
}

// unixScheme is for servers behind a socket file:
// http+unix://%2Frun%2Fapp.sock/path.
const unixScheme = "http+unix"

// socketHost ends the names that stand for socket files: an ordinary address can
// be made of them, so that connections to them are kept like others.
const socketHost = ".socket.invalid"

// overSocket gives the address that is asked in place of one of unixScheme.
func overSocket(address string) (string, bool) {
	rest, ok := strings.CutPrefix(address, unixScheme+"://")
	if !ok {
		return address, false
	}
	file, path := rest, "/"
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		file, path = rest[:i], rest[i:]
	}
	file, err := url.PathUnescape(file)
	if err != nil || file == "" {
		return address, false
	}
	// A label of a host name has at most 63 letters.
	var name []string
	for label := range slices.Chunk([]byte(hex.EncodeToString([]byte(file))), 60) {
		name = append(name, string(label))
	}
	return "http://" + strings.Join(name, ".") + socketHost + path, true
}

// dialSockets connects to socket files where an address stands for one.
func dialSockets(d *net.Dialer) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, _ := net.SplitHostPort(address)
		name, ok := strings.CutSuffix(host, socketHost)
		if !ok {
			return d.DialContext(ctx, network, address)
		}
		file, err := hex.DecodeString(strings.ReplaceAll(name, ".", ""))
		if err != nil {
			return nil, err
		}
		return (&net.Dialer{Timeout: d.Timeout}).DialContext(ctx, "unix", string(file))
	}
}
