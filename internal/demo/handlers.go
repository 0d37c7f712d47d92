package demo

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

func (s *site) home(w http.ResponseWriter, r *http.Request) {
	s.render(w, r, http.StatusOK, "home", "Welcome", nil)
}

type loginData struct{ Email, Error string }

func (s *site) login(w http.ResponseWriter, r *http.Request) {
	s.render(w, r, http.StatusOK, "login", "Sign in", loginData{})
}

func (s *site) signIn(w http.ResponseWriter, r *http.Request) {
	email := strings.TrimSpace(r.PostFormValue("email"))
	var wrong string
	switch {
	case email == "" || r.PostFormValue("password") == "":
		wrong = "Enter your email address and your password."
	case !strings.EqualFold(email, Email) || r.PostFormValue("password") != Password:
		wrong = "That email address and password do not belong together."
	}
	if wrong != "" {
		s.render(w, r, http.StatusUnauthorized, "login", "Sign in", loginData{Email: email, Error: wrong})
		return
	}
	s.visitors.of(w, r).setSignedIn(true)
	http.Redirect(w, r, "/dashboard", http.StatusSeeOther)
}

func (s *site) signOut(w http.ResponseWriter, r *http.Request) {
	s.visitors.of(w, r).setSignedIn(false)
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

func (s *site) dashboard(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	s.render(w, r, http.StatusOK, "dashboard", "Dashboard", newDashboard(q.Get("q"), q.Get("status")))
}

func (s *site) items(w http.ResponseWriter, r *http.Request) {
	s.render(w, r, http.StatusOK, "items", "Files", r.URL.Query().Get("deleted"))
}

func (s *site) deleteItem(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || !s.visitors.of(w, r).deleteItem(id) {
		http.NotFound(w, r)
		return
	}
	http.Redirect(w, r, "/items?deleted="+strconv.Itoa(id), http.StatusSeeOther)
}

// frameData names the two origins a page of frames is made of.
type frameData struct{ Here, There string }

// origins gives the site's own origin and another one that leads to the same
// server: ?host=NAME, or of localhost and 127.0.0.1 the one not asked for.
func origins(r *http.Request) frameData {
	name, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		name, port = r.Host, "80"
	}
	other := "localhost"
	if name == "localhost" {
		other = "127.0.0.1"
	}
	if asked := r.URL.Query().Get("host"); asked != "" {
		other = asked
	}
	return frameData{
		Here:  "http://" + net.JoinHostPort(name, port),
		There: "http://" + net.JoinHostPort(other, port),
	}
}

func (s *site) frames(w http.ResponseWriter, r *http.Request) {
	s.render(w, r, http.StatusOK, "frames", "Frames", origins(r))
}

// framePart serves the documents inside the frames; they have no layout.
func (s *site) framePart(w http.ResponseWriter, r *http.Request) {
	t := s.pages["frame-"+r.PathValue("part")]
	if t == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = t.ExecuteTemplate(w, "part", origins(r)) // fails only when the visitor left
}

func (s *site) todo(w http.ResponseWriter, r *http.Request) {
	s.render(w, r, http.StatusOK, "todo", "Tasks", nil)
}

func (s *site) listTasks(w http.ResponseWriter, r *http.Request) {
	answer(w, http.StatusOK, s.visitors.of(w, r).snapshot().Tasks)
}

func (s *site) addTask(w http.ResponseWriter, r *http.Request) {
	var in task
	if !read(w, r, &in) {
		return
	}
	title := strings.Join(strings.Fields(in.Title), " ")
	if title == "" {
		http.Error(w, "a task needs a title", http.StatusUnprocessableEntity)
		return
	}
	answer(w, http.StatusCreated, s.visitors.of(w, r).addTask(title))
}

func (s *site) changeTask(w http.ResponseWriter, r *http.Request) {
	var in task
	if !read(w, r, &in) {
		return
	}
	id, err := strconv.Atoi(r.PathValue("id"))
	t, ok := s.visitors.of(w, r).changeTask(id, in.Done)
	if err != nil || !ok {
		http.NotFound(w, r)
		return
	}
	answer(w, http.StatusOK, t)
}

func (s *site) removeTask(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	n := s.visitors.of(w, r).removeTasks(func(t task) bool { return t.ID == id })
	if err != nil || n == 0 {
		http.NotFound(w, r)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// clearTasks removes what is done.
func (s *site) clearTasks(w http.ResponseWriter, r *http.Request) {
	n := s.visitors.of(w, r).removeTasks(func(t task) bool { return t.Done })
	answer(w, http.StatusOK, map[string]int{"removed": n})
}

const (
	feedPerPage = 12
	feedPages   = 20
)

type post struct {
	ID     int    `json:"id"`
	Author string `json:"author"`
	Text   string `json:"text"`
}

// feedPage answers ?page=N, from 1, with a dozen posts, and with none after the
// last page.
func feedPage(w http.ResponseWriter, r *http.Request) {
	page, err := strconv.Atoi(r.URL.Query().Get("page"))
	if err != nil || page < 1 {
		http.Error(w, "page is a number from 1", http.StatusBadRequest)
		return
	}
	posts := []post{}
	if page <= feedPages {
		for i := range feedPerPage {
			id := (page-1)*feedPerPage + i + 1
			posts = append(posts, post{
				ID:     id,
				Author: people[id%len(people)],
				Text:   fmt.Sprintf("Post %d: %s", id, remarks[id%len(remarks)]),
			})
		}
	}
	answer(w, http.StatusOK, posts)
}

// read decodes a small JSON body, or answers with what is wrong with it.
func read(w http.ResponseWriter, r *http.Request, v any) bool {
	err := json.NewDecoder(io.LimitReader(r.Body, 1<<16)).Decode(v)
	if err != nil {
		http.Error(w, "not JSON: "+err.Error(), http.StatusBadRequest)
	}
	return err == nil
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // fails only when the visitor left
}

// submission is the registration form as it was sent, and what is wrong with it.
type submission struct {
	Values url.Values
	File   string
	Errors map[string]string
}

// Get is the value of a field, for the template.
func (f *submission) Get(field string) string { return f.Values.Get(field) }

// Is reports whether a field has the value, for radios, boxes and selects.
func (f *submission) Is(field, value string) bool { return f.Values.Get(field) == value }

func (s *site) form(w http.ResponseWriter, r *http.Request) {
	s.render(w, r, http.StatusOK, "form", "Registration", &submission{Values: url.Values{"volume": {"50"}}})
}

func (s *site) submit(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 8<<20)
	if err := r.ParseMultipartForm(1 << 20); err != nil {
		http.Error(w, "cannot read the form: "+err.Error(), http.StatusBadRequest)
		return
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }()

	f := &submission{Values: r.MultipartForm.Value}
	if files := r.MultipartForm.File["photo"]; len(files) > 0 {
		f.File = fmt.Sprintf("%s (%d bytes)", files[0].Filename, files[0].Size)
	}
	f.Errors = check(f.Values)
	if len(f.Errors) > 0 {
		s.render(w, r, http.StatusUnprocessableEntity, "form", "Registration", f)
		return
	}
	s.visitors.of(w, r).keep(f)
	http.Redirect(w, r, "/form/done", http.StatusSeeOther)
}

func (s *site) submitted(w http.ResponseWriter, r *http.Request) {
	f := s.visitors.of(w, r).submitted()
	if f == nil {
		http.Redirect(w, r, "/form", http.StatusSeeOther)
		return
	}
	s.render(w, r, http.StatusOK, "form-done", "Registered", f)
}

// check says what is wrong with a registration, by field.
func check(v url.Values) map[string]string {
	wrong := make(map[string]string)
	if strings.TrimSpace(v.Get("name")) == "" {
		wrong["name"] = "Tell us your name."
	}
	if user, host, ok := strings.Cut(v.Get("email"), "@"); !ok || user == "" || !strings.Contains(host, ".") {
		wrong["email"] = "Enter an email address such as ada@example.com."
	}
	if n, err := strconv.Atoi(v.Get("guests")); err != nil || n < 1 || n > 10 {
		wrong["guests"] = "Bring between 1 and 10 guests."
	}
	if v.Get("arrival") == "" {
		wrong["arrival"] = "Choose a day of arrival."
	}
	if v.Get("country") == "" {
		wrong["country"] = "Choose a country."
	}
	if v.Get("plan") == "" {
		wrong["plan"] = "Choose a plan."
	}
	if v.Get("terms") == "" {
		wrong["terms"] = "The terms have to be accepted."
	}
	return wrong
}
