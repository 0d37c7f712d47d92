package tool

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
)

func testNavigate(u user) {
	url := testkit.Serve(u.T, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Home</title><button onclick="document.title = 'ready'">Go</button>`),
		"/moved": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/", http.StatusFound)
		},
		"/missing": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, "<title>Lost</title>no such page")
		},
		"/broken": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oops", http.StatusInternalServerError) },
		"/empty":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"/late": testkit.Page(`<title>Late</title><p id=p>early</p><script>addEventListener('load', () => p.textContent = 'loaded')</script>
			<img src=/slow.png>`),
		"/slow.png": func(w http.ResponseWriter, r *http.Request) { pause(r.Context(), 400*time.Millisecond) },
		"/never": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>Begun</title><p>the beginning</p>")
			_ = http.NewResponseController(w).Flush()
			pause(r.Context(), 20*time.Second)
		},
	})
	out := u.says("browser_navigate", in{"url": url + "/moved", "timeout": "20s"}, url+`/ — "Home" (HTTP 200)`)
	if d := data(u.T, out); d["ok"] != true || d["status"] != 200.0 || d["title"] != "Home" || d["url"] != url+"/" {
		u.Errorf("the data: %v", d)
	}
	u.says("browser_click", in{"selector": "button"})
	if got := u.js("document.title"); got != `"ready"` {
		u.Errorf("the page was not ready: %s", got)
	}
	u.says("browser_navigate", in{"url": url + "/late"})
	if got := u.js("p.textContent"); got != `"loaded"` {
		u.Errorf("the load was not waited for: %s", got)
	}
	out = u.fails("browser_navigate", in{"url": url + "/missing"}, rove.CodeNavigation, "HTTP 404 Not Found", `/missing — "Lost"`, "the page is there")
	if d := data(u.T, out); d["ok"] != false || d["status"] != 404.0 || d["failure"] != "HTTP" {
		u.Errorf("the data: %v", d)
	}
	if got := u.js("document.body.textContent"); got != `"no such page"` {
		u.Errorf("the page is %s", got)
	}
	u.fails("browser_navigate", in{"url": url + "/broken"}, rove.CodeNavigation, "HTTP 500 Internal Server Error")
	u.says("browser_navigate", in{"url": url + "/empty"}, "HTTP 204: the server sent no page; it is still "+url+"/broken")
	u.says("browser_navigate", in{"url": url + "/never", "timeout": 4000}, "Begun", "still loading")
	u.says("browser_navigate", in{"url": "about:blank"}, "about:blank")
	u.fails("browser_navigate", in{"url": url, "timeout": 0}, rove.CodeInvalid, "timeout takes more than 0")
	u.says("browser_navigate", in{"url": url, "session": "other"}, "Home")
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// server listens and does as it pleases with what connects.
func server(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	over := make(chan struct{})
	work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			work.Go(func() {
				stop := context.AfterFunc(t.Context(), func() { c.Close() })
				defer stop()
				defer c.Close()
				serve(c)
			})
		}
	})
	t.Cleanup(func() {
		close(over)
		l.Close()
		work.Wait()
	})
	return l.Addr().String()
}

func testNavigateFailures(u user) {
	hanging := server(u.T, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
	resetting := server(u.T, func(c net.Conn) {
		_, _ = c.Read(make([]byte, 100))
		_ = c.(*net.TCPConn).SetLinger(0)
	})
	closing := server(u.T, func(c net.Conn) { _, _ = http.ReadRequest(bufio.NewReader(c)) })
	babbling := server(u.T, func(c net.Conn) { fmt.Fprint(c, "SSH-2.0-OpenSSH_9.6\r\n") })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		u.Fatal(err)
	}
	nobody := l.Addr().String()
	l.Close()
	tls := httptest.NewUnstartedServer(http.NotFoundHandler())
	tls.Config.ErrorLog = log.New(io.Discard, "", 0) // that it is refused is what is tested
	tls.StartTLS()
	defer tls.Close()
	tests := []struct {
		url  string
		kind string
		code rove.Code
		word string
	}{
		{"http://no-such-host.invalid/", "DNS", rove.CodeNavigation, "DNS: no such host"},
		{"http://" + nobody, "refused", rove.CodeNavigation, "refused: nothing listens"},
		{"http://" + resetting, "reset", rove.CodeNavigation, "reset: the server broke the connection"},
		{"http://" + closing, "empty response", rove.CodeNavigation, "empty response: the server sent nothing"},
		{"http://" + hanging, "timeout", rove.CodeTimeout, "timeout: the page did not come within 1s"},
		{"http://" + babbling, "network", rove.CodeNavigation, "the answer was not http"},
		{tls.URL, "TLS", rove.CodeNavigation, "TLS: the certificate is not valid"},
		{"https://" + hanging, "timeout", rove.CodeTimeout, "timeout: "},
		{"file:///etc/passwd", "blocked", rove.CodePolicy, "blocked: file: addresses are not allowed"},
		{"javascript:alert(1)", "blocked", rove.CodePolicy, "blocked: javascript:"},
		{"two words", "invalid URL", rove.CodeInvalid, "invalid URL: "},
	}
	u.says("browser_navigate", in{"url": "about:blank"})
	for _, tt := range tests {
		start := time.Now()
		timeout := map[bool]string{true: "1s", false: "15s"}[tt.kind == "timeout"]
		out := u.fails("browser_navigate", in{"url": tt.url, "timeout": timeout}, tt.code, tt.word)
		if d, ok := out.Data.(navigated); !ok || d.Failure != tt.kind || d.OK {
			u.Errorf("%s: the data is %+v, want %s", tt.url, out.Data, tt.kind)
		}
		if took := time.Since(start); took > 10*time.Second {
			u.Errorf("%s took %v", tt.url, took)
		}
	}
	u.says("browser_navigate", in{"url": "about:blank"}) // none of it does lasting harm
}

func testNavigateDownload(u user) {
	finish := make(chan struct{})
	url := testkit.Serve(u.T, map[string]http.HandlerFunc{
		"/": testkit.Page("<title>Here</title>"),
		"/report": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", `attachment; filename="re port.csv"`)
			for range 5 { // takes its time
				fmt.Fprint(w, strings.Repeat("a,b\n", 100))
				_ = http.NewResponseController(w).Flush()
				pause(u.ctx, 100*time.Millisecond)
			}
		},
		"/data.zip": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/zip")
			w.Header().Set("Content-Length", "4000")
			_, _ = w.Write(make([]byte, 2000))
			_ = http.NewResponseController(w).Flush()
			select {
			case <-finish:
				_, _ = w.Write(make([]byte, 2000))
			case <-r.Context().Done():
			}
		},
		"/cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/zip")
			w.Header().Set("Content-Length", "4000")
			_, _ = w.Write(make([]byte, 2000))
			_ = http.NewResponseController(w).Flush()
			pause(u.ctx, 300*time.Millisecond)
			panic(http.ErrAbortHandler)
		},
	})
	u.says("browser_navigate", in{"url": url})
	out := u.says("browser_navigate", in{"url": url + "/report"}, `re port.csv" (2000 bytes, text/csv`, "the page is still "+url+`/ — "Here"`)
	d := out.Data.(navigated)
	if info, err := os.Stat(d.Download.Path); err != nil || info.Size() != 2000 || info.Mode().Perm() != 0o600 || filepath.Base(d.Download.Path) != "re port.csv" {
		u.Errorf("%+v: %v, %v", d.Download, info, err)
	}
	u.fails("browser_navigate", in{"url": url + "/cut"}, rove.CodeNavigation, "failed")
	u.fails("browser_navigate", in{"url": url + "/data.zip", "timeout": 3000}, rove.CodeTimeout, "is not complete yet", "browser_wait_for state download")
	close(finish)
	u.says("browser_wait_for", in{"state": "download", "timeout": 5000}, `data.zip" (4000 bytes, application/zip)`)
	u.says("browser_files", in{}, "download data.zip, 4000 bytes", `download "re port.csv"`)
}
