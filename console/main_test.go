package console

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rove/driver/backend"
	"rove/internal/chrome"
	"rove/internal/testkit"
	"rove/internal/testkit/drive"
)

var update = flag.Bool("update", false, "write what is there as what is wanted")

// shared is the browser of all tests. Each has a context in it.
var shared backend.Browser

func TestMain(m *testing.M) {
	os.Exit(testkit.Main(m, testkit.Share(&shared, drive.Launch)))
}

// bench is a tab whose console is logged, and a site to visit.
type bench struct {
	*testing.T
	ctx         context.Context
	log         *Log
	context     *chrome.Context
	tab         backend.Tab
	here, there string
}

// open serves the files of an archive and opens a tab. HERE and THERE in the files
// are the two origins they are served from.
func open(t *testing.T, files ...txtar.File) *bench {
	t.Helper()
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	ctx := testkit.Context(t)
	b := &bench{T: t, ctx: ctx}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, f := range files {
			if "/"+f.Name == r.URL.Path || f.Name == "index.html" && r.URL.Path == "/" {
				kind := "text/html; charset=utf-8"
				if path.Ext(f.Name) == ".js" {
					kind = "text/javascript"
				}
				w.Header().Set("Content-Type", kind)
				if csp := r.URL.Query().Get("csp"); csp != "" {
					w.Header().Set("Content-Security-Policy", csp)
				}
				fmt.Fprint(w, strings.NewReplacer("HERE", b.here, "THERE", b.there).Replace(string(f.Data)))
				return
			}
		}
		if r.URL.Path == "/favicon.ico" {
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	b.here = server.URL
	b.there = strings.Replace(server.URL, "127.0.0.1", "localhost", 1)

	c, err := shared.NewContext(ctx, backend.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b.context = c.(*chrome.Context)
	b.log = New()
	b.log.Watch(b.context)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		b.log.Stop()
		if err := c.Close(ctx); err != nil {
			t.Errorf("close context: %v", err)
		}
	})
	if b.tab, err = c.NewTab(ctx); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) visit(url string) {
	b.Helper()
	if _, err := b.tab.Navigate(b.ctx, url, backend.NavigateOptions{}); err != nil {
		b.Fatalf("navigate to %s: %v", url, err)
	}
}

func (b *bench) eval(js string) {
	b.Helper()
	if _, err := b.tab.Eval(b.ctx, "", js); err != nil {
		b.Fatalf("%s: %v", js, err)
	}
}

// texts are the entries without their times, oldest first in each context, the
// contexts in the order of their names.
func (b *bench) text() string {
	groups := map[string][]string{}
	for _, e := range b.log.Entries(b.ctx, Filter{}) {
		in := e.Context.String()
		_, line, _ := strings.Cut(e.String(), " ")
		groups[in] = append(groups[in], line)
	}
	return flatten(groups, strings.NewReplacer(b.here, "HERE", b.there, "THERE"))
}
