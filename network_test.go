package rove_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
)

// store is a site that answers API calls.
func store(t *testing.T) string {
	return testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<!doctype html><title>Shop</title><link rel=icon href=data:,><button onclick="fetch('/api/items').then(r=>r.json())">Items</button>`),
		"/api/items": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `[{"name":"Tea"}]`)
		},
		"/api/echo": func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("X-Key", r.Header.Get("X-Key"))
			fmt.Fprintf(w, "you sent %s", body)
		},
	})
}

// settled waits until nothing is on its way.
func settled(t *testing.T, n *rove.Network) *rove.Requests {
	t.Helper()
	testkit.Eventually(t, "no request is pending", func() bool {
		open, err := n.Requests(rove.RequestFilter{Status: "pending"})
		if err != nil {
			t.Fatal(err)
		}
		return open.Matched == 0
	})
	all, _ := n.Requests(rove.RequestFilter{})
	return all
}

func TestNetworkOfASession(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	url := store(t)
	if r, err := s.Network().Requests(rove.RequestFilter{}); err != nil || r.Text() != "no requests yet" {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := s.Go(ctx, url); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Act(ctx, rove.Step{Ref: "{button}Items", Op: "click"}); err != nil {
		t.Fatal(err)
	}
	r := settled(t, s.Network())
	has(t, r.Text(), "2 requests", "1 GET 200 document text/html", url+"/ | during go 1", "2 GET 200 fetch application/json", url+"/api/items | by script "+url+"/:1", `in "onclick" | during act 2`)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	has(t, string(text), `"source":"network"`, `"content_type":"application/json"`, `"cause":"act 2"`, `"start":"20`, `"answered":"20`, `"ms":`)

	one, err := s.Network().Requests(rove.RequestFilter{URL: "*/api/*", Type: "fetch", Status: "2xx"})
	if err != nil || len(one.Requests) != 1 {
		t.Fatal(one, err)
	}
	has(t, one.Summary(), "1 of 2 requests")
	body, err := s.Network().Body(ctx, one.Requests[0].Number)
	if err != nil || body.Text != `[{"name":"Tea"}]` {
		t.Errorf("%+v, %v", body, err)
	}
	if _, err := s.Network().Body(ctx, 99); rove.CodeOf(err) != rove.CodeNotFound {
		t.Errorf("no such request: %v", err)
	}
	if _, err := s.Network().Requests(rove.RequestFilter{Status: "bad"}); rove.CodeOf(err) != rove.CodeInvalid {
		t.Errorf("a bad filter: %v", err)
	}
	var archive bytes.Buffer
	if err := s.Network().HAR(ctx, &archive, rove.HAROptions{Bodies: true}); err != nil {
		t.Fatal(err)
	}
	v := testkit.CheckHAR(t, "internal/har/testdata/har-1.2.schema.json", archive.Bytes())["log"].(map[string]any)
	has(t, fmt.Sprint(v["browser"], v["creator"]), "Chrom", "rove")
	has(t, archive.String(), `"_cause":"act 2"`, `[{\"name\":\"Tea\"}]`)
	if n := s.Network().Clear(); n != 2 {
		t.Errorf("cleared %d, want 2", n)
	}
	if r, _ := s.Network().Requests(rove.RequestFilter{}); r.All != 0 {
		t.Errorf("after clearing: %s", r.Text())
	}
}

// TestSecretsAreNotInTheNetwork: not in addresses, headers, bodies sent and
// answered, nor in an archive.
func TestSecretsAreNotInTheNetwork(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	const value = "correct horse/battery+staple"
	secrets, err := rove.ParseSecrets("KEY@*=" + value)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s, err := rove.Open(ctx, rove.Options{Secrets: secrets})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Go(ctx, store(t)); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`(async v => {
		const h = {'X-Key': v, 'Authorization': 'Basic ' + btoa('ann:' + v)};
		await (await fetch('/api/echo?q=' + encodeURIComponent(v), {method: 'POST', headers: h, body: v})).text();
		await (await fetch('/api/echo', {method: 'POST', body: new TextEncoder().encode('\xff' + v)})).text();
		await (await fetch('/api/echo', {method: 'POST', body: JSON.stringify({v})})).text();
	})(%q)`, value)
	if _, err := s.Eval(ctx, script); err != nil {
		t.Fatal(err)
	}
	r := settled(t, s.Network())
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	if err := s.Network().HAR(ctx, &archive, rove.HAROptions{Bodies: true}); err != nil {
		t.Fatal(err)
	}
	told := r.Text() + string(data) + archive.String()
	for _, q := range r.Requests {
		if b, err := s.Network().Body(ctx, q.Number); err == nil {
			told += string(b.Data) + b.Text
		}
	}
	has(t, told, "••••", "you sent")
	for _, form := range []string{
		value, "correct horse", "correct%20horse", "correct+horse", `correct horse\/battery`,
		base64.StdEncoding.EncodeToString([]byte("ann:" + value)), strings.TrimRight(base64.StdEncoding.EncodeToString([]byte("ÿ" + value))[:20], "="),
	} {
		if at := strings.Index(told, form); at >= 0 {
			t.Errorf("%q is told: …%.200s", form, told[max(0, at-80):])
		}
	}
}

// The network of a session ends with it, and what it saw can still be read.
func TestNetworkAfterTheEnd(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s, err := browser.Open(ctx, rove.Viewport{})
	if err != nil {
		t.Fatal(err)
	}
	site := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Shop</title><link rel=icon href=data:,><img src=/i.svg>`),
		"/i.svg": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "image/svg+xml")
			fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg"/>`)
		},
	})
	if _, err := s.Go(ctx, site); err != nil {
		t.Fatal(err)
	}
	settled(t, s.Network())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := s.Network().Requests(rove.RequestFilter{})
	if err != nil || len(r.Requests) != 2 {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := s.Network().Body(ctx, 2); rove.CodeOf(err) != rove.CodeNotFound {
		t.Errorf("a picture of a browser that is gone: %v", err)
	}
	if err := s.Network().HAR(ctx, io.Discard, rove.HAROptions{Bodies: true}); err != nil {
		t.Error(err)
	}
}

// An archive says which fields of what was sent were typed into fields that hide it: tests
// that are made of it ask for those.
func TestPasswordsAreMarked(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/in", testkit.Page(`<title>In</title><form method=post><label>User <input name=u></label><label>Secret <input type=password name=p></label><button>Log in</button></form>`))
	base := testkit.ServeHandler(t, mux)
	ctx, s := open(t)
	if _, err := s.Go(ctx, base+"/in"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Act(ctx, step("{input}User", "input", "ada"), step("{input}Secret", "input", "hush-hush-9"), step("{button}Log in", "click")); err != nil {
		t.Fatal(err)
	}
	settled(t, s.Network())
	var b strings.Builder
	if err := s.Network().HAR(ctx, &b, rove.HAROptions{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `"_secret":["p"]`) {
		t.Errorf("no field is marked in %s", b.String())
	}
}

// What pages were given is there after they were left, also in the middle of a batch: tests
// that are made of a session find there what was sent later.
func TestAnswersAreKept(t *testing.T) {
	mux := http.NewServeMux()
	page := func(path, html string) { mux.HandleFunc(path, testkit.Page(html)) }
	page("/a", `<title>A</title><img src=/i.png><p id=p></p><script>fetch('/data').then((r) => r.text()).then((t) => { p.textContent = t })</script><a href=/b>To b</a>`)
	page("/b", `<title>B</title><form><input type=hidden name=csrf value=token-of-b></form><a href=/c>To c</a>`)
	page("/c", `<title>C</title>`)
	mux.HandleFunc("/data", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":"of the data"}`)
	})
	mux.HandleFunc("/i.png", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		fmt.Fprint(w, "no picture, but some bytes")
	})
	base := testkit.ServeHandler(t, mux)
	ctx, s := open(t)
	if _, err := s.Go(ctx, base+"/a"); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Act(ctx, step("{link}To b", "click"), step("{link}To c", "click")); err != nil {
		t.Fatalf("%v\n%s", err, r.Text())
	}
	found, err := s.Network().Requests(rove.RequestFilter{})
	if err != nil {
		t.Fatal(err)
	}
	bodies := map[string]string{}
	for _, q := range found.Requests {
		if b, err := s.Network().Body(ctx, q.Number); err == nil {
			bodies[strings.TrimPrefix(q.URL, base)] = b.Text
		}
	}
	for path, has := range map[string]string{"/a": "To b", "/data": "of the data", "/b": "token-of-b", "/c": "<title>C"} {
		if !strings.Contains(bodies[path], has) {
			t.Errorf("the body of %s is %q", path, bodies[path])
		}
	}
	if _, there := bodies["/i.png"]; there {
		t.Error("a picture is kept")
	}
}
