package chrome

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rove/driver/backend"
	"rove/internal/testkit"
)

// shape is what the page script sees of a tab, frame by frame: the path of its
// document and the names on it, indented by depth. A frame whose parent was not
// told which element holds it is marked.
func shape(t *testing.T, tab *Tab) string {
	t.Helper()
	frames := tab.Frames()
	calls := make([]backend.Call, len(frames))
	for i, f := range frames {
		calls[i] = backend.Call{Frame: f.ID, Func: "look", Arg: map[string]any{"next": 1}}
	}
	results, err := tab.Call(within(t, 10*time.Second), calls...)
	if err != nil {
		return "error: " + err.Error()
	}
	depth := map[backend.FrameID]int{"": -1}
	seen := map[backend.FrameID]string{}
	var b strings.Builder
	for i, f := range frames {
		r := results[i]
		seen[f.ID] = r.Value
		depth[f.ID] = depth[f.Parent] + 1
		where := f.URL
		if u, err := url.Parse(f.URL); err == nil && u.Host != "" {
			where = strings.ToUpper(map[string]string{"127.0.0.1": "here", "localhost": "there"}[u.Hostname()]) + u.Path
		}
		fmt.Fprintf(&b, "%s%s:", strings.Repeat("  ", depth[f.ID]), where)
		if r.Err != nil {
			fmt.Fprintf(&b, " error %v\n", r.Err)
			continue
		}
		lines := strings.Split(r.Value, "\n")
		if strings.Contains(lines[0], "\tchrome-error:") {
			lines = []string{"", "\t\t\t\t(an error page)"}
		}
		for _, line := range lines[1:] {
			if fields := strings.Split(line, "\t"); len(fields) > 4 && fields[3] != "iframe" {
				b.WriteString(" " + fields[4])
			}
		}
		if f.Parent != "" && !strings.Contains(seen[f.Parent]+"\n", fmt.Sprintf("f=%d\n", f.Owner)) {
			b.WriteString(" (nowhere)")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// becomes waits until the tab has a shape, and stays with the last one if it
// never does.
func becomes(t *testing.T, tab *Tab, want string) {
	t.Helper()
	want = strings.TrimLeft(strings.ReplaceAll(want, "\n\t\t\t", "\n"), "\n")
	want = strings.TrimRight(want, " \t\n") + "\n"
	var got string
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for ctx := within(t, 5*time.Second); ctx.Err() == nil; {
		if got = shape(t, tab); got == want {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	t.Errorf("the frames are not as expected (-want +got):\n%s", cmp.Diff(want, got))
}

func eval(t *testing.T, tab *Tab, frame backend.FrameID, expression string) string {
	t.Helper()
	v, err := tab.Eval(within(t, 10*time.Second), frame, expression)
	if err != nil {
		t.Fatalf("eval %s: %v", expression, err)
	}
	return string(v)
}

// frameAt finds the frame that shows a path.
func frameAt(t *testing.T, tab *Tab, path string) backend.FrameID {
	t.Helper()
	for _, f := range tab.Frames() {
		if strings.HasSuffix(f.URL, path) {
			return f.ID
		}
	}
	t.Fatalf("no frame shows %s: %+v", path, tab.Frames())
	return ""
}

// step is something done to a page, and the frames that come of it.
type step struct {
	in   string // path of the frame to do it in; the main frame when empty
	do   string // JavaScript; HERE and THERE are the two origins
	want string
}

func TestFrames(t *testing.T) {
	testkit.Parallel(t)
	// How pages are spread over processes is a full browser's own matter.
	ofBrowsers := []string{"nested across processes", "navigated to another process and back", "swapped again and again", "sandboxed, without scripts"}
	for _, c := range []struct {
		name  string
		pages map[string]string
		steps []step
	}{
		{
			name: "nested in one process",
			pages: map[string]string{
				"/":  `<h1>top</h1><iframe src=/a></iframe>`,
				"/a": `<p>a</p><iframe src=/b></iframe><p>a2</p>`,
				"/b": `<p>b</p>`,
			},
			steps: []step{{want: `
			HERE/: top
			  HERE/a: a a2
			    HERE/b: b
			`}},
		},
		{
			name: "nested across processes",
			pages: map[string]string{
				"/":  `<h1>top</h1><iframe src=THERE/a></iframe><iframe src=THERE/c></iframe>`,
				"/a": `<p>a</p><iframe src=HERE/b></iframe>`,
				"/b": `<p>b</p><iframe src=THERE/c></iframe>`,
				"/c": `<p>c</p>`,
			},
			steps: []step{{want: `
			HERE/: top
			  THERE/a: a
			    HERE/b: b
			      THERE/c: c
			  THERE/c: c
			`}},
		},
		{
			name: "navigated to another process and back",
			pages: map[string]string{
				"/":  `<h1>top</h1><iframe id=f src=/a></iframe>`,
				"/a": `<p>a</p><iframe src=/b></iframe>`,
				"/b": `<p>b</p>`,
				"/c": `<p>c</p><iframe src=HERE/b></iframe>`,
			},
			steps: []step{
				{want: `
			HERE/: top
			  HERE/a: a
			    HERE/b: b
			`},
				{do: `f.src = 'THERE/c'`, want: `
			HERE/: top
			  THERE/c: c
			    HERE/b: b
			`},
				{do: `f.src = 'THERE/a'`, want: `
			HERE/: top
			  THERE/a: a
			    THERE/b: b
			`},
				{in: "/a", do: `location = 'HERE/a'`, want: `
			HERE/: top
			  HERE/a: a
			    HERE/b: b
			`},
				{in: "/a", do: `location = 'THERE/b'`, want: `
			HERE/: top
			  THERE/b: b
			`},
			},
		},
		{
			name: "swapped again and again",
			pages: map[string]string{
				"/":  `<h1>top</h1><iframe id=f src=/a></iframe>`,
				"/a": `<p>a</p>`,
				"/b": `<p>b</p>`,
			},
			steps: []step{
				{do: `(async () => { for (let i = 0; i < 6; i++) {
					const loaded = new Promise(done => f.onload = done);
					f.src = i % 2 ? 'HERE/a' : 'THERE/a'; await loaded }; f.src = 'THERE/b' })()`, want: `
			HERE/: top
			  THERE/b: b
			`},
				{do: `for (let i = 0; i < 9; i++) f.src = i % 2 ? 'HERE/a' : 'THERE/a'; f.src = 'HERE/b'`, want: `
			HERE/: top
			  HERE/b: b
			`},
			},
		},
		{
			name: "added and removed",
			pages: map[string]string{
				"/":  `<h1>top</h1><iframe id=f src=/a></iframe><iframe id=g src=THERE/a></iframe>`,
				"/a": `<p>a</p><iframe src=THERE/b></iframe>`,
				"/b": `<p>b</p>`,
			},
			steps: []step{
				{do: `f.remove()`, want: `
			HERE/: top
			  THERE/a: a
			    THERE/b: b
			`},
				{do: `g.remove()`, want: `HERE/: top`},
				{do: `document.body.append(Object.assign(document.createElement('iframe'), {src: 'THERE/b'}))`, want: `
			HERE/: top
			  THERE/b: b
			`},
			},
		},
		{
			name: "removed while loading",
			pages: map[string]string{
				"/": `<h1>top</h1><script>
					for (const [i, src] of ['/b', 'THERE/b', 'THERE/a', '/slow', 'THERE/slow'].entries()) {
						const f = document.createElement('iframe'); f.src = src; document.body.append(f);
						if (i % 2) f.remove(); else setTimeout(() => f.remove(), 4 * i)
					}</script><iframe src=THERE/b></iframe>`,
				"/a": `<p>a</p><iframe src=HERE/b></iframe>`,
				"/b": `<p>b</p>`,
			},
			steps: []step{{want: `
			HERE/: top
			  THERE/b: b
			`}},
		},
		{
			name: "inside open and closed shadow roots",
			pages: map[string]string{
				"/": `<h1>top</h1><div id=o></div><div id=c></div><script>
					o.attachShadow({mode: 'open'}).innerHTML = '<p>open</p><iframe src="THERE/a"></iframe>';
					c.attachShadow({mode: 'closed'}).innerHTML = '<p>closed</p><iframe src="THERE/a"></iframe><iframe src="/a"></iframe>';
					</script>`,
				"/a": `<p>a</p>`,
			},
			steps: []step{{want: `
			HERE/: top open closed
			  THERE/a: a
			  THERE/a: a
			  HERE/a: a
			`}},
		},
		{
			name: "frames that reload each other",
			pages: map[string]string{
				"/": `<h1>top</h1><iframe name=x src=/a></iframe><iframe name=y src=THERE/a></iframe><script>
					let n = 0; onmessage = e => { if (++n < 12)
					frames[e.data == 'x' ? 'y' : 'x'].location.replace((n % 4 < 2 ? 'HERE' : 'THERE') + '/a?' + n) }</script>`,
				"/a": `<p>a</p><script>parent.postMessage(name, '*')</script>`,
				"/b": `<p>b</p>`,
			},
			steps: []step{
				{do: `new Promise(done => { const i = setInterval(() => n > 11 && done(clearInterval(i)), 5) })`},
				{do: `frames.x.location = 'HERE/b'; frames.y.location = 'THERE/b'`, want: `
			HERE/: top
			  HERE/b: b
			  THERE/b: b
			`},
			},
		},
		{
			name: "documents without an address",
			pages: map[string]string{
				"/": `<h1>top</h1><iframe srcdoc="<p>source</p>"></iframe><iframe id=w></iframe><iframe id=e src=about:blank></iframe>
					<iframe src="data:text/html,<p>data</p>"></iframe><iframe id=j src="javascript:'<p>script</p>'"></iframe><script>
					w.contentDocument.write('<p>written</p><iframe srcdoc="<p>inner</p>"></iframe>');
					w.contentDocument.close();
					e.contentDocument.body.innerHTML = '<p>filled</p>';
					</script>`,
			},
			steps: []step{{want: `
			HERE/: top
			  about:srcdoc: source
			  HERE/: written
			    about:srcdoc: inner
			  about:blank: filled
			  data:text/html,<p>data</p>: data
			  about:blank: script
			`}},
		},
		{
			name: "sandboxed, without scripts",
			pages: map[string]string{
				"/":  `<h1>top</h1><iframe sandbox src=/a></iframe><iframe sandbox src=THERE/a></iframe><iframe sandbox srcdoc="<p>source</p>"></iframe>`,
				"/a": `<p>a</p><script>document.body.textContent = 'ran'</script>`,
			},
			steps: []step{{want: `
			HERE/: top
			  HERE/a: a
			  THERE/a: a
			  about:srcdoc: source
			`}},
		},
		{
			name: "object, embed and frameset",
			pages: map[string]string{
				"/":  `<h1>top</h1><iframe src=/s></iframe><iframe src=/e></iframe><object data=THERE/a type=text/html></object>`,
				"/e": `<p>e</p><embed src=/a type=text/html>`,
				"/a": `<p>a</p>`,
				"/s": `<frameset cols="50%,50%"><frame src=/a><frame src=THERE/a></frameset>`,
			},
			steps: []step{{want: `
			HERE/: top
			  HERE/s:
			    HERE/a: a
			    THERE/a: a
			  HERE/e: e
			    HERE/a: a
			  THERE/a: a
			`}},
		},
		{
			name: "the document replaced",
			pages: map[string]string{
				"/":  `<h1>top</h1><iframe src=THERE/a></iframe>`,
				"/a": `<p>a</p>`,
			},
			steps: []step{
				{do: `document.open(); document.write('<p>anew</p><iframe src=THERE/a></iframe>'); document.close()`, want: `
			HERE/: anew
			  THERE/a: a
			`},
				{do: `location = 'THERE/'`, want: `
			THERE/: top
			  THERE/a: a
			`},
				{do: `location = 'HERE/a'`, want: `HERE/a: a`},
			},
		},
		{
			name: "moved in the page",
			pages: map[string]string{
				"/":  `<h1>top</h1><div id=d></div><iframe id=f src=THERE/a></iframe>`,
				"/a": `<p>a</p>`,
			},
			steps: []step{{do: `d.append(f)`, want: `
			HERE/: top
			  THERE/a: a
			`}},
		},
		{
			name: "a frame that failed",
			pages: map[string]string{
				"/":  `<h1>top</h1><iframe src=http://127.0.0.1:1/x></iframe><iframe src=THERE/a></iframe>`,
				"/a": `<p>a</p>`,
			},
			steps: []step{{in: "/a", do: `location = 'HERE/a'`, want: `
			HERE/: top
			  HERE/x: (an error page)
			  HERE/a: a
			`}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if slices.Contains(ofBrowsers, c.name) {
				testkit.OnEveryBrowser(t)
			}
			s := serve(t, c.pages)
			s.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
				select {
				case <-r.Context().Done():
				case <-time.After(time.Second):
				}
			})
			tab := open(t)
			visit(t, tab, s.here+"/")
			main := tab.Frames()[0].ID
			for i, step := range c.steps {
				if step.do != "" {
					var in backend.FrameID
					if step.in != "" {
						in = frameAt(t, tab, step.in)
					}
					do := strings.NewReplacer("HERE", s.here, "THERE", s.there).Replace(step.do)
					if _, err := tab.Eval(within(t, 10*time.Second), in, do); err != nil && !isKind(err, backend.KindNavigated) {
						t.Fatalf("step %d: %v", i, err)
					}
				}
				if step.want != "" {
					becomes(t, tab, step.want)
				}
			}
			if got := tab.Frames()[0].ID; got != main {
				t.Errorf("the main frame was %s and is %s", main, got)
			}
		})
	}
}
