package apitest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// mixedApp signs in with JSON, a token from a call of its own and a cookie; its ids
// are UUIDs, its answers have an envelope, and things belong to others.
func mixedApp(a *app) {
	const project = "7b0c2f9e-51d4-4c7b-9d3a-0f6f2a7c1e55"
	session := func(r *http.Request) string {
		k, err := r.Cookie("connect.sid")
		if err != nil {
			return ""
		}
		return a.sessions[k.Value]
	}
	allow := func(w http.ResponseWriter, r *http.Request, writes bool) bool {
		who := session(r)
		switch {
		case a.fault == "auth off":
			return true
		case !strings.HasPrefix(who, "in "):
			reply(w, 401, map[string]any{"error": map[string]any{"code": "unauthenticated"}})
		case writes && r.Header.Get("x-csrf-token") != strings.TrimPrefix(who, "in "):
			reply(w, 403, map[string]any{"error": map[string]any{"code": "csrf"}})
		default:
			return true
		}
		return false
	}
	begin := func(w http.ResponseWriter, state string) {
		id := a.token()
		a.sessions[id] = state
		http.SetCookie(w, &http.Cookie{Name: "connect.sid", Value: id, Path: "/", HttpOnly: true})
	}
	a.handle("GET /api/v1/csrf", func(w http.ResponseWriter, r *http.Request) {
		token := strings.TrimPrefix(session(r), "in ")
		if token == "" {
			token = a.token()
			begin(w, token)
		}
		reply(w, 200, map[string]any{"data": map[string]any{"csrfToken": token}})
	})
	a.handle("POST /api/v1/session", func(w http.ResponseWriter, r *http.Request) {
		token := session(r)
		if token == "" || r.Header.Get("x-csrf-token") != token {
			reply(w, 403, map[string]any{"error": map[string]any{"code": "csrf"}})
			return
		}
		in, _ := input(r)["credentials"].(map[string]any)
		if in["login"] != "ada" || in["passphrase"] != thePassword {
			reply(w, 401, map[string]any{"error": map[string]any{"code": "wrong"}})
			return
		}
		begin(w, "in "+token)
		reply(w, 200, map[string]any{"data": map[string]any{"account": map[string]any{"login": "ada", "plan": "free"}}})
	})
	a.handle("GET /api/v1/projects", func(w http.ResponseWriter, r *http.Request) {
		if allow(w, r, false) {
			reply(w, 200, map[string]any{"data": []any{
				map[string]any{"uuid": project, "name": "Bridge", "budget": nil, "lead": map[string]any{"login": "ada"}},
				map[string]any{"uuid": "1d0c2f9e-51d4-4c7b-9d3a-0f6f2a7c1e56", "name": "Tunnel", "budget": nil}, // which nobody leads
			}, "meta": map[string]any{"count": 2}})
		}
	})
	show := func(row map[string]any) map[string]any {
		out := map[string]any{"uuid": row["uuid"], "text": row["text"], "author": map[string]any{"login": "ada"}, "at": row["at"], "likes": 0}
		switch a.fault {
		case "gone author":
			delete(out, "author")
		case "gone author.login":
			out["author"] = map[string]any{}
		case "type likes":
			out["likes"] = "0"
		case "stale text":
			out["text"] = "old"
		}
		return out
	}
	a.handle("GET /api/v1/projects/{project}/comments", func(w http.ResponseWriter, r *http.Request) {
		if !allow(w, r, false) {
			return
		}
		if r.PathValue("project") != project {
			reply(w, 404, map[string]any{"error": map[string]any{"code": "not_found"}})
			return
		}
		list := []any{}
		for _, row := range a.rows {
			if row["uuid"] != nil && a.fault != "stale comments" {
				list = append(list, show(row))
			}
		}
		reply(w, 200, map[string]any{"data": list})
	})
	a.handle("POST /api/v1/projects/{project}/comments", func(w http.ResponseWriter, r *http.Request) {
		if !allow(w, r, true) {
			return
		}
		in := input(r)
		if in["text"] == nil || r.PathValue("project") != project {
			reply(w, 400, map[string]any{"error": map[string]any{"code": "invalid"}})
			return
		}
		n := len(a.rows) + len(a.issued)
		row := map[string]any{"uuid": fmt.Sprintf("%08x-1111-4222-8333-444455556666", n*7919), "text": in["text"], "at": 1790000000000 + n}
		a.rows = append(a.rows, row)
		reply(w, 201, map[string]any{"data": show(row)})
	})
	a.handle("DELETE /api/v1/comments/{id}", func(w http.ResponseWriter, r *http.Request) {
		if !allow(w, r, true) {
			return
		}
		i := slices.IndexFunc(a.rows, func(row map[string]any) bool { return row["uuid"] == r.PathValue("id") })
		if i < 0 {
			reply(w, 404, map[string]any{"error": map[string]any{"code": "not_found"}})
			return
		}
		if a.fault != "stale removal" {
			a.rows = slices.Delete(a.rows, i, i+1)
		}
		reply(w, 200, map[string]any{"data": map[string]any{"deleted": true}})
	})
	a.handle("DELETE /api/v1/session", func(w http.ResponseWriter, r *http.Request) {
		if k, err := r.Cookie("connect.sid"); err == nil && allow(w, r, true) {
			delete(a.sessions, k.Value)
			reply(w, 204, nil)
		}
	})
}

func useMixed(b *browser) {
	data := func(v map[string]any) map[string]any { one, _ := v["data"].(map[string]any); return one }
	_, v, _ := b.ask("xhr", "GET", "/api/v1/csrf", nil)
	csrf := []string{"X-Csrf-Token", fmt.Sprint(data(v)["csrfToken"])}
	b.ask("xhr", "POST", "/api/v1/session", map[string]any{"credentials": map[string]any{"login": "ada", "passphrase": thePassword}, "remember": true}, csrf...)
	_, v, _ = b.ask("xhr", "GET", "/api/v1/projects", nil)
	list, _ := v["data"].([]any)
	first, _ := list[0].(map[string]any)
	comments := fmt.Sprintf("/api/v1/projects/%v/comments", first["uuid"])
	b.ask("xhr", "GET", comments, nil)
	_, v, _ = b.ask("xhr", "POST", comments, map[string]any{"text": "Looks good to me"}, csrf...)
	b.ask("xhr", "GET", comments, nil)
	b.ask("xhr", "DELETE", fmt.Sprintf("/api/v1/comments/%v", data(v)["uuid"]), nil, csrf...)
	b.ask("xhr", "GET", comments, nil)
	b.ask("xhr", "DELETE", "/api/v1/session", nil, csrf...)
	b.ask("xhr", "GET", "/api/v1/projects", nil)
}
