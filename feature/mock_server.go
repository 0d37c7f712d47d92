package feature

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"rove/internal/data"
	"rove/internal/mock"
)

// MockOptions say what a mock plays and where.
type MockOptions struct {
	// Features are the files. The first that has a scenario for a request answers
	// it.
	Features []string
	// Dir is the folder that paths are relative to; empty is the current one.
	Dir string
	// Classpath are the folders that classpath: means.
	Classpath []string
	// Address is "host:port"; empty is a free port of this machine alone.
	Address string
	// TLS serves HTTPS. Without the files Certificate and Key, a certificate is
	// made on the spot.
	TLS              bool
	Certificate, Key string
	// Prefix is taken away from paths, such as "/api".
	Prefix string
	// Variables are those that backgrounds begin with: anything that is JSON.
	Variables map[string]any
	// Watch plays a file anew when one of its folder changes. One that is broken
	// leaves the mock as it was.
	Watch bool
	// Served is told of every answer, Log of what goes wrong and what was played
	// anew. Both are called by several goroutines.
	Served func(MockAnswer)
	Log    func(string)
}

// MockAnswer is a request that was answered.
type MockAnswer struct {
	Method, Path string
	Status       int
	Time         time.Duration
}

// Mock is a server that plays features.
type Mock struct {
	server *mock.Server
	troupe *troupe
	cancel context.CancelFunc
	watch  sync.WaitGroup
	once   sync.Once
}

// StartMock starts a server that plays features, until it is stopped. The context
// bounds the backgrounds, which run before it gives back.
func StartMock(ctx context.Context, o MockOptions) (*Mock, error) {
	if len(o.Features) == 0 {
		return nil, errors.New("a mock needs a feature to play")
	}
	options := mock.Options{Address: o.Address, TLS: o.TLS, Prefix: o.Prefix, Log: o.Log}
	if (o.Certificate == "") != (o.Key == "") {
		return nil, errors.New("a certificate and its key come together: name both files")
	}
	if o.Certificate != "" {
		pair, err := tls.LoadX509KeyPair(o.Certificate, o.Key)
		if err != nil {
			return nil, fmt.Errorf("the certificate %s and the key %s cannot be used: %w", o.Certificate, o.Key, err)
		}
		options.Certificate, options.TLS = &pair, true
	}
	if o.Served != nil {
		options.Served = func(method, path string, status int, took time.Duration) {
			o.Served(MockAnswer{method, path, status, took})
		}
	}
	before := o.stamps()
	c, err := o.play(ctx)
	if err != nil {
		return nil, err
	}
	options.CORS = c.cors()
	server, err := mock.Start(options, c.handle)
	if err != nil {
		c.close()
		return nil, err
	}
	watching, cancel := context.WithCancel(context.WithoutCancel(ctx))
	m := &Mock{server: server, troupe: c, cancel: cancel}
	if o.Watch {
		m.watch.Go(func() { m.follow(watching, o, before) })
	}
	return m, nil
}

// URL is the mock's address, with its prefix.
func (m *Mock) URL() string { return m.server.URL() }

// Port is the one it listens at.
func (m *Mock) Port() int { return m.server.Port() }

// Stop ends the mock. Requests under way have until the context's end.
func (m *Mock) Stop(ctx context.Context) {
	m.once.Do(func() {
		m.cancel()
		m.server.Stop(ctx)
		m.watch.Wait()
		m.troupe.close()
	})
}

// follow plays the features anew when a file changes.
func (m *Mock) follow(ctx context.Context, o MockOptions, before stampList) {
	tick := time.NewTicker(watchPause)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		after := o.stamps()
		if after.equal(before) {
			continue
		}
		before = after
		c, err := o.play(ctx)
		if ctx.Err() != nil {
			if c != nil {
				c.close()
			}
			return
		}
		if err != nil {
			o.tell(fmt.Sprintf("the mock goes on as it was: %v", err))
			continue
		}
		m.server.Swap(c.handle)
		m.server.SetCORS(c.cors())
		m.troupe.close()
		m.troupe = c
		o.tell("a file changed: the mock begins anew")
	}
}

func (o *MockOptions) tell(text string) {
	if o.Log != nil {
		o.Log(text)
	}
}

// stampList is what the folders of the features were like.
type stampList []state

func (a stampList) equal(b stampList) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (o *MockOptions) stamps() stampList {
	if !o.Watch {
		return nil
	}
	list := make(stampList, len(o.Features))
	for i, f := range o.Features {
		if !filepath.IsAbs(f) {
			f = filepath.Join(o.Dir, f)
		}
		list[i] = stamp(Options{Dir: filepath.Dir(f), Paths: []string{f}})
	}
	return list
}

// troupe is the features that a mock plays, as they were read at one time.
type troupe struct {
	suite *suite
	list  []*mockFeature
	busy  sync.RWMutex
}

// play reads the features and runs their backgrounds.
func (o *MockOptions) play(ctx context.Context) (*troupe, error) {
	su, err := newSuite(Options{Dir: o.Dir, Classpath: o.Classpath, Output: "-"})
	if err != nil {
		return nil, err
	}
	su.writers = &writers{}
	if o.Log != nil { // what features print
		su.opts.Verbose, su.opts.Progress = true, func(p Progress) { o.tell(p.Text) }
	}
	c := &troupe{suite: su}
	for _, f := range o.Features {
		file := su.absolute(f)
		if _, err := os.Stat(file); err != nil {
			c.close()
			return nil, fmt.Errorf("%s: there is no such file", f)
		}
		variables, err := o.variables()
		if err != nil {
			c.close()
			return nil, err
		}
		m, err := newMock(ctx, su, file, variables)
		if err != nil {
			c.close()
			return nil, err
		}
		c.list = append(c.list, m)
		if err := m.check(); err != nil {
			c.close()
			return nil, err
		}
	}
	return c, nil
}

// check says which scenario has a condition that is no JavaScript, before a
// request finds out.
func (m *mockFeature) check() error {
	for _, r := range m.routes {
		text := condition(r.plan)
		if text == "" {
			continue
		}
		if _, err := m.s.suite.cache.Compile(m.s.place(r.plan.line), text); err != nil {
			return fmt.Errorf("%s:%d: the scenario's name is no condition: %w", m.s.feature.source.shown, r.plan.line, jsError(text, err))
		}
	}
	return nil
}

func (o *MockOptions) variables() (*data.Object, error) {
	if len(o.Variables) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(o.Variables)
	if err != nil {
		return nil, fmt.Errorf("the variables of the mock are no JSON: %w", err)
	}
	v, err := data.ParseJSON(string(text))
	if err != nil {
		return nil, err
	}
	return v.(*data.Object), nil
}

// cors says whether one of the features lets other origins in.
func (c *troupe) cors() bool {
	return slices.ContainsFunc(c.list, func(m *mockFeature) bool { return m.s.config.bool("cors") })
}

func (c *troupe) handle(ctx context.Context, q *mock.Request) (*mock.Response, error) {
	c.busy.RLock()
	defer c.busy.RUnlock()
	for _, m := range c.list {
		if answer, err := m.handle(ctx, q); answer != nil || err != nil {
			return answer, err
		}
	}
	return nil, nil
}

// close gives back what the features hold, once nothing of them is under way.
func (c *troupe) close() {
	c.busy.Lock()
	defer c.busy.Unlock()
	c.suite.stopMocks()
	c.suite.closeHTTP()
	_ = c.suite.browsers.close()
}
