package demo

import (
	"crypto/rand"
	"net/http"
	"slices"
	"sync"
)

const cookieName = "rove-demo"

// maxVisitors bounds the memory of a site that is left running: beyond it the
// oldest visitor is forgotten.
const maxVisitors = 1000

// visitors knows who has what, by cookie.
type visitors struct {
	mu    sync.Mutex
	known map[string]*visitor
	order []string
}

func newVisitors() *visitors { return &visitors{known: make(map[string]*visitor)} }

// of finds the visitor a request comes from, or welcomes a new one.
func (vs *visitors) of(w http.ResponseWriter, r *http.Request) *visitor {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if c, err := r.Cookie(cookieName); err == nil {
		if v := vs.known[c.Value]; v != nil {
			return v
		}
	}
	if len(vs.order) == maxVisitors {
		delete(vs.known, vs.order[0])
		vs.order = vs.order[1:]
	}
	id, v := rand.Text(), newVisitor()
	vs.known[id] = v
	vs.order = append(vs.order, id)
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: id, Path: "/",
		HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
	return v
}

// visitor is one visitor's state. All access is through its methods.
type visitor struct {
	mu       sync.Mutex
	signedIn bool
	tasks    []task
	lastTask int
	items    []item
	form     *submission
}

// snapshot is a visitor's state at a moment, for templates.
type snapshot struct {
	SignedIn bool
	Tasks    []task
	Items    []item
}

type task struct {
	ID    int    `json:"id"`
	Title string `json:"title"`
	Done  bool   `json:"done"`
}

type item struct {
	ID   int
	Name string
	Kind string
	Size string
}

func newVisitor() *visitor {
	return &visitor{
		tasks: []task{
			{ID: 1, Title: "Read the release notes"},
			{ID: 2, Title: "Call the printer about the invoice", Done: true},
			{ID: 3, Title: "Book the train to Vienna"},
		},
		lastTask: 3,
		items: []item{
			{1, "quarterly-report.pdf", "PDF", "1.2 MB"},
			{2, "team-photo.jpg", "Image", "3.4 MB"},
			{3, "budget-2027.xlsx", "Spreadsheet", "88 KB"},
			{4, "meeting-notes.md", "Text", "6 KB"},
			{5, "logo-final-final.svg", "Image", "14 KB"},
		},
	}
}

func (v *visitor) snapshot() snapshot {
	v.mu.Lock()
	defer v.mu.Unlock()
	return snapshot{SignedIn: v.signedIn, Tasks: slices.Clone(v.tasks), Items: slices.Clone(v.items)}
}

func (v *visitor) setSignedIn(yes bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.signedIn = yes
}

func (v *visitor) addTask(title string) task {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lastTask++
	t := task{ID: v.lastTask, Title: title}
	v.tasks = append(v.tasks, t)
	return t
}

// changeTask marks a task done or open; ok is false if there is no such task.
func (v *visitor) changeTask(id int, done bool) (t task, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range v.tasks {
		if v.tasks[i].ID == id {
			v.tasks[i].Done = done
			return v.tasks[i], true
		}
	}
	return task{}, false
}

// removeTasks removes the tasks that match and says how many there were.
func (v *visitor) removeTasks(match func(task) bool) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	before := len(v.tasks)
	v.tasks = slices.DeleteFunc(v.tasks, match)
	return before - len(v.tasks)
}

// deleteItem removes a file and reports whether it was there.
func (v *visitor) deleteItem(id int) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	before := len(v.items)
	v.items = slices.DeleteFunc(v.items, func(it item) bool { return it.ID == id })
	return len(v.items) < before
}

// keep remembers what was submitted, for the confirmation page.
func (v *visitor) keep(f *submission) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.form = f
}

func (v *visitor) submitted() *submission {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.form
}
