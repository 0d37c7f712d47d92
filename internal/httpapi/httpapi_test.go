package httpapi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
	"rove/internal/tool"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// ask sends JSON and decodes the answer.
func ask(t *testing.T, method, url string, body, into any) int {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest(method, url, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+secret)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	answer, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	if into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			t.Fatalf("%s %s: %d %s", method, url, a.StatusCode, answer)
		}
	}
	return a.StatusCode
}

type said struct {
	Text   string          `json:"text"`
	Data   json.RawMessage `json:"data"`
	Images []tool.Image    `json:"images"`
	Code   rove.Code       `json:"code"`
	Error  string          `json:"error"`
	Hint   string          `json:"hint"`
}

// TestEveryToolHasARoute holds the door to the table: a route and a description
// for every tool, and every code an HTTP status.
func TestEveryToolHasARoute(t *testing.T) {
	s, addr, _ := start(t, Options{Token: secret})
	tk := &talk{id: "S", talk: s.opts.Sessions.Conversation(""), used: time.Now()}
	s.talks[tk.id] = tk
	var api struct {
		OpenAPI string                     `json:"openapi"`
		Raw     map[string]json.RawMessage `json:"paths"`
	}
	if status := ask(t, "GET", "http://"+addr+"/openapi.json", nil, &api); status != 200 || api.OpenAPI == "" {
		t.Fatal(status)
	}
	tools, err := tool.Set("all")
	if err != nil {
		t.Fatal(err)
	}
	for _, tl := range tools {
		var a said
		status := ask(t, "POST", "http://"+addr+"/sessions/S/"+tl.Name, map[string]any{"no such parameter": 1}, &a)
		if status != 400 || a.Code != rove.CodeInvalid || !strings.Contains(a.Error, "no such parameter") {
			t.Errorf("%s: %d %+v", tl.Name, status, a)
		}
		described := string(api.Raw["/sessions/{id}/"+tl.Name])
		for _, p := range tl.Parameters() {
			if has := strings.Contains(described, `"`+p.Name+`":{`); has != (p.Name != "session") {
				t.Errorf("%s: parameter %s in the description: %v", tl.Name, p.Name, has)
			}
		}
	}
	if len(api.Raw) != len(tools)+4 {
		t.Errorf("%d paths are described for %d tools", len(api.Raw), len(tools))
	}
}

func TestSessionsAndTools(t *testing.T) {
	testkit.NeedsBrowser(t)
	m := session.NewManager(session.Options{})
	defer m.Close()
	site := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page(`<title>Shop</title><button onclick="document.title='Bought'">Buy</button><input type=password aria-label=Card>`)})
	_, addr, logged := start(t, Options{Token: secret, Sessions: m, Most: 2})
	at := "http://" + addr + "/sessions"

	var one, two struct{ ID string }
	if status := ask(t, "POST", at, struct{}{}, &one); status != 201 || len(one.ID) < 20 {
		t.Fatalf("%d %q", status, one.ID)
	}
	ask(t, "POST", at, struct{}{}, &two)
	var full said
	if status := ask(t, "POST", at, struct{}{}, &full); status != 429 || full.Code != rove.CodePolicy {
		t.Errorf("one too many: %d %+v", status, full)
	}

	// What is done is told to those who follow, from the first verb on.
	r, err := http.NewRequest("GET", at+"/"+one.ID+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	stream, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	if kind := stream.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Errorf("events are %s", kind)
	}

	var a said
	if status := ask(t, "POST", at+"/"+one.ID+"/go", map[string]any{"url": site}, &a); status != 200 || !strings.Contains(a.Text, `button "Buy"`) || !bytes.Contains(a.Data, []byte(`"title":"Shop"`)) {
		t.Fatalf("%d %+v", status, a)
	}
	a = said{}
	if status := ask(t, "POST", at+"/"+one.ID+"/look", map[string]any{"screenshot": true}, &a); status != 200 || len(a.Images) != 1 || !bytes.HasPrefix(a.Images[0].Data, []byte("\x89PNG")) {
		t.Errorf("%d, %d pictures", status, len(a.Images))
	}
	a = said{}
	if status := ask(t, "POST", at+"/"+one.ID+"/act", map[string]any{"ref": "{button}Buy", "op": "click"}, &a); status != 200 || !strings.HasPrefix(a.Text, "ok click") {
		t.Errorf("%d %+v", status, a)
	}
	a = said{}
	if status := ask(t, "POST", at+"/"+one.ID+"/act", map[string]any{"ref": "e999", "op": "click"}, &a); status != 409 && status != 404 || a.Code == "" || a.Error == "" || a.Text == "" {
		t.Errorf("%d %+v", status, a)
	}
	a = said{}
	if status := ask(t, "POST", at+"/"+two.ID+"/go", map[string]any{"url": "file:///etc/passwd"}, &a); status != 403 || a.Code != rove.CodePolicy {
		t.Errorf("%d %+v", status, a)
	}

	var list struct{ Sessions []row }
	if status := ask(t, "GET", at, nil, &list); status != 200 || len(list.Sessions) != 2 || list.Sessions[0].URL != site+"/" && list.Sessions[1].URL != site+"/" {
		t.Errorf("%d %+v", status, list)
	}
	for _, id := range []string{one.ID, two.ID} {
		if status := ask(t, "DELETE", at+"/"+id, nil, nil); status != 204 {
			t.Errorf("end: %d", status)
		}
	}
	if status := ask(t, "POST", at+"/"+one.ID+"/look", struct{}{}, nil); status != 404 {
		t.Errorf("after the end: %d", status)
	}

	// The stream has ended with the session.
	var verbs []string
	lines := bufio.NewScanner(stream.Body)
	for lines.Scan() {
		if verb, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			verbs = append(verbs, verb)
		}
	}
	if got := strings.Join(verbs, " "); got != "go look act act end" {
		t.Errorf("events: %s", got)
	}
	for _, never := range []string{secret, one.ID, site} {
		if strings.Contains(logged.String(), never) {
			t.Errorf("%q is in the log", never)
		}
	}
}

// TestGoneClientStopsItsWork: who no longer waits for an answer holds nothing up.
func TestGoneClientStopsItsWork(t *testing.T) {
	testkit.NeedsBrowser(t)
	m := session.NewManager(session.Options{})
	defer m.Close()
	_, addr, _ := start(t, Options{Token: secret, Sessions: m})
	at := "http://" + addr + "/sessions"
	var one struct{ ID string }
	ask(t, "POST", at, struct{}{}, &one)
	ask(t, "POST", at+"/"+one.ID+"/go", map[string]any{"url": "data:text/html,x"}, nil)
	client := &http.Client{Timeout: 300 * time.Millisecond}
	r, err := http.NewRequest("POST", at+"/"+one.ID+"/wait", strings.NewReader(`{"for":"text:never","timeout":60000}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+secret)
	if a, err := client.Do(r); err == nil {
		_ = a.Body.Close()
		t.Fatal("it was answered")
	}
	start := time.Now()
	if status := ask(t, "POST", at+"/"+one.ID+"/look", struct{}{}, nil); status != 200 || time.Since(start) > 5*time.Second {
		t.Errorf("%d after %v", status, time.Since(start))
	}
}
