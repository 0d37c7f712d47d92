package chrome

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rove/driver/backend"
	"rove/internal/proc"
	"rove/internal/testkit"
)

// every runs a script a hundred times, as often as a timer can.
func every(script string) string {
	return "<title>x</title><body><script>setInterval(() => { for (let i = 0; i < 100; i++) { " + script + " } }, 0)</script>"
}

// forever runs a script without ever giving way.
func forever(script string) string {
	return "<title>x</title><body><script>setTimeout(() => { for (;;) { " + script + " } }, 50)</script>"
}

// TestFlood has pages that give the browser all they can. Each is ended, and told
// why; a session beside it never waits for long, and a new one can be had.
func TestFlood(t *testing.T) {
	testkit.NeedsBrowser(t)
	// What a browser shows in its window, which a headless shell has not.
	shown := map[string]bool{"titles": true, "titles without a pause": true, "questions": true, "history": true, "a frame's titles": true}
	cases := []struct{ name, html string }{
		{"titles", every("document.title = Math.random()")},
		{"titles without a pause", forever("document.title = Math.random()")},
		{"questions", forever("navigator.permissions.query({name: 'geolocation'})")},
		{"history", every("navigation.navigate('#' + Math.random(), {history: 'replace'})")},
		{"navigations", "<script>location.href = '?' + Math.random()</script>"},
		{"frames that navigate", strings.Repeat("<iframe></iframe>", 30) + "<script>setInterval(() => { for (const f of document.querySelectorAll('iframe')) f.src = 'about:blank?' + Math.random() }, 0)</script>"},
		{"workers", every("new Worker(URL.createObjectURL(new Blob(['close()'])))")},
		{"windows", "<script>setInterval(() => open('about:blank'), 0)</script>"},
		{"downloads", every("const a = document.createElement('a'); a.download = 'x'; a.href = 'data:text/plain,x' + i; a.click()")},
		{"console lines", every("console.log(i)")},
		{"requests", every("fetch('/quiet?' + Math.random()).catch(() => 0)")},
		{"frames", every("const f = document.createElement('iframe'); document.body.append(f); f.remove()")},
		{"bytes", "<script>const s = 'x'.repeat(1e6); setInterval(() => console.log(s + Math.random()), 0)</script>"},
		{"a frame's titles", "<iframe src='THERE/quiet'></iframe>" + every("document.title = Math.random()")},
	}
	pages := map[string]string{"/quiet": "<title>quiet</title>quiet"}
	for _, c := range cases {
		pages["/"+strings.ReplaceAll(c.name, " ", "-")] = c.html
	}
	site := serve(t, pages)
	// A tenth is as good to show that there is an end, and spares the tests beside it.
	full := limits
	for i := range limits {
		limits[i].once, limits[i].second = limits[i].once/10, limits[i].second/10
	}
	t.Cleanup(func() { limits = full })
	b, good := alone(t, site.here+"/quiet")
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			bad := tabIn(t, b)
			// One that is borne would take the machine from those after it.
			t.Cleanup(func() { _ = bad.context.Close(context.Background()) })
			go func() {
				_, _ = bad.Navigate(within(t, time.Minute), site.here+"/"+strings.ReplaceAll(c.name, " ", "-"), backend.NavigateOptions{})
			}()
			var why *backend.Error
			var longest time.Duration
			begun, harmless := time.Now(), false
			testkit.Eventually(t, "the page is ended", func() bool {
				start := time.Now()
				if testkit.OnShell() && shown[c.name] && start.Sub(begun) > 5*time.Second && longest < patienceOfNeighbours {
					harmless = true
					return true
				}
				if _, err := good.Eval(within(t, patienceOfNeighbours), "", "1"); err != nil {
					t.Fatalf("the neighbour: %v", err)
				}
				longest = max(longest, time.Since(start))
				bad.mu.Lock()
				g := bad.gate
				bad.mu.Unlock()
				select {
				case <-g.Shut:
					return errors.As(g.Err, &why) && why.Kind == backend.KindCrashed
				default:
					return false
				}
			})
			switch {
			case harmless:
				t.Logf("this browser bears it: the neighbour waited %v at most", longest.Round(time.Millisecond))
				return
			case why.Why == "":
				t.Errorf("it is not told: %v", why)
			default:
				t.Logf("the neighbour waited %v at most; told: %s", longest.Round(time.Millisecond), why.Why)
			}
			start := time.Now()
			tabIn(t, b)
			if took := time.Since(start); took > patienceOfNeighbours || longest > patienceOfNeighbours {
				t.Errorf("the neighbour waited %v, a new session %v", longest, took)
			}
			if _, err := bad.Navigate(testkit.Context(t), site.here+"/quiet", backend.NavigateOptions{}); err != nil {
				t.Errorf("the tab cannot be used again: %v", err)
			}
		})
	}
}

// patienceOfNeighbours tells a flood from a busy machine: on a quiet one it is
// about a second, and without an end to the flood they wait for ever.
const patienceOfNeighbours = 25 * time.Second

// TestHonestPagesAreLeftAlone: what heavy pages do is no flood.
func TestHonestPagesAreLeftAlone(t *testing.T) {
	testkit.NeedsBrowser(t)
	cases := []struct{ name, html, done string }{
		{"a title for each frame", "<script>let n = 0; const f = () => { document.title = n++; requestAnimationFrame(f) }; f()</script>", "n > 120"},
		{"a hundred thousand console lines", "<script>let n = 0; setTimeout(() => { for (; n < 1e5; n++) console.log('line', n) }, 50)</script>", "n >= 1e5"},
		{"a large page", "<script>let n = 0; setTimeout(() => { for (; n < 1e5; n++) { const d = document.createElement('div'); d.innerHTML = '<button>b</button>'; document.body.append(d) } }, 50)</script><body>", "n >= 1e5"},
		{"many frames", "<script>let n = 0; onload = () => { for (; n < 300; n++) document.body.append(document.createElement('iframe')) }</script><body>", "n >= 300"},
		{"a thousand requests", "<script>let n = 0; for (let i = 0; i < 1000; i++) fetch('/quiet?' + i).finally(() => n++)</script>", "n >= 1000"},
	}
	pages := map[string]string{"/quiet": "quiet"}
	for _, c := range cases {
		pages["/"+strings.ReplaceAll(c.name, " ", "-")] = c.html
	}
	site := serve(t, pages)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tab := open(t)
			visit(t, tab, site.here+"/"+strings.ReplaceAll(c.name, " ", "-"))
			testkit.Eventually(t, "the page has done it", func() bool {
				done, err := tab.Eval(testkit.Context(t), "", c.done)
				if err != nil {
					t.Fatal(err)
				}
				return string(done) == "true"
			})
			if _, err := tab.Eval(testkit.Context(t), "", "1"); err != nil {
				t.Error(err)
			}
		})
	}
}

// alone is a browser of the test's own, and a tab of it that shows a page.
func alone(t *testing.T, url string) (*Browser, *Tab) {
	t.Helper()
	b, err := Launch(testkit.Context(t), options(""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	if _, err = b.NewContext(testkit.Context(t), backend.ContextOptions{}); err != nil {
		t.Fatal(err)
	}
	tab := tabIn(t, b)
	visit(t, tab, url)
	return b, tab
}

// tabIn opens a tab in a context of its own.
func tabIn(t *testing.T, b *Browser) *Tab {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "downloads")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	c, err := b.NewContext(testkit.Context(t), backend.ContextOptions{Downloads: dir})
	if err != nil {
		t.Fatal(err)
	}
	tab, err := c.NewTab(testkit.Context(t))
	if err != nil {
		t.Fatal(err)
	}
	return tab.(*Tab)
}

// TestStrain has the rule by itself: a machine with made-up processes.
func TestStrain(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	// Each tick of 200 ms is a row: what the main thread ran and waited, and what
	// two renderers spent in the kernel meanwhile. answers says that the browser
	// answers before the next tick.
	type row struct {
		ran, waited, a, b int
		answers           bool
	}
	repeat := func(r row, n int) (list []row) {
		for range n {
			list = append(list, r)
		}
		return list
	}
	for _, c := range []struct {
		name string
		rows []row
		want int // the pid that is ended, 0 for none
	}{
		{"at rest", repeat(row{ran: 10, a: 100}, 20), 0},
		{"busy, and it answers", repeat(row{ran: 200, a: 100, answers: true}, 20), 0},
		{"flooded by one", repeat(row{ran: 200, a: 30, b: 2}, 5), 1},
		{"flooded by the other", repeat(row{ran: 200, a: 2, b: 30}, 5), 2},
		{"flooded on a busy machine", repeat(row{ran: 40, waited: 160, a: 10}, 14), 1},
		{"starved, and not long enough to tell", repeat(row{ran: 20, waited: 180, a: 20}, 12), 0},
		{"nobody talks", repeat(row{ran: 200}, 30), 0},
		{"two talk alike", repeat(row{ran: 200, a: 30, b: 25}, 8), 0},
		{"two talk alike, for long", repeat(row{ran: 200, a: 30, b: 25}, 20), 1},
		{"it ends by itself", append(repeat(row{ran: 200, a: 30}, 2), repeat(row{ran: 5}, 10)...), 0},
	} {
		m := &machine{}
		now := time.Now()
		var asked chan struct{}
		s := &strain{process: m, at: now, lines: func() int64 { return 0 }, ask: func() <-chan struct{} { asked = make(chan struct{}); return asked }}
		got := 0
		for _, r := range c.rows {
			now = now.Add(ms(200))
			m.load.Ran += ms(r.ran)
			m.load.Waited += ms(r.waited)
			m.a += ms(r.a)
			m.b += ms(r.b)
			one, found := s.look(now)
			if found && got == 0 {
				got = one.Pid
			}
			if r.answers && asked != nil {
				close(asked)
				asked = nil
			}
		}
		if got != c.want {
			t.Errorf("%s: ended %d, want %d", c.name, got, c.want)
		}
	}
}

// machine is a browser of made-up processes.
type machine struct {
	load proc.Load
	a, b time.Duration
}

func (m *machine) MainLoad() (proc.Load, error) { return m.load, nil }
func (m *machine) End(proc.Member) error        { return nil }
func (m *machine) Members(string) ([]proc.Member, error) {
	return []proc.Member{{Pid: 1, System: m.a}, {Pid: 2, System: m.b}}, nil
}
