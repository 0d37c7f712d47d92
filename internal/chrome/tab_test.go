package chrome

import (
	"context"
	"errors"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/google/go-cmp/cmp"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/testkit"
)

// recorder keeps the events of a tab.
type recorder struct {
	mu     sync.Mutex
	events []backend.Event
	more   chan struct{}
}

func record(t *testing.T, tab *Tab) *recorder {
	r := &recorder{more: make(chan struct{}, 1)}
	t.Cleanup(tab.Watch(func(ev backend.Event) {
		r.mu.Lock()
		r.events = append(r.events, ev)
		r.mu.Unlock()
		select {
		case r.more <- struct{}{}:
		default:
		}
	}))
	return r
}

// next waits for the next event of a type and drops those before it.
func next[E backend.Event](t *testing.T, r *recorder) E {
	t.Helper()
	ctx := within(t, 10*time.Second)
	for {
		r.mu.Lock()
		for i, ev := range r.events {
			if e, ok := ev.(E); ok {
				r.events = r.events[i+1:]
				r.mu.Unlock()
				return e
			}
		}
		r.mu.Unlock()
		select {
		case <-r.more:
		case <-ctx.Done():
			var e E
			t.Fatalf("no %T came", e)
		}
	}
}

// All frames of a page, in four processes and shadow roots, are asked in one
// write.
func TestCallIsOneWrite(t *testing.T) {
	s := serve(t, map[string]string{
		"/":  `<h1>top</h1><iframe src=THERE/a></iframe><iframe src=/b></iframe><div id=c></div><script>c.attachShadow({mode: 'closed'}).innerHTML = '<iframe src=THERE/b></iframe>'</script>`,
		"/a": `<p>a</p><iframe src=HERE/b></iframe><iframe src=/b></iframe>`,
		"/b": `<p>b</p>`,
	})
	tab := openQuietly(t, backend.ContextOptions{})
	visit(t, tab, s.here+"/")
	if n := len(tab.Frames()); n != 6 {
		t.Fatalf("%d frames", n)
	}
	eval(t, tab, "", "1") // all that was to be sent before has been sent
	// A browser that is busy is asked now and then whether it still answers, which is no
	// part of a look: the fewest of some looks count.
	writes, commands := math.MaxInt, math.MaxInt
	for range 5 {
		before := shared.Stats()
		look(t, tab)
		after := shared.Stats()
		writes, commands = min(writes, int(after.Writes-before.Writes)), min(commands, int(after.Commands-before.Commands))
	}
	if writes != 1 {
		t.Errorf("a look took %d writes", writes)
	}
	if commands != 6 {
		t.Errorf("a look took %d commands", commands)
	}
}

func TestCallErrors(t *testing.T) {
	s := serve(t, map[string]string{"/": `<p>top</p>`})
	tab := open(t)
	visit(t, tab, s.here+"/")
	results, err := tab.Call(within(t, 5*time.Second),
		backend.Call{Func: "look", Arg: struct{}{}},
		backend.Call{Func: "nonsense"},
		backend.Call{Func: "x(); y"},
		backend.Call{Func: "look", Arg: func() {}},
		backend.Call{Frame: "F00", Func: "look"},
	)
	if err != nil {
		t.Fatal(err)
	}
	var got []backend.Kind
	for _, r := range results {
		var e *backend.Error
		errors.As(r.Err, &e)
		if e == nil {
			e = new(backend.Error)
		}
		got = append(got, e.Kind)
	}
	want := []backend.Kind{"", backend.KindScript, backend.KindProtocol, backend.KindProtocol, backend.KindNavigated}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tab.Call(ctx, backend.Call{Func: "look"}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

// A call whose document goes away ends at once.
func TestCallNavigated(t *testing.T) {
	s := serve(t, map[string]string{"/": `<p>top</p>`, "/b": `<p>b</p>`})
	tab := open(t)
	for _, to := range []string{s.here + "/b", s.there + "/b"} {
		visit(t, tab, s.here+"/")
		_, err := tab.Eval(within(t, 10*time.Second), "", `location = '`+to+`'; new Promise(() => {})`)
		if !isKind(err, backend.KindNavigated) {
			t.Errorf("got %v", err)
		}
	}
}

func TestEval(t *testing.T) {
	s := serve(t, map[string]string{"/": `<script>var x = 7</script><iframe name=f src=THERE/f></iframe>`, "/f": `<script>var x = 8</script>`})
	tab := open(t)
	visit(t, tab, s.here+"/")
	frame := frameAt(t, tab, "/f")
	for _, c := range []struct {
		frame      backend.FrameID
		expression string
		want       string
		kind       backend.Kind
	}{
		{"", "x", "7", ""},
		{frame, "x", "8", ""},
		{"", "({a: [1, 'b']})", `{"a":[1,"b"]}`, ""},
		{"", "undefined", "null", ""},
		{"", "null", "null", ""},
		{"", "NaN", `"NaN"`, ""},
		{"", "-0", "0", ""},
		{"", "10n", `"10n"`, ""},
		{"", "Promise.resolve('later')", `"later"`, ""},
		{"", "throw new Error('no')", "Error: no", backend.KindScript},
		{"", "throw 'bare'", "bare", backend.KindScript},
		{"", "Promise.reject(new Error('never'))", "never", backend.KindScript},
		{"", "1 +", "SyntaxError", backend.KindScript},
		{"", "typeof rove", `"undefined"`, ""},
		{"", "document", "", ""},
		{"F00", "1", "", backend.KindNavigated},
	} {
		got, err := tab.Eval(within(t, 5*time.Second), c.frame, c.expression)
		switch {
		case c.kind == "" && err != nil:
			t.Errorf("%s: %v", c.expression, err)
		case c.kind != "" && (!isKind(err, c.kind) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v", c.expression, err)
		case c.kind == "" && c.want != "" && string(got) != c.want:
			t.Errorf("%s: got %s, want %s", c.expression, got, c.want)
		}
	}
}

// A document without scripts that comes with a new process has no world by
// itself, neither the page's nor ours.
func TestWithoutScripts(t *testing.T) {
	testkit.OnEveryBrowser(t)
	s := serve(t, map[string]string{"/": `<p>top</p><iframe src=/f></iframe><iframe src=THERE/f></iframe>`, "/f": `<p>f</p>`})
	tab := open(t)
	for i := range 4 {
		origin := []string{s.here, s.there}[i%2]
		_, err := tab.Eval(within(t, 5*time.Second), "", `location = '`+origin+`/?`+strconv.Itoa(i)+`'`)
		if err != nil && !isKind(err, backend.KindNavigated) {
			t.Fatal(err)
		}
		becomes(t, tab, strings.Replace(`
			HERE/: top
			  HERE/f: f
			  THERE/f: f
			`, "HERE", []string{"HERE", "THERE"}[i%2], 2))
		for _, f := range tab.Frames() {
			if got := eval(t, tab, f.ID, `location.href`); got != `"`+f.URL+`"` {
				t.Errorf("asked of %s: %s", f.URL, got)
			}
		}
	}
}

func TestScan(t *testing.T) {
	s := serve(t, map[string]string{
		"/": `<div id=a>listens</div><div id=b>silent</div><div id=c></div><div id=root></div><iframe src=/f></iframe><script>
			a.addEventListener('click', () => {});
			const shadow = c.attachShadow({mode: 'closed'});
			shadow.innerHTML = '<span>hidden</span><div></div>';
			shadow.querySelector('span').addEventListener('mousedown', () => {});
			shadow.querySelector('div').attachShadow({mode: 'closed'}).innerHTML = '<p>deeper</p>';
			root.innerHTML = '<p>delegated</p>';
			for (const type of 'click dblclick mousedown mouseup mouseover mouseout keydown keyup input change focusin focusout wheel scroll'.split(' '))
				root.addEventListener(type, () => {});
		</script>`,
		"/f": `<span id=x>inner</span><script>x.addEventListener('pointerdown', () => {})</script>`,
	})
	tab := open(t)
	visit(t, tab, s.here+"/")
	clickable := func() string {
		var names []string
		for _, r := range look(t, tab) {
			for _, line := range strings.Split(r.Value, "\n")[1:] {
				if f := strings.Split(line, "\t"); f[3] == "clickable" {
					names = append(names, f[4])
				}
			}
		}
		return strings.Join(names, " ")
	}
	if got := clickable(); got != "listens hidden inner" {
		t.Errorf("after the load: %q", got)
	}
	if got := text(t, tab); !strings.Contains(got, "deeper") {
		t.Errorf("a closed root in a closed root is not seen: %q", got)
	}
	ctx := within(t, 5*time.Second)
	if found, err := tab.Scan(ctx); err != nil || found {
		t.Errorf("a second scan found something new: %v, %v", found, err)
	}
	eval(t, tab, "", `b.addEventListener('click', () => {})`)
	if found, err := tab.Scan(ctx, tab.Frames()[0].ID); err != nil || !found {
		t.Errorf("a scan after a change: %v, %v", found, err)
	}
	if got := clickable(); got != "listens silent hidden inner" {
		t.Errorf("after the change: %q", got)
	}
}

// Objects are collected as they are no longer held, so the page script may meet
// an element anew right after the browser has listed its listeners. It is the
// page script's own object then, not one made for the page.
func TestScanKeepsWorldsApart(t *testing.T) {
	s := serve(t, map[string]string{"/": `<div id=a>listens</div><script>
		a.addEventListener('click', () => {});
		document.body.addEventListener('click', () => {});
		setInterval(() => { for (let i = 0; i < 20000; i++) document.createElement('p') }, 1);
	</script>`})
	tab := open(t)
	visit(t, tab, s.here+"/")
	for range 25 {
		if _, err := tab.Scan(within(t, 5*time.Second)); err != nil {
			t.Fatal(err)
		}
		if r := look(t, tab)[0]; !strings.Contains(r.Value, "\tclickable\tlistens") {
			t.Fatalf("look: %.300q, %v", r.Value, r.Err)
		}
	}
}

func TestDialogs(t *testing.T) {
	testkit.OnEveryBrowser(t)
	testkit.Parallel(t)
	s := serve(t, map[string]string{
		"/":      `<p>top</p><iframe src=THERE/f></iframe>`,
		"/f":     `<p>f</p>`,
		"/early": `<p>early</p><script>alert('while loading')</script><p>later</p>`,
		"/leave": `<p>leave</p><script>onbeforeunload = e => e.preventDefault()</script>`,
	})
	for _, c := range []struct {
		name, frame, do string
		accept          bool
		text            string
		want            backend.Dialog
		result          string
	}{
		{"alert", "/", `alert('hi')`, true, "", backend.Dialog{Type: "alert", Message: "hi", URL: "HERE/"}, "null"},
		{"confirm", "/", `confirm('sure?')`, true, "", backend.Dialog{Type: "confirm", Message: "sure?", URL: "HERE/"}, "true"},
		{"confirm refused", "/", `confirm('sure?')`, false, "", backend.Dialog{Type: "confirm", Message: "sure?", URL: "HERE/"}, "false"},
		{"prompt", "/", `prompt('name?', 'preset')`, true, "me", backend.Dialog{Type: "prompt", Message: "name?", Default: "preset", URL: "HERE/"}, `"me"`},
		{"prompt refused", "/", `prompt('name?')`, false, "me", backend.Dialog{Type: "prompt", Message: "name?", URL: "HERE/"}, "null"},
		{"in a frame elsewhere", "/f", `alert('framed')`, true, "", backend.Dialog{Type: "alert", Message: "framed", URL: "THERE/f"}, "null"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tab := open(t)
			visit(t, tab, s.here+"/")
			r := record(t, tab)
			frame := frameAt(t, tab, c.frame)
			ctx := within(t, 10*time.Second)
			_, err := tab.Eval(ctx, frame, `self.result = `+c.do)
			want := c.want
			want.URL = strings.NewReplacer("HERE", s.here, "THERE", s.there).Replace(want.URL)
			var e *backend.Error
			if !errors.As(err, &e) || e.Kind != backend.KindDialog {
				t.Fatalf("the call that opened it: %v", err)
			}
			if diff := cmp.Diff(&want, e.Dialog); diff != "" {
				t.Errorf("the error's dialog (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(&want, tab.Dialog()); diff != "" {
				t.Errorf("dialog (-want +got):\n%s", diff)
			}
			if got := next[backend.DialogOpened](t, r).Dialog; got != want {
				t.Errorf("event: %+v", got)
			}
			if _, err := tab.Call(ctx, backend.Call{Func: "look"}); !isKind(err, backend.KindDialog) {
				t.Errorf("a call while it is open: %v", err)
			}
			if _, err := tab.Navigate(ctx, s.here+"/f", backend.NavigateOptions{}); !isKind(err, backend.KindDialog) {
				t.Errorf("a navigation while it is open: %v", err)
			}
			if err := tab.AnswerDialog(ctx, c.accept, c.text); err != nil {
				t.Fatal(err)
			}
			if got := next[backend.DialogClosed](t, r).Accepted; got != c.accept {
				t.Errorf("accepted: %v", got)
			}
			if tab.Dialog() != nil {
				t.Error("it is still there")
			}
			if got := eval(t, tab, frame, `self.result ?? null`); got != c.result {
				t.Errorf("the page got %s, want %s", got, c.result)
			}
			if err := tab.AnswerDialog(ctx, true, ""); err == nil {
				t.Error("a dialog that is not there was answered")
			}
		})
	}
	t.Run("while loading", func(t *testing.T) {
		tab := open(t)
		ctx := within(t, 10*time.Second)
		if _, err := tab.Navigate(ctx, s.here+"/early", backend.NavigateOptions{}); !isKind(err, backend.KindDialog) {
			t.Fatalf("got %v", err)
		}
		if err := tab.AnswerDialog(ctx, true, ""); err != nil {
			t.Fatal(err)
		}
		becomes(t, tab, `HERE/early: early later`)
	})
	t.Run("before leaving", func(t *testing.T) {
		tab := open(t)
		ctx := within(t, 10*time.Second)
		visit(t, tab, s.here+"/leave")
		eval(t, tab, "", "1") // an evaluation counts as a gesture, without which nobody is asked
		_, err := tab.Navigate(ctx, s.here+"/f", backend.NavigateOptions{})
		if !isKind(err, backend.KindDialog) || tab.Dialog().Type != "beforeunload" {
			t.Fatalf("got %v", err)
		}
		if err := tab.AnswerDialog(ctx, false, ""); err != nil {
			t.Fatal(err)
		}
		becomes(t, tab, `HERE/leave: leave`)
		if _, err = tab.Navigate(ctx, s.here+"/f", backend.NavigateOptions{}); !isKind(err, backend.KindDialog) {
			t.Fatalf("the second time: %v", err)
		}
		if err := tab.AnswerDialog(ctx, true, ""); err != nil {
			t.Fatal(err)
		}
		becomes(t, tab, `HERE/f: f`)
	})
	t.Run("closing under it", func(t *testing.T) {
		tab := open(t)
		ctx := within(t, 10*time.Second)
		visit(t, tab, s.here+"/")
		_, _ = tab.Eval(ctx, "", `alert(1)`)
		if tab.Dialog() == nil {
			t.Fatal("no dialog")
		}
		if err := tab.Close(ctx); err != nil {
			t.Fatal(err)
		}
	})
}

func TestPopups(t *testing.T) {
	testkit.OnEveryBrowser(t)
	testkit.Parallel(t)
	s := serve(t, map[string]string{
		"/":  `<p>top</p><a id=l target=_blank href=/p>link</a><a id=n target=_blank rel=noopener href=THERE/p>link</a>`,
		"/p": `<p>popup</p><iframe src=THERE/f></iframe>`,
		"/f": `<p>f</p>`,
	})
	for name, do := range map[string]string{
		"window.open":  `void open('/p')`,
		"across sites": `void open('THERE/p')`,
		"noopener":     `void open('/p', '_blank', 'noopener')`,
		"blank target": `l.click()`,
		"rel noopener": `n.click()`,
		"written":      `const w = open(''); w.document.write('<p>popup</p><iframe src="THERE/f"></iframe>'); w.document.close()`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tab := open(t)
			visit(t, tab, s.here+"/")
			r := record(t, tab)
			eval(t, tab, "", strings.ReplaceAll(do, "THERE", s.there))
			popup := next[backend.TabOpened](t, r).Tab.(*Tab)
			if tabs := tab.context.Tabs(); len(tabs) != 2 || tabs[1] != backend.Tab(popup) {
				t.Errorf("the context has %v", tabs)
			}
			tick := time.NewTicker(10 * time.Millisecond)
			defer tick.Stop()
			for ctx := within(t, 5*time.Second); ; {
				got := shape(t, popup)
				if strings.HasSuffix(got, ": popup\n  THERE/f: f\n") {
					break
				}
				select {
				case <-tick.C:
				case <-ctx.Done():
					t.Fatalf("the popup shows:\n%s", got)
				}
			}
			if err := popup.Close(within(t, 5*time.Second)); err != nil {
				t.Error(err)
			}
			if n := len(tab.context.Tabs()); n != 1 {
				t.Errorf("%d tabs are left", n)
			}
		})
	}
}

func TestClosedByThePage(t *testing.T) {
	testkit.OnEveryBrowser(t)
	tab := open(t)
	r := record(t, tab)
	eval(t, tab, "", `void open('about:blank')`)
	popup := next[backend.TabOpened](t, r).Tab.(*Tab)
	_, err := popup.Eval(within(t, 10*time.Second), "", `close(); new Promise(() => {})`)
	if !isKind(err, backend.KindClosed) {
		t.Errorf("a call under way: %v", err)
	}
	if err := popup.waitEnd(within(t, 10*time.Second)); err != nil || !isKind(popup.Err(), backend.KindClosed) {
		t.Errorf("the tab: %v, %v", err, popup.Err())
	}
	if _, err := popup.Call(t.Context(), backend.Call{Func: "look"}); !isKind(err, backend.KindClosed) {
		t.Errorf("a later call: %v", err)
	}
	if err := popup.Close(t.Context()); err != nil {
		t.Errorf("closing it again: %v", err)
	}
}

// A script that does not end is stopped, however short the time was, and a promise
// that does not settle is not taken for one.
func TestAScriptIsStopped(t *testing.T) {
	s := serve(t, map[string]string{"/": `<p>top</p>`})
	tab := open(t)
	visit(t, tab, s.here+"/")
	for _, wait := range []time.Duration{30 * time.Millisecond, 300 * time.Millisecond, time.Second} {
		_, err := tab.Eval(within(t, wait), "", `while (true) {}`)
		if !isKind(err, backend.KindTimeout) && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v: %v", wait, err)
		}
		if got := eval(t, tab, "", `1 + 1`); got != "2" {
			t.Errorf("%v: then %s", wait, got)
		}
	}
	if _, err := tab.Eval(within(t, 30*time.Millisecond), "", `new Promise(() => {})`); isKind(err, backend.KindBusy) || err == nil {
		t.Error(err)
	}
}

// However short the time was, a page that does not answer is told from one that was
// only not quick enough.
func TestBusyInAShortTime(t *testing.T) {
	s := serve(t, map[string]string{"/": `<p>top</p>`})
	tab := open(t)
	visit(t, tab, s.here+"/")
	eval(t, tab, "", `setInterval(() => { for (;;); }, 1); 1`)
	busy := 0
	for range 20 {
		_, err := tab.Eval(within(t, 50*time.Millisecond), "", `1`)
		switch {
		case isKind(err, backend.KindBusy):
			busy++
		case err == nil || isKind(err, backend.KindTimeout):
			// It came before the loop, or with it, and ended that.
		default:
			t.Fatal(err)
		}
		if busy == 3 {
			return
		}
	}
	t.Errorf("busy %d times", busy)
}

// A tab whose process dies before it is set up is not waited for.
func TestCrashBeforeTheTabIsThere(t *testing.T) {
	tab := &Tab{ready: make(chan struct{})}
	tab.Init("T")
	go func() {
		tab.Mu.Lock()
		defer tab.Mu.Unlock()
		tab.Shut(errPageDied)
	}()
	if err := tab.begun(within(t, 10*time.Second)); !isKind(err, backend.KindCrashed) {
		t.Error(err)
	}
}

func TestCrash(t *testing.T) {
	testkit.OnEveryBrowser(t)
	testkit.Parallel(t)
	s := serve(t, map[string]string{"/": `<p>top</p><iframe src=THERE/f></iframe>`, "/f": `<p>f</p>`})
	s.HandleFunc("/none", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	var stop atomic.Pointer[*cdp.Session] // of the tab that is to stop loading
	s.HandleFunc("/stopped", func(w http.ResponseWriter, r *http.Request) {
		if session := stop.Swap(nil); session != nil {
			(*session).Start(page.CommandStopLoading, nil)
			<-r.Context().Done()
			return
		}
		_, _ = io.WriteString(w, "<!doctype html><p>at last</p>")
	})
	t.Run("the page", func(t *testing.T) {
		tab := open(t)
		visit(t, tab, s.here+"/")
		r := record(t, tab)
		ctx := within(t, 10*time.Second)
		waiting := make(chan error, 1)
		go func() {
			_, err := tab.Eval(ctx, "", `new Promise(() => {})`)
			waiting <- err
		}()
		eval(t, tab, "", `1`)
		tab.session.Start(page.CommandCrash, nil)
		next[backend.Crashed](t, r)
		if err := <-waiting; !isKind(err, backend.KindCrashed) {
			t.Errorf("a call under way: %v", err)
		}
		if _, err := tab.Call(ctx, backend.Call{Func: "look"}); !isKind(err, backend.KindCrashed) {
			t.Errorf("a later call: %v", err)
		}
		// What brings no document leaves it as it is.
		if there, err := tab.Step(ctx, 1); there || err != nil {
			t.Errorf("forward: %v, %v", there, err)
		}
		if _, err := tab.Call(ctx, backend.Call{Func: "look"}); !isKind(err, backend.KindCrashed) {
			t.Errorf("after a step to nowhere: %v", err)
		}
		_, _ = tab.Navigate(ctx, s.here+"/none", backend.NavigateOptions{})
		if _, err := tab.Call(ctx, backend.Call{Func: "look"}); !isKind(err, backend.KindCrashed) {
			t.Errorf("after an answer without a page: %v", err)
		}
		visit(t, tab, s.here+"/")
		becomes(t, tab, `
			HERE/: top
			  THERE/f: f
			`)
	})
	t.Run("the page, while it is left", func(t *testing.T) {
		tab := open(t)
		visit(t, tab, s.here+"/")
		for _, leave := range []bool{false, true} {
			tab.session.Start(page.CommandCrash, nil)
			if _, err := tab.Navigate(within(t, 20*time.Second), s.here+"/f", backend.NavigateOptions{Leave: leave}); err != nil {
				t.Errorf("leave %v: %v", leave, err)
			}
			becomes(t, tab, "HERE/f: f")
		}
	})
	t.Run("the page, and what comes next is given up", func(t *testing.T) {
		tab := open(t)
		for _, leave := range []bool{false, true} {
			visit(t, tab, s.here+"/")
			r := record(t, tab)
			tab.session.Start(page.CommandCrash, nil)
			next[backend.Crashed](t, r)
			stop.Store(&tab.session)
			if _, err := tab.Navigate(within(t, 20*time.Second), s.here+"/stopped", backend.NavigateOptions{Leave: leave}); err != nil {
				t.Errorf("leave %v: %v", leave, err)
			}
			becomes(t, tab, "HERE/stopped: at last")
		}
	})
	t.Run("the page, and the browser gives up what comes next before it tells", func(t *testing.T) {
		tab := open(t)
		visit(t, tab, s.here+"/")
		given := fail(backend.KindNavigation, aborted)
		if ctx := within(t, 20*time.Second); tab.watchForCrash().retries(ctx, given) {
			t.Error("a page that lives was taken for dead")
		}
		died := tab.watchForCrash()
		tab.session.Start(page.CommandCrash, nil)
		tries := 0
		for died.retries(within(t, 20*time.Second), given) {
			tries++
		}
		if tries != crashRetries {
			t.Errorf("%d tries", tries)
		}
		visit(t, tab, s.here+"/f")
		if died.tries = 0; died.retries(within(t, 20*time.Second), errPageDied) {
			t.Error("the death of the next page was taken for that of the one before")
		}
	})
	t.Run("a frame", func(t *testing.T) {
		tab := open(t)
		visit(t, tab, s.here+"/")
		frame := frameAt(t, tab, "/f")
		tab.Mu.Lock()
		session := tab.tree.byID[frame].session
		tab.Mu.Unlock()
		ctx := within(t, 10*time.Second)
		waiting := make(chan error, 1)
		go func() {
			_, err := tab.Eval(ctx, frame, `new Promise(() => {})`)
			waiting <- err
		}()
		eval(t, tab, frame, `1`)
		session.Start(page.CommandCrash, nil)
		if err := <-waiting; err == nil || ctx.Err() != nil {
			t.Errorf("a call under way: %v", err)
		}
		becomes(t, tab, `
			HERE/: top
			  THERE/f: error crashed: the frame's process died
			`)
		eval(t, tab, "", `void (document.querySelector('iframe').src += '?')`)
		becomes(t, tab, `
			HERE/: top
			  THERE/f: f
			`)
	})
}

func TestWorkers(t *testing.T) {
	testkit.OnEveryBrowser(t)
	s := serve(t, map[string]string{"/": `<p>top</p>`})
	s.HandleFunc("/worker.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write([]byte(`onmessage = () => { const w = new Worker('/inner.js'); w.onmessage = e => postMessage(e.data + 1) }`))
	})
	s.HandleFunc("/inner.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write([]byte(`postMessage(41)`))
	})
	s.HandleFunc("/sw.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write([]byte(`onactivate = e => e.waitUntil(clients.claim()); onfetch = e => { if (e.request.url.endsWith('/from')) e.respondWith(new Response('the worker')) }`))
	})
	tab := open(t)
	visit(t, tab, s.here+"/")
	got := eval(t, tab, "", `new Promise(done => { self.w = new Worker('/worker.js'); w.onmessage = e => done(e.data); w.postMessage(1) })`)
	if got != "42" {
		t.Errorf("the workers said %s", got)
	}
	if n := len(tab.Workers()); n != 2 {
		t.Errorf("%d workers are known: %+v", n, tab.Workers())
	}
	eval(t, tab, "", `w.terminate()`)
	got = eval(t, tab, "", `navigator.serviceWorker.register('/sw.js').then(() => new Promise(done => {
		if (navigator.serviceWorker.controller) done(); else navigator.serviceWorker.oncontrollerchange = () => done()
	})).then(() => fetch('/from')).then(r => r.text())`)
	if got != `"the worker"` {
		t.Errorf("the service worker said %s", got)
	}
}
