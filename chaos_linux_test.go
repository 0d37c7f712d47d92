package rove_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rove"
	"rove/driver"
	"rove/internal/testkit"
)

// launch starts a browser of the test's own, and gives the id of its process.
func launch(t *testing.T, opts rove.Options) (context.Context, *rove.Browser, int) {
	t.Helper()
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	ctx := testkit.Context(t)
	before := children()
	b, err := rove.Launch(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	for pid := range children() {
		if !before[pid] {
			return ctx, b, pid
		}
	}
	t.Fatal("the browser is not among the processes")
	return nil, nil, 0
}

// children are the processes that this one has started.
func children() map[int]bool {
	found := map[int]bool{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range stats {
		b, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(b), ") ")
		fields := strings.Fields(rest)
		if len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) && fields[0] != "Z" {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
			found[pid] = true
		}
	}
	return found
}

func openIn(t *testing.T, ctx context.Context, b *rove.Browser) *rove.Session {
	t.Helper()
	s, err := b.Open(ctx, rove.Viewport{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// plain fails for errors that only a programmer of rove understands.
func plain(t *testing.T, err error) {
	t.Helper()
	var e *rove.Error
	if !errors.As(err, &e) || e.Message == "" {
		t.Fatalf("no error of rove's: %v", err)
	}
	for _, raw := range []string{"context deadline", "context canceled", "EOF", "broken pipe", "-32000"} {
		if strings.Contains(err.Error(), raw) {
			t.Errorf("the error speaks of %q: %v", raw, err)
		}
	}
}

// A browser that stands still: every verb ends in its time and says so, and all is
// well when it goes on.
func TestHungBrowser(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, b, pid := launch(t, rove.Options{})
	url := serve(t, `<title>Still</title><button>Press</button>`)
	verbs := map[string]func(context.Context, *rove.Session) error{
		"look": func(ctx context.Context, s *rove.Session) error {
			_, err := s.Look(ctx, rove.LookOptions{})
			return err
		},
		"act": func(ctx context.Context, s *rove.Session) error {
			_, err := s.Act(ctx, rove.Step{Ref: "e1", Op: "click"})
			return err
		},
		"eval": func(ctx context.Context, s *rove.Session) error { _, err := s.Eval(ctx, "1+1"); return err },
		"go":   func(ctx context.Context, s *rove.Session) error { _, err := s.Go(ctx, url); return err },
		"wait": func(ctx context.Context, s *rove.Session) error {
			_, err := s.Wait(ctx, "text:nothing", time.Second)
			return err
		},
	}
	sessions := map[string]*rove.Session{} // a verb each, as all of them wait for as long
	for name := range verbs {
		s := openIn(t, ctx, b)
		if _, err := s.Go(ctx, url); err != nil {
			t.Fatal(err)
		}
		sessions[name] = s
	}
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	type outcome struct {
		name string
		took time.Duration
		err  error
	}
	outcomes := make(chan outcome, 2*len(verbs))
	var all sync.WaitGroup
	for name, verb := range verbs {
		all.Go(func() {
			// And once more, in a session that has just given one up.
			for n, verb := range []func(context.Context, *rove.Session) error{verb, verbs["look"]} {
				bound, cancel := context.WithTimeout(ctx, 2*time.Second)
				begun := time.Now()
				err := verb(bound, sessions[name])
				cancel()
				outcomes <- outcome{name + []string{"", ", then look"}[n], time.Since(begun), err}
			}
		})
	}
	all.Wait()
	close(outcomes)
	for o := range outcomes {
		if o.err == nil || o.took > 20*time.Second {
			t.Errorf("%s: %v after %v", o.name, o.err, o.took)
			continue
		}
		plain(t, o.err)
	}
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	for name, s := range sessions {
		if _, err := s.Go(ctx, url); err != nil {
			t.Fatalf("%s: when it goes on again: %v", name, err)
		}
		if r, err := s.Eval(ctx, "document.title"); err != nil || r.Text() != `"Still"` {
			t.Errorf("%s: when it goes on again: %v, %v", name, r, err)
		}
	}
}

// A browser that stands still is ended all the same.
func TestCloseOfAHungBrowser(t *testing.T) {
	ctx, b, pid := launch(t, rove.Options{})
	openIn(t, ctx, b)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	_ = b.Close()
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the process is still there: %v", err)
	}
}

// A browser that is killed under a call: the call ends, and says what happened.
func TestKilledBrowser(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, b, pid := launch(t, rove.Options{})
	s := openIn(t, ctx, b)
	if _, err := s.Go(ctx, serve(t, `<title>Short</title><p>life</p>`)); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := s.Wait(ctx, "text:never", 30*time.Second)
		done <- err
	}()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-done:
		plain(t, err)
		if code := rove.CodeOf(err); code != rove.CodeClosed && code != rove.CodeCrashed {
			t.Errorf("code %s: %v", code, err)
		}
	case <-time.After(15 * time.Second):
		t.Fatal("the call goes on without a browser")
	}
	if _, err := s.Look(ctx, rove.LookOptions{}); rove.CodeOf(err) != rove.CodeClosed {
		t.Errorf("the next call: %v", err)
	}
}

// A page that takes more memory than there is loses its process; the session is
// told, and goes on.
func TestOutOfMemory(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, b, _ := launch(t, rove.Options{Args: []string{"--js-flags=--max-old-space-size=48"}})
	s := openIn(t, ctx, b)
	url := serve(t, `<title>Greedy</title><p>greedy</p>`)
	if _, err := s.Go(ctx, url); err != nil {
		t.Fatal(err)
	}
	bound, cancel := context.WithTimeout(ctx, 40*time.Second)
	defer cancel()
	_, err := s.Eval(bound, "const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()))")
	plain(t, err)
	if code := rove.CodeOf(err); code != rove.CodeCrashed {
		t.Errorf("code %s: %v", code, err)
	}
	if r, err := s.Go(ctx, url); err != nil || r.Title != "Greedy" {
		t.Errorf("afterwards: %v", err)
	}
}

// A disk without room: what cannot be written is said, and nothing else is lost.
func TestDiskFull(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	small := filepath.Join(t.TempDir(), "small")
	if err := os.Mkdir(small, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("a small disk can only be mounted by root: %v", err)
	}
	defer func() { _ = syscall.Unmount(small, syscall.MNT_DETACH) }()
	ctx, b, _ := launch(t, rove.Options{Output: small})
	s := openIn(t, ctx, b)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/big" {
			w.Header().Set("Content-Disposition", `attachment; filename="big.bin"`)
			_, _ = w.Write(make([]byte, 1<<20))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Full</title><button>Press</button><a href="/big">Big file</a>`)
	}))
	defer srv.Close()
	if _, err := s.Go(ctx, srv.URL); err != nil {
		t.Fatal(err)
	}
	_, err := s.Eval(ctx, "'x'.repeat(300000)")
	plain(t, err)
	if !strings.Contains(err.Error(), "no space left") {
		t.Errorf("a result without room: %v", err)
	}
	if r, err := s.Act(ctx, rove.Step{Ref: "{a}Big file", Op: "click"}); err == nil && !strings.Contains(r.Text(), "failed") {
		t.Errorf("a download without room:\n%s", r.Text())
	}
	if r, err := s.Look(ctx, rove.LookOptions{}); err != nil || !strings.Contains(r.Text(), `button "Press"`) {
		t.Errorf("afterwards: %v", err)
	}
}

// A proxy that takes its time: go ends with its timeout, and waits no longer.
func TestSlowProxy(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close() // it takes connections, and says nothing
		}
	}()
	ctx, b, _ := launch(t, rove.Options{Args: []string{"--proxy-server=http://" + l.Addr().String(), "--proxy-bypass-list=<-loopback>"}})
	s := openIn(t, ctx, b)
	bound, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	begun := time.Now()
	_, err = s.Go(bound, "http://slow.example/")
	if took := time.Since(begun); took > 15*time.Second {
		t.Errorf("it took %v", took)
	}
	plain(t, err)
	if rove.CodeOf(err) != rove.CodeTimeout {
		t.Errorf("%v", err)
	}
	if r, err := s.Eval(ctx, "1+1"); err != nil || r.Text() != "2" {
		t.Errorf("afterwards: %v, %v", r, err)
	}
}

// A page whose clocks jump, back and ahead, or stand still: rove's waits are as long as
// they say, and what is at rest is at rest.
func TestPageWhoseClockJumps(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	for name, clock := range map[string]string{
		"ahead": `let n = 0; Date.now = performance.now = () => (n += 1e12)`,
		"back":  `let n = 0; Date.now = performance.now = () => (n -= 1e12)`,
		"still": `Date.now = performance.now = () => 0; window.setTimeout = window.requestAnimationFrame = () => 0`,
	} {
		t.Run(name, func(t *testing.T) {
			later := `const after = window.setTimeout.bind(window); ` + clock
			url := serve(t, `<title>Clock</title><script>`+later+`</script>
				<button onclick="after(() => this.textContent = 'Pressed', 150)">Press</button>
				<button id=late disabled>Late</button><script>after(() => document.querySelector('#late').disabled = false, 300)</script>`)
			if _, err := s.Go(ctx, url); err != nil {
				t.Fatal(err)
			}
			if r, err := s.Act(ctx, rove.Step{Ref: "#late", Op: "click"}); err != nil {
				t.Errorf("a button that is soon enabled: %v, %v", r, err)
			}
			if _, err := s.Act(ctx, rove.Step{Ref: "{button}Press", Op: "click"}); err != nil {
				t.Error(err)
			}
			if _, err := s.Wait(ctx, "text:Pressed", 20*time.Second); err != nil {
				t.Errorf("what comes is not waited for: %v", err)
			}
			begun := time.Now()
			_, err := s.Wait(ctx, "text:Never", 400*time.Millisecond)
			if took := time.Since(begun); rove.CodeOf(err) != rove.CodeTimeout || took < 400*time.Millisecond || took > 20*time.Second {
				t.Errorf("a wait of 400 ms: %v after %v", err, took)
			}
		})
	}
}

// A socket to a browser that is cut under a call: the call ends and says so, the next one
// too, and who connects again finds the browser as it was.
func TestSocketCut(t *testing.T) {
	ctx, _, _ := launch(t, rove.Options{Args: []string{"--remote-debugging-port=0"}})
	var port, path string
	testkit.Eventually(t, "the browser listens", func() bool {
		found, _ := filepath.Glob(filepath.Join(os.Getenv("ROVE_HOME"), "run", "*", "*", "DevToolsActivePort"))
		if len(found) == 0 {
			return false
		}
		text, _ := os.ReadFile(found[0])
		port, path, _ = strings.Cut(strings.TrimSpace(string(text)), "\n")
		return path != ""
	})
	address, cut := relay(t, "127.0.0.1:"+port)
	d, err := rove.Connect(ctx, "ws://"+address+path, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.SetURL(ctx, serve(t, `<title>Far</title>`)); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := d.Script(ctx, "return new Promise(() => {})")
		done <- err
	}()
	cut()
	select {
	case err := <-done:
		plain(t, err)
		if code := rove.CodeOf(err); code != rove.CodeClosed {
			t.Errorf("code %s: %v", code, err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the call goes on without a socket")
	}
	if _, err := d.Title(ctx); rove.CodeOf(err) != rove.CodeClosed {
		t.Errorf("the next call: %v", err)
	}
	_ = d.Quit(ctx) // there is nobody to tell
	again, err := rove.Connect(ctx, "ws://127.0.0.1:"+port+path, driver.Options{})
	if err != nil {
		t.Fatalf("once more: %v", err)
	}
	if err := again.SetURL(ctx, serve(t, `<title>Near</title>`)); err != nil {
		t.Error(err)
	}
	if err := again.Quit(ctx); err != nil {
		t.Error(err)
	}
}

// relay passes connections on to an address until they are cut.
func relay(t *testing.T, to string) (address string, cut func()) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var open []net.Conn
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			a, err := l.Accept()
			if err != nil {
				return
			}
			b, err := net.Dial("tcp", to)
			if err != nil {
				_ = a.Close()
				continue
			}
			mu.Lock()
			open = append(open, a, b)
			mu.Unlock()
			wg.Go(func() { _, _ = io.Copy(a, b) })
			wg.Go(func() { _, _ = io.Copy(b, a) })
		}
	})
	cut = sync.OnceFunc(func() {
		_ = l.Close()
		mu.Lock()
		for _, c := range open {
			_ = c.Close()
		}
		mu.Unlock()
		wg.Wait()
	})
	t.Cleanup(cut)
	return l.Addr().String(), cut
}

// A click on a browser that was just killed is not done, and says so.
func TestClickOnAKilledBrowser(t *testing.T) {
	ctx, b, pid := launch(t, rove.Options{})
	s := openIn(t, ctx, b)
	if _, err := s.Go(ctx, serve(t, `<title>Short</title><button>Press</button>`)); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := s.Driver().Click(ctx, "button"); rove.CodeOf(err) != rove.CodeClosed {
			t.Errorf("the click: %v", err)
		}
	}
}

// What Drive opened is gone after Close, the browser too.
func TestCloseEndsWhatDriveOpened(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	ctx := testkit.Context(t)
	before := children()
	d, err := rove.Drive(ctx, rove.Options{}, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(ctx); err != nil {
		t.Fatal(err)
	}
	for pid := range children() {
		if !before[pid] {
			t.Errorf("process %d is left", pid)
		}
	}
}
