package chrome

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"rove/driver/backend"
	"rove/internal/testkit"
)

// gone says whether a process has ended.
func gone(pid int) bool {
	p, err := os.FindProcess(pid)
	return err != nil || p.Signal(syscall.Signal(0)) != nil
}

func empty(t *testing.T, dir string) {
	t.Helper()
	if left, _ := filepath.Glob(filepath.Join(dir, "run", "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func launch(t *testing.T, opts Options) *Browser {
	t.Helper()
	testkit.NeedsBrowser(t)
	b, err := Launch(testkit.Context(t), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// From nothing to a page that was looked at, and back to nothing.
func TestLaunchAndClose(t *testing.T) {
	s := serve(t, map[string]string{"/": `<h1>top</h1>`})
	home := t.TempDir()
	b := launch(t, options(home))
	if !strings.Contains(b.Version(), "Chrome/") {
		t.Errorf("version %q", b.Version())
	}
	ctx := within(t, 20*time.Second)
	c, err := b.NewContext(ctx, backend.ContextOptions{Viewport: backend.Viewport{Width: 800, Height: 600}})
	if err != nil {
		t.Fatal(err)
	}
	first, err := c.NewTab(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(c.Tabs()); n != 1 {
		t.Errorf("%d tabs", n)
	}
	visit(t, first.(*Tab), s.here+"/")
	if got := text(t, first.(*Tab)); got != "top" {
		t.Errorf("the page says %q", got)
	}
	if got := eval(t, first.(*Tab), "", `innerWidth + 'x' + innerHeight`); got != `"800x600"` {
		t.Errorf("the viewport is %s", got)
	}
	second, err := c.NewTab(ctx)
	if err != nil || second.ID() == first.ID() {
		t.Fatalf("a second tab: %v", err)
	}

	waiting := make(chan error, 1)
	go func() {
		_, err := second.Eval(ctx, "", `new Promise(() => {})`)
		waiting <- err
	}()
	eval(t, second.(*Tab), "", "1")
	pid := b.process.Pid()
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if err := <-waiting; !isKind(err, backend.KindClosed) {
		t.Errorf("a call under way: %v", err)
	}
	if !gone(pid) {
		t.Errorf("process %d is still there", pid)
	}
	empty(t, home)
	if err := b.Close(); err != nil {
		t.Errorf("closing it again: %v", err)
	}
	if _, err := b.NewContext(ctx, backend.ContextOptions{}); !isKind(err, backend.KindClosed) {
		t.Errorf("a context of a closed browser: %v", err)
	}
	if _, err := first.Call(ctx, backend.Call{Func: "look"}); !isKind(err, backend.KindClosed) {
		t.Errorf("a call to a closed browser: %v", err)
	}
}

// A browser that dies takes its tabs with it, and is closed as any other.
func TestBrowserDies(t *testing.T) {
	home := t.TempDir()
	b := launch(t, options(home))
	ctx := within(t, 20*time.Second)
	c, _ := b.NewContext(ctx, backend.ContextOptions{})
	tab, err := c.NewTab(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := os.FindProcess(b.process.Pid()); err != nil || p.Kill() != nil {
		t.Fatal("the browser cannot be killed")
	}
	select {
	case <-b.Done():
	case <-ctx.Done():
		t.Fatal("the browser's end was not noticed")
	}
	select {
	case <-tab.Done():
	case <-ctx.Done():
		t.Fatal("the tab's end was not noticed")
	}
	if !isKind(tab.Err(), backend.KindClosed) {
		t.Errorf("the tab says %v", tab.Err())
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	empty(t, home)
}

// The context the browser started with can be closed, and the browser lives on.
func TestStartupContextCloses(t *testing.T) {
	s := serve(t, map[string]string{"/": `<h1>top</h1><script>document.cookie = 'a=1; max-age=1000'; localStorage.b = 2</script>`})
	b := launch(t, options(t.TempDir()))
	ctx := within(t, 20*time.Second)
	for i := range 3 {
		c, err := b.NewContext(ctx, backend.ContextOptions{})
		if err != nil {
			t.Fatalf("context %d: %v", i, err)
		}
		tab, err := c.NewTab(ctx)
		if err != nil {
			t.Fatalf("context %d: %v", i, err)
		}
		visit(t, tab.(*Tab), s.there+"/")
		if err := c.Close(ctx); err != nil {
			t.Fatalf("context %d: %v", i, err)
		}
		if err := c.Close(ctx); err != nil {
			t.Errorf("closing it again: %v", err)
		}
		if !isKind(tab.Err(), backend.KindClosed) || len(c.Tabs()) != 0 {
			t.Errorf("context %d: its tab says %v", i, tab.Err())
		}
		if _, err := c.NewTab(ctx); !isKind(err, backend.KindClosed) {
			t.Errorf("context %d: a tab of a closed context: %v", i, err)
		}
	}
}

func TestContextsAreApart(t *testing.T) {
	testkit.OnEveryBrowser(t)
	s := serve(t, map[string]string{"/": `<p>x</p>`})
	a, b := open(t), open(t)
	visit(t, a, s.here+"/")
	visit(t, b, s.here+"/")
	eval(t, a, "", `document.cookie = 'who=a'; localStorage.who = 'a'`)
	if got := eval(t, b, "", `document.cookie + localStorage.who`); got != `"undefined"` {
		t.Errorf("one context sees of another: %s", got)
	}
}

func TestLaunchFails(t *testing.T) {
	script := filepath.Join(t.TempDir(), "browser")
	write := func(text string) {
		if err := os.WriteFile(script, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, path, script, want string
		timeout                  time.Duration
	}{
		{"no path", "", "", "no executable", 0},
		{"no such file", "/no/such/browser", "", "no such file", 0},
		{"gives up", script, "echo missing library libfoo.so >&2; exit 7", "missing library libfoo.so", 0},
		{"says nothing", script, "exec sleep 60", "within 300ms", 300 * time.Millisecond},
	} {
		home := t.TempDir()
		if c.script != "" {
			write(c.script)
		}
		began := time.Now()
		_, err := Launch(t.Context(), Options{Path: c.path, Home: home, Timeout: c.timeout})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if d := time.Since(began); d > 8*time.Second {
			t.Errorf("%s: took %v", c.name, d)
		}
		empty(t, home)
	}
	write("exec sleep 60")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Launch(ctx, Options{Path: script, Home: t.TempDir()}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

func TestArguments(t *testing.T) {
	o := Options{Path: "/opt/chrome-headless-shell", Args: []string{"--disable-features=Mine", "--lang=de"}}
	args := strings.Join(o.arguments("/p"), " ")
	for _, want := range []string{" --headless ", " --user-data-dir=/p ", " --lang=de ", ",Mine ", "--remote-debugging-pipe "} {
		if !strings.Contains(args, want) {
			t.Errorf("no %q in %s", want, args)
		}
	}
	if strings.Count(args, "--disable-features") != 1 {
		t.Errorf("features are switched off twice: %s", args)
	}
	o = Options{Path: "/usr/bin/chromium"}
	if args := strings.Join(o.arguments("/p"), " "); !strings.Contains(args, " --headless=new ") {
		t.Errorf("a full browser is started with %s", args)
	}
	o.Headed = true
	if args := strings.Join(o.arguments("/p"), " "); strings.Contains(args, "--headless") || strings.Contains(args, "--mute-audio") {
		t.Errorf("a headed browser is started with %s", args)
	}
	for _, f := range append(append(append([]flag{}, always...), headless...), disabledFeatures...) {
		if f.why == "" {
			t.Errorf("%s has no reason", f.name)
		}
	}
	if runtime.GOOS == "linux" && os.Geteuid() == 0 && !strings.Contains(args, "--no-sandbox") {
		t.Errorf("as root the sandbox cannot start: %s", args)
	}
}

// A browser somebody else runs is joined, used and left as it was.
func TestConnect(t *testing.T) {
	s := serve(t, map[string]string{"/": `<h1>top</h1><iframe src=THERE/f></iframe>`, "/f": `<p>f</p>`})
	host := launch(t, Options{
		Path: executable(), Home: t.TempDir(),
		Args: []string{"--remote-debugging-port=0"},
	})
	ctx := within(t, 20*time.Second)
	c, _ := host.NewContext(ctx, backend.ContextOptions{})
	tab, err := c.NewTab(ctx)
	if err != nil {
		t.Fatal(err)
	}
	visit(t, tab.(*Tab), s.here+"/")
	url := endpoint(t, host)

	guest, err := Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	var own *Tab
	for own == nil {
		guest.mu.Lock()
		own = guest.tabs[tab.ID()]
		changed := guest.changed.Next()
		guest.mu.Unlock()
		if own == nil {
			select {
			case <-changed:
			case <-ctx.Done():
				t.Fatal("the tab that is there was not found")
			}
		}
	}
	becomes(t, own, `
			HERE/: top
			  THERE/f: f
			`)
	c2, err := guest.NewContext(ctx, backend.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	mine, err := c2.NewTab(ctx)
	if err != nil {
		t.Fatal(err)
	}
	visit(t, mine.(*Tab), s.there+"/f")
	if err := guest.Close(); err != nil {
		t.Error(err)
	}
	select {
	case <-mine.Done():
	case <-ctx.Done():
		t.Error("its tab does not end")
	}
	if !isKind(mine.Err(), backend.KindClosed) {
		t.Errorf("its tab says %v", mine.Err())
	}
	if got := text(t, tab.(*Tab)); !strings.HasPrefix(got, "top") {
		t.Errorf("the host's tab says %q", got)
	}
	if _, err := Connect(ctx, "ws://127.0.0.1:1/"); err == nil {
		t.Error("connected to nothing")
	}
}

// endpoint reads the websocket address a browser leaves in its profile.
func endpoint(t *testing.T, b *Browser) string {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for ctx := within(t, 10*time.Second); ; {
		data, err := os.ReadFile(b.scratch.Path("profile", "DevToolsActivePort"))
		if port, path, ok := strings.Cut(strings.TrimSpace(string(data)), "\n"); err == nil && ok {
			return "ws://127.0.0.1:" + port + path
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("the browser has no port")
		}
	}
}
