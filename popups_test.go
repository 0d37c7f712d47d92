package rove_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
)

// A tab that opens is told with its address, though the page takes its time and
// whether or not the page that opened it has a hold on it.
func TestPopupsAreToldWithTheirAddress(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	site := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<a id=link target=_blank href="/slow/link">link</a>
			<button id=held onclick="window.open('/slow/held')">held</button>
			<form target=_blank action="/slow/form"><button id=form>form</button></form>
			<button id=bare onclick="window.open()">bare</button>
			<button id=mail onclick="window.open('mailto:someone@example.com')">mail</button>`),
		"/slow/": func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(900 * time.Millisecond):
			case <-r.Context().Done():
			}
			testkit.Page("<title>Slow</title>")(w, r)
		},
	})
	for id, want := range map[string]string{"link": "/slow/link", "held": "/slow/held", "form": "/slow/form", "bare": "about:blank", "mail": "about:blank"} {
		t.Run(id, func(t *testing.T) {
			if _, err := s.Go(ctx, site); err != nil {
				t.Fatal(err)
			}
			r, err := s.Act(ctx, rove.Step{Ref: "#" + id, Op: "click"})
			if err != nil {
				t.Fatal(err)
			}
			opened := r.Done[len(r.Done)-1].Effect.Tabs
			if len(opened) != 1 || !strings.Contains(opened[0], want) {
				t.Errorf("told of %q, want %s:\n%s", opened, want, r.Text())
			}
		})
	}
}
