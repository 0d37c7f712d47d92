package session

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// visitors serves a page that tells every visitor who it is, by cookie and by
// storage, and what was there before.
func visitors(t *testing.T) string {
	return testkit.Serve(t, map[string]http.HandlerFunc{
		"/": func(w http.ResponseWriter, r *http.Request) {
			who := r.URL.Query().Get("who")
			was := "nobody"
			if c, err := r.Cookie("who"); err == nil {
				was = c.Value
			}
			http.SetCookie(w, &http.Cookie{Name: "who", Value: who})
			testkit.Page(fmt.Sprintf(`<title>Visitors</title><h1>Hello %s</h1><p id=c>cookie of %s</p><p id=s></p>
				<button>Button of %[1]s</button>
				<script>s.textContent = "storage of " + (localStorage.who || "nobody"); localStorage.who = %[1]q</script>`, who, was))(w, r)
		},
	})
}

func TestNothingCrossesOver(t *testing.T) {
	testkit.NeedsBrowser(t)
	site := visitors(t)
	m := NewManager(Options{})
	defer m.Close()
	const count = 10
	few := make(chan struct{}, 4) // all are open at once, but a small machine loads a few at a time
	one := m.Conversation("")
	var wg sync.WaitGroup
	var ready, gate sync.WaitGroup
	ready.Add(count)
	gate.Add(1)
	for i := range count {
		wg.Go(func() {
			ctx := t.Context()
			// Half of them are sessions of one conversation.
			talk, name := m.Conversation(""), ""
			if i%2 == 0 {
				talk, name = one, fmt.Sprint("session ", i)
			}
			visit := func(who, before string) {
				call := talk.Call(name)
				defer call.End()
				few <- struct{}{}
				defer func() { <-few }()
				s, err := call.Session(ctx)
				if err != nil {
					t.Error(err)
					return
				}
				page, err := s.Go(ctx, site+"/?who="+who)
				if err != nil {
					t.Error(err)
					return
				}
				for _, want := range []string{"Hello " + who, "cookie of " + before, "storage of " + before, `button "Button of ` + who + `"`} {
					if !strings.Contains(page.Text(), want) {
						t.Errorf("%s misses %q:\n%s", who, want, page.Text())
					}
				}
			}
			who := fmt.Sprint("visitor-", i)
			visit(who, "nobody")
			ready.Done()
			gate.Wait() // all are there at once
			visit(who, who)
		})
	}
	ready.Wait()
	if n := len(testkit.Browsers(t)); n != 1 {
		t.Errorf("%d browsers for %d sessions, want 1", n, count)
	}
	gate.Done()
	wg.Wait()
}

func TestBrowserEndsWithItsLastSession(t *testing.T) {
	testkit.NeedsBrowser(t)
	site := visitors(t)
	m := NewManager(Options{})
	defer m.Close()
	a, b := m.Conversation(""), m.Conversation("")
	for _, talk := range []*Conversation{a, b} {
		s, _ := use(t, talk, "")
		if _, err := s.Go(t.Context(), site+"/?who=x"); err != nil {
			t.Fatal(err)
		}
	}
	pids := testkit.Browsers(t)
	if len(pids) != 1 {
		t.Fatalf("browsers %v, want one", pids)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	// The other session is none the worse for it.
	s, _ := use(t, b, "")
	if page, err := s.Look(t.Context(), rove.LookOptions{}); err != nil || !strings.Contains(page.Text(), "Hello x") {
		t.Fatal(page, err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	testkit.NoBrowsers(t, pids, 0)
}

func TestIdleSessionEndsItsBrowser(t *testing.T) {
	testkit.NeedsBrowser(t)
	m := NewManager(Options{Idle: 50 * time.Millisecond})
	defer m.Close()
	use(t, m.Conversation(""), "")
	testkit.NoBrowsers(t, testkit.Browsers(t), 10*time.Second)
}

func kill(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestKilledBrowser(t *testing.T) {
	testkit.NeedsBrowser(t)
	site := visitors(t)
	m := NewManager(Options{})
	defer m.Close()
	talk := m.Conversation("")
	call := talk.Call("")
	s, err := call.Session(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	pids := testkit.Browsers(t)
	if len(pids) != 1 {
		t.Fatalf("browsers %v, want one", pids)
	}
	kill(t, pids[0])
	_, err = s.Go(t.Context(), site+"/?who=x")
	if err = call.Explain(err); code(err) != rove.CodeClosed || !strings.Contains(err.Error(), "the browser ended unexpectedly") {
		t.Errorf("a verb under which the browser was killed: %v", err)
	}
	call.End()

	again, note := use(t, talk, "")
	if !strings.Contains(note, "the browser ended unexpectedly") {
		t.Errorf("the next call has the note %q", note)
	}
	if _, err := again.Go(t.Context(), site+"/?who=y"); err != nil {
		t.Error(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	testkit.NoBrowsers(t, append(pids, testkit.Browsers(t)...), 0)
}
