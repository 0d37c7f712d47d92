package httpx

import (
	"bytes"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// maxHead is how much of the head of an answer is kept for its names.
const maxHead = 64 << 10

// heard is a connection that keeps the head of each answer as it came: net/http
// spells names its own way (ETag becomes Etag) and forgets their order.
type heard struct {
	net.Conn
	mu     sync.Mutex
	answer *head // of the request that has the connection now
}

// head is that of one answer. It belongs to its request: the connection may serve
// another one before the names are read.
type head struct {
	mu    sync.Mutex
	bytes []byte
	done  bool
}

// begin is called when a request gets the connection, and gives the head of its answer.
func (c *heard) begin() *head {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer = &head{}
	return c.answer
}

func (c *heard) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.mu.Lock()
		answer := c.answer
		c.mu.Unlock()
		answer.add(p[:n])
	}
	return n, err
}

func (h *head) add(more []byte) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.done {
		h.bytes = append(h.bytes, more...)
		h.done = len(h.bytes) > maxHead || complete(h.bytes)
	}
}

// complete says whether a head ends here; those of answers such as 100 are not it.
func complete(head []byte) bool {
	for {
		one, rest, ok := bytes.Cut(head, []byte("\r\n\r\n"))
		if !ok {
			return false
		}
		if _, status, _ := bytes.Cut(one, []byte(" ")); len(status) == 0 || status[0] != '1' {
			return true
		}
		head = rest
	}
}

// asSent gives headers the names and the order that they came with. Those that the
// head does not have come after them, by name.
func (h *head) asSent(header http.Header) Fields {
	if h == nil {
		return fieldsOf(header)
	}
	h.mu.Lock()
	left := string(h.bytes)
	h.mu.Unlock()
	fields := make(Fields, 0, len(header))
	for left != "" && len(fields) < len(header) {
		var line string
		line, left, _ = strings.Cut(left, "\r\n")
		name, _, ok := strings.Cut(line, ":")
		if !ok || fields.has(name) {
			continue
		}
		if values, ok := header[http.CanonicalHeaderKey(name)]; ok {
			fields = append(fields, Field{name, values})
		}
	}
	if len(fields) < len(header) {
		for _, f := range fieldsOf(header) {
			if !fields.has(f.Name) {
				fields = append(fields, f)
			}
		}
	}
	return fields
}

type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

func hear(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &heard{Conn: c}, nil
	}
}

// hearTLS is hear for HTTPS. HTTP/2 has names in small letters only; they stay as
// net/http spells them, which is what most servers say over HTTP/1.
func hearTLS(dial dialFunc, config *tls.Config, limit time.Duration) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		config := config.Clone()
		if config.ServerName == "" {
			config.ServerName, _, _ = net.SplitHostPort(address)
		}
		config.NextProtos = []string{"h2", "http/1.1"}
		secured := tls.Client(c, config)
		if limit > 0 {
			short, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			ctx = short
		}
		if err := secured.HandshakeContext(ctx); err != nil {
			c.Close()
			return nil, err
		}
		if secured.ConnectionState().NegotiatedProtocol == "h2" {
			return secured, nil
		}
		return &heard{Conn: secured}, nil
	}
}
