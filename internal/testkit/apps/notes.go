package apps

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Notes is an application whose page shows at once what it sends, and never looks at
// the answer: a list, and a form of settings. What was kept shows when it is loaded.
type Notes struct {
	mu       sync.Mutex
	broken   string
	notes    []string
	settings settings
	tags     map[string]json.RawMessage // of notes, which no page shows
	label    json.RawMessage
	mux      http.ServeMux
}

type settings struct {
	Name   string `json:"name"`
	Colour string `json:"colour"`
	Mail   bool   `json:"mail"`
}

// NewNotes makes one with two notes in it.
func NewNotes() *Notes {
	n := &Notes{}
	n.Reset()
	page := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = pages.ExecuteTemplate(w, "notes.html", nil)
	}
	n.mux.HandleFunc("GET /notes", page)
	n.mux.HandleFunc("GET /folded", page)
	n.mux.HandleFunc("GET /several", page)
	n.mux.HandleFunc("GET /api/tags", func(w http.ResponseWriter, _ *http.Request) { n.answers(w, n.tags) })
	n.mux.HandleFunc("PUT /api/tags/{of}", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if n.lost("untagged") {
			return
		}
		n.takes(w, r, func(string) { n.tags[r.PathValue("of")] = body })
	})
	n.mux.HandleFunc("POST /api/labels", func(w http.ResponseWriter, r *http.Request) { // has an address of its own
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write([]byte(`{"id":7}`))
		if !n.lost("unlabelled") {
			n.mu.Lock()
			n.label = body
			n.mu.Unlock()
		}
	})
	n.mux.HandleFunc("GET /api/labels/7", func(w http.ResponseWriter, _ *http.Request) { n.answers(w, n.label) })
	n.mux.HandleFunc("POST /api/seen", func(http.ResponseWriter, *http.Request) {})
	n.mux.HandleFunc("POST /api/count", func(http.ResponseWriter, *http.Request) {})
	n.mux.HandleFunc("GET /api/notes", func(w http.ResponseWriter, _ *http.Request) { n.answers(w, n.notes) })
	n.mux.HandleFunc("GET /api/settings", func(w http.ResponseWriter, _ *http.Request) { n.answers(w, n.settings) })
	n.mux.HandleFunc("POST /api/notes", func(w http.ResponseWriter, r *http.Request) {
		n.takes(w, r, func(text string) { n.notes = append(n.notes, text) })
	})
	n.mux.HandleFunc("DELETE /api/notes", func(w http.ResponseWriter, r *http.Request) {
		n.takes(w, r, func(text string) { n.notes = slices.DeleteFunc(n.notes, func(o string) bool { return o == text }) })
	})
	n.mux.HandleFunc("PUT /api/settings", func(w http.ResponseWriter, r *http.Request) {
		var s settings
		_ = json.NewDecoder(r.Body).Decode(&s)
		n.takes(w, r, func(string) { n.settings = s })
	})
	return n
}

// Reset puts it back to what it was at first.
func (n *Notes) Reset() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notes, n.settings, n.tags = []string{"Water the plants", "Call the bank"}, settings{"Ada", "Green", false}, map[string]json.RawMessage{}
	n.label = nil
}

// Break has something not work from now on: lose (what is sent is answered well and not
// kept), refuse (it is answered with 500), wrong (another text is kept), untagged (tags are
// not kept), unlabelled (what has an address of its own is not); "" is nothing.
func (n *Notes) Break(what string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.broken = what
}

func (n *Notes) lost(what string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.broken == what
}

func (n *Notes) ServeHTTP(w http.ResponseWriter, r *http.Request) { n.mux.ServeHTTP(w, r) }

func (n *Notes) answers(w http.ResponseWriter, v any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func (n *Notes) takes(w http.ResponseWriter, r *http.Request, keep func(text string)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	text := r.FormValue("text")
	switch n.broken {
	case "refuse":
		http.Error(w, "out of order", http.StatusInternalServerError)
		return
	case "wrong":
		if r.Method == http.MethodPost {
			keep(strings.ToUpper(text))
		}
	case "lose":
	default:
		keep(text)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"ok":true}`))
}
