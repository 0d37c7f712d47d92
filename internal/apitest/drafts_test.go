package apitest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"rove/internal/apitest"
	"rove/internal/har"
)

// draftsApp is an editor: a page makes a draft, its script has the token that publishing
// asks for, and what is answered of a draft is another thing once it is published.
func draftsApp(a *app) {
	signed := func(r *http.Request) string {
		k, err := r.Cookie("session")
		if err != nil {
			return ""
		}
		return a.sessions[k.Value]
	}
	a.handle("POST /login", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("pwd") != thePassword {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		id := a.token()
		a.sessions[id] = a.token()[:8] + "77"
		http.SetCookie(w, &http.Cookie{Name: "session", Value: id, Path: "/"})
		http.Redirect(w, r, "/new", http.StatusSeeOther)
	})
	a.handle("GET /new", func(w http.ResponseWriter, r *http.Request) {
		nonce := signed(r)
		if nonce == "" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		a.next++
		a.rows = append(a.rows, map[string]any{"id": a.next, "draft": true})
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<script>api.use( api.createNonceMiddleware( "%s" ) )</script><form><input name='post_ID' type='hidden' value='%d'></form>`, nonce, a.next)
	})
	a.handle("GET /view", func(w http.ResponseWriter, r *http.Request) {
		row := a.rows[len(a.rows)-1]
		switch {
		case fmt.Sprint(row["id"]) != r.FormValue("p") || row["draft"] == true && signed(r) == "":
			http.NotFound(w, r)
		case row["draft"] == true:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"template":"single"}`)
		default:
			http.Redirect(w, r, "/2026/harvest", http.StatusMovedPermanently)
		}
	})
	a.handle("POST /api/posts/{id}", func(w http.ResponseWriter, r *http.Request) {
		row := a.rows[len(a.rows)-1]
		if signed(r) == "" || r.Header.Get("X-Nonce") != signed(r) || fmt.Sprint(row["id"]) != r.PathValue("id") {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		row["draft"] = false
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":%v,"status":"publish"}`, row["id"])
	})
}

// TestDrafts: a token of ten letters in a script is found; what is asked of a draft is
// asked before it is published; a refusal that depends on what was done before is left out.
func TestDrafts(t *testing.T) {
	t.Parallel()
	a := newApp(t, draftsApp)
	b := newBrowser(t, a)
	_, _, page := b.ask("document", "POST", "/login", url.Values{"log": {"ada"}, "pwd": {thePassword}}, "Accept", "text/html,*/*;q=0.8")
	id, nonce := between(t, page, "value='", "'"), between(t, page, `Middleware( "`, `"`)
	b.ask("fetch", "GET", "/view?p="+id, nil)
	b.ask("fetch", "POST", "/api/posts/"+id, map[string]any{"status": "publish"}, "X-Nonce", nonce)
	s, err := apitest.Prove(t.Context(), [][]*har.Entry{b.entries}, apitest.Options{}, a.proof())
	if err != nil {
		t.Fatal(err, s.Feature()[0].Text)
	}
	text := s.Feature()[0].Text
	if asked, published := strings.Index(text, "    # GET /view"), strings.Index(text, "    # POST /api/posts"); asked < 0 || asked > published || strings.Contains(text, nonce) {
		t.Errorf("the draft is asked for at %d, published at %d: %s", asked, published, text)
	}
	if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "depends on what was done before") }) {
		t.Errorf("the notes are %q", s.Notes)
	}
	noSecrets(t, s, append([]string{thePassword, nonce}, a.issued...))
}
