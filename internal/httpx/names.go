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

// heard is a connection that remembers the head of the last answer as it came:
// net/http spells names its own way (ETag becomes Etag) and forgets their order.
type heard struct {
	net.Conn
	mu   sync.Mutex
	head []byte
	done bool
}

// begin forgets the answer before.
func (c *heard) begin() {
	c.mu.Lock()
	c.head, c.done = c.head[:0], false
	c.mu.Unlock()
}

func (c *heard) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.mu.Lock()
		if !c.done {
			c.head = append(c.head, p[:n]...)
			c.done = len(c.head) > maxHead || complete(c.head)
		}
		c.mu.Unlock()
	}
	return n, err
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
func (c *heard) asSent(h http.Header) Fields {
	if c == nil {
		return fieldsOf(h)
	}
	c.mu.Lock()
	head := string(c.head)
	c.mu.Unlock()
	fields := make(Fields, 0, len(h))
	for head != "" && len(fields) < len(h) {
		var line string
		line, head, _ = strings.Cut(head, "\r\n")
		name, _, ok := strings.Cut(line, ":")
		if !ok || fields.has(name) {
			continue
		}
		if values, ok := h[http.CanonicalHeaderKey(name)]; ok {
			fields = append(fields, Field{name, values})
		}
	}
	if len(fields) < len(h) {
		for _, f := range fieldsOf(h) {
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
