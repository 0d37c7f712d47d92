// Package demo is a small web site that rove is shown and tested with: a login,
// an admin dashboard, forms, lists, dialogs, frames, shadow roots, and a page of
// div soup. It is embedded, needs no network and behaves the same every time.
//
//	url, stop, err := demo.Serve(ctx)
//
// What a visitor changes (tasks, deleted items, being signed in) is kept in
// memory by cookie, so that two visitors never see each other's changes.
package demo

import (
	"context"
	"embed"
	"html/template"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"time"
)

// The one account that can sign in.
const (
	Email    = "ada@example.com"
	Password = "analytical"
)

// Pages lists the paths of the site's pages, with what each is about.
var Pages = []Page{
	{"/login", "Sign in", "A login form; a wrong password is told so."},
	{"/dashboard", "Dashboard", "An admin dashboard: navigation, filters, cards, tables with actions."},
	{"/form", "Registration", "Ten kinds of field, checked on submit, and a confirmation."},
	{"/todo", "Tasks", "Add, check off, clear: small changes on the same page."},
	{"/items", "Files", "Deleting asks first, with a JavaScript dialog."},
	{"/frames", "Frames", "Nested and cross-origin frames, open and closed shadow roots."},
	{"/article", "Article", "A long text with a table of contents."},
	{"/feed", "Feed", "More arrives whenever the end comes into view."},
	{"/list", "Directory", "Five thousand rows of which only those on screen exist."},
	{"/board", "Board", "Div soup: clickable spans, icons without names, cards to drag."},
}

// Page is one page of the site.
type Page struct{ Path, Title, About string }

//go:embed site
var embedded embed.FS

// site holds one template per page, each with the layout beside it.
type site struct {
	pages    map[string]*template.Template
	visitors *visitors
}

// Handler serves the site. Every handler has its own state.
func Handler() http.Handler {
	files, err := fs.Sub(embedded, "site")
	if err != nil {
		panic(err) // the directory is compiled in
	}
	s := &site{pages: parse(files), visitors: newVisitors()}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("GET /login", s.login)
	mux.HandleFunc("POST /login", s.signIn)
	mux.HandleFunc("POST /logout", s.signOut)
	mux.HandleFunc("GET /dashboard", s.dashboard)
	mux.HandleFunc("GET /form", s.form)
	mux.HandleFunc("POST /form", s.submit)
	mux.HandleFunc("GET /form/done", s.submitted)
	mux.HandleFunc("GET /items", s.items)
	mux.HandleFunc("POST /items/{id}/delete", s.deleteItem)
	mux.HandleFunc("GET /frames", s.frames)
	mux.HandleFunc("GET /frames/{part}", s.framePart)
	for _, name := range []string{"article", "feed", "list", "board"} {
		mux.HandleFunc("GET /"+name, s.plain(name))
	}
	mux.HandleFunc("GET /todo", s.todo)
	mux.HandleFunc("GET /api/tasks", s.listTasks)
	mux.HandleFunc("POST /api/tasks", s.addTask)
	mux.HandleFunc("PATCH /api/tasks/{id}", s.changeTask)
	mux.HandleFunc("DELETE /api/tasks/{id}", s.removeTask)
	mux.HandleFunc("DELETE /api/tasks", s.clearTasks)
	mux.HandleFunc("GET /api/feed", feedPage)
	mux.Handle("GET /static/", http.StripPrefix("/static", static(files)))
	return mux
}

// Serve serves the site on a free port of 127.0.0.1 until stop is called or ctx
// ends. stop returns when the port is free again; it may be called twice.
func Serve(ctx context.Context) (url string, stop func(), err error) {
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	srv := &http.Server{Handler: Handler(), ReadHeaderTimeout: 10 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(ln) // returns when closed, which is how it is meant to end
	}()
	release := context.AfterFunc(ctx, func() { _ = srv.Close() })
	return "http://" + ln.Addr().String(), func() {
		release()
		_ = srv.Close()
		<-done
	}, nil
}

// static serves style and scripts, and not the templates beside them.
func static(files fs.FS) http.Handler {
	serve := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, ".css") && !strings.HasSuffix(r.URL.Path, ".js") {
			http.NotFound(w, r)
			return
		}
		serve.ServeHTTP(w, r)
	})
}

// parse builds a template for every page: those that define "main" are put into
// the layout, the others (parts of frames) stand alone.
func parse(files fs.FS) map[string]*template.Template {
	layout := template.Must(template.ParseFS(files, "layout.html"))
	names, err := fs.Glob(files, "*.html")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	pages := make(map[string]*template.Template)
	for _, name := range names {
		if name != "layout.html" {
			t := template.Must(layout.Clone())
			pages[strings.TrimSuffix(name, ".html")] = template.Must(t.ParseFS(files, name))
		}
	}
	return pages
}

// view is what every page's template is given.
type view struct {
	Title   string
	Path    string
	Pages   []Page
	Visitor snapshot
	Data    any
}

// render writes the page of that name within the layout.
func (s *site) render(w http.ResponseWriter, r *http.Request, status int, name, title string, data any) {
	v := view{Title: title, Path: r.URL.Path, Pages: Pages, Visitor: s.visitors.of(w, r).snapshot(), Data: data}
	var out strings.Builder
	if err := s.pages[name].ExecuteTemplate(&out, "layout", v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(out.String())) // a visitor who left needs no answer
}

// plain serves a page that knows nothing but itself.
func (s *site) plain(name string) http.HandlerFunc {
	var title string
	for _, p := range Pages {
		if p.Path == "/"+name {
			title = p.Title
		}
	}
	return func(w http.ResponseWriter, r *http.Request) {
		s.render(w, r, http.StatusOK, name, title, nil)
	}
}
