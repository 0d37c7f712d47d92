package feature

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"rove/internal/data"
	"rove/internal/httpx"
)

func init() {
	settings["maxResponseSize"] = setting{}
	settings["logging"] = setting{}
}

// config is how the next request is sent.
func (h *httpSide) config() (httpx.Config, error) {
	c := httpx.Defaults()
	s := h.s.config
	var err error
	if c.Connect, err = s.milliseconds("connectTimeout"); err != nil {
		return c, err
	}
	if c.Read, err = s.milliseconds("readTimeout"); err != nil {
		return c, err
	}
	if v, ok := s.value("maxResponseSize"); ok {
		n, err := strconv.ParseInt(v.Text(), 10, 64)
		if err != nil || n <= 0 {
			return c, fmt.Errorf("configure maxResponseSize takes a number of bytes, not %s", v.Text())
		}
		c.MaxBody = n
	}
	c.FollowRedirects = s.bool("followRedirects")
	if v := s.data("localAddress"); v != nil {
		c.LocalAddress = data.Text(v)
	}
	if h.s.suite.opts.Version != "" {
		c.UserAgent = "rove/" + h.s.suite.opts.Version
	}
	if c.Proxy, err = h.proxy(); err != nil {
		return c, err
	}
	if c.TLS, err = h.tls(); err != nil {
		return c, err
	}
	c.Auth, err = h.auth()
	return c, err
}

// milliseconds is a setting that is a time.
func (c *config) milliseconds(name string) (time.Duration, error) {
	v := c.data(name)
	if ms, ok := v.(int64); ok && ms >= 0 {
		return time.Duration(ms) * time.Millisecond, nil
	}
	ms, err := strconv.ParseFloat(data.Text(v), 64)
	if err != nil || ms < 0 {
		return 0, fmt.Errorf("configure %s takes milliseconds, not %s", name, data.Text(v))
	}
	return time.Duration(ms * float64(time.Millisecond)), nil
}

// member is a member of an object as text, "" where it is not there.
func member(o *data.Object, name string) string {
	if v, ok := o.Get(name); ok && v != nil {
		return data.Text(v)
	}
	return ""
}

func (h *httpSide) proxy() (*httpx.Proxy, error) {
	switch v := h.s.config.data("proxy").(type) {
	case nil:
		return nil, nil
	case string:
		return &httpx.Proxy{URI: v}, nil
	case *data.Object:
		p := &httpx.Proxy{URI: member(v, "uri"), Username: member(v, "username"), Password: member(v, "password")}
		if list, ok := v.Get("nonProxyHosts"); ok {
			p.Except = textsOf(list)
		}
		if p.URI == "" {
			return nil, fmt.Errorf("configure proxy needs a uri: { uri: 'http://proxy:8080' }")
		}
		return p, nil
	default:
		return nil, fmt.Errorf("configure proxy takes an address or an object, not %s", data.TypeOf(v))
	}
}

func (h *httpSide) tls() (*httpx.TLS, error) {
	switch v := h.s.config.data("ssl").(type) {
	case nil:
		return nil, nil
	case bool:
		if !v {
			return nil, nil
		}
		return &httpx.TLS{TrustAll: true}, nil
	case string:
		return &httpx.TLS{TrustAll: true, Algorithm: v}, nil
	case *data.Object:
		t := &httpx.TLS{Algorithm: member(v, "algorithm"), KeyStorePassword: member(v, "keyStorePassword"), TrustStorePassword: member(v, "trustStorePassword")}
		t.TrustAll = member(v, "trustAll") == "true"
		for name, to := range map[string]*[]byte{"keyStore": &t.KeyStore, "trustStore": &t.TrustStore} {
			path := member(v, name)
			if path == "" {
				continue
			}
			b, err := h.s.readBytes(path)
			if err != nil {
				return nil, fmt.Errorf("configure ssl: %s: %w", name, err)
			}
			*to = b
		}
		// Without a store of its own nothing but trust in all makes sense.
		if t.TrustStore == nil && member(v, "trustAll") == "" {
			t.TrustAll = true
		}
		return t, nil
	default:
		return nil, fmt.Errorf("configure ssl takes true, an algorithm or an object, not %s", data.TypeOf(v))
	}
}

func (h *httpSide) auth() (*httpx.Auth, error) {
	v := h.s.config.data("auth")
	if v == nil {
		return nil, nil
	}
	o, ok := v.(*data.Object)
	if !ok {
		return nil, fmt.Errorf("configure auth takes an object: { type: 'basic', username: '…', password: '…' }")
	}
	a := &httpx.Auth{
		Type: member(o, "type"), Username: member(o, "username"), Password: member(o, "password"), Token: member(o, "token"),
		TokenURL: member(o, "accessTokenUrl"), ClientID: member(o, "clientId"), ClientSecret: member(o, "clientSecret"), Scope: member(o, "scope"),
	}
	if a.TokenURL == "" {
		a.TokenURL = member(o, "tokenUrl")
	}
	return a, a.Check()
}

// cookieOf makes a cookie of a text, or of an object with a value. Of nothing else:
// Karate does not send numbers and truths either.
func cookieOf(name string, v any) (httpx.Cookie, bool) {
	switch v := v.(type) {
	case string:
		return httpx.Cookie{Name: name, Value: v}, true
	case *data.Object:
		value, ok := v.Get("value")
		if !ok || value == nil {
			return httpx.Cookie{}, false
		}
		return httpx.Cookie{Name: cmp.Or(member(v, "name"), name), Value: data.Text(value), Domain: member(v, "domain"), Path: member(v, "path")}, true
	}
	return httpx.Cookie{}, false
}

// cookiesOf are the cookies of an object with names and values, or of a list of objects
// with a name each.
func cookiesOf(v any) []httpx.Cookie {
	var out []httpx.Cookie
	add := func(name string, v any) {
		if c, ok := cookieOf(name, v); ok && c.Name != "" {
			out = append(out, c)
		}
	}
	switch v := v.(type) {
	case *data.Object:
		for name, each := range v.All() {
			add(name, each)
		}
	case []any:
		for _, each := range v {
			add("", each)
		}
	}
	return out
}

func cookiesObject(cookies []httpx.Cookie) *data.Object {
	all := data.NewObject()
	for _, c := range cookies {
		o := data.NewObject("name", c.Name, "value", c.Value, "domain", orNil(c.Domain), "path", orNil(c.Path), "secure", c.Secure, "httponly", c.HTTPOnly)
		if c.MaxAge != nil {
			o.Set("max-age", int64(*c.MaxAge))
		}
		if !c.Expires.IsZero() {
			o.Set("expires", c.Expires.UTC().Format(time.RFC1123))
		}
		if c.SameSite != "" {
			o.Set("samesite", c.SameSite)
		}
		all.Set(c.Name, o)
	}
	return all
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// carried are the cookies of configure cookies, those of answers among them.
func (h *httpSide) carried() []httpx.Cookie {
	return cookiesOf(h.s.config.data("cookies"))
}

// carry keeps the cookies that an answer set for the requests that follow.
func (h *httpSide) carry(set []httpx.Cookie) {
	if len(set) == 0 {
		return
	}
	kept := httpx.Carry(h.carried(), set, time.Now())
	h.s.config.values["cookies"] = h.s.value(cookiesObject(kept))
}

// httpPool keeps the connections of all scenarios.
func (su *suite) httpPool() *httpx.Pool {
	su.poolOnce.Do(func() { su.pool = httpx.NewPool() })
	return su.pool
}

// closeHTTP ends the connections when the suite has ended.
func (su *suite) closeHTTP() {
	if su.pool != nil {
		su.pool.Close()
	}
}
