package chrome

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
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

// floods are pages that give the browser all they can of what is counted, and what it is
// counted as. What costs a browser a process or a thread comes twenty times a second: it has
// not done with more when the page is ended, and how long that takes depends on the machine.
var floods = map[string]struct {
	html string
	kind flow
}{
	"navigations":               {"<script>location.href = '?' + Math.random()</script>", flowDocument},
	"reloads":                   {"<script>onbeforeunload = () => 'stay'; setInterval(() => location.reload(), 1)</script>", flowDocument},
	"refreshes":                 {"<meta http-equiv=refresh content=0>", flowDocument},
	"history":                   {every("navigation.navigate('#' + Math.random(), {history: 'replace'})"), flowNavigation},
	"frames that navigate":      {strings.Repeat("<iframe></iframe>", 30) + "<script>setInterval(() => { for (const f of document.querySelectorAll('iframe')) f.src = 'about:blank?' + Math.random() }, 0)</script>", flowNavigation},
	"frames":                    {every("const f = document.createElement('iframe'); document.body.append(f); f.remove()"), flowFrame},
	"workers":                   {every("new Worker(URL.createObjectURL(new Blob(['close()'])))"), flowWorker},
	"windows":                   {"<script>setInterval(() => open('about:blank'), 50)</script>", flowPopup},
	"windows that close":        {"<script>setInterval(() => { const w = open('about:blank'); if (w) w.close() }, 50)</script>", flowPopup},
	"dialogs":                   {"<script>setTimeout(() => { for (;;) alert(1) }, 50)</script>", flowDialog},
	"downloads":                 {every("const a = document.createElement('a'); a.download = 'x'; a.href = 'data:text/plain,x' + i; a.click()"), flowDownload},
	"console lines":             {every("console.log(i)"), flowConsole},
	"errors":                    {every("setTimeout(() => { throw new Error('x') })"), flowConsole},
	"lines of a worker":         {"<script>new Worker(URL.createObjectURL(new Blob(['setInterval(() => console.log(1), 0)'])))</script>", flowConsole},
	"service workers":           {"<script>setInterval(() => navigator.serviceWorker.register('/worker.js?' + Math.random(), { scope: '/' + Math.random() + '/' }).catch(() => 0), 50)</script>", flowApart},
	"shared workers":            {"<script>setInterval(() => new SharedWorker('/worker.js?' + Math.random()), 50)</script>", flowApart},
	"lines of a service worker": {"<script>navigator.serviceWorker.register('/worker.js?loud', { scope: '/loud/' })</script>", flowConsole},
	"prerendered pages":         {"<script>setInterval(() => { const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = JSON.stringify({ prerender: [{ source: 'list', urls: ['/quiet?' + Math.random()], eagerness: 'immediate' }] }); document.head.append(s); setTimeout(() => s.remove(), 300) }, 50)</script>", flowRequest},
	"requests":                  {every("fetch('/quiet?' + Math.random()).catch(() => 0)"), flowRequest},
	"beacons":                   {every("navigator.sendBeacon('/quiet', 'x')"), flowRequest},
	"web sockets":               {every("new WebSocket('ws://' + location.host + '/quiet')"), flowRequest},
	"icons":                     {"<link rel=stylesheet id=l>" + every("l.href = '/quiet?' + Math.random()"), flowRequest},
	"events":                    {every("performance.mark(i); document.body.append(document.createElement('iframe')); document.querySelector('iframe').remove()"), flowEvent},
	"bytes":                     {"<script>const s = 'x'.repeat(1e5); setInterval(() => console.log(s + Math.random()), 0)</script>", flowBytes},
}

// TestFlood has pages that give the browser too much of what is counted, all at the same
// time. Each is held to one limit alone, its own: it is ended by that, and told so; a session
// beside them goes on, and the tab can be used again. How many are too many is little here,
// and for ever: neither a slow machine nor a quick one makes a difference.
func TestFlood(t *testing.T) {
	testkit.NeedsBrowser(t)
	t.Parallel()
	pages := map[string]string{}
	for name, f := range floods {
		pages[name] = f.html
	}
	// The watch over the main thread would be sooner, on a slow machine: it is off.
	site, b, good := flooded(t, pages, bounds{usual, time.Hour})
	site.HandleFunc("/worker.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, "if (location.search === '?loud') setInterval(() => console.log('line'), 1)")
	})
	// What a full browser does in a way of its own: windows, files, pages and workers ahead.
	ofBrowsers := map[flow]bool{flowPopup: true, flowDownload: true, flowApart: true}
	few := map[flow]float64{flowDocument: 5, flowPopup: 4, flowEvent: 2000, flowBytes: 4 << 20}
	for name, f := range floods {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !ofBrowsers[f.kind] && name != "prerendered pages" {
				testkit.ShellIsEnough(t)
			}
			limits := usual
			for i := range limits {
				limits[i].once, limits[i].second = math.Inf(1), 0
			}
			if limits[f.kind].once = 20; few[f.kind] > 0 {
				limits[f.kind].once = few[f.kind]
			}
			bad := tabHeldTo(t, b, &limits)
			why := endOf(t, bad, site.here+"/"+url.PathEscape(name))
			if !strings.Contains(why, "flooded the browser with "+usual[f.kind].what) {
				t.Errorf("it is told %q", why)
			}
			if _, err := good.Eval(testkit.Context(t), "", "1"); err != nil {
				t.Errorf("the neighbour: %v", err)
			}
			// What the page has set going is told of for a while, and counts where it is no
			// page's own: with limits as low as these it ends the next page of the site, too.
			var err error
			if !testkit.Within(func() bool {
				_, err = bad.Navigate(testkit.Context(t), site.here+"/quiet", backend.NavigateOptions{})
				return err == nil
			}) {
				t.Errorf("the tab cannot be used again: %v", err)
			}
		})
	}
}

// TestFloodOfTheMainThread has pages that keep the browser's main thread from all others
// with what nobody counts.
func TestFloodOfTheMainThread(t *testing.T) {
	testkit.NeedsBrowser(t)
	t.Parallel()
	if testkit.OnShell() {
		t.Skip("a headless shell has no window to show titles in, and is quick with questions: it bears them")
	}
	pages := map[string]string{
		"questions":        forever("navigator.permissions.query({name: 'geolocation'})"),
		"a frame's titles": "<iframe src='THERE/quiet'></iframe>" + forever("document.title = Math.random()"),
	}
	site, b, good := flooded(t, pages, bounds{usual, unheard / 3})
	for name := range pages {
		t.Run(name, func(t *testing.T) {
			bad := tabIn(t, b)
			why := endOf(t, bad, site.here+"/"+url.PathEscape(name))
			if !strings.Contains(why, "more to do than it can") {
				t.Errorf("it is told %q", why)
			}
			if _, err := good.Eval(testkit.Context(t), "", "1"); err != nil {
				t.Errorf("the neighbour: %v", err)
			}
			tabIn(t, b)
		})
	}
}

// flooded is a browser whose pages may do so much, pages that do more, and one that
// does nothing.
func flooded(t *testing.T, pages map[string]string, so bounds) (*site, *Browser, *Tab) {
	t.Helper()
	site := serve(t, map[string]string{"/quiet": "<title>quiet</title>quiet"})
	for name, html := range pages {
		site.page("/"+url.PathEscape(name), html)
	}
	opts := options("")
	opts.bounds = &so
	b, tab := alone(t, opts, site.here+"/quiet")
	return site, b, tab
}

// endOf goes to a page that is ended for what it does, and says what is told of why.
func endOf(t *testing.T, tab *Tab, address string) string {
	t.Helper()
	_, err := tab.Navigate(testkit.Context(t), address, backend.NavigateOptions{})
	var why *backend.Error
	for {
		if errors.As(err, &why) && (why.Kind == backend.KindCrashed || why.Kind == backend.KindClosed) {
			return why.Why + why.Text
		}
		if why != nil && why.Kind == backend.KindDialog { // somebody answers each
			_ = tab.AnswerDialog(testkit.Context(t), false, "")
		}
		g := tab.Gate()
		select {
		case <-g.Shut:
			err = g.Err
		case <-testkit.Context(t).Done():
			t.Fatal("the page is not ended")
		}
	}
}

// TestHonestPagesAreLeftAlone: what heavy pages do is no flood.
func TestHonestPagesAreLeftAlone(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
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
func alone(t *testing.T, opts Options, url string) (*Browser, *Tab) {
	t.Helper()
	b, err := Launch(testkit.Context(t), opts)
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
func tabIn(t *testing.T, b *Browser) *Tab { return tabHeldTo(t, b, &b.bounds.limits) }

// tabHeldTo is tabIn for a context whose pages may do so much.
func tabHeldTo(t *testing.T, b *Browser, limits *[flows]limit) *Tab {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "downloads")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	c, err := b.NewContext(testkit.Context(t), backend.ContextOptions{Downloads: dir})
	if err != nil {
		t.Fatal(err)
	}
	c.(*Context).limits = limits
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
		memory            int // MB that the browser takes
	}
	repeat := func(r row, n int) []row { return slices.Repeat([]row{r}, n) }
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
		{"flooded on a machine that often has no time for it, and then tells nothing", slices.Repeat([]row{{ran: 40, waited: 160, a: 10}, {}, {ran: 10, waited: 60, a: 5}}, 12), 1},
		{"starved, and not long enough to tell", repeat(row{ran: 20, waited: 180, a: 20}, 12), 0},
		{"nobody talks", repeat(row{ran: 200}, 30), 0},
		{"two talk alike", repeat(row{ran: 200, a: 30, b: 25}, 8), 0},
		{"two talk alike, for long", repeat(row{ran: 200, a: 30, b: 25}, 20), 1},
		{"few words that are a lot of work", repeat(row{ran: 200, a: 3, b: 1}, 20), 1},
		{"what one left that was ended is worked off", append(repeat(row{ran: 200, a: 30}, 5), repeat(row{ran: 200, b: 3}, 40)...), 1},
		{"one had a lot to say once", append([]row{{ran: 200}, {ran: 200, a: 90}}, repeat(row{ran: 200}, 10)...), 0},
		{"one had a lot to say, again and again", slices.Repeat([]row{{ran: 200}, {ran: 200, a: 90}, {ran: 200}, {ran: 100}, {ran: 10, answers: true}}, 8), 0},
		{"what it is given to do lies in memory", []row{{ran: 40, waited: 160}, {ran: 20, waited: 180, a: 20, memory: 600}, {ran: 20, waited: 180, a: 20, memory: 600}}, 1},
		{"much memory, and it answers", repeat(row{ran: 200, a: 20, memory: 600, answers: true}, 20), 0},
		{"it ends by itself", append(repeat(row{ran: 200, a: 30}, 2), repeat(row{ran: 5}, 10)...), 0},
	} {
		m := &machine{}
		now := time.Now()
		var asked chan struct{}
		s := &strain{process: m, at: now, unheard: unheard, lines: func() int64 { return 0 }, ask: func() <-chan struct{} { asked = make(chan struct{}); return asked }}
		got := 0
		for _, r := range c.rows {
			now = now.Add(ms(200))
			m.load.Ran += ms(r.ran)
			m.load.Waited += ms(r.waited)
			m.memory += int64(r.memory) << 20
			m.a += ms(r.a)
			m.b += ms(r.b)
			one, found := s.look(now)
			if found && got != 0 && one.Pid != got {
				t.Errorf("%s: ended %d as well", c.name, one.Pid)
			}
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
	load   proc.Load
	a, b   time.Duration
	memory int64
}

func (m *machine) MainLoad() (proc.Load, error) { return m.load, nil }
func (m *machine) MainMemory() (int64, error)   { return m.memory, nil }
func (m *machine) End(proc.Member) error        { return nil }
func (m *machine) Members(string) ([]proc.Member, error) {
	return []proc.Member{{Pid: 1, System: m.a}, {Pid: 2, System: m.b}}, nil
}
