package apps

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"
)

// Board is an application of what hands do beside typing: cards are carried from lane to
// lane, a list is sorted by pressing and moving, files are asked for by buttons, a menu
// comes with the right button, and help opens in a tab of its own.
type Board struct {
	mu     sync.Mutex
	broken string
	state  board
	mux    http.ServeMux
}

type board struct {
	Todo  []string `json:"todo"`
	Done  []string `json:"done"`
	Order []string `json:"order"`
	Files []string `json:"files"`
	Asked int      `json:"asked"`
}

// NewBoard makes one of three cards.
func NewBoard() *Board {
	b := &Board{}
	b.Reset()
	b.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { b.page(w, "board.html") })
	b.mux.HandleFunc("GET /help", func(w http.ResponseWriter, _ *http.Request) { b.page(w, "help.html") })
	b.mux.HandleFunc("GET /state", func(w http.ResponseWriter, _ *http.Request) {
		b.mu.Lock()
		defer b.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(b.state)
	})
	b.mux.HandleFunc("POST /state", b.change)
	return b
}

// Reset puts it back to what it was at first.
func (b *Board) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state = board{Todo: []string{"Paint", "Sweep", "Mend"}, Done: []string{}, Order: []string{"Tea", "Coffee", "Cocoa"}, Files: []string{}}
}

// Break has something not work from now on: lose (what is sent is not kept), refuse (it
// is answered with 500); "" is nothing.
func (b *Board) Break(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.broken = what
}

func (b *Board) ServeHTTP(w http.ResponseWriter, r *http.Request) { b.mux.ServeHTTP(w, r) }

func (b *Board) page(w http.ResponseWriter, name string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = pages.ExecuteTemplate(w, name, nil)
}

func (b *Board) change(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var c struct {
		Card, Gone, File, Ask string
		Order                 []string
	}
	switch err := json.NewDecoder(r.Body).Decode(&c); {
	case err != nil:
		http.Error(w, "it is no change", http.StatusBadRequest)
		return
	case b.broken == "refuse":
		http.Error(w, "out of order", http.StatusInternalServerError)
		return
	case b.broken == "lose":
	default:
		s := &b.state
		out := func(list []string, card string) []string {
			return slices.DeleteFunc(list, func(o string) bool { return o == card })
		}
		if c.Card != "" {
			s.Todo, s.Done = out(s.Todo, c.Card), append(out(s.Done, c.Card), c.Card)
		}
		if c.Gone != "" {
			s.Todo, s.Done = out(s.Todo, c.Gone), out(s.Done, c.Gone)
		}
		if c.File != "" {
			s.Files = append(s.Files, c.File)
		}
		if c.Ask != "" {
			s.Asked++
		}
		if c.Order != nil {
			s.Order = c.Order
		}
	}
	w.WriteHeader(http.StatusNoContent)
}
