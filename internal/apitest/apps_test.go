package apitest_test

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
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
			http.Error(w, "the form is too old", http.StatusForbidden)
			return
		}
		if r.FormValue("username") != theUser || r.FormValue("password") != thePassword {
			http.Error(w, "wrong", http.StatusUnauthorized)
			return
		}
		delete(a.sessions, id)
		start(w, theUser)
		http.Redirect(w, r, "/notes", http.StatusSeeOther)
	})
	a.handle("GET /notes", func(w http.ResponseWriter, r *http.Request) {
		id, ok := session(r)
		if !ok || part(id, 0) == "" {
			http.Redirect(w, r, "/login", http.StatusSeeOther)
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
			http.Error(w, "token", http.StatusForbidden)
			return
		}
		for _, row := range a.rows {
			if row["title"] == r.FormValue("guest_name") {
				http.Error(w, "taken", http.StatusConflict)
				return
			}
		}
		a.rows = append(a.rows, map[string]any{"title": r.FormValue("guest_name")})
		http.Redirect(w, r, "/guests", http.StatusSeeOther)
	})
}
