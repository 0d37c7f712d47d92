package chrome

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"rove/driver/backend"
	"rove/internal/testkit"
)

// text is what the page script sees of the main frame.
func text(t *testing.T, tab *Tab) string {
	t.Helper()
	r, err := tab.Call(within(t, 5*time.Second), backend.Call{Func: "look", Arg: struct{}{}})
	if err != nil {
		t.Fatal(err)
	}
	if r[0].Err != nil {
		t.Fatal(r[0].Err)
	}
	var names []string
	for _, line := range strings.Split(r[0].Value, "\n")[1:] {
		if f := strings.Split(line, "\t"); len(f) > 4 {
			names = append(names, f[4])
		}
	}
	return strings.Join(names, " ")
}

// navigationSite has one page for every way a navigation may go.
func navigationSite(t *testing.T) *site {
	s := serve(t, map[string]string{
		"/a":       `<p>a</p>`,
		"/b":       `<p>b</p>`,
		"/client":  `<p>client</p><script>location = '/b'</script>`,
		"/replace": `<p>replace</p><script>location.replace('THERE/b')</script>`,
		"/twice":   `<p>twice</p><script>location = '/client'</script>`,
		"/push":    `<p>pushed</p><script>history.pushState(1, '', '/pushed')</script>`,
		"/unload":  `<p>unload</p><script>onbeforeunload = e => e.preventDefault()</script>`,
		"/hang":    `<p>hang</p><img src=/never>`,
		"/frame":   `<p>outer</p><iframe src=/never></iframe>`,
	})
	redirect := func(path, to string) {
		s.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) })
	}
	redirect("/redirect", "/a")
	redirect("/away", s.there+"/b")
	redirect("/chain", "/away")
	s.HandleFunc("/204", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	s.HandleFunc("/404", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "<p>not here</p>")
	})
	s.HandleFunc("/500", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	s.HandleFunc("/text", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "plain")
	})
	s.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
		fmt.Fprint(w, "1,2")
	})
	s.HandleFunc("/zip", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/zip")
		fmt.Fprint(w, "PK")
	})
	s.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(300 * time.Millisecond):
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<p>slow</p>")
	})
	s.HandleFunc("/never", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s.HandleFunc("/empty", func(w http.ResponseWriter, r *http.Request) { hijack(w).Close() })
	s.HandleFunc("/n/{n}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<p>%s</p>", r.PathValue("n"))
	})
	return s
}

func hijack(w http.ResponseWriter) net.Conn {
	c, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	return c
}

func TestNavigate(t *testing.T) {
	testkit.OnEveryBrowser(t)
	s := navigationSite(t)
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte("<p>filed</p>"), 0o600); err != nil {
		t.Fatal(err)
	}
	tab := open(t)
	for _, c := range []struct {
		name, from, to string
		want           backend.Navigation
		text           string
	}{
		{"plain", "", "HERE/a", backend.Navigation{URL: "HERE/a", Status: 200, MIME: "text/html"}, "a"},
		{"the same again", "HERE/a", "HERE/a", backend.Navigation{URL: "HERE/a", Status: 200, MIME: "text/html"}, "a"},
		{"to another site", "HERE/a", "THERE/b", backend.Navigation{URL: "THERE/b", Status: 200, MIME: "text/html"}, "b"},
		{"redirect", "", "HERE/redirect", backend.Navigation{URL: "HERE/a", Status: 200, MIME: "text/html"}, "a"},
		{"redirects across sites", "HERE/a", "HERE/chain", backend.Navigation{URL: "THERE/b", Status: 200, MIME: "text/html"}, "b"},
		{"redirect by script", "", "HERE/client", backend.Navigation{URL: "HERE/b", Status: 200, MIME: "text/html"}, "b"},
		{"redirects by script", "", "HERE/twice", backend.Navigation{URL: "HERE/b", Status: 200, MIME: "text/html"}, "b"},
		{"replaced by script", "", "HERE/replace", backend.Navigation{URL: "THERE/b", Status: 200, MIME: "text/html"}, "b"},
		{"pushState while loading", "", "HERE/push", backend.Navigation{URL: "HERE/pushed", Status: 200, MIME: "text/html"}, "pushed"},
		{"fragment", "HERE/a", "HERE/a#x", backend.Navigation{URL: "HERE/a#x", SameDocument: true}, "a"},
		{"fragment of another page", "HERE/a", "HERE/b#x", backend.Navigation{URL: "HERE/b#x", Status: 200, MIME: "text/html"}, "b"},
		{"no content", "HERE/a", "HERE/204", backend.Navigation{URL: "HERE/a", Status: 204, SameDocument: true}, "a"},
		{"not found", "", "HERE/404", backend.Navigation{URL: "HERE/404", Status: 404, MIME: "text/html"}, "not here"},
		{"text", "", "HERE/text", backend.Navigation{URL: "HERE/text", Status: 200, MIME: "text/plain"}, "plain"},
		{"slow", "HERE/a", "HERE/slow", backend.Navigation{URL: "HERE/slow", Status: 200, MIME: "text/html"}, "slow"},
		{"download", "HERE/a", "HERE/file", backend.Navigation{URL: "HERE/file", Download: "report.csv", SameDocument: true}, "a"},
		{"download by type", "", "HERE/zip", backend.Navigation{URL: "HERE/zip", Download: "zip.zip", SameDocument: true}, ""},
		{"blank", "HERE/a", "about:blank", backend.Navigation{URL: "about:blank"}, ""},
		{"data", "HERE/a", "data:text/html,<p>data</p>", backend.Navigation{URL: "data:text/html,<p>data</p>", Status: 200, MIME: "text/html"}, "data"},
		{"file", "HERE/a", "file://" + file, backend.Navigation{URL: "file://" + file, Status: 200, MIME: "text/html"}, "filed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			place := strings.NewReplacer("HERE", s.here, "THERE", s.there).Replace
			if c.from == "" {
				c.from = blank
			}
			visit(t, tab, place(c.from))
			got := visit(t, tab, place(c.to))
			want := c.want
			want.URL = place(want.URL)
			if got.Document == "" && !want.SameDocument {
				t.Error("no loader id")
			}
			if diff := cmp.Diff(&want, got, cmpopts.IgnoreFields(backend.Navigation{}, "Document")); diff != "" {
				t.Errorf("navigation (-want +got):\n%s", diff)
			}
			if got := text(t, tab); got != c.text {
				t.Errorf("the page says %q, want %q", got, c.text)
			}
		})
	}
}

func TestNavigateErrorWithoutPage(t *testing.T) {
	testkit.OnEveryBrowser(t)
	s := navigationSite(t)
	tab := open(t)
	nav := visit(t, tab, s.here+"/500")
	if nav.Status != 500 || nav.URL != s.here+"/500" {
		t.Errorf("got %+v", nav)
	}
}

func TestNavigateFails(t *testing.T) {
	testkit.OnEveryBrowser(t)
	s := navigationSite(t)
	tls := httptest.NewUnstartedServer(http.NotFoundHandler())
	tls.Config.ErrorLog = log.New(io.Discard, "", 0) // the browser hangs up on it
	tls.StartTLS()
	t.Cleanup(tls.Close)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	tab := open(t)
	for _, c := range []struct{ name, url, want string }{
		{"no such host", "http://nowhere.invalid/", "net::ERR_NAME_NOT_RESOLVED"},
		{"refused", "http://" + l.Addr().String() + "/", "net::ERR_CONNECTION_REFUSED"},
		{"empty answer", s.here + "/empty", "net::ERR_EMPTY_RESPONSE"},
		{"bad certificate", tls.URL, "net::ERR_CERT_AUTHORITY_INVALID"},
		{"no TLS", strings.Replace(s.here, "http:", "https:", 1), "net::ERR_SSL_PROTOCOL_ERROR"},
		{"no such file", "file:///no/such/file", "net::ERR_FILE_NOT_FOUND"},
		{"no such scheme", "nonsense://x", "net::ERR_ABORTED"},
		{"no URL", "not a url", "Cannot navigate to invalid URL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			visit(t, tab, s.here+"/a")
			_, err := tab.Navigate(within(t, 10*time.Second), c.url, backend.NavigateOptions{})
			if !isKind(err, backend.KindNavigation) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if got := visit(t, tab, s.here+"/b"); got.URL != s.here+"/b" || text(t, tab) != "b" {
				t.Errorf("afterwards the tab is at %s", got.URL)
			}
		})
	}
}

func TestNavigateUntil(t *testing.T) {
	testkit.Parallel(t)
	s := navigationSite(t)
	for _, path := range []string{"/hang", "/frame"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			tab := open(t)
			for _, until := range []backend.WaitUntil{backend.WaitCommit, backend.WaitDOMContentLoaded} {
				if _, err := tab.Navigate(within(t, 10*time.Second), s.here+path, backend.NavigateOptions{Until: until}); err != nil {
					t.Errorf("until %s: %v", until, err)
				}
			}
			ctx := within(t, 3*time.Second) // the document itself is there in no time
			_, err := tab.Navigate(ctx, s.here+path, backend.NavigateOptions{})
			if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(fmt.Sprint(err), "the load event") {
				t.Errorf("a page that never loads: %v", err)
			}
			ctx = within(t, 200*time.Millisecond)
			_, err = tab.Navigate(ctx, s.here+"/never", backend.NavigateOptions{})
			if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(fmt.Sprint(err), "the server's answer") {
				t.Errorf("a server that never answers: %v", err)
			}
		})
	}
}

// A navigation that is overtaken says so, and the one that overtook it ends with
// its own document.
func TestNavigateOvertaken(t *testing.T) {
	testkit.OnEveryBrowser(t)
	s := navigationSite(t)
	for _, first := range []string{"/never", "/hang"} {
		tab := open(t)
		began := make(chan error, 1)
		ctx := within(t, 10*time.Second)
		underWay := make(chan struct{}) // asked for, and where there is an answer, there
		stop := tab.Watch(func(ev backend.Event) {
			asked, isAsked := ev.(backend.RequestStarted)
			there, isThere := ev.(backend.FrameNavigated)
			if first == "/never" && isAsked && asked.URL == s.here+first || first == "/hang" && isThere && there.URL == s.here+first {
				close(underWay)
			}
		})
		go func() {
			_, err := tab.Navigate(ctx, s.here+first, backend.NavigateOptions{})
			began <- err
		}()
		<-underWay
		nav := visit(t, tab, s.here+"/b")
		stop()
		if err := <-began; !isKind(err, backend.KindNavigation) {
			t.Errorf("%s: overtaken: %v", first, err)
		}
		if nav.URL != s.here+"/b" || text(t, tab) != "b" {
			t.Errorf("%s: ended at %s", first, nav.URL)
		}
	}
}

// However quickly one document follows the other, what is read after a
// navigation is the document that was asked for.
func TestNavigateQuickly(t *testing.T) {
	s := navigationSite(t)
	tab := open(t)
	for i := range 40 {
		host := s.here
		if i%7 == 3 {
			host = s.there
		}
		until := []backend.WaitUntil{backend.WaitLoad, backend.WaitDOMContentLoaded}[i%2]
		nav, err := tab.Navigate(within(t, 10*time.Second), host+"/n/"+strconv.Itoa(i), backend.NavigateOptions{Until: until})
		if err != nil {
			t.Fatal(err)
		}
		if got := text(t, tab); got != strconv.Itoa(i) || !strings.HasSuffix(nav.URL, "/n/"+got) {
			t.Fatalf("navigation %d: at %s, the page says %s", i, nav.URL, got)
		}
	}
}

// A page that was loaded again and again because somebody asked for it is not one
// that keeps going elsewhere.
func TestLeaveAfterReloads(t *testing.T) {
	testkit.OnEveryBrowser(t)
	s := navigationSite(t)
	tab := open(t)
	visit(t, tab, s.here+"/a")
	loaded := make(chan struct{}, 100)
	defer tab.Watch(func(ev backend.Event) {
		if e, ok := ev.(backend.Loaded); ok && e.Main {
			loaded <- struct{}{}
		}
	})()
	for range strayLimit + 1 {
		if err := tab.Reload(within(t, 10*time.Second), false); err != nil {
			t.Fatal(err)
		}
		select {
		case <-loaded:
		case <-time.After(10 * time.Second):
			t.Fatal("the page was not loaded again")
		}
	}
	nav, err := tab.Navigate(within(t, 10*time.Second), s.here+"/b", backend.NavigateOptions{Leave: true})
	if err != nil || len(nav.Left) > 0 {
		t.Errorf("left behind %q, %v", nav.Left, err)
	}
}

func TestHistory(t *testing.T) {
	testkit.OnEveryBrowser(t)
	s := navigationSite(t)
	s.page("/frames", `<p>frames</p><iframe src=/a></iframe><iframe src=THERE/b></iframe>`)
	testkit.NeedsBrowser(t)
	cached, err := Launch(testkit.Context(t), Options{
		Path: executable(), Home: t.TempDir(),
		Args: []string{"--enable-features=BackForwardCache"}, keepPages: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer cached.Close()
	c, err := cached.NewContext(t.Context(), backend.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	remembering, err := c.NewTab(within(t, 10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	for name, tab := range map[string]*Tab{"loaded again": open(t), "restored": remembering.(*Tab)} {
		visit(t, tab, s.here+"/frames")
		visit(t, tab, s.there+"/b")
		eval(t, tab, "", `setTimeout(() => history.back())`)
		becomes(t, tab, `
			HERE/frames: frames
			  HERE/a: a
			  THERE/b: b
			`)
		kept := eval(t, tab, "", `performance.getEntriesByType('navigation')[0].type`) != `"back_forward"`
		if kept != (name == "restored" && kindOf(executable()) == KindFull) { // a shell keeps no pages
			t.Errorf("%s: the page was kept: %v", name, kept)
		}
		eval(t, tab, "", `setTimeout(() => history.forward())`)
		becomes(t, tab, `THERE/b: b`)
	}
}

func TestReferer(t *testing.T) {
	testkit.OnEveryBrowser(t)
	s := navigationSite(t)
	got := make(chan string, 10)
	s.HandleFunc("/ref", func(w http.ResponseWriter, r *http.Request) {
		got <- r.Referer()
		io.WriteString(w, "ok")
	})
	tab := open(t)
	_, err := tab.Navigate(within(t, 10*time.Second), s.here+"/ref", backend.NavigateOptions{Referer: s.here + "/a"})
	if r := <-got; err != nil || r != s.here+"/a" {
		t.Errorf("referer %q, %v", r, err)
	}
}
