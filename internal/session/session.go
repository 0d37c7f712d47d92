// Package session gives every conversation its own browser sessions.
//
// A Manager keeps one browser that all conversations share, each session in a
// browser context of its own. The browser is started by the first call that
// needs it, once, however many calls arrive together, and ends with its last
// session. A conversation names its sessions; the empty name is its default.
// It cannot name another conversation's.
//
//	m := session.NewManager(session.Options{})
//	defer m.Close()
//	talk := m.Conversation("")
//	defer talk.Close()
//
//	call := talk.Call("")            // takes its place among the session's calls
//	defer call.End()                 // the idle clock runs from here
//	s, err := call.Session(ctx)      // waits for its turn, and for the browser
//	page, err := s.Go(ctx, "example.com")
//	err = call.Explain(err)          // a browser that died is named as the cause
//
// Calls of one session run one at a time in the order of Call; those of
// different sessions run in parallel.
package session

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"rove"
)

// Options shape a Manager. The zero value is one headless browser for all.
type Options struct {
	// Browser says which browser is started and how. With a profile there is
	// one session at most.
	Browser rove.Options
	// Own gives every session a browser process of its own.
	Own bool
	// Idle ends a session that nobody called for so long: 0 is 30 minutes,
	// a negative time never. A browser with a window is never idle: a person
	// may be at it.
	Idle time.Duration
	// Spare ends a browser that was started ahead and that nobody used for so
	// long; 0 is one minute.
	Spare time.Duration
	// Max is how many sessions there may be at once; 0 is 100.
	Max int
	// MaxMemory is how many bytes of memory the browsers may have for one more
	// session to be opened; 0 is no limit. It needs a system that tells: Linux.
	MaxMemory int64
	// Start bounds the start of a browser, fetching one included; 0 is five
	// minutes. The start of the process itself is bounded more closely below.
	Start time.Duration

	// Ended is told of a session that nobody chose to end: it was idle too long, or its
	// browser died. The session is still there, its pages may not be. What it gives is
	// said to the next caller of that name, too. nil: nobody is told.
	Ended func(s *rove.Session, name, why string) string

	launch func(ctx context.Context) (browser, error) // for tests
}

// Defaults of Options.
const (
	DefaultIdle  = 30 * time.Minute
	DefaultSpare = time.Minute
	DefaultMax   = 100
	DefaultStart = 5 * time.Minute
)

func (o *Options) fill() {
	if o.Idle == 0 {
		o.Idle = DefaultIdle
	}
	if o.Browser.Headed {
		o.Idle = -1
	}
	if o.Spare <= 0 {
		o.Spare = DefaultSpare
	}
	if o.Max <= 0 {
		o.Max = DefaultMax
	}
	if o.Browser.Profile != "" {
		o.Max = 1
	}
	if o.Start <= 0 {
		o.Start = DefaultStart
	}
	if o.launch == nil {
		opts := o.Browser
		o.launch = func(ctx context.Context) (browser, error) { return launch(ctx, opts) }
	}
}

// Manager keeps the browsers and who uses them.
type Manager struct {
	opts Options
	work sync.WaitGroup // what goes on in the background; added to before closed
	stop context.Context
	halt context.CancelFunc

	telling sync.WaitGroup // of Options.Ended; added to before closed

	mu     sync.Mutex
	closed bool
	shared *process // nil when there is none
	talks  map[*Conversation]struct{}
	count  int // slots in all conversations

	memoryTimer *time.Timer // gives memory back
}

// NewManager makes a manager. Nothing is started yet.
func NewManager(opts Options) *Manager {
	opts.fill()
	m := &Manager{opts: opts, talks: make(map[*Conversation]struct{})}
	m.stop, m.halt = context.WithCancel(context.Background())
	return m
}

// Warm starts the shared browser ahead of the first call and does not wait for
// it. A browser that then finds no use ends again.
func (m *Manager) Warm() {
	if m.opts.Own {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed || m.shared != nil {
		return
	}
	m.shared = m.begin()
	m.spare(m.shared)
}

// Close ends all conversations and all browsers, and returns when no process
// and no file of theirs is left. It may be called twice.
func (m *Manager) Close() error {
	m.mu.Lock()
	m.closed = true
	talks := slices.Collect(maps.Keys(m.talks))
	m.mu.Unlock()
	m.telling.Wait() // it asks browsers that are ended below
	m.halt()
	err := inParallel(talks, (*Conversation).Close)

	m.mu.Lock()
	p := m.shared
	m.shared = nil
	if m.memoryTimer != nil {
		m.memoryTimer.Stop()
	}
	m.mu.Unlock()
	if p != nil {
		err = cmp.Or(err, p.end())
	}
	m.work.Wait()
	return err
}

// Conversation is whoever talks to rove through a door: an MCP connection, a
// shell, an HTTP client. Its sessions are its own.
type Conversation struct {
	m    *Manager
	main string // what the empty name stands for

	// guarded by m.mu
	closed bool
	slots  map[string]*slot
	gone   map[string]string // why the last session of a name ended, where the caller has to be told
}

// Conversation begins a conversation. main names its default session.
func (m *Manager) Conversation(main string) *Conversation {
	c := &Conversation{m: m, main: main, slots: make(map[string]*slot), gone: make(map[string]string)}
	m.mu.Lock()
	defer m.mu.Unlock()
	c.closed = m.closed
	if !c.closed {
		m.talks[c] = struct{}{}
	}
	return c
}

// EndSession ends a session of the conversation: its pages, cookies and
// storage, and the browser if nobody else uses it. One that is not there has
// ended already.
func (c *Conversation) EndSession(name string) error {
	c.m.mu.Lock()
	r := c.slots[c.name(name)]
	if r != nil {
		c.m.leave(r, "it was ended", false)
	}
	c.m.mu.Unlock()
	if r == nil {
		return nil
	}
	return c.m.clear(r)
}

// Close ends the conversation and all its sessions. It may be called twice.
func (c *Conversation) Close() error {
	c.m.mu.Lock()
	c.closed = true
	delete(c.m.talks, c)
	slots := slices.Collect(maps.Values(c.slots))
	for _, r := range slots {
		c.m.leave(r, "the conversation was ended", false)
	}
	c.m.mu.Unlock()
	return inParallel(slots, c.m.clear)
}

func (c *Conversation) name(name string) string {
	if name == "" {
		return c.main
	}
	return name
}

// longestName bounds the name of a session, which comes from a model.
const longestName = 100

func checkName(name string) error {
	if len(name) > longestName || strings.ContainsFunc(name, unicode.IsControl) {
		return refuse(rove.CodeInvalid, "a session's name is at most 100 bytes of plain text", "")
	}
	return nil
}

func refuse(code rove.Code, message, hint string) *rove.Error {
	return &rove.Error{Code: code, Op: "session", Message: message, Hint: hint}
}

// inParallel calls f for all at once and gives the first error.
func inParallel[T any](all []T, f func(T) error) error {
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	for i, v := range all {
		wg.Go(func() { errs[i] = f(v) })
	}
	wg.Wait()
	return cmp.Or(errs...)
}
