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

// TestPasswordsByAnyName: what was typed into a field that hides it is a password, whatever
// it is called: the form says so, or who recorded it.
func TestPasswordsByAnyName(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func(b *browser){
		"a form": func(b *browser) {
			b.ask("document", "GET", "/in", nil, "Accept", "text/html,*/*;q=0.8")
			b.ask("document", "POST", "/in", url.Values{"u": {"ada"}, "p": {thePassword}}, "Accept", "text/html,*/*;q=0.8")
		},
		"a script": func(b *browser) {
			b.ask("fetch", "POST", "/in", map[string]any{"u": "ada", "in": map[string]any{"p": thePassword}})
			post := b.entries[len(b.entries)-1].Request.PostData
			if post.MarkSecret([]string{thePassword}); fmt.Sprint(post.Secret) != "[p]" {
				t.Errorf("marked: %q, want p", post.Secret)
			}
			b.ask("fetch", "GET", "/notes?p=2", nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newApp(t, func(a *app) {
				a.handle("GET /in", func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "text/html")
					fmt.Fprint(w, `<form method=post><input name=u><input type=password name=p><button>Log in</button></form>`)
				})
				a.handle("POST /in", func(w http.ResponseWriter, r *http.Request) {
					if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") && r.FormValue("p") != thePassword {
						http.Error(w, "no", http.StatusForbidden)
						return
					}
					http.SetCookie(w, &http.Cookie{Name: "session", Value: a.token(), Path: "/"})
					http.Redirect(w, r, "/notes", http.StatusSeeOther)
				})
				a.handle("GET /notes", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "[]") })
			})
			b := newBrowser(t, a)
			use(b)
			s, err := apitest.Prove(t.Context(), [][]*har.Entry{b.entries}, apitest.Options{}, a.proof())
			if err != nil {
				t.Fatal(err, s.Feature()[0].Text)
			}
			noSecrets(t, s, []string{thePassword})
			var text strings.Builder
			for _, f := range s.Feature() {
				text.WriteString(f.Text)
			}
			if !strings.Contains(text.String(), "password") || strings.Contains(text.String(), "/notes") && strings.Contains(text.String(), "param p = password") {
				t.Errorf("it asks for no password, or for one too many:\n%s", text.String())
			}
		})
	}
}

// TestRefusedBeforeSigningIn: what an application asked before anybody was signed in, and was
// refused, is asked by nobody in the tests too.
func TestRefusedBeforeSigningIn(t *testing.T) {
	t.Parallel()
	a := newApp(t, func(a *app) {
		a.handle("POST /auth/login", func(w http.ResponseWriter, _ *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "session", Value: a.token(), Path: "/"})
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"expires":900}`)
		})
		a.handle("POST /auth/refresh", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if _, err := r.Cookie("session"); err != nil {
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, `{"error":"nobody is signed in"}`)
				return
			}
			fmt.Fprint(w, `{"expires":900}`)
		})
	})
	b := newBrowser(t, a)
	b.ask("fetch", "POST", "/auth/refresh", map[string]any{"mode": "session"})
	b.ask("fetch", "POST", "/auth/login", map[string]any{"email": theUser, "password": thePassword})
	b.ask("fetch", "POST", "/auth/refresh", map[string]any{"mode": "session"})
	s, err := apitest.Prove(t.Context(), [][]*har.Entry{b.entries}, apitest.Options{}, a.proof())
	if err != nil {
		t.Fatal(err, s.Feature()[0].Text)
	}
}
