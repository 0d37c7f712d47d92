//go:build unix

package cdp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"rove/internal/wire"
)

// chromium starts a browser and connects to it, over a pipe or a websocket.
// The process is returned so that a test can kill it.
func chromium(t testing.TB, carrier string) (*Conn, *os.Process) {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	dir, err := os.MkdirTemp("", "rove-cdp-") // short: a socket is made in it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	cmd := exec.Command(path,
		"--headless=new", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-quic",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+filepath.Join(dir, "profile"), "about:blank")
	cmd.Env = append(os.Environ(), "TMPDIR="+dir) // where a browser that is killed leaves its socket
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stderr, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = w
	var toBrowser, fromBrowser *os.File
	if carrier == "pipe" {
		r1, w1, err1 := os.Pipe()
		r2, w2, err2 := os.Pipe()
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		defer r1.Close()
		defer w2.Close()
		toBrowser, fromBrowser = w1, r2
		cmd.ExtraFiles = []*os.File{r1, w2} // 3 and 4
		cmd.Args = append(cmd.Args, "--remote-debugging-pipe")
	} else {
		cmd.Args = append(cmd.Args, "--remote-debugging-port=0")
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()

	// Every process of the browser holds the other end of stderr, so its end
	// says that all are gone and the profile can be removed.
	listening := make(chan string, 1)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			if _, url, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
				listening <- url
			}
		}
		cmd.Wait()
		stderr.Close()
	}()
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		stderr.SetReadDeadline(time.Now().Add(10 * time.Second))
		<-gone
	})

	var tr wire.Transport
	if carrier == "pipe" {
		tr = wire.NewPipe(fromBrowser, toBrowser)
	} else {
		select {
		case url := <-listening:
			if tr, err = wire.Dial(t.Context(), url, nil); err != nil {
				t.Fatal(err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("chromium did not say where it listens")
		}
	}
	conn := New(tr)
	t.Cleanup(func() { conn.Close() })
	return conn, cmd.Process
}

func within(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// openPage attaches to a new page, on a queue of its own.
func openPage(t testing.TB, ctx context.Context, conn *Conn, h Handler) *Session {
	t.Helper()
	var made target.CreateTargetResult
	if err := conn.Root().Call(ctx, "Target.createTarget", target.CreateTargetParams{URL: "about:blank"}, &made); err != nil {
		t.Fatal(err)
	}
	var att target.AttachToTargetResult
	if err := conn.Root().Call(ctx, "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &att); err != nil {
		t.Fatal(err)
	}
	return conn.Attach(string(att.SessionID), conn.NewQueue(), h)
}

func evaluate(ctx context.Context, s *Session, js string) (string, error) {
	call := s.Start("Runtime.evaluate", runtime.EvaluateParams{Expression: js})
	var v struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	if err := call.Wait(ctx, &v); err != nil {
		return "", err
	}
	if text, ok := call.Text(); ok && text != v.Result.Value {
		return "", errors.New("Text and Wait differ")
	}
	return v.Result.Value, nil
}

func TestChromium(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>hello</title><p>a page</p>")
	}))
	defer site.Close()
	for _, carrier := range []string{"pipe", "websocket"} {
		t.Run(carrier, func(t *testing.T) {
			ctx := within(t, 2*time.Minute)
			conn, process := chromium(t, carrier)
			var seen sync.Map
			s := openPage(t, ctx, conn, func(e Event) { seen.Store(e.Method, e) })

			t.Run("batch", func(t *testing.T) { chromiumBatch(t, ctx, conn, s, &seen) })
			t.Run("navigate", func(t *testing.T) { chromiumNavigate(t, ctx, s, site.URL, &seen) })
			t.Run("refusals", func(t *testing.T) { chromiumRefusals(t, ctx, conn, s) })
			t.Run("large", func(t *testing.T) { chromiumLarge(t, ctx, s) })
			t.Run("odd text", func(t *testing.T) { chromiumOddText(t, ctx, s) })
			t.Run("many callers", func(t *testing.T) { chromiumMany(t, ctx, conn, s) })
			t.Run("gone and crashed", func(t *testing.T) { chromiumEnds(t, ctx, conn, s, process) })
		})
	}
}

// Enabling a domain reports what exists before it replies, which the order
// rule makes visible as soon as the call returns. One write does it all.
func chromiumBatch(t *testing.T, ctx context.Context, conn *Conn, s *Session, seen *sync.Map) {
	before := conn.Stats()
	calls := conn.Start(
		s.Command("Page.enable", nil),
		s.Command("Page.setLifecycleEventsEnabled", page.SetLifecycleEventsEnabledParams{Enabled: true}),
		s.Command("Network.enable", network.EnableParams{}),
		s.Command("Runtime.enable", nil),
	)
	for _, c := range calls {
		if err := c.Wait(ctx, nil); err != nil {
			t.Fatal(err)
		}
	}
	after := conn.Stats()
	if after.Writes-before.Writes != 1 || after.Commands-before.Commands != 4 || after.Replies-before.Replies != 4 {
		t.Errorf("from %+v to %+v", before, after)
	}
	e, ok := seen.Load("Runtime.executionContextCreated")
	if !ok {
		t.Fatal("Runtime.enable returned before its event was handled")
	}
	var v runtime.EventExecutionContextCreated
	if err := e.(Event).Decode(&v); err != nil || v.Context.ID == 0 {
		t.Errorf("%+v, %v", v, err)
	}
}

func chromiumNavigate(t *testing.T, ctx context.Context, s *Session, url string, seen *sync.Map) {
	loaded := make(chan struct{}, 1)
	s.OnEvent(func(e Event) {
		seen.Store(e.Method, e)
		if e.Method == "Page.loadEventFired" {
			loaded <- struct{}{}
		}
	})
	var nav page.NavigateResult
	if err := s.Call(ctx, "Page.navigate", page.NavigateParams{URL: url}, &nav); err != nil || nav.LoaderID == "" {
		t.Fatal(nav, err)
	}
	select {
	case <-loaded:
	case <-ctx.Done():
		t.Fatal("not loaded")
	}
	got, err := evaluate(ctx, s, "document.title")
	if err != nil || got != "hello" {
		t.Errorf("%q, %v", got, err)
	}
	if _, ok := seen.Load("Page.frameNavigated"); !ok {
		t.Error("loaded, and its frameNavigated was not handled")
	}
}

func chromiumRefusals(t *testing.T, ctx context.Context, conn *Conn, s *Session) {
	var e *Error
	if err := s.Call(ctx, "No.such", nil, nil); !errors.As(err, &e) || e.Code != -32601 {
		t.Error(err)
	}
	if err := s.Call(ctx, "Page.navigate", map[string]any{"url": 3}, nil); !errors.As(err, &e) || e.Data == "" {
		t.Error(err)
	}
	stranger := conn.Attach("NOSUCHSESSION", nil, nil)
	if err := stranger.Call(ctx, "Page.enable", nil, nil); !errors.Is(err, ErrSessionGone) {
		t.Error(err)
	}
}

func chromiumLarge(t *testing.T, ctx context.Context, s *Session) {
	got, err := evaluate(ctx, s, `'<div class="a">\n\\ €'.repeat(300000)`)
	if want := strings.Repeat("<div class=\"a\">\n\\ €", 300000); err != nil || got != want {
		t.Errorf("%d characters, %v", len(got), err)
	}
	js := `"` + strings.Repeat("z", 2<<20) + `".length + ""`
	if got, err := evaluate(ctx, s, js); err != nil || got != "2097152" {
		t.Errorf("%q, %v", got, err)
	}
}

func chromiumOddText(t *testing.T, ctx context.Context, s *Session) {
	for js, want := range map[string]string{
		`"\ud83d"`:                "\ufffd",
		`"a\ud83d\ude00\0\u2028"`: "a\U0001F600\x00\u2028",
		`'"},"sessionId":"X"}'`:   `"},"sessionId":"X"}`,
		`""`:                      "",
	} {
		if got, err := evaluate(ctx, s, js); err != nil || got != want {
			t.Errorf("%s: %q, %v", js, got, err)
		}
	}
}

func chromiumMany(t *testing.T, ctx context.Context, conn *Conn, s *Session) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 25 {
				if got, err := evaluate(ctx, s, `String(6*7)`); err != nil || got != "42" {
					t.Errorf("%q, %v", got, err)
					return
				}
				if err := conn.Root().Call(ctx, "Browser.getVersion", nil, nil); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// Calls that a page never answers end: by the context, when the session goes,
// and when the browser is killed.
func chromiumEnds(t *testing.T, ctx context.Context, conn *Conn, s *Session, process *os.Process) {
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if err := s.Call(short, "Runtime.evaluate", never, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}

	second := openPage(t, ctx, conn, nil)
	conn.Root().OnEvent(func(e Event) {
		var v target.EventDetachedFromTarget
		if e.Method == "Target.detachedFromTarget" && e.Decode(&v) == nil && string(v.SessionID) == second.ID() {
			second.Detach()
		}
	})
	stuck := second.Start("Runtime.evaluate", never)
	if err := second.Call(ctx, "Page.close", nil, nil); err != nil && !errors.Is(err, ErrSessionGone) {
		t.Error(err)
	}
	// Chromium either answers that its context is gone or says nothing more.
	if err := stuck.Wait(ctx, nil); err == nil || ctx.Err() != nil {
		t.Errorf("closing the page ended its call with %v", err)
	}

	stuck = s.Start("Runtime.evaluate", never)
	if err := syscall.Kill(-process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := stuck.Wait(ctx, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("killing the browser ended the call with %v", err)
	}
	<-conn.Done()
	if err := conn.Err(); err == ErrClosed || !errors.Is(err, ErrClosed) {
		t.Errorf("the connection ended with %v", err)
	}
}

// A browser on a pipe leaves when our end closes.
func TestChromiumLeavesWithPipe(t *testing.T) {
	ctx := within(t, time.Minute)
	conn, process := chromium(t, "pipe")
	if err := conn.Root().Call(ctx, "Browser.getVersion", nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	for process.Signal(syscall.Signal(0)) == nil {
		select {
		case <-ctx.Done():
			t.Fatal("still there")
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// A page that crashes leaves its calls unanswered; Abort ends them, and the
// same session goes on with the page's next process.
func TestChromiumCrash(t *testing.T) {
	ctx := within(t, time.Minute)
	conn, _ := chromium(t, "pipe")
	crashed := errors.New("crashed")
	s := openPage(t, ctx, conn, func(e Event) {
		if e.Method == "Inspector.targetCrashed" {
			e.Session.Abort(crashed)
		}
	})
	if err := s.Call(ctx, "Inspector.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	calls := conn.Start(s.Command("Runtime.evaluate", never), s.Command("Page.crash", nil))
	for _, c := range calls {
		if err := c.Wait(ctx, nil); err == nil || ctx.Err() != nil {
			t.Errorf("%s ended with %v", c.method, err)
		}
	}
	if err := s.Call(ctx, "Page.navigate", page.NavigateParams{URL: "about:blank"}, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := evaluate(ctx, s, `"back"`); err != nil || got != "back" {
		t.Errorf("%q, %v", got, err)
	}
}

// never is an evaluation that has no end.
var never = runtime.EvaluateParams{Expression: "new Promise(() => {})", AwaitPromise: new(true)}

func BenchmarkChromium(b *testing.B) {
	for _, carrier := range []string{"pipe", "websocket"} {
		b.Run(carrier, func(b *testing.B) {
			ctx := within(b, 5*time.Minute)
			conn, _ := chromium(b, carrier)
			s := openPage(b, ctx, conn, nil)
			b.Run("call", func(b *testing.B) {
				for b.Loop() {
					if err := s.Call(ctx, "Runtime.evaluate", runtime.EvaluateParams{Expression: "1"}, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("text5M", func(b *testing.B) {
				if _, err := evaluate(ctx, s, `globalThis.text = '<div class="a">words of text</div>'.repeat(150000)`); err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					call := s.Start("Runtime.evaluate", runtime.EvaluateParams{Expression: "text"})
					if err := call.Wait(ctx, nil); err != nil {
						b.Fatal(err)
					}
					if _, ok := call.Text(); !ok {
						b.Fatal("no text")
					}
				}
			})
		})
	}
}
