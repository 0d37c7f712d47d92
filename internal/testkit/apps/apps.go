// Package apps are small web applications with a state, for flows that are done,
// derived and done again: a login, a table with a dialog and a filter, frames. They
// can be made to have other ids and classes at each load, and be broken on purpose.
package apps

import (
	"crypto/rand"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"
)

// The one who can log in.
const (
	User     = "ada@example.com"
	Password = "correct horse battery"
)

//go:embed *.html
var files embed.FS

var pages = template.Must(template.ParseFS(files, "*.html"))

// App is one application.
type App struct {
	// Shifting has all ids and classes be others at each load.
	Shifting bool

	mu       sync.Mutex
	broken   string
	contacts []contact
	next     int
	mux      http.ServeMux
}

type contact struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email"`
	Team  string `json:"team"`
}

// New makes an application as it is at first.
func New() *App {
	a := &App{}
	a.Reset()
	a.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/login", http.StatusSeeOther) })
	a.mux.HandleFunc("GET /login", a.page("login.html", false))
	a.mux.HandleFunc("POST /login", a.login)
	a.mux.HandleFunc("GET /contacts", a.page("contacts.html", true))
	a.mux.HandleFunc("GET /frames", a.page("frames.html", false))
	a.mux.HandleFunc("GET /inner", a.page("inner.html", false))
	a.mux.HandleFunc("POST /reset", func(w http.ResponseWriter, _ *http.Request) { a.Reset(); w.WriteHeader(http.StatusNoContent) })
	a.mux.HandleFunc("GET /api/contacts", a.list)
	a.mux.HandleFunc("POST /api/contacts", a.add)
	a.mux.HandleFunc("DELETE /api/contacts/{id}", a.remove)
	return a
}

// Reset puts it back to what it was at first.
func (a *App) Reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.next = 3
	a.contacts = []contact{{1, "Grace Hopper", "grace@example.com", "Compilers"}, {2, "Alan Turing", "alan@example.com", "Machines"}}
}

// Break has something not work from now on: login, save (500), lose (saved, but not
// kept), gone (the button that opens the dialog is not there), rename (it is called
// otherwise), delete, title; "" is nothing.
func (a *App) Break(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.broken = what
}

func (a *App) is(what string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.broken == what
}

func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.mux.ServeHTTP(w, r) }

type view struct {
	app    *App
	salt   string
	Failed bool
}

// ID is an id or class: the same each time, or another at each load.
func (v view) ID(name string) string {
	if !v.app.Shifting {
		return name
	}
	return fmt.Sprintf("%s%c%s", v.salt[:3], 'a'+len(name)%26, hex.EncodeToString([]byte(name + v.salt))[:12])
}

// Is says whether something is broken.
func (v view) Is(what string) bool { return v.app.is(what) }

func (a *App) page(name string, inside bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("session"); inside && (err != nil || c.Value != "in") {
			http.Redirect(w, r, "/login", http.StatusSeeOther)
			return
		}
		salt := make([]byte, 4)
		_, _ = rand.Read(salt)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = pages.ExecuteTemplate(w, name, view{a, hex.EncodeToString(salt), r.URL.Query().Has("failed")})
	}
}

func (a *App) login(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("email") != User || r.FormValue("password") != Password || a.is("login") {
		http.Redirect(w, r, "/login?failed", http.StatusSeeOther)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: "session", Value: "in", Path: "/", HttpOnly: true})
	http.Redirect(w, r, "/contacts", http.StatusSeeOther)
}

func (a *App) list(w http.ResponseWriter, _ *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(a.contacts)
}

func (a *App) add(w http.ResponseWriter, r *http.Request) {
	var c contact
	if err := json.NewDecoder(r.Body).Decode(&c); err != nil || strings.TrimSpace(c.Name) == "" {
		http.Error(w, "a contact needs a name", http.StatusBadRequest)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, o := range a.contacts {
		if o.Email == c.Email {
			http.Error(w, "that e-mail address is taken", http.StatusConflict)
			return
		}
	}
	if a.broken == "save" {
		http.Error(w, "out of order", http.StatusInternalServerError)
		return
	}
	c.ID = a.next
	a.next++
	if a.broken != "lose" {
		a.contacts = append(a.contacts, c)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(c)
}

func (a *App) remove(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.broken != "delete" {
		for i, c := range a.contacts {
			if fmt.Sprint(c.ID) == r.PathValue("id") {
				a.contacts = append(a.contacts[:i], a.contacts[i+1:]...)
				break
			}
		}
	}
	w.WriteHeader(http.StatusNoContent)
}
