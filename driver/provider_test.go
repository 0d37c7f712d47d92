package driver_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/testkit"
)

// pool makes a pool with a browser of its own, and counts its starts.
func pool(t *testing.T, size int, wait time.Duration) (p *driver.Pool, starts *atomic.Int32) {
	t.Helper()
	testkit.NeedsBrowser(t)
	starts = new(atomic.Int32)
	p, err := driver.NewPool(driver.PoolOptions{Size: size, Wait: wait, Start: func(ctx context.Context) (backend.Browser, error) {
		starts.Add(1)
		return launch(ctx)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return p, starts
}

// Nothing of one piece of work is there for the next, or for one beside it.
func TestPoolIsolates(t *testing.T) {
	testkit.ShellIsEnough(t)
	p, starts := pool(t, 2, 0)
	a := open(t, map[string]string{"/": `<title>Pool</title><button id=b onclick="window.open('/')">b</button>`, "/next": "<title>Next</title>"})
	ctx := a.ctx
	const state = "document.cookie + (localStorage.x || '') + innerWidth"
	dirty := func(d *driver.Driver, stuck bool) {
		t.Helper()
		same(t, "begins at", d.URL(), "about:blank")
		same(t, "begins with", len(d.Tabs()), 1)
		same(t, "time", d.Timeout(), 30*time.Second)
		a.ok(d.SetURL(ctx, a.url))
		if v, err := d.Script(ctx, state); err != nil || v != "1280" {
			t.Errorf("what is new has %v, %v", v, err)
		}
		if _, err := d.Script(ctx, "document.cookie = 'c=1'; localStorage.x = 'y'; return 0"); err != nil {
			t.Error(err)
		}
		d.SetTimeout(time.Second)
		_, err := d.Intercept(ctx, driver.Intercept{Mock: &backend.RouteResponse{Body: []byte("mock")}})
		a.ok(err)
		a.ok(d.SetDimensions(ctx, driver.Window{Width: 700, Height: 500}))
		_, err = d.NewTab(ctx)
		a.ok(err)
		if stuck {
			_, err = d.Script(ctx, "setTimeout(() => alert('stuck')); return 0")
			a.ok(err)
		}
	}
	first, err := p.Acquire(ctx, driver.Options{})
	a.ok(err)
	dirty(first, false)
	second, err := p.Acquire(ctx, driver.Options{})
	a.ok(err)
	dirty(second, true)
	a.ok(p.Release(ctx, first))
	third, err := p.Acquire(ctx, driver.Options{})
	a.ok(err)
	dirty(third, false)
	a.ok(p.Release(ctx, second))
	a.ok(p.Release(ctx, third))
	fails(t, p.Release(ctx, third), driver.CodeInvalid, "released before")
	same(t, "starts", starts.Load(), 1)
	same(t, "figures", p.Stats(), "size 2, in use 0, idle 2, waiting 0, given out 3, browsers replaced 0")
}

// A pool is as large as was said, or as the run is parallel.
func TestPoolSize(t *testing.T) {
	testkit.ShellIsEnough(t)
	before := runtime.GOMAXPROCS(3)
	defer runtime.GOMAXPROCS(before)
	for size, want := range map[int]int{0: 3, 1: 1} {
		p, _ := pool(t, size, 100*time.Millisecond)
		same(t, "size", p.Stats().Size, want)
		for range want {
			if _, err := p.Acquire(t.Context(), driver.Options{}); err != nil {
				t.Error(err)
			}
		}
		_, err := p.Acquire(t.Context(), driver.Options{})
		fails(t, err, driver.CodeTimeout, "the pool is exhausted", fmt.Sprintf("size %d, in use %d", want, want))
	}
	_, err := driver.NewPool(driver.PoolOptions{Size: -1, Start: launch})
	fails(t, err, driver.CodeInvalid, "-1 drivers")
}

func TestPoolExhausted(t *testing.T) {
	testkit.ShellIsEnough(t)
	p, _ := pool(t, 1, 2*time.Second)
	d, err := p.Acquire(t.Context(), driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	_, err = p.Acquire(t.Context(), driver.Options{})
	fails(t, err, driver.CodeTimeout, "the pool is exhausted", "size 1, in use 1, idle 0, waiting 1", "make the pool larger")
	if time.Since(start) < 2*time.Second {
		t.Error("it did not wait")
	}
	go func() { _ = p.Release(context.Background(), d) }()
	if _, err = p.Acquire(t.Context(), driver.Options{}); err != nil {
		t.Error(err)
	}
}

// A browser that died is replaced, for whoever comes next.
func TestPoolReplaces(t *testing.T) {
	testkit.ShellIsEnough(t)
	p, starts := pool(t, 1, 0)
	before := testkit.Browsers(t)
	d, err := p.Acquire(t.Context(), driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range testkit.Browsers(t) {
		known := false
		for _, b := range before {
			known = known || b == pid
		}
		if process, err := os.FindProcess(pid); !known && err == nil {
			_ = process.Kill()
		}
	}
	// It takes the browser a moment to be gone.
	for end := time.Now().Add(10 * time.Second); !d.IsTerminated() && time.Now().Before(end); {
		_ = d.Alive(t.Context())
	}
	same(t, "terminated", d.IsTerminated(), true)
	if err := p.Release(t.Context(), d); err != nil {
		t.Error(err)
	}
	again, err := p.Acquire(t.Context(), driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "alive", again.Alive(t.Context()), true)
	same(t, "starts", starts.Load(), 2)
	same(t, "replaced", p.Stats().Replaced, 1)
}

func TestPoolShutdown(t *testing.T) {
	testkit.ShellIsEnough(t)
	p, _ := pool(t, 2, 0)
	d, err := p.Acquire(t.Context(), driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Acquire(t.Context(), driver.Options{}); err != nil {
		t.Fatal(err)
	}
	waiting := make(chan error, 1)
	go func() { _, err := p.Acquire(t.Context(), driver.Options{}); waiting <- err }()
	for p.Stats().Waiting == 0 {
		runtime.Gosched()
	}
	start := time.Now()
	if err := p.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	same(t, "terminated", d.IsTerminated(), true)
	fails(t, <-waiting, driver.CodeClosed, "the pool is shut down")
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("who waited was kept waiting for %v", took)
	}
	_, err = p.Acquire(t.Context(), driver.Options{})
	fails(t, err, driver.CodeClosed, "the pool is shut down")
	_, err = driver.NewPool(driver.PoolOptions{})
	fails(t, err, driver.CodeInvalid, "driver not configured")
	broken, err := driver.NewPool(driver.PoolOptions{Start: func(context.Context) (backend.Browser, error) { return nil, errors.New("chrome executable not found") }})
	if err != nil {
		t.Fatal(err)
	}
	_, err = broken.Acquire(t.Context(), driver.Options{})
	if err == nil || !strings.Contains(err.Error(), "chrome executable not found") {
		t.Errorf("a browser that does not start: %v", err)
	}
	same(t, "slot given back", broken.Stats().InUse, 0)
}

// Eight at a time, of a pool of four, in two waves: each has a driver of its own and
// sees its own pages only.
func TestPoolInParallel(t *testing.T) {
	testkit.ShellIsEnough(t)
	p, _ := pool(t, 4, time.Minute)
	a := open(t, map[string]string{"/": `<title>P</title><script>document.title = location.search + document.cookie</script>`})
	var all sync.WaitGroup
	var out sync.Map
	work := func(i int) {
		d, err := p.Acquire(a.ctx, driver.Options{})
		if err != nil {
			t.Error(err)
			return
		}
		if _, taken := out.LoadOrStore(d, true); taken {
			t.Error("a driver was given to two")
		}
		defer func() {
			out.Delete(d)
			if err := p.Release(a.ctx, d); err != nil {
				t.Error(err)
			}
		}()
		name := "?" + strings.Repeat("x", i+1)
		for range 3 {
			if err := d.SetURL(a.ctx, a.url+"/"+name); err != nil {
				t.Error(err)
			}
			if title, err := d.Title(a.ctx); err != nil || title != name {
				t.Errorf("title %q, want %q: %v", title, name, err)
			}
		}
		_ = d.SetCookies(a.ctx, driver.Cookie{Name: "c", Value: name})
	}
	for range 2 {
		for i := range 8 {
			all.Go(func() { work(i) })
		}
		all.Wait()
	}
}

// Who acquires says what the driver is to be like; what is left open is as the pool has it.
func TestAcquireWithOptions(t *testing.T) {
	testkit.ShellIsEnough(t)
	testkit.NeedsBrowser(t)
	testkit.Parallel(t)
	p, err := driver.NewPool(driver.PoolOptions{
		Size: 2, Start: func(ctx context.Context) (backend.Browser, error) { return launch(ctx) },
		Driver: driver.Options{Timeouts: driver.Timeouts{Session: 7 * time.Second}, RetryInterval: 90 * time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx := testkit.Context(t)
	t.Cleanup(func() { _ = p.Shutdown(ctx) })
	for range 2 { // the second time one waits that was made for nobody
		own, err := p.Acquire(ctx, driver.Options{
			Timeouts: driver.Timeouts{Session: 3 * time.Second}, Context: backend.ContextOptions{Viewport: backend.Viewport{Width: 500, Height: 400}},
		})
		if err != nil {
			t.Fatal(err)
		}
		width, err := own.Script(ctx, "innerWidth")
		if o := own.Options(); err != nil || fmt.Sprint(width) != "500" || o.Timeouts.Session != 3*time.Second || o.RetryInterval != 90*time.Millisecond {
			t.Errorf("width %v, %v, %+v", width, err, o)
		}
		plain, err := p.Acquire(ctx, driver.Options{})
		if err != nil {
			t.Fatal(err)
		}
		width, err = plain.Script(ctx, "innerWidth")
		if o := plain.Options(); err != nil || fmt.Sprint(width) != "1280" || o.Timeouts.Session != 7*time.Second {
			t.Errorf("the pool's own: width %v, %v, %+v", width, err, o)
		}
		for _, d := range []*driver.Driver{own, plain} {
			if err := p.Release(ctx, d); err != nil {
				t.Error(err)
			}
		}
		if f := p.Stats(); f.Idle > f.Size {
			t.Errorf("more wait than there may be: %v", f)
		}
	}
}

// Codes are what errors are told apart by, with CodeOf and with errors.Is.
func TestCodesOfErrors(t *testing.T) {
	err := fmt.Errorf("meanwhile: %w", driver.Invalid("x", "no"))
	if !errors.Is(err, driver.CodeInvalid) || errors.Is(err, driver.CodeTimeout) || errors.Is(errors.New("x"), driver.CodeProtocol) {
		t.Error("errors.Is does not know the codes")
	}
	if got := driver.CodeOf(nil); got != "" {
		t.Errorf("no error has code %q", got)
	}
}
