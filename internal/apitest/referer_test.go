package apitest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"rove/internal/apitest"
	"rove/internal/har"
)

// returningApp leads back to where a form was asked for, as many do: the page has it from
// the header Referer, as a whole address or its path, and takes none but its own.
func returningApp(a *app, whole bool) {
	html := func(w http.ResponseWriter, format string, args ...any) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("ETag", `W/"`+random()+`"`)
		fmt.Fprintf(w, format, args...)
	}
	a.handle("GET /notes", func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<h1>Notes</h1><input type="checkbox" name="notes" value="42">`)
	})
	a.handle("GET /notes/{id}", func(w http.ResponseWriter, r *http.Request) {
		if id := r.PathValue("id"); id == "new" {
			html(w, `<form><input type="hidden" name="token" value="%s"></form>`, a.token())
		} else {
			html(w, `<h1>Note %s</h1><p>%s</p>`, id, a.rows[len(a.rows)-1]["title"])
		}
	})
	a.handle("GET /login", func(w http.ResponseWriter, r *http.Request) {
		back := ""
		if from := r.Header.Get("Referer"); strings.HasPrefix(from, "http://"+r.Host+"/") {
			if !whole {
				from = strings.TrimPrefix(from, "http://"+r.Host)
			}
			back = `<input type="hidden" name="back_url" value="` + from + `">`
		}
		html(w, `<form>%s</form>`, back)
	})
	a.handle("POST /login", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("password") != thePassword {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: a.token(), Path: "/"})
		http.Redirect(w, r, strings.TrimPrefix(r.FormValue("back_url"), "http://"+r.Host), http.StatusSeeOther)
	})
	a.handle("POST /notes", func(w http.ResponseWriter, r *http.Request) {
		if _, err := r.Cookie("session"); err != nil || r.FormValue("token") == "" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		a.next++
		a.rows = append(a.rows, map[string]any{"id": a.next, "title": r.FormValue("text")})
		http.Redirect(w, r, fmt.Sprint("/notes/", a.next), http.StatusFound)
	})
}

// TestAskedFrom: a page that has the address it was asked from is asked from there. What a
// redirect leads to is read from it, and not from a field that has the same number by chance.
func TestAskedFrom(t *testing.T) {
	t.Parallel()
	for _, whole := range []bool{true, false} {
		t.Run(fmt.Sprint("whole ", whole), func(t *testing.T) { askedFrom(t, whole) })
	}
}

func askedFrom(t *testing.T, whole bool) {
	a := newApp(t, func(a *app) { returningApp(a, whole) })
	b := newBrowser(t, a)
	page := []string{"Accept", "text/html,*/*;q=0.8"}
	b.ask("document", "GET", "/notes", nil, page...)
	_, _, login := b.ask("document", "GET", "/login", nil, append(page, "Referer", a.server.URL+"/notes")...)
	b.ask("document", "POST", "/login", url.Values{"username": {theUser}, "password": {thePassword}, "back_url": {between(t, login, `value="`, `"`)}}, page...)
	b.ask("document", "GET", "/notes", nil, append(page, "If-None-Match", `W/"kept"`)...)
	_, _, form := b.ask("document", "GET", "/notes/new", nil, page...)
	b.ask("document", "POST", "/notes", url.Values{"token": {between(t, form, `value="`, `"`)}, "text": {"Water the fern"}}, page...)
	s, err := apitest.Prove(t.Context(), [][]*har.Entry{b.entries}, apitest.Options{}, a.proof())
	if err != nil {
		t.Fatal(err, s)
	}
	text := ""
	for _, f := range s.Feature() {
		text += f.Text
	}
	if !strings.Contains(text, "And header Referer = baseUrl + '/notes'") {
		t.Error("the page is asked for from nowhere")
	}
	if strings.Contains(text, "If-None-Match") {
		t.Error("what the browser has kept is in the tests")
	}
	if strings.Contains(text, `name="notes"`) {
		t.Errorf("the note is found in a field:\n%s", text)
	}
	noSecrets(t, s, append([]string{thePassword}, a.issued...))
}
