package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
)

// networked is a conversation at a page, and its network tools.
type networked struct {
	*testing.T
	ctx  context.Context
	talk *session.Conversation
	url  string
}

// TestBrowserNetwork has one browser, and a conversation for each part.
func TestBrowserNetwork(t *testing.T) {
	testkit.NeedsBrowser(t)
	m := manage(t, session.Options{})
	for name, test := range map[string]func(networked){"requests": testRequests, "clear": testClear, "file": testFile, "har": testHAR} {
		t.Run(name, func(t *testing.T) { test(atShop(t, m)) })
	}
}

func atShop(t *testing.T, m *session.Manager) networked {
	t.Helper()
	ctx := testkit.Context(t)
	n := networked{T: t, ctx: ctx, talk: m.Conversation("")}
	n.url = testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<!doctype html><title>Shop</title><link rel=icon href=data:,><p>shop`),
		"/api/items": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `[{"name":"Tea"}]`)
		},
		"/gone": http.NotFound,
	})
	n.call("go", `{"url":"`+n.url+`"}`)
	return n
}

func (n networked) try(name, input string) (Output, error) {
	t, err := Find(name)
	if err != nil {
		return Output{}, err
	}
	call, err := t.Prepare(n.talk, []byte(input), Defaults{})
	if err != nil {
		return Output{}, err
	}
	return call.Run(n.ctx)
}

func (n networked) call(name, input string) Output {
	n.Helper()
	out, err := n.try(name, input)
	if err != nil {
		n.Fatalf("%s %s: %v", name, input, err)
	}
	return out
}

func (n networked) fetch(js string) { n.Helper(); n.call("eval", `{"js":`+quote(js)+`}`) }

func quote(s string) string { b, _ := json.Marshal(s); return string(b) }

func testRequests(n networked) {
	t := n.T
	n.fetch(`fetch('/api/items').then(r=>r.text()).then(()=>fetch('/gone')).then(r=>r.text()).then(()=>fetch('/api/items',{method:'POST',body:'{"name":"Cake"}'})).then(r=>r.text()).then(()=>fetch('http://name.invalid/').catch(e=>1)).then(()=>1)`)
	all := n.call("browser_network_requests", `{}`)
	for _, want := range []string{
		"5 requests\n", "1 GET 200 document text/html", "network " + n.url + "/ | during go 1", "2 GET 200 fetch application/json", "3 GET 404 fetch", "4 POST 200 fetch",
		"5 GET failed fetch", "DNS: there is no such host [ERR_NAME_NOT_RESOLVED]",
	} {
		if !strings.Contains(all.Text, want) {
			t.Errorf("no %q in\n%s", want, all.Text)
		}
	}
	data, err := json.Marshal(all.Data)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"count":5`, `"source":"network"`, `"content_type":"application/json"`, `"status":404`, `"start":"`, `"answered":"`, `"ms":`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %s in the data", want)
		}
	}
	for _, c := range []struct{ input, want string }{
		{`{"filter":"/API/"}`, "2,4"},
		{`{"filter":"*/gone"}`, "3"},
		{`{"type":"document"}`, "1"},
		{`{"type":"fetch,document","status":"ok"}`, "1,2,4"},
		{`{"status":404}`, "3"},
		{`{"status":"4xx"}`, "3"},
		{`{"status":"failed"}`, "5"},
		{`{"limit":2}`, "4,5"},
		{`{"filter":"nothing"}`, ""},
		{`{"session":"another"}`, ""},
	} {
		var got []string
		out := n.call("browser_network_requests", c.input)
		for _, q := range out.Data.(requestsAnswer).Requests {
			got = append(got, fmt.Sprint(q.Number))
		}
		if strings.Join(got, ",") != c.want {
			t.Errorf("%s: %v, want %s", c.input, got, c.want)
		}
	}
	with := n.call("browser_network_requests", `{"bodies":true,"filter":"/api/"}`)
	for _, want := range []string{`  sent: {"name":"Cake"}`, `  answered: [{"name":"Tea"}]`} {
		if !strings.Contains(with.Text, want) {
			t.Errorf("no %q in\n%s", want, with.Text)
		}
	}
	// From then on bodies outlive their page.
	n.fetch(`fetch('/api/items?later').then(r=>r.text())`)
	n.call("go", `{"url":"`+n.url+`"}`)
	if out := n.call("browser_network_requests", `{"bodies":true,"filter":"later"}`); !strings.Contains(out.Text, "answered: [{\"name\":\"Tea\"}]\n") {
		t.Errorf("no body of a page that was left in\n%s", out.Text)
	}
	if strings.Contains(all.Text, "Cake") {
		t.Error("bodies that nobody asked for")
	}
	for _, c := range []struct{ input, want string }{
		{`{"type":"fetsch"}`, "there is no type \"fetsch\": say document"},
		{`{"status":"4x"}`, "say a status such as 404"},
		{`{"limit":0}`, "limit takes how many: 1 or more"},
		{`{"limit":"many"}`, "limit takes a whole number"},
		{`{"bodies":"yes"}`, "bodies takes true or false"},
		{`{"url":"x"}`, "it takes filter, type, status, limit, bodies, har, session"},
	} {
		if _, err := n.try("browser_network_requests", c.input); rove.CodeOf(err) != rove.CodeInvalid || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.input, err, c.want)
		}
	}
}

func testClear(n networked) {
	t := n.T
	if out := n.call("browser_clear_network_requests", `{}`); out.Text != "forgot 1 request\n" {
		t.Errorf("%q", out.Text)
	}
	if out := n.call("browser_network_requests", `{}`); out.Text != "no requests yet\n" {
		t.Errorf("%q", out.Text)
	}
}

// Over 4,096 bytes the whole goes to a file that nobody else can read.
func testFile(n networked) {
	t := n.T
	n.fetch(`Promise.all([...Array(60).keys()].map(i=>fetch('/api/items?'+i).then(r=>r.text()))).then(()=>1)`)
	out := n.call("browser_network_requests", `{"bodies":true}`)
	if len(out.Text) > 4096 {
		t.Errorf("%d bytes are shown", len(out.Text))
	}
	m := regexp.MustCompile(`^61 requests: all in (\S+requests\.txt) \((\d+) bytes\)`).FindStringSubmatch(out.Text)
	if m == nil {
		t.Fatalf("no file in\n%s", out.Text)
	}
	answer := out.Data.(requestsAnswer)
	whole, err := os.ReadFile(m[1])
	if err != nil || answer.File != m[1] || answer.Count != 61 || int(answer.Size) != len(whole) || fmt.Sprint(len(whole)) != m[2] {
		t.Fatalf("%d bytes, %+v, %v", len(whole), answer, err)
	}
	text := string(whole)
	for i := range 60 {
		if !strings.Contains(text, fmt.Sprintf("/api/items?%d ", i)) {
			t.Errorf("request %d is not in the file", i)
		}
	}
	for _, want := range []string{"  < Content-Type: application/json", "  > Host: 127.0.0.1", `answered: [{"name":"Tea"}]`, ", ms: blocked"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the file", want)
		}
	}
	if info, err := os.Stat(m[1]); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func testHAR(n networked) {
	t := n.T
	n.fetch(`fetch('/api/items').then(r=>r.text())`)
	out := n.call("browser_network_requests", `{"har":true,"bodies":true,"type":"fetch"}`)
	answer := out.Data.(requestsAnswer)
	text, err := os.ReadFile(answer.File)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(answer.File) != ".har" || answer.Count != 1 || !strings.Contains(out.Text, "1 request as HAR 1.2 in "+answer.File) {
		t.Errorf("%s %+v", out.Text, answer)
	}
	v := testkit.CheckHAR(t, "../har/testdata/har-1.2.schema.json", text)["log"].(map[string]any)
	if len(v["entries"].([]any)) != 1 || !strings.Contains(string(text), `[{\"name\":\"Tea\"}]`) {
		t.Errorf("%s", text)
	}
}
