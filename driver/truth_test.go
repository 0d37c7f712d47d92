package driver_test

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"rove/driver"
	"rove/internal/testkit"
)

// A navigation is over when its own document is there, and never before: after
// every one, the page that answers is the page that was asked for. The mix runs
// in several pooled tabs at once; ROVE_NAVIGATIONS says how many in all.
func TestPageLoadTruth(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p, _ := pool(t, 8, time.Minute)
	total := 48
	if n, err := strconv.Atoi(os.Getenv("ROVE_NAVIGATIONS")); err == nil {
		total = n
	}
	page := func(more string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<!doctype html><title>%s?%s</title>%s`, r.URL.Path, r.URL.RawQuery, more)
		}
	}
	url := testkit.Serve(t, map[string]http.HandlerFunc{
		"/plain":  page("<p>plain</p>"),
		"/slow":   func(w http.ResponseWriter, r *http.Request) { wait(r, 30); page("")(w, r) },
		"/image":  page(`<img src="/late">`),
		"/late":   func(_ http.ResponseWriter, r *http.Request) { wait(r, 40) },
		"/frames": page(`<iframe src="/slow?f"></iframe><iframe src="/plain?f"></iframe>`),
		"/push":   page(`<script>history.pushState(0, '', '/pushed?' + Math.random())</script>`),
		"/client": page(`<script>location.replace('/plain' + location.search)</script>`),
		"/moved": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/plain?"+r.URL.RawQuery, http.StatusFound)
		},
		"/nothing": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"/file": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", "attachment; filename=f.bin")
			fmt.Fprint(w, "data")
		},
	})
	// What shows after each: the page itself, another, or the one before.
	mix := []struct{ path, shows string }{
		{"/plain", "/plain"},
		{"/slow", "/slow"},
		{"/moved", "/plain"},
		{"/image", "/image"},
		{"/nothing", ""},
		{"/frames", "/frames"},
		{"/push", "/push"},
		{"/client", "/plain"},
		{"/file", ""},
		{"#part", ""},
		{"back", ""},
		{"superseded", "/plain"},
	}
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			ctx := t.Context()
			d, err := p.Acquire(ctx, driver.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = p.Release(ctx, d) }()
			before := ""
			for i := range total / 8 {
				m := mix[(i*5+worker)%len(mix)]
				id := fmt.Sprintf("?%d.%d", worker, i)
				want := m.shows + id
				switch m.path {
				case "back":
					if err = d.SetURL(ctx, url+"/plain"+id+"a"); err == nil {
						err = d.SetURL(ctx, url+"/slow"+id+"b")
					}
					if err == nil {
						err = d.Back(ctx)
					}
					want = "/plain" + id + "a"
				case "#part":
					if before == "" {
						continue
					}
					err, want = d.SetURL(ctx, d.URL()+"#part"), before
				case "superseded":
					_, err = d.Script(ctx, "setTimeout(() => location = '/slow?lost'); return 0")
					if err == nil {
						err = d.SetURL(ctx, url+"/plain"+id)
					}
				default:
					err = d.SetURL(ctx, url+m.path+id)
					if m.shows == "" {
						want = before
					}
				}
				if err != nil {
					t.Errorf("%s %s: %v", m.path, id, err)
					return
				}
				got, err := d.Title(ctx)
				if err != nil || got != want {
					t.Errorf("%s %s: the page is %q, want %q, %v", m.path, id, got, want, err)
				}
				before = want
			}
		})
	}
	all.Wait()
}

// wait holds a request for so many milliseconds.
func wait(r *http.Request, ms int) {
	select {
	case <-time.After(time.Duration(ms) * time.Millisecond):
	case <-r.Context().Done():
	}
}
