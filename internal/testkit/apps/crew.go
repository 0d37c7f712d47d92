package apps

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Crew is an application of pages and forms, without a script: a long table, and a
// form that is shown again, answered with 200, where a name is taken or missing.
type Crew struct {
	Refuses bool // nobody gets in any more
	// Says has a message name who got in, on the page that comes next and on no other;
	// Direct has that page be the answer to the form itself.
	Says, Direct bool
	Loses        bool // who gets in is not kept, whatever is said
	Previews     bool // the form shows what is typed as it will look, while it is typed

	mu    sync.Mutex
	names []string
}

// NewCrew makes one of many members.
func NewCrew() *Crew {
	c := &Crew{}
	c.Reset()
	return c
}

// Reset puts it back to what it was at first.
func (c *Crew) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.names = nil
	for i := range 60 {
		c.names = append(c.names, fmt.Sprintf("Member %c%c", 'A'+i/10, 'a'+i%10))
	}
}

type crewPage struct {
	Form, Direct, Previews bool
	Name, Error, Added     string
	Rows                   []string
}

func (c *Crew) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := crewPage{Rows: c.names}
	if said, err := r.Cookie("said"); err == nil {
		v.Added, _ = url.QueryUnescape(said.Value)
		http.SetCookie(w, &http.Cookie{Name: "said", MaxAge: -1, Path: "/"})
	}
	if r.URL.Path == "/crew/new" || r.Method == http.MethodPost {
		v = crewPage{Form: true, Direct: c.Direct, Previews: c.Previews, Name: strings.TrimSpace(r.FormValue("name"))}
		switch {
		case r.Method != http.MethodPost:
		case v.Name == "" || c.Refuses || slices.Contains(c.names, v.Name):
			v.Error = "This name cannot be had."
		default:
			if !c.Loses {
				c.names = append(c.names, v.Name)
			}
			if c.Direct {
				v = crewPage{Added: v.Name, Rows: c.names}
				break
			}
			if c.Says {
				http.SetCookie(w, &http.Cookie{Name: "said", Value: url.QueryEscape(v.Name), Path: "/"})
			}
			http.Redirect(w, r, "/crew", http.StatusSeeOther)
			return
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = pages.ExecuteTemplate(w, "crew.html", v)
}
