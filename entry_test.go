package rove_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// TestWhateverLeadsToASite: a rule about going to a site asks whatever leads there,
// before the site hears of it; and who agrees is taken there.
func TestWhateverLeadsToASite(t *testing.T) {
	testkit.OnEveryBrowser(t)
	var visits atomic.Int32
	var bank string
	front := func(w http.ResponseWriter, r *http.Request) {
		testkit.Page(strings.ReplaceAll(`<title>Shop</title><a id=link href="BANK/bank?link">Bank</a><a id=new target=_blank href="BANK/bank?new">Bank</a><a id=opened target=_blank rel=opener href="BANK/bank?opened">Bank</a>
			<form action="BANK/bank"><input id=field name=q aria-label=Q><button id=get>Get</button></form><form method=post action="BANK/bank"><button id=post>Post</button></form>
			<a id=on href="/on">On</a><a id=further href="/further">Further</a><button id=script onclick="location.href = 'BANK/bank?script'">S</button><button id=later onclick="setTimeout(() => location.replace('BANK/bank?later'), 20)">L</button>
			<button id=popup onclick="window.open('BANK/bank?popup')">P</button><button id=blank onclick="const w = window.open('about:blank'); w.location = 'BANK/bank?blank'">B</button><button id=meta onclick="document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=refresh content=\'0; url=BANK/bank?meta\'>')">M</button>
			<map name=m><area id=area shape=default href="BANK/bank?area"></map><img usemap=#m width=50 height=20 alt=map><svg width=60 height=20><a id=svg href="BANK/bank?svg"><text y=15>Svg</text></a></svg>
			<iframe name=f srcdoc="<a id=inner target=_top href='BANK/bank?inner'>Inner</a>"></iframe><a id=framed target=f href="BANK/bank?framed">Framed</a><select id=pick aria-label=Pick onchange="location = value"><option>-<option value="BANK/bank?pick">Bank</select>
			<a id=near href="/?near">Near</a><div id=drop style="width:90px;height:20px" onmouseup="location = 'BANK/bank?drop'">Drop</div>`, "BANK", bank))(w, r)
	}
	site := testkit.Serve(t, map[string]http.HandlerFunc{
		"/":        front,
		"/on":      func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, bank+"/bank?on", http.StatusFound) },
		"/further": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/on", http.StatusTemporaryRedirect) },
		"/bank": func(w http.ResponseWriter, r *http.Request) {
			visits.Add(1)
			w.Header().Set("Cache-Control", "no-store")
			testkit.Page(`<title>Bank</title><a id=home href="/bank?home">Home</a>`)(w, r)
		},
	})
	bank = strings.Replace(site, "127.0.0.1", "localhost", 1)
	ctx, s := strict(t, rove.Options{Confirm: []string{"go@localhost"}})
	var asked []string
	answer := func(yes bool) context.Context {
		asked = nil
		return rove.WithConfirm(ctx, func(_ context.Context, q rove.Question) (bool, error) {
			asked = append(asked, q.String())
			return yes, nil
		})
	}
	tidy := func() {
		for len(s.Driver().Tabs()) > 1 {
			if err := s.Driver().CloseTab(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Go(ctx, site); err != nil {
			t.Fatal(err)
		}
		visits.Store(0)
	}
	ways := []rove.Step{
		{Ref: "_page", Op: "go", Value: site + "/on"},
		{Ref: "_page", Op: "tab", Value: "new " + site + "/further"},
		{Ref: "_page", Op: "tab", Value: "new " + strings.Replace(site, "127.0.0.1", "localhost", 1) + "/bank"},
		{Ref: "#link", Op: "press", Value: "Enter"},
		{Ref: "#link", Op: "press", Value: "Control+Enter"},
		{Ref: "#field", Op: "input", Value: "a\n"},
		{Ref: "#pick", Op: "select", Value: "Bank"},
		{Ref: "#near", Op: "drag", Value: "#drop"},
	}
	for _, id := range []string{"link", "new", "opened", "get", "on", "further", "script", "later", "popup", "blank", "meta", "area", "svg", "inner"} {
		ways = append(ways, rove.Step{Ref: "#" + id, Op: "click"})
	}
	for _, st := range ways {
		for _, yes := range []bool{false, true} {
			tidy()
			_, err := s.Act(answer(yes), st)
			if len(asked) != 1 || !strings.Contains(strings.Join(asked, ""), bank) {
				t.Errorf("%v, answered %v: asked %q", st, yes, asked)
			}
			if n := visits.Load(); (n > 0) != yes || yes != (err == nil) || err != nil && code(err) != rove.CodePolicy {
				t.Errorf("%v, answered %v: %d visits, %v", st, yes, n, err)
			}
			if at := s.URL(); !yes && strings.HasPrefix(at, bank) || yes && !strings.HasPrefix(at, bank) {
				t.Errorf("%v, answered %v: it is at %s", st, yes, at)
			}
		}
	}
	// Nobody to ask: it is refused.
	tidy()
	for _, st := range []rove.Step{{Ref: "#link", Op: "click"}, {Ref: "#popup", Op: "click"}, {Ref: "_page", Op: "go", Value: site + "/on"}} {
		if _, err := s.Act(ctx, st); code(err) != rove.CodePolicy || visits.Load() > 0 {
			t.Errorf("%v, and nobody to ask: %d visits, %v", st, visits.Load(), err)
		}
	}
	// A form that is on its way is not held until somebody has been asked.
	if _, err := s.Act(answer(true), rove.Step{Ref: "#post", Op: "click"}); code(err) != rove.CodePolicy || visits.Load() > 0 || !strings.Contains(err.Error(), "sends a form") {
		t.Errorf("a form: %d visits, %v", visits.Load(), err)
	}
	// By its address it asks once. Within the site nobody is asked, nor on the way out
	// of it; but on the way back.
	if _, err := s.Go(answer(true), bank+"/bank"); err != nil || len(asked) != 1 {
		t.Fatalf("asked %q, %v", asked, err)
	}
	if _, err := s.Act(answer(false), rove.Step{Ref: "#home", Op: "click"}, rove.Step{Ref: "_page", Op: "refresh"}, rove.Step{Ref: "_page", Op: "back"}, rove.Step{Ref: "_page", Op: "back"}); err != nil || len(asked) > 0 {
		t.Errorf("asked %q, %v", asked, err)
	}
	for _, yes := range []bool{false, true} {
		visits.Store(0)
		if _, err := s.Act(answer(yes), rove.Step{Ref: "_page", Op: "forward"}); len(asked) != 1 || (err == nil) != yes || (visits.Load() > 0) != yes {
			t.Errorf("forward, answered %v: asked %q, %d visits, %v", yes, asked, visits.Load(), err)
		}
	}
	if _, err := s.Go(ctx, site); err != nil {
		t.Fatal(err)
	}
	for _, yes := range []bool{false, true} {
		visits.Store(0)
		if _, err := s.Act(answer(yes), rove.Step{Ref: "_page", Op: "back"}); len(asked) != 1 || (err == nil) != yes || (visits.Load() > 0) != yes {
			t.Errorf("back, answered %v: asked %q, %d visits, %v", yes, asked, visits.Load(), err)
		}
	}
	// What a page shows in a frame is no page that is come to.
	tidy()
	if _, err := s.Act(answer(false), rove.Step{Ref: "#framed", Op: "click"}); err != nil || len(asked) > 0 || visits.Load() != 1 {
		t.Errorf("a frame: asked %q, %d visits, %v", asked, visits.Load(), err)
	}
}
