package chrome

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/testkit"
)

// TestWatchersSeeBeforeReplies: when a call returns, the watchers know all that the
// browser said before its answer, also while somebody else is telling them things.
func TestWatchersSeeBeforeReplies(t *testing.T) {
	tab := open(t)
	s := serve(t, map[string]string{"/": "<title>x</title>"})
	visit(t, tab, s.here)
	held, release := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	var seen []string
	stop := tab.Watch(func(ev backend.Event) {
		switch e := ev.(type) {
		case backend.ConsoleError:
			close(held)
			<-release
		case backend.URLChanged:
			mu.Lock()
			seen = append(seen, e.URL)
			mu.Unlock()
		}
	})
	defer stop()
	go tab.News.Tell(backend.ConsoleError{Text: "slow"})
	<-held
	done := make(chan error, 1)
	go func() {
		_, err := tab.Eval(testkit.Context(t), "", "location.hash = 'there'")
		mu.Lock()
		defer mu.Unlock()
		if err == nil && len(seen) == 0 {
			err = errors.New("the answer came before the news")
		}
		done <- err
	}()
	select {
	case err := <-done: // before the watcher could be told anything
		close(release)
		t.Fatal(err)
	case <-time.After(200 * time.Millisecond):
		close(release)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestNothingIsToldAfterStop: a watcher that was stopped is not at work any more.
func TestNothingIsToldAfterStop(t *testing.T) {
	tab := open(t)
	began, release := make(chan struct{}), make(chan struct{})
	over := false
	stop := tab.Watch(func(backend.Event) {
		close(began)
		<-release
		over = true
	})
	go tab.News.Tell(backend.ConsoleError{Text: "x"})
	<-began
	time.AfterFunc(100*time.Millisecond, func() { close(release) })
	stop()
	if !over {
		t.Error("the watcher was stopped and goes on")
	}
}

// TestCallsKeepTheirNodes: calls at the same time do not let go of each other's
// elements.
func TestCallsKeepTheirNodes(t *testing.T) {
	tab := open(t)
	s := serve(t, map[string]string{"/": "<title>x</title><button>a</button><button>b</button>"})
	visit(t, tab, s.here)
	ctx := testkit.Context(t)
	refs, _, err := tab.Refer(ctx, "", nil, "() => document.querySelectorAll('button')", 1)
	if err != nil || len(refs) != 2 {
		t.Fatal(refs, err)
	}
	var wait sync.WaitGroup
	errs := make(chan error, 24)
	for i := range cap(errs) {
		wait.Go(func() {
			// Some are quick, and over while others are on their way.
			for range i%3*3 + 1 {
				got, err := tab.EvalOn(ctx, backend.Function{Refs: refs, Text: "(a, b) => a.textContent + b.textContent"})
				if err == nil && string(got) != `"ab"` {
					err = fmt.Errorf("got %s", got)
				}
				if err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wait.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
}

// TestFailedDragLetsGo: whatever a drag fails of, no button stays down.
func TestFailedDragLetsGo(t *testing.T) {
	for name, page := range map[string]string{
		"by the page's own scripts": `<div style="width:200px;height:200px">x</div>`,
		"drag and drop":             `<div draggable=true ondragstart="event.dataTransfer.setData('text', 'x')" style="width:200px;height:200px">x</div>`,
	} {
		t.Run(name, func(t *testing.T) {
			tab := open(t)
			s := serve(t, map[string]string{"/": `<!doctype html><title>x</title>` + page + `<script>
				window.log = [];
				for (const kind of ['mousedown', 'mouseup', 'dragend', 'drop']) addEventListener(kind, (e) => log.push(kind), true);
			</script>`})
			visit(t, tab, s.here)
			native := strings.Contains(page, "draggable")
			failure := errors.New("no way on")
			path := []backend.Point{{X: 20, Y: 20}, {X: 30, Y: 30}, {X: 40, Y: 40}, {X: 50, Y: 50}, {X: 60, Y: 60}}
			err := tab.Drag(testkit.Context(t), path,
				func(context.Context) (bool, error) { return native, nil },
				func(context.Context) ([]backend.Point, error) { return nil, failure })
			if !errors.Is(err, failure) {
				t.Fatalf("it failed of %v", err)
			}
			log := string(eval(t, tab, "", "new Promise((r) => setTimeout(() => r(log.join()), 50))"))
			ended := strings.Contains(log, "mouseup") || native && strings.Contains(log, "dragend")
			if !ended || strings.Contains(log, "drop") {
				t.Errorf("the page saw %s", log)
			}
		})
	}
}

// TestKeptProfileBeginsAnew: what one session of a kept profile emulated and
// intercepted is over for the next.
func TestKeptProfileBeginsAnew(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.Parallel(t)
	ctx := testkit.Context(t)
	opts := options(t.TempDir())
	opts.Profile = t.TempDir()
	b, err := Launch(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, b)
	s := serve(t, map[string]string{"/": "<title>real</title>"})
	first, err := b.NewContext(ctx, backend.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Emulate(ctx, backend.Emulation{UserAgent: "Pretender/1", Timezone: "Asia/Tokyo", Permissions: []string{"geolocation"}}); err != nil {
		t.Fatal(err)
	}
	err = first.Intercept(ctx, []backend.Pattern{{}}, func(r backend.Route) { _ = r.Abort(ctx) })
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(ctx); err != nil {
		t.Fatal(err)
	}
	second, err := b.NewContext(ctx, backend.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	tab, err := second.NewTab(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Navigate(ctx, s.here, backend.NavigateOptions{}); err != nil {
		t.Fatal("what the session before intercepted: ", err)
	}
	got, err := tab.Eval(ctx, "", `navigator.permissions.query({name: 'geolocation'}).then((p) => [navigator.userAgent.includes('Pretender'),
		Intl.DateTimeFormat().resolvedOptions().timeZone == 'Asia/Tokyo', p.state == 'granted'].join())`)
	if err != nil || string(got) != `"false,false,false"` {
		t.Errorf("the next session emulates: %s, %v", got, err)
	}
}

// TestLinesAreLeftOutForAnswers: a page that writes more than can be read does not keep its
// answers behind all of it. What is left out is counted, and the newest lines are there.
func TestLinesAreLeftOutForAnswers(t *testing.T) {
	const lines, kept = 5000, 1000
	tab := open(t)
	s := serve(t, map[string]string{"/": "<title>x</title>"})
	visit(t, tab, s.here)
	release := make(chan struct{})
	var complaints atomic.Int32
	defer tab.Watch(func(ev backend.Event) {
		if _, ok := ev.(backend.ConsoleError); ok {
			complaints.Add(1)
		}
	})()
	var read, left, since int // since the last that was left out
	stop := tab.context.ObserveProtocol(func(_ *Source, ev cdp.Event) {
		switch ev.Method {
		case "Runtime.consoleAPICalled":
			<-release
			read++
			since++
		case SourceUnread:
			left++
			since = 0
		}
	})
	answered := make(chan error, 1)
	go func() {
		_, err := tab.Eval(testkit.Context(t), "", fmt.Sprintf("for (let i = 0; i < %d; i++) console.log(i)", lines))
		answered <- err
	}()
	testkit.Eventually(t, "all lines wait", func() bool { return tab.queue.Waiting() >= lines-1 })
	close(release)
	if err := <-answered; err != nil {
		t.Fatal(err)
	}
	stop()
	if _, err := tab.Eval(testkit.Context(t), "", fmt.Sprintf("for (let i = 0; i < %d; i++) console.error(i)", lines)); err != nil {
		t.Fatal(err)
	}
	if n := complaints.Load(); n < errorBurst || n > lines/2 {
		t.Errorf("%d of %d errors were passed on", n, lines)
	}
	if read+left != lines || left < lines/2 || since < kept {
		t.Errorf("%d lines were read and %d left out, the last %d were read", read, left, since)
	}
}

// Lines are left out because of other lines, not because of what they ask the page for: each
// may bring several answers.
func TestAnswersLeaveNoLinesOut(t *testing.T) {
	const lines, answers = 100, 4000
	tab := open(t)
	s := serve(t, map[string]string{"/": "<title>x</title>"})
	visit(t, tab, s.here)
	release := make(chan struct{})
	var read, left int
	defer tab.context.ObserveProtocol(func(_ *Source, ev cdp.Event) {
		switch ev.Method {
		case "Runtime.consoleAPICalled":
			<-release
			read++
		case SourceUnread:
			left++
		}
	})()
	written := tab.session.Start(runtime.CommandEvaluate, &runtime.EvaluateParams{Expression: fmt.Sprintf("for (let i = 0; i < %d; i++) console.log(i)", lines)})
	before := tab.browser.conn.Stats().Replies
	asked := make([]cdp.Command, answers)
	for i := range asked {
		asked[i] = tab.session.Command(runtime.CommandEvaluate, &runtime.EvaluateParams{Expression: "1"})
	}
	pending := tab.browser.conn.Start(asked...)
	testkit.Eventually(t, "all answers wait", func() bool { return tab.browser.conn.Stats().Replies-before >= answers })
	close(release)
	for _, p := range append(pending, written) {
		if err := p.Wait(testkit.Context(t), nil); err != nil {
			t.Fatal(err)
		}
	}
	if read != lines || left > 0 {
		t.Errorf("of %d lines %d were read and %d left out", lines, read, left)
	}
}
