package apitest_test

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rove/internal/har"
)

// The applications that tests are derived from. Each signs in otherwise, and does
// wrong what is switched on in faults.

type app struct {
	t      testing.TB
	server *httptest.Server
	mux    *http.ServeMux

	mu       sync.Mutex
	fault    string
	sessions map[string]string // session or token to its CSRF token, or user
	refresh  map[string]bool
	rows     []map[string]any
	next     int
	polled   map[string]int
	uploads  map[string]bool
	issued   []string // every secret that was handed out
	life     int      // how many calls an access token lives for; 0 is for ever
	uses     map[string]int
}

const (
	thePassword = "correct horse+battery/staple=9"
	theUser     = "ada@example.com"
)

func newApp(t testing.TB, routes func(*app)) *app {
	a := &app{t: t, mux: http.NewServeMux()}
	a.reset()
	routes(a)
	a.server = httptest.NewServer(a.mux)
	t.Cleanup(a.server.Close)
	return a
}

func (a *app) reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sessions, a.refresh, a.polled, a.uploads, a.uses = map[string]string{}, map[string]bool{}, map[string]int{}, map[string]bool{}, map[string]int{}
	a.rows, a.next = []map[string]any{
		{"id": 1, "title": "Water the plants", "pinned": false, "createdAt": "2026-01-02T03:04:05Z", "due": nil, "tags": []string{"home"}},
		{"id": 2, "title": "Call the bank", "pinned": true, "createdAt": "2026-01-03T03:04:05Z", "due": "2026-03-01", "tags": []string{}},
	}, 41
}

func (a *app) break_(fault string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fault = fault
}

// token makes a secret.
func (a *app) token() string {
	a.issued = append(a.issued, random())
	return a.issued[len(a.issued)-1]
}

func random() string {
	b := make([]byte, 18)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

func (a *app) handle(pattern string, h func(w http.ResponseWriter, r *http.Request)) {
	a.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.fault == "status "+pattern {
			reply(w, 500, map[string]any{"error": "broken"})
			return
		}
		h(w, r)
	})
}

func reply(w http.ResponseWriter, status int, v any) {
	if v == nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func input(r *http.Request) map[string]any {
	v := map[string]any{}
	_ = json.NewDecoder(r.Body).Decode(&v)
	return v
}

// find gives a row by the id in the path.
func (a *app) find(r *http.Request) (int, map[string]any) {
	for i, row := range a.rows {
		if fmt.Sprint(row["id"]) == r.PathValue("id") {
			return i, row
		}
	}
	return -1, nil
}

// show is a row as it is answered, with what is wrong with it.
func (a *app) show(row map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range row {
		out[k] = v
	}
	switch a.fault {
	case "gone title", "gone createdAt", "gone due", "gone id", "gone tags":
		delete(out, strings.TrimPrefix(a.fault, "gone "))
	case "type id":
		out["id"] = fmt.Sprint(out["id"])
	case "type pinned":
		out["pinned"] = "yes"
	case "type tags":
		out["tags"] = "home"
	case "type title":
		out["title"] = map[string]any{"text": out["title"]}
	case "stale title":
		out["title"] = "Something else"
	}
	return out
}

// rowsAPI are the routes of a thing that can be listed, made, read, changed and
// removed. Allow says whether a request may.
func (a *app) rowsAPI(prefix string, allow func(http.ResponseWriter, *http.Request, bool) bool) {
	a.handle("GET "+prefix, func(w http.ResponseWriter, r *http.Request) {
		if !allow(w, r, false) {
			return
		}
		list := []any{}
		for i, row := range a.rows {
			if a.fault == "stale list" && i >= 2 {
				break
			}
			list = append(list, a.show(row))
		}
		reply(w, 200, map[string]any{"items": list, "total": len(list)})
	})
	a.handle("POST "+prefix, func(w http.ResponseWriter, r *http.Request) {
		if !allow(w, r, true) {
			return
		}
		in := input(r)
		title, _ := in["title"].(string)
		if title == "" {
			reply(w, 422, map[string]any{"error": "title is required"})
			return
		}
		a.next += 1 + len(a.issued)%5
		row := map[string]any{"id": a.next, "title": title, "pinned": in["pinned"] == true, "createdAt": time.Now().UTC().Format(time.RFC3339Nano), "due": in["due"], "tags": []string{}}
		a.rows = append(a.rows, row)
		w.Header().Set("Location", fmt.Sprintf("%s/%d", prefix, a.next))
		status := 201
		if a.fault == "created is 200" {
			status = 200
		}
		reply(w, status, a.show(row))
	})
	a.handle("GET "+prefix+"/{id}", func(w http.ResponseWriter, r *http.Request) {
		if !allow(w, r, false) {
			return
		}
		_, row := a.find(r)
		if row == nil {
			reply(w, 404, map[string]any{"error": "no such thing"})
			return
		}
		out := a.show(row)
		if a.fault == "another id" {
			out["id"] = 1
		}
		reply(w, 200, out)
	})
	a.handle("PATCH "+prefix+"/{id}", func(w http.ResponseWriter, r *http.Request) {
		if !allow(w, r, true) {
			return
		}
		_, row := a.find(r)
		if row == nil {
			reply(w, 404, map[string]any{"error": "no such thing"})
			return
		}
		if a.fault != "stale patch" {
			for k, v := range input(r) {
				row[k] = v
			}
		}
		reply(w, 200, a.show(row))
	})
	a.handle("DELETE "+prefix+"/{id}", func(w http.ResponseWriter, r *http.Request) {
		if !allow(w, r, true) {
			return
		}
		i, row := a.find(r)
		if row == nil {
			reply(w, 404, map[string]any{"error": "no such thing"})
			return
		}
		if a.fault != "stale delete" {
			a.rows = slices.Delete(a.rows, i, i+1)
		}
		reply(w, 204, nil)
	})
}

var loginPage = template.Must(template.New("").Parse(`<!doctype html><html><head><title>Sign in</title></head><body>
<form method="post" action="/login"><input value="{{.}}" type="hidden" name="_csrf"><input name="username"><input type="password" name="password"><button>In</button></form></body></html>`))

var homePage = template.Must(template.New("").Parse(`<!doctype html><html><head><meta name="csrf-token" content="{{.}}"><title>Notes</title></head><body><h1>Notes</h1></body></html>`))

// cookieApp signs in by a form with a token, sets a cookie, and wants a token from
// a meta tag in a header of every change.
func cookieApp(a *app) {
	session := func(r *http.Request) (string, bool) {
		k, err := r.Cookie("sid")
		if err != nil {
			return "", false
		}
		_, ok := a.sessions[k.Value]
		return k.Value, ok
	}
	start := func(w http.ResponseWriter, user string) string {
		id := a.token()
		a.sessions[id] = user + "|" + a.token() + "+/="
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: id, Path: "/", HttpOnly: true})
		return id
	}
	part := func(id string, n int) string { return strings.Split(a.sessions[id], "|")[n] }
	a.handle("GET /login", func(w http.ResponseWriter, r *http.Request) {
		id, ok := session(r)
		if !ok {
			id = start(w, "")
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = loginPage.Execute(w, part(id, 1))
	})
	a.handle("POST /login", func(w http.ResponseWriter, r *http.Request) {
		id, ok := session(r)
		if !ok || r.FormValue("_csrf") != part(id, 1) {
			http.Error(w, "the form is too old", 403)
			return
		}
		if r.FormValue("username") != theUser || r.FormValue("password") != thePassword {
			http.Error(w, "wrong", 401)
			return
		}
		delete(a.sessions, id)
		start(w, theUser)
		http.Redirect(w, r, "/notes", 303)
	})
	a.handle("GET /notes", func(w http.ResponseWriter, r *http.Request) {
		id, ok := session(r)
		if !ok || part(id, 0) == "" {
			http.Redirect(w, r, "/login", 303)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = homePage.Execute(w, part(id, 1))
	})
	a.handle("GET /logo.png", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write([]byte("\x89PNG"))
	})
	a.rowsAPI("/api/notes", func(w http.ResponseWriter, r *http.Request, writes bool) bool {
		id, ok := session(r)
		if a.fault == "auth off" {
			return true
		}
		if !ok || part(id, 0) == "" {
			reply(w, 401, map[string]any{"error": "sign in"})
			return false
		}
		if writes && r.Header.Get("X-CSRF-Token") != part(id, 1) && a.fault != "csrf off" {
			reply(w, 403, map[string]any{"error": "token"})
			return false
		}
		return true
	})
}

func (a *app) bearer(w http.ResponseWriter, r *http.Request, _ bool) bool {
	if a.fault == "auth off" {
		return true
	}
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if _, ok := a.sessions[token]; !ok {
		reply(w, 401, map[string]any{"error": "sign in"})
		return false
	}
	if a.uses[token]++; a.life > 0 && a.uses[token] > a.life {
		delete(a.sessions, token)
		reply(w, 401, map[string]any{"error": "expired"})
		return false
	}
	return true
}

// bearerApp signs in with JSON and wants a bearer token; it has tags of versions,
// pages by cursor, work that takes a while, and uploads.
func bearerApp(a *app) {
	a.handle("POST /api/login", func(w http.ResponseWriter, r *http.Request) {
		in := input(r)
		if in["email"] != theUser || in["password"] != thePassword {
			reply(w, 401, map[string]any{"error": "wrong"})
			return
		}
		token := a.token()
		a.sessions[token] = theUser
		reply(w, 200, map[string]any{"token": token, "user": map[string]any{"id": 7, "email": theUser, "name": "Ada"}})
	})
	a.handle("GET /api/me", func(w http.ResponseWriter, r *http.Request) {
		if a.bearer(w, r, false) {
			out := map[string]any{"id": 7, "email": theUser, "name": "Ada", "roles": []string{"admin", "editor"}}
			switch a.fault {
			case "gone me.email":
				delete(out, "email")
			case "type me.roles":
				out["roles"] = []int{1, 2}
			}
			reply(w, 200, out)
		}
	})
	a.rowsAPI("/api/tasks", a.bearer)
	version := func() string { return fmt.Sprintf("\"v%d-%x\"", len(a.rows), a.next) }
	a.handle("GET /api/settings", func(w http.ResponseWriter, r *http.Request) {
		if a.bearer(w, r, false) {
			w.Header().Set("ETag", version())
			reply(w, 200, map[string]any{"theme": "dark", "perPage": 20, "ratio": 1.5})
		}
	})
	a.handle("PUT /api/settings", func(w http.ResponseWriter, r *http.Request) {
		if !a.bearer(w, r, true) {
			return
		}
		if r.Header.Get("If-Match") != version() && a.fault != "etag ignored" {
			reply(w, 412, map[string]any{"error": "changed meanwhile"})
			return
		}
		reply(w, 200, input(r))
	})
	a.handle("GET /api/events", func(w http.ResponseWriter, r *http.Request) {
		if !a.bearer(w, r, false) {
			return
		}
		after := r.URL.Query().Get("cursor")
		if after == "" {
			cursor := random()
			a.uploads["cursor "+cursor] = true
			reply(w, 200, map[string]any{"data": []any{map[string]any{"id": 1, "kind": "made"}, map[string]any{"id": 2, "kind": "read"}}, "nextCursor": cursor})
			return
		}
		if !a.uploads["cursor "+after] {
			reply(w, 400, map[string]any{"error": "cursor"})
			return
		}
		reply(w, 200, map[string]any{"data": []any{map[string]any{"id": 3, "kind": "made"}}, "nextCursor": nil})
	})
	a.handle("POST /api/uploads", func(w http.ResponseWriter, r *http.Request) {
		if !a.bearer(w, r, true) {
			return
		}
		f, _, err := r.FormFile("file")
		if err != nil {
			reply(w, 400, map[string]any{"error": "no file"})
			return
		}
		content, _ := io.ReadAll(f)
		id := "up_" + random()[:12]
		a.uploads[id] = true
		reply(w, 201, map[string]any{"uploadId": id, "size": len(content)})
	})
	a.handle("POST /api/exports", func(w http.ResponseWriter, r *http.Request) {
		if !a.bearer(w, r, true) {
			return
		}
		in := input(r)
		if id, _ := in["upload"].(string); !a.uploads[id] {
			reply(w, 422, map[string]any{"error": "upload"})
			return
		}
		id := random()
		a.polled[id] = 0
		reply(w, 202, map[string]any{"job": id, "state": "pending"})
	})
	a.handle("GET /api/exports/{id}", func(w http.ResponseWriter, r *http.Request) {
		if !a.bearer(w, r, false) {
			return
		}
		n, ok := a.polled[r.PathValue("id")]
		if !ok {
			reply(w, 404, map[string]any{"error": "no such job"})
			return
		}
		a.polled[r.PathValue("id")] = n + 1
		if n < 2 {
			reply(w, 200, map[string]any{"state": "pending", "progress": n * 30})
			return
		}
		reply(w, 200, map[string]any{"state": "done", "progress": 100, "rows": 12})
	})
}

// refreshApp has tokens that are soon of no use, and new ones for them, once.
func refreshApp(a *app) {
	grant := func(w http.ResponseWriter) {
		access, refresh := a.token(), a.token()
		a.sessions[access], a.refresh[refresh] = theUser, true
		reply(w, 200, map[string]any{"access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": 900})
	}
	a.handle("POST /v1/auth/token", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("grant_type") != "password" || r.FormValue("password") != thePassword {
			reply(w, 400, map[string]any{"error": "invalid_grant"})
			return
		}
		grant(w)
	})
	a.handle("POST /v1/auth/refresh", func(w http.ResponseWriter, r *http.Request) {
		old, _ := input(r)["refresh_token"].(string)
		if !a.refresh[old] && a.fault != "any refresh" {
			reply(w, 401, map[string]any{"error": "invalid_grant"})
			return
		}
		delete(a.refresh, old)
		a.life = 0 // the first token is the short one
		grant(w)
	})
	a.handle("POST /v1/auth/logout", func(w http.ResponseWriter, r *http.Request) {
		if a.bearer(w, r, true) {
			if a.fault != "logout does nothing" {
				clear(a.sessions)
			}
			reply(w, 204, nil)
		}
	})
	a.rowsAPI("/v1/orders", a.bearer)
}

// browser does what a person does with an application, and keeps an archive.
type browser struct {
	t       testing.TB
	base    string
	jar     http.CookieJar
	entries []*har.Entry
	at      time.Time
}

func newBrowser(t testing.TB, a *app) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t: t, base: a.server.URL, jar: jar, at: time.Now()}
}

// ask makes a request: a body is a map for JSON, url.Values for a form, or a
// *strings.Reader with its type in the headers. It gives the status, the answer as
// JSON where it is, and as text.
func (b *browser) ask(kind, method, path string, body any, headers ...string) (int, map[string]any, string) {
	b.t.Helper()
	var text, contentType string
	switch v := body.(type) {
	case nil:
	case url.Values:
		text, contentType = v.Encode(), "application/x-www-form-urlencoded"
	case string:
		text = v
	default:
		raw, err := json.Marshal(v)
		if err != nil {
			b.t.Fatal(err)
		}
		text, contentType = string(raw), "application/json"
	}
	address, err := url.Parse(b.base + path)
	if err != nil {
		b.t.Fatal(err)
	}
	q, err := http.NewRequest(method, address.String(), strings.NewReader(text))
	if err != nil {
		b.t.Fatal(err)
	}
	q.Header.Set("User-Agent", "Mozilla/5.0")
	q.Header.Set("Accept", "*/*")
	if contentType != "" {
		q.Header.Set("Content-Type", contentType)
	}
	for i := 0; i < len(headers); i += 2 {
		q.Header.Set(headers[i], headers[i+1])
	}
	for _, k := range b.jar.Cookies(address) {
		q.AddCookie(k)
	}
	a, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		b.t.Fatal(err)
	}
	defer a.Body.Close()
	got, err := io.ReadAll(a.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	b.jar.SetCookies(address, a.Cookies())
	b.at = b.at.Add(50 * time.Millisecond)
	e := &har.Entry{
		Started: har.Time(b.at), ResourceType: kind,
		Request:  har.Request{Method: method, URL: address.String(), HTTPVersion: "HTTP/1.1", Headers: pairs(q.Header)},
		Response: har.Response{Status: a.StatusCode, HTTPVersion: "HTTP/1.1", Headers: pairs(a.Header), Content: har.Content{MIMEType: a.Header.Get("Content-Type"), Text: string(got), Size: int64(len(got))}},
	}
	if text != "" {
		e.Request.PostData = &har.PostData{MIMEType: q.Header.Get("Content-Type"), Text: text}
	}
	b.entries = append(b.entries, e)
	v := map[string]any{}
	_ = json.Unmarshal(got, &v)
	if a.StatusCode >= 300 && a.StatusCode < 400 && a.Header.Get("Location") != "" && kind == "document" {
		return b.ask("document", "GET", a.Header.Get("Location"), nil, "Accept", "text/html,*/*;q=0.8")
	}
	return a.StatusCode, v, string(got)
}

func pairs(h http.Header) (list []har.Pair) {
	for name, values := range h {
		for _, v := range values {
			list = append(list, har.Pair{Name: name, Value: v})
		}
	}
	slices.SortFunc(list, func(a, b har.Pair) int { return strings.Compare(a.Name+a.Value, b.Name+b.Value) })
	return list
}

// between is the text between two marks.
func between(t testing.TB, text, before, after string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, before)
	if !ok {
		t.Fatalf("no %q in %s", before, text)
	}
	out, _, _ := strings.Cut(rest, after)
	return strings.ReplaceAll(out, "&#43;", "+")
}

func (b *browser) archive() []byte {
	var out bytes.Buffer
	if err := har.Write(&out, har.Log{Creator: har.Name{Name: "test", Version: "1"}}, slices.Values(b.entries)); err != nil {
		b.t.Fatal(err)
	}
	return out.Bytes()
}

// useRows does with rows what people do.
func (b *browser) useRows(prefix, title string, headers ...string) {
	b.ask("fetch", "GET", prefix, nil, headers...)
	_, made, _ := b.ask("fetch", "POST", prefix, map[string]any{"title": title, "pinned": false, "due": "2026-12-24"}, headers...)
	one := fmt.Sprintf("%s/%v", prefix, made["id"])
	b.ask("fetch", "GET", one, nil, headers...)
	b.ask("fetch", "PATCH", one, map[string]any{"pinned": true}, headers...)
	b.ask("fetch", "GET", prefix, nil, headers...)
	b.ask("fetch", "DELETE", one, nil, headers...)
	b.ask("fetch", "GET", prefix, nil, headers...)
	b.ask("fetch", "GET", one, nil, headers...)
}

func useCookies(b *browser) {
	_, _, page := b.ask("document", "GET", "/login", nil, "Accept", "text/html,*/*;q=0.8")
	b.ask("image", "GET", "/logo.png", nil)
	csrf := between(b.t, page, `value="`, `"`)
	_, _, page = b.ask("document", "POST", "/login", url.Values{"_csrf": {csrf}, "username": {theUser}, "password": {thePassword}}, "Accept", "text/html,*/*;q=0.8")
	b.useRows("/api/notes", "Buy oat milk", "X-CSRF-Token", between(b.t, page, `content="`, `"`))
}

func useBearer(b *browser) {
	_, in, _ := b.ask("fetch", "POST", "/api/login", map[string]any{"email": theUser, "password": thePassword})
	auth := []string{"Authorization", "Bearer " + fmt.Sprint(in["token"])}
	b.ask("preflight", "OPTIONS", "/api/me", nil)
	b.ask("fetch", "GET", "/api/me", nil, auth...)
	b.ask("fetch", "GET", "/api/me", nil, auth...)
	b.useRows("/api/tasks", "Write the report", auth...)
	b.ask("fetch", "GET", "/api/settings", nil, auth...)
	last := b.entries[len(b.entries)-1]
	tag := ""
	for _, h := range last.Response.Headers {
		if h.Name == "Etag" {
			tag = h.Value
		}
	}
	b.ask("fetch", "PUT", "/api/settings", map[string]any{"theme": "light", "perPage": 50, "ratio": 2.5}, append(auth, "If-Match", tag)...)
	_, events, _ := b.ask("fetch", "GET", "/api/events?limit=2", nil, auth...)
	b.ask("fetch", "GET", "/api/events?limit=2&cursor="+fmt.Sprint(events["nextCursor"]), nil, auth...)
	form := "--xYz\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nmonthly\r\n--xYz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\na,b\n1,2\n\r\n--xYz--\r\n"
	_, up, _ := b.ask("fetch", "POST", "/api/uploads", form, append(auth, "Content-Type", "multipart/form-data; boundary=xYz")...)
	_, job, _ := b.ask("fetch", "POST", "/api/exports", map[string]any{"upload": up["uploadId"], "format": "csv"}, auth...)
	for {
		_, state, _ := b.ask("fetch", "GET", fmt.Sprintf("/api/exports/%v", job["job"]), nil, auth...)
		if state["state"] == "done" {
			break
		}
	}
}

func useRefresh(b *browser) {
	_, in, _ := b.ask("fetch", "POST", "/v1/auth/token", url.Values{"grant_type": {"password"}, "username": {theUser}, "password": {thePassword}})
	auth := func() []string { return []string{"Authorization", "Bearer " + fmt.Sprint(in["access_token"])} }
	b.ask("fetch", "GET", "/v1/orders", nil, auth()...)
	status, _, _ := b.ask("fetch", "GET", "/v1/orders/1", nil, auth()...)
	for range 3 {
		if status == 401 {
			break
		}
		status, _, _ = b.ask("fetch", "GET", "/v1/orders/2", nil, auth()...)
	}
	_, in, _ = b.ask("fetch", "POST", "/v1/auth/refresh", map[string]any{"refresh_token": in["refresh_token"]})
	b.ask("fetch", "GET", "/v1/orders/2", nil, auth()...)
	b.useRows("/v1/orders", "Two lamps", auth()...)
	b.ask("fetch", "POST", "/v1/auth/logout", nil, auth()...)
	b.ask("fetch", "GET", "/v1/orders", nil, auth()...)
}

var listPage = template.Must(template.New("").Parse(`<!doctype html><html><body><h1>Guests</h1><ul>{{range .Rows}}<li>{{.title}}</li>{{end}}</ul>
<form method="post" action="/guests"><input type="hidden" name="authenticity_token" value="{{.Token}}"/><input name="guest"></form></body></html>`))

// classicApp has pages and forms alone, and takes each name only once.
func classicApp(a *app) {
	session := func(w http.ResponseWriter, r *http.Request) string {
		k, err := r.Cookie("session")
		if err == nil && a.sessions[k.Value] != "" {
			return k.Value
		}
		id := a.token()
		a.sessions[id] = a.token()
		http.SetCookie(w, &http.Cookie{Name: "session", Value: id, Path: "/"})
		return id
	}
	a.handle("GET /guests", func(w http.ResponseWriter, r *http.Request) {
		id := session(w, r)
		w.Header().Set("Content-Type", "text/html")
		rows := a.rows
		if a.fault == "stale list" {
			rows = rows[:2]
		}
		_ = listPage.Execute(w, map[string]any{"Rows": rows, "Token": a.sessions[id]})
	})
	a.handle("POST /guests", func(w http.ResponseWriter, r *http.Request) {
		if id := session(w, r); r.FormValue("authenticity_token") != a.sessions[id] && a.fault != "csrf off" {
			http.Error(w, "token", 403)
			return
		}
		for _, row := range a.rows {
			if row["title"] == r.FormValue("guest_name") {
				http.Error(w, "taken", 409)
				return
			}
		}
		a.rows = append(a.rows, map[string]any{"title": r.FormValue("guest_name")})
		http.Redirect(w, r, "/guests", 303)
	})
}

func useClassic(b *browser) {
	_, _, page := b.ask("document", "GET", "/guests", nil, "Accept", "text/html,*/*;q=0.8")
	b.ask("document", "POST", "/guests", url.Values{"authenticity_token": {between(b.t, page, `value="`, `"`)}, "guest_name": {"Grace Hopper"}}, "Accept", "text/html,*/*;q=0.8")
}
