package httpx

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What stands between a client and its server is named itself, not the server.
func TestFailuresOnTheWayToAServer(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	for _, c := range []struct {
		name, reason, words string
		change              func(*Config)
	}{
		{"a proxy that is down", "proxy", "127.0.0.1:1", func(c *Config) { c.Proxy = &Proxy{URI: "http://127.0.0.1:1"} }},
		{"an address of another machine", "address", "localAddress", func(c *Config) { c.LocalAddress = "192.0.2.77" }},
		{"a store that is none", "tls", "neither as PKCS12 nor as PEM", func(c *Config) { c.TLS = &TLS{KeyStore: []byte("Feature: x")} }},
	} {
		k := client(t)
		c.change(&k.Config)
		if _, err := get(t, k, s.URL); reason(err) != c.reason || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
