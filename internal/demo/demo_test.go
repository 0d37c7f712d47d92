package demo

import (
	"context"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// visit is a visitor with cookies of its own.
type visit struct {
	t    *testing.T
	base string
	c    *http.Client
}

func newVisit(t *testing.T) *visit {
	t.Helper()
	srv := httptest.NewServer(Handler())
	t.Cleanup(srv.Close)
	return another(t, srv.URL)
}

func another(t *testing.T, base string) *visit {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Jar: jar, Transport: &http.Transport{}}
	t.Cleanup(c.CloseIdleConnections)
	return &visit{t, base, c}
}

// send makes a request and gives the final path, status and body.
func (v *visit) send(method, path, ctype, body string) (at string, status int, text string) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	if ctype != "" {
		req.Header.Set("Content-Type", ctype)
	}
	resp, err := v.c.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return resp.Request.URL.Path, resp.StatusCode, string(b)
}

func (v *visit) get(path string) string {
	v.t.Helper()
	_, status, text := v.send("GET", path, "", "")
	if status != 200 {
		v.t.Fatalf("GET %s: %d\n%s", path, status, text)
	}
	return text
}

func (v *visit) post(path string, form url.Values) (string, int, string) {
	v.t.Helper()
	return v.send("POST", path, "application/x-www-form-urlencoded", form.Encode())
}

func want(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("lacks %q:\n%s", p, text)
		}
	}
}

// Every page is there, is whole, and asks no other host for anything.
func TestPages(t *testing.T) {
	v := newVisit(t)
	loads := regexp.MustCompile(`(?:<(?:script|img|iframe|link)[^>]*(?:src|href)|url\()="?([^"> )]+)`)
	paths := []string{"/"}
	for _, p := range Pages {
		paths = append(paths, p.Path)
	}
	for _, path := range paths {
		text := v.get(path)
		want(t, text, "<title>", "</main>", `href="/static/style.css"`)
		for _, m := range loads.FindAllStringSubmatch(text, -1) {
			switch src := m[1]; {
			case strings.HasPrefix(src, "data:"):
			case strings.HasPrefix(src, "/"):
				v.get(src)
			case strings.HasPrefix(src, "http://127.0.0.1:"), strings.HasPrefix(src, "http://localhost:"):
			default:
				t.Errorf("%s loads %s", path, src)
			}
		}
	}
	if _, status, _ := v.send("GET", "/static/layout.html", "", ""); status != 404 {
		t.Errorf("a template is served as a file: %d", status)
	}
	if _, status, _ := v.send("GET", "/nowhere", "", ""); status != 404 {
		t.Errorf("unknown page: %d", status)
	}
}

func TestLogin(t *testing.T) {
	v := newVisit(t)
	at, status, text := v.post("/login", url.Values{"email": {Email}, "password": {"wrong"}})
	if at != "/login" || status != 401 {
		t.Errorf("wrong password: %s %d", at, status)
	}
	want(t, text, `role="alert"`, "do not belong together", `value="ada@example.com"`)
	if strings.Contains(text, "wrong\"") {
		t.Error("the password came back")
	}
	_, _, text = v.post("/login", url.Values{"email": {Email}})
	want(t, text, "Enter your email address and your password.")

	at, status, text = v.post("/login", url.Values{"email": {Email}, "password": {Password}})
	if at != "/dashboard" || status != 200 {
		t.Errorf("right password: %s %d", at, status)
	}
	want(t, text, "Welcome, Ada", "Sign out")

	if at, _, _ := v.post("/logout", nil); at != "/login" {
		t.Errorf("signed out to %s", at)
	}
	if strings.Contains(v.get("/dashboard"), "Welcome, Ada") {
		t.Error("still signed in")
	}
}

func TestDashboard(t *testing.T) {
	v := newVisit(t)
	text := v.get("/dashboard")
	n := len(regexp.MustCompile(`<(a|button|input|select|summary|textarea)\b`).FindAllString(text, -1))
	if n < 150 || n > 250 {
		t.Errorf("%d interactive elements, want 150 to 250", n)
	}
	if got := strings.Count(text, "Select order"); got != orderRows {
		t.Errorf("%d orders, want %d", got, orderRows)
	}
	if text != v.get("/dashboard") {
		t.Error("the page is not the same twice")
	}
	text = v.get("/dashboard?status=Paid&q=ada")
	if got := strings.Count(text, "Select order"); got == 0 || got == orderRows {
		t.Errorf("%d orders of Ada were paid", got)
	}
	want(t, v.get("/dashboard?q=nobody"), "No order matches.")
}

func TestForm(t *testing.T) {
	v := newVisit(t)
	if at, _, _ := v.send("GET", "/form/done", "", ""); at != "/form" {
		t.Errorf("confirmation without a form: %s", at)
	}
	good := map[string]string{
		"name": "Ada <Lovelace>", "email": "ada@example.com", "guests": "2", "arrival": "2026-12-01",
		"country": "Austria", "plan": "Workshop", "about": "Numbers.", "volume": "70", "terms": "yes",
	}
	for _, c := range []struct{ field, value, says string }{
		{"name", " ", "Tell us your name."},
		{"email", "ada", "Enter an email address"},
		{"guests", "11", "between 1 and 10"},
		{"arrival", "", "day of arrival"},
		{"country", "", "Choose a country."},
		{"plan", "", "Choose a plan."},
		{"terms", "", "have to be accepted"},
	} {
		at, status, text := v.register(good, c.field, c.value)
		if at != "/form" || status != 422 {
			t.Errorf("%s=%q: %s %d", c.field, c.value, at, status)
		}
		want(t, text, "1 field needs", c.says, `value="70"`)
	}
	at, status, text := v.register(good, "volume", "80")
	if at != "/form/done" || status != 200 {
		t.Errorf("a good form: %s %d", at, status)
	}
	want(t, text, "Thank you, Ada &lt;Lovelace&gt;", "Workshop", "80", "me.png (4 bytes)")

	if _, status, _ := v.send("POST", "/form", "multipart/form-data; boundary=x", "junk"); status != 400 {
		t.Errorf("junk: %d", status)
	}
}

// register sends the form with one field changed and a file.
func (v *visit) register(fields map[string]string, field, value string) (string, int, string) {
	v.t.Helper()
	var body strings.Builder
	w := multipart.NewWriter(&body)
	for k, x := range fields {
		if k == field {
			x = value
		}
		if err := w.WriteField(k, x); err != nil {
			v.t.Fatal(err)
		}
	}
	part, err := w.CreateFormFile("photo", "me.png")
	if err != nil {
		v.t.Fatal(err)
	}
	_, _ = part.Write([]byte("\x89PNG"))
	_ = w.Close()
	return v.send("POST", "/form", w.FormDataContentType(), body.String())
}

func TestTasks(t *testing.T) {
	v := newVisit(t)
	const js = "application/json"
	for _, c := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"POST", "/api/tasks", `{"title":"  Water   the plants "}`, 201, `{"id":4,"title":"Water the plants","done":false}`},
		{"POST", "/api/tasks", `{"title":" "}`, 422, "needs a title"},
		{"POST", "/api/tasks", `nonsense`, 400, "not JSON"},
		{"PATCH", "/api/tasks/4", `{"done":true}`, 200, `"done":true`},
		{"PATCH", "/api/tasks/99", `{"done":true}`, 404, ""},
		{"PATCH", "/api/tasks/x", `{"done":true}`, 404, ""},
		{"DELETE", "/api/tasks/1", ``, 204, ""},
		{"DELETE", "/api/tasks/1", ``, 404, ""},
		{"DELETE", "/api/tasks", ``, 200, `{"removed":2}`},
		{"GET", "/api/tasks", ``, 200, `[{"id":3,"title":"Book the train to Vienna","done":false}]`},
	} {
		_, status, text := v.send(c.method, c.path, js, c.body)
		if status != c.status || !strings.Contains(text, c.says) {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, status, text)
		}
	}
	if strings.Contains(v.get("/todo"), "release notes") {
		t.Error("the page shows a removed task")
	}
	want(t, another(t, v.base).get("/todo"), "release notes") // visitors do not share
}

func TestItems(t *testing.T) {
	v := newVisit(t)
	want(t, v.get("/items"), `data-ask="Delete team-photo.jpg?"`)
	at, _, text := v.post("/items/2/delete", nil)
	if at != "/items" || strings.Contains(text, "team-photo.jpg") {
		t.Errorf("not deleted, at %s", at)
	}
	want(t, text, "File 2 was deleted.")
	if _, status, _ := v.post("/items/2/delete", nil); status != 404 {
		t.Errorf("deleted twice: %d", status)
	}
}

func TestFrames(t *testing.T) {
	h := Handler()
	for _, c := range []struct{ host, query, here, there string }{
		{"127.0.0.1:80", "", "http://127.0.0.1:80", "http://localhost:80"},
		{"localhost:81", "", "http://localhost:81", "http://127.0.0.1:81"},
		{"localhost:81", "?host=other.test", "http://localhost:81", "http://other.test:81"},
		{"[::1]:82", "", "http://[::1]:82", "http://localhost:82"},
		{"plain.test", "", "http://plain.test:80", "http://localhost:80"},
	} {
		r := httptest.NewRequest("GET", "/frames"+c.query, nil)
		r.Host = c.host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		want(t, w.Body.String(), c.here+"/frames/newsletter", c.there+"/frames/payment")
	}
	v := newVisit(t)
	want(t, v.get("/frames/newsletter"), "Subscribe", "http://localhost:")
	want(t, v.get("/frames/payment"), "Pay now", `shadowrootmode="closed"`)
	for _, part := range []string{"terms", "weather"} {
		want(t, v.get("/frames/"+part), "</html>")
	}
	if _, status, _ := v.send("GET", "/frames/none", "", ""); status != 404 {
		t.Errorf("unknown part: %d", status)
	}
}

func TestFeed(t *testing.T) {
	v := newVisit(t)
	want(t, v.get("/api/feed?page=2"), `"id":13`, `"id":24`)
	if got := strings.TrimSpace(v.get("/api/feed?page=21")); got != "[]" {
		t.Errorf("after the last page: %s", got)
	}
	if _, status, _ := v.send("GET", "/api/feed?page=0", "", ""); status != 400 {
		t.Errorf("page 0: %d", status)
	}
}

func TestManyVisitors(t *testing.T) {
	vs := newVisitors()
	for range maxVisitors + 5 {
		vs.of(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	}
	if len(vs.known) != maxVisitors || len(vs.order) != maxVisitors {
		t.Errorf("keeps %d visitors", len(vs.known))
	}
}

func TestServe(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	base, stop, err := Serve(ctx)
	if err != nil {
		t.Fatal(err)
	}
	v := another(t, base)
	want(t, v.get("/"), "A site to try a browser on")
	cancel()
	stop()
	stop()
	if _, err := v.c.Get(base); err == nil {
		t.Error("still served after stop")
	}
}
