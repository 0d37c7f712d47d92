package session

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rove"
)

func TestOneStartForManyCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &farm{takes: time.Second}
		m := manager(t, f, Options{})
		seen := make([]*rove.Session, 50)
		var wg sync.WaitGroup
		for i := range seen {
			wg.Go(func() { seen[i], _ = use(t, m.Conversation(""), "") })
		}
		wg.Wait()
		if f.started() != 1 {
			t.Errorf("%d browsers were started for calls that came together, want 1", f.started())
		}
		slices.SortFunc(seen, func(a, b *rove.Session) int { return strings.Compare(ptr(a), ptr(b)) })
		if n := len(slices.Compact(seen)); n != 50 {
			t.Errorf("50 conversations got %d sessions", n)
		}
	})
}

func TestNamesAreTheConversationsOwn(t *testing.T) {
	f := &farm{}
	m := manager(t, f, Options{})
	a, b := m.Conversation("main"), m.Conversation("main")
	s1, _ := use(t, a, "")
	s2, _ := use(t, a, "main")
	s3, _ := use(t, a, "other")
	s4, _ := use(t, b, "main")
	switch {
	case s1 != s2:
		t.Error("the default session and its name are two sessions")
	case s1 == s3:
		t.Error("two names are one session")
	case s1 == s4:
		t.Error("a conversation got another's session by its name")
	}
}

func TestCallsRunInOrder(t *testing.T) {
	f := &farm{takes: 10 * time.Millisecond}
	m := manager(t, f, Options{})
	c := m.Conversation("")
	var mu sync.Mutex
	var order []int
	var wg sync.WaitGroup
	for i := range 100 {
		call := c.Call("") // the place in the order is taken here
		wg.Go(func() {
			defer call.End()
			if i%10 == 3 { // some give up before their turn
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				if _, err := call.Session(ctx); !errors.Is(err, context.Canceled) {
					t.Errorf("a call that was cancelled: %v", err)
				}
				return
			}
			if _, err := call.Session(t.Context()); err != nil {
				t.Error(err)
			}
			mu.Lock()
			order = append(order, i)
			mu.Unlock()
		})
	}
	wg.Wait()
	if !slices.IsSorted(order) || len(order) != 90 {
		t.Errorf("calls ran out of order: %v", order)
	}
}

func TestSessionsRunInParallel(t *testing.T) {
	m := manager(t, &farm{}, Options{})
	c := m.Conversation("")
	first := c.Call("a")
	defer first.End()
	if _, err := first.Session(t.Context()); err != nil {
		t.Fatal(err)
	}
	use(t, c, "b") // would wait for ever if it had to wait for a
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	second := c.Call("a")
	defer second.End()
	if _, err := second.Session(ctx); code(err) != rove.CodeTimeout {
		t.Errorf("a second call ran while the first was at work: %v", err)
	}
}

func TestIdleSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &farm{}
		m := manager(t, f, Options{})
		c := m.Conversation("")
		a1, _ := use(t, c, "a")
		time.Sleep(20 * time.Minute)
		b := f.last()
		use(t, c, "b")
		long := c.Call("c") // a call at work is activity, however long
		if _, err := long.Session(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(9 * time.Minute)
		if a2, _ := use(t, c, "a"); a1 != a2 {
			t.Fatal("a session ended before its time")
		}
		time.Sleep(29 * time.Minute)
		synctest.Wait()
		if n := b.contexts.Load(); n != 2 {
			t.Errorf("%d sessions are open, want those of a and c", n)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if n := b.contexts.Load(); n != 1 {
			t.Errorf("%d sessions are open, want that of c, which is at work", n)
		}
		long.End()
		time.Sleep(DefaultIdle)
		synctest.Wait()
		if f.living() != 0 {
			t.Error("the browser outlived its last session")
		}
		a3, note := use(t, c, "a")
		if a3 == a1 || !strings.Contains(note, "without a call") {
			t.Errorf("a session that ended is not new, or does not say so: %q", note)
		}
		if _, note := use(t, c, "a"); note != "" {
			t.Errorf("the note came twice: %q", note)
		}
	})
}

func TestIdleTime(t *testing.T) {
	tests := []struct {
		name string
		opts Options
		ends time.Duration // 0: never
	}{
		{"default", Options{}, 30 * time.Minute},
		{"shorter", Options{Idle: time.Minute}, time.Minute},
		{"never", Options{Idle: -1}, 0},
		{"headed", Options{Browser: rove.Options{Headed: true}, Idle: time.Minute}, 0},
		{"own process", Options{Own: true}, 30 * time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &farm{}
				m := manager(t, f, tt.opts)
				use(t, m.Conversation(""), "")
				if tt.ends == 0 {
					time.Sleep(24 * time.Hour)
					synctest.Wait()
					if f.living() != 1 {
						t.Error("the session ended")
					}
					return
				}
				time.Sleep(tt.ends - time.Second)
				synctest.Wait()
				if f.living() != 1 {
					t.Error("the session ended too early")
				}
				time.Sleep(time.Second)
				synctest.Wait()
				if f.living() != 0 {
					t.Error("the session did not end")
				}
			})
		})
	}
}

func TestLastSessionEndsTheBrowser(t *testing.T) {
	f := &farm{}
	m := manager(t, f, Options{})
	a, b := m.Conversation(""), m.Conversation("")
	use(t, a, "")
	use(t, b, "")
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if n := f.last().contexts.Load(); n != 1 || f.living() != 1 {
		t.Errorf("after the first conversation %d sessions in %d browsers, want 1 in 1", n, f.living())
	}
	if err := b.EndSession(""); err != nil {
		t.Fatal(err)
	}
	if f.living() != 0 {
		t.Error("the browser outlived its last session")
	}
	if _, note := use(t, b, ""); note != "" || f.started() != 2 {
		t.Errorf("after an end that was asked for: note %q, %d browsers", note, f.started())
	}
}

func TestOwnProcess(t *testing.T) {
	f := &farm{}
	m := manager(t, f, Options{Own: true})
	c := m.Conversation("")
	use(t, c, "a")
	use(t, c, "b")
	use(t, c, "a")
	if f.living() != 2 {
		t.Errorf("%d browsers for two sessions, want 2", f.living())
	}
	if err := c.EndSession("a"); err != nil || f.living() != 1 {
		t.Errorf("%d browsers after one session ended (%v), want 1", f.living(), err)
	}
}

func TestLimit(t *testing.T) {
	m := manager(t, &farm{}, Options{Max: 2})
	c := m.Conversation("")
	use(t, c, "a")
	use(t, m.Conversation(""), "")
	use(t, c, "a")
	refused := c.Call("b")
	defer refused.End()
	_, err := refused.Session(t.Context())
	if code(err) != rove.CodePolicy || !strings.Contains(err.Error(), "2 sessions") {
		t.Fatalf("one session too many: %v", err)
	}
	if err := c.EndSession("a"); err != nil {
		t.Fatal(err)
	}
	use(t, c, "b")
}

func TestNamesAreChecked(t *testing.T) {
	m := manager(t, &farm{}, Options{})
	for _, name := range []string{strings.Repeat("x", 101), "a\nb", "a\x00"} {
		call := m.Conversation("").Call(name)
		if _, err := call.Session(t.Context()); code(err) != rove.CodeInvalid {
			t.Errorf("name %q: %v", name, err)
		}
		call.End()
	}
}

func TestCrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &farm{}
		m := manager(t, f, Options{})
		c := m.Conversation("")
		use(t, c, "other")
		call := c.Call("")
		if _, err := call.Session(t.Context()); err != nil {
			t.Fatal(err)
		}
		behind := c.Call("")
		f.last().die()
		err := call.Explain(errors.New("pipe broken"))
		if code(err) != rove.CodeClosed || !strings.Contains(err.Error(), "the browser ended unexpectedly") || !strings.Contains(err.Error(), "next call") {
			t.Errorf("the call at work is told %v", err)
		}
		call.End()
		if _, err := behind.Session(t.Context()); code(err) != rove.CodeClosed {
			t.Errorf("a call that was meant for the page that is gone: %v", err)
		}
		behind.End()
		for _, name := range []string{"", "other"} {
			if _, note := use(t, c, name); !strings.Contains(note, "ended unexpectedly") {
				t.Errorf("the next call on %q does not say that the session is new: %q", name, note)
			}
			if _, note := use(t, c, name); note != "" {
				t.Errorf("the call after that says it again: %q", note)
			}
		}
		if f.started() != 2 {
			t.Errorf("%d starts, want 2", f.started())
		}
	})
}

// TestGoneBefore: a browser that was gone before a call began, and not known to be, costs the call
// nothing but its session; one that goes while a call is at work ends it.
func TestGoneBefore(t *testing.T) {
	gone := &rove.Error{Code: rove.CodeClosed, Message: "the connection is closed"}
	for _, tt := range []struct {
		name  string
		at    time.Duration // after the call had its session
		err   error
		again bool
	}{
		{"before", 0, gone, true},
		{"the news takes a while", 10 * time.Millisecond, gone, true},
		{"while at work", 5 * time.Second, gone, false},
		{"another failure", 0, &rove.Error{Code: rove.CodeStale}, false},
		{"none", 0, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &farm{}
				c := manager(t, f, Options{}).Conversation("")
				call := c.Call("")
				defer call.End()
				if _, err := call.Session(t.Context()); err != nil {
					t.Fatal(err)
				}
				time.Sleep(tt.at)
				f.last().die()
				again := call.Again(t.Context(), tt.err)
				if (again != nil) != tt.again {
					t.Fatalf("again: %v", again)
				}
				if again == nil {
					return
				}
				defer again.End()
				if _, err := again.Session(t.Context()); err != nil || !strings.Contains(again.Note(), "ended unexpectedly") {
					t.Errorf("%q, %v", again.Note(), err)
				}
			})
		})
	}
}

// TestNoteIsNotLost holds that a call that gives up does not take along what the
// next one has to know, and says it as well.
func TestNoteIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &farm{}
		m := manager(t, f, Options{})
		c := m.Conversation("")
		use(t, c, "")
		f.last().die()
		synctest.Wait()
		f.mu.Lock()
		f.fails = errors.New("no browser here")
		f.mu.Unlock()
		call := c.Call("")
		_, err := call.Session(t.Context())
		if err == nil || call.Note() != "" || !strings.Contains(err.Error(), "ended unexpectedly") || !strings.Contains(err.Error(), "no browser here") {
			t.Errorf("a start that fails: %v, note %q", err, call.Note())
		}
		call.End()
		f.mu.Lock()
		f.fails = nil
		f.mu.Unlock()
		if _, note := use(t, c, ""); !strings.Contains(note, "ended unexpectedly") {
			t.Errorf("the note is %q", note)
		}
	})
}

func TestCrashBeforeTheNextSession(t *testing.T) {
	f := &farm{}
	m := manager(t, f, Options{})
	use(t, m.Conversation(""), "")
	f.last().die() // nobody may have noticed yet
	use(t, m.Conversation(""), "")
}

func TestStartFails(t *testing.T) {
	f := &farm{fails: errors.New("no browser here")}
	m := manager(t, f, Options{})
	c := m.Conversation("")
	call := c.Call("")
	_, err := call.Session(t.Context())
	if code(err) != rove.CodeClosed || !strings.Contains(err.Error(), "no browser here") {
		t.Errorf("a start that fails: %v", err)
	}
	call.End()
	f.mu.Lock()
	f.fails = nil
	f.mu.Unlock()
	use(t, c, "") // the next call tries again
}

// A browser that is killed before anybody has used it is started once more.
func TestStartIsKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no process there is ended by a signal")
	}
	err := exec.Command("sh", "-c", "kill -9 $$").Run()
	f := &farm{fails: fmt.Errorf("chrome: it did not start: %w", err), once: true}
	use(t, manager(t, f, Options{}).Conversation(""), "")
	if n := f.started(); n != 2 {
		t.Errorf("%d starts", n)
	}
}

func TestStartIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &farm{takes: time.Hour}
		m := manager(t, f, Options{})
		call := m.Conversation("").Call("")
		defer call.End()
		begin := time.Now()
		_, err := call.Session(t.Context())
		if code(err) != rove.CodeTimeout || time.Since(begin) != DefaultStart {
			t.Errorf("after %v: %v", time.Since(begin), err)
		}
	})
}

func TestCancelledStartIsKeptForTheNextCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &farm{takes: 10 * time.Second}
		m := manager(t, f, Options{})
		c := m.Conversation("")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		call := c.Call("")
		if _, err := call.Session(ctx); code(err) != rove.CodeTimeout {
			t.Errorf("cancelled while starting: %v", err)
		}
		call.End()
		use(t, c, "")
		if f.started() != 1 {
			t.Errorf("%d starts, want 1", f.started())
		}
	})
}

// TestNothingStartsBeforeTheFirstCall: neither a manager nor a conversation needs a
// browser; the first call that wants a session does.
func TestNothingStartsBeforeTheFirstCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &farm{}
		m := manager(t, f, Options{})
		c := m.Conversation("")
		m.Conversation("another")
		c.Call("").End() // of a tool that needs no browser
		time.Sleep(time.Hour)
		synctest.Wait()
		if f.started() != 0 {
			t.Errorf("%d browsers were started for nobody", f.started())
		}
		use(t, c, "")
		if f.started() != 1 {
			t.Errorf("%d browsers for the first call", f.started())
		}
	})
}

func TestWarm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &farm{takes: time.Second}
		m := manager(t, f, Options{})
		m.Warm()
		m.Warm()
		time.Sleep(time.Second)
		begin := time.Now()
		c := m.Conversation("")
		use(t, c, "")
		if f.started() != 1 || time.Since(begin) != 0 {
			t.Errorf("%d starts, waited %v", f.started(), time.Since(begin))
		}
		time.Sleep(5 * DefaultSpare)
		synctest.Wait()
		if f.living() != 1 {
			t.Error("a browser in use ended as if nobody used it")
		}
		if err := c.Close(); err != nil || f.living() != 0 {
			t.Error("the browser outlived its last session", err)
		}
		m.Warm()
		time.Sleep(DefaultSpare)
		synctest.Wait()
		if f.living() != 0 {
			t.Error("a browser that nobody used lives on")
		}
	})
}

func TestClose(t *testing.T) {
	tests := map[string]func(t *testing.T, m *Manager, f *farm){
		"nothing": func(*testing.T, *Manager, *farm) {},
		"warm":    func(_ *testing.T, m *Manager, _ *farm) { m.Warm() },
		"idle":    func(t *testing.T, m *Manager, _ *farm) { use(t, m.Conversation(""), "") },
		"starting": func(t *testing.T, m *Manager, f *farm) {
			f.takes = time.Hour
			call := m.Conversation("").Call("")
			go func() {
				defer call.End()
				if _, err := call.Session(context.Background()); err == nil {
					t.Error("a session opened while all was closed")
				}
			}()
		},
		"at work": func(t *testing.T, m *Manager, _ *farm) {
			call := m.Conversation("").Call("")
			if _, err := call.Session(t.Context()); err != nil {
				t.Error(err)
			}
		},
	}
	for name, begin := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &farm{takes: time.Second}
				m := manager(t, f, Options{})
				begin(t, m, f)
				synctest.Wait()
				if err := m.Close(); err != nil {
					t.Error(err)
				}
				if n := f.living(); n != 0 {
					t.Errorf("%d browsers live on", n)
				}
				call := m.Conversation("").Call("")
				defer call.End()
				if _, err := call.Session(t.Context()); code(err) != rove.CodeClosed {
					t.Errorf("a call after Close: %v", err)
				}
			})
		})
	}
}

func TestEndWhileOpening(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &farm{takes: time.Second}
		m := manager(t, f, Options{})
		c := m.Conversation("")
		call := c.Call("")
		defer call.End()
		go func() {
			time.Sleep(500 * time.Millisecond)
			_ = c.Close()
		}()
		if _, err := call.Session(t.Context()); code(err) != rove.CodeClosed {
			t.Errorf("a session that was ended while it opened: %v", err)
		}
	})
}

// TestEndedIsTold: of a session that was idle too long, or whose browser died, and not of
// one that was ended; the next caller hears what came of it.
func TestEndedIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &farm{}
		var mu sync.Mutex
		var told []string
		m := manager(t, f, Options{Ended: func(s *rove.Session, name, why string) string {
			if f.last().contexts.Load() == 0 {
				t.Errorf("%s is closed already", name)
			}
			time.Sleep(time.Second) // the browser is asked meanwhile
			mu.Lock()
			defer mu.Unlock()
			told = append(told, name+": "+why)
			return "it is kept"
		}})
		c := m.Conversation("main")
		use(t, c, "a")
		if err := c.EndSession("a"); err != nil {
			t.Fatal(err)
		}
		use(t, c, "")
		time.Sleep(DefaultIdle + 500*time.Millisecond)
		synctest.Wait()
		if f.living() != 1 {
			t.Error("the browser ended before all was told")
		}
		time.Sleep(time.Minute)
		if _, note := use(t, c, ""); !strings.Contains(note, "without a call; it is kept; this is a new session") {
			t.Errorf("the note is %q", note)
		}
		f.last().die()
		synctest.Wait()
		time.Sleep(2 * time.Second)
		if _, note := use(t, c, ""); !strings.Contains(note, "it is kept") {
			t.Errorf("the note is %q", note)
		}
		time.Sleep(DefaultIdle + 100*time.Millisecond) // all is closed while it is told
		go m.Close()
		time.Sleep(time.Minute)
		want := "main: the session ended after 30m0s without a call, main: the browser ended unexpectedly, main: the session ended after 30m0s without a call"
		mu.Lock()
		defer mu.Unlock()
		if got := strings.Join(told, ", "); got != want {
			t.Errorf("told of %s\nwant %s", got, want)
		}
	})
}
