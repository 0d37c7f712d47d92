package feature

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"rove/internal/data"
	"rove/internal/mock"
	"rove/internal/script"
)

// mockOptions are those of karate.start.
func mockOptions(s *scenario, o *data.Object) (mock.Options, error) {
	out := mock.Options{Prefix: cmp.Or(member(o, "pathPrefix"), member(o, "prefix"))}
	port := cmp.Or(member(o, "port"), "0")
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return out, fmt.Errorf("%s is no port", port)
	}
	out.Address = "127.0.0.1:" + port
	out.TLS = member(o, "ssl") == "true"
	cert, key := member(o, "cert"), member(o, "key")
	if cert != "" && key != "" {
		c, err := s.readBytes(cert)
		if err != nil {
			return out, err
		}
		k, err := s.readBytes(key)
		if err != nil {
			return out, err
		}
		pair, err := tls.X509KeyPair(c, k)
		if err != nil {
			return out, fmt.Errorf("cert and key: %w", err)
		}
		out.Certificate = &pair
		out.TLS = true
	}
	return out, nil
}

func init() {
	addKarate(map[string]karateFunc{
		"start": func(c *karateCall) (any, error) {
			o, ok := c.arg(0).Export().(*data.Object)
			if !ok {
				path, err := c.text(0)
				if err != nil {
					return nil, err
				}
				o = data.NewObject("mock", path)
			}
			path := member(o, "mock")
			if path == "" {
				return nil, c.wrong("{ mock: 'file.feature' } is needed")
			}
			file, err := c.s.resolve(path)
			if err != nil {
				return nil, err
			}
			options, err := mockOptions(c.s, o)
			if err != nil {
				return nil, c.wrong("%v", err)
			}
			var variables *data.Object
			if v := c.arg(0).Get("arg"); !v.Null() {
				variables, _ = v.Detach().(*data.Object)
			}
			return c.s.suite.startMock(c.ctx, file, options, variables)
		},
		"proceed": func(c *karateCall) (any, error) {
			k := extensionOf[*mockSide](c.s)
			if k == nil || k.request == nil {
				return nil, c.wrong("only a mock has a request to pass on")
			}
			target := ""
			if !c.arg(0).Null() {
				target = c.arg(0).Text()
			}
			return nil, k.proceed(c.ctx, target)
		},
	}, nil)
}

// startMock starts a server that plays a feature. It ends with the suite, or when
// it is stopped.
func (su *suite) startMock(ctx context.Context, file string, o mock.Options, variables *data.Object) (*mockServer, error) {
	m, err := newMock(context.WithoutCancel(ctx), su, file, variables)
	if err != nil {
		return nil, err
	}
	o.CORS = o.CORS || m.s.config.bool("cors")
	server, err := mock.Start(o, m.handle)
	if err != nil {
		return nil, err
	}
	s := &mockServer{server: server, name: filepath.Base(file)}
	su.mocksMu.Lock()
	su.mocks = append(su.mocks, s)
	su.mocksMu.Unlock()
	return s, nil
}

// stopMocks ends the servers that nobody stopped.
func (su *suite) stopMocks() {
	su.mocksMu.Lock()
	all := su.mocks
	su.mocks = nil
	su.mocksMu.Unlock()
	for _, s := range all {
		s.stop()
	}
}

// mockServer is what karate.start gives.
type mockServer struct {
	server *mock.Server
	name   string
	once   sync.Once
}

func (s *mockServer) stop() {
	s.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		s.server.Stop(ctx)
	})
}

func (s *mockServer) Member(name string) (any, bool) {
	switch name {
	case "port":
		return int64(s.server.Port()), true
	case "url":
		return s.server.URL(), true
	case "requests":
		asked := []any{}
		for _, q := range s.server.Asked() {
			body, _, _ := readText(string(q.Body), q.Header.Get("Content-Type"))
			asked = append(asked, data.NewObject("method", q.Method, "path", q.Path, "url", q.URL(), "headers", headersObject(q.Header, false), "body", body))
		}
		return asked, true
	case "stop", "stopAndWait", "stopAsync":
		return script.Function(func(context.Context, []script.Value) (any, error) {
			s.stop()
			return nil, nil
		}), true
	}
	return nil, false
}

// Members is part of script.Host.
func (s *mockServer) Members() []string { return []string{"port", "url"} }
func (s *mockServer) String() string    { return s.name + " at " + s.server.URL() }
