package repl

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"rove"
	"rove/aria"
	"rove/driver"
	"rove/internal/tool"
)

// elements are what the last answers have shown, for completion.
type elements struct {
	mu    sync.Mutex
	named map[string]string // the name of a ref
	ops   map[string][]string
}

func (e *elements) reset() {
	e.named, e.ops = map[string]string{}, map[string][]string{}
}

// learn takes in what an answer shows.
func (e *elements) learn(out tool.Output) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var actions rove.Actions
	switch r := out.Data.(type) {
	case *rove.GoResult:
		e.reset()
		actions = r.Actions
	case *rove.LookResult:
		actions = r.Actions
	case *rove.ActResult:
		actions = r.Actions
	case *rove.WaitResult:
		actions = r.Actions
	default:
		return
	}
	maps.Copy(e.ops, actions.Map())
	for line := range strings.Lines(out.Text) {
		e.learnLine(strings.TrimSpace(line))
	}
}

// learnLine reads a line such as: + e9 link "Reports".
func (e *elements) learnLine(line string) {
	gone := strings.HasPrefix(line, "- ")
	if gone || strings.HasPrefix(line, "+ ") || strings.HasPrefix(line, "~ ") {
		line = line[2:]
	}
	ref, rest, _ := strings.Cut(line, " ")
	if !driver.IsRef(ref) {
		return
	}
	if gone {
		delete(e.named, ref)
		delete(e.ops, ref)
		return
	}
	_, name, _ := strings.Cut(rest, " ")
	quoted, err := strconv.QuotedPrefix(name)
	if err != nil {
		quoted = ""
	}
	if _, ok := e.named[ref]; !ok || quoted != "" {
		e.named[ref] = quoted
	}
}

var words = []string{"act", "back", "eval", "forward", "go", "help", "history", "look", "quit", "refresh", "screenshot", "tab", "undo", "wait"}

// complete gives the whole lines that a line can become: verbs and refs, with
// their names, at the beginning, found by name as well; then operations.
func (e *elements) complete(line string) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := ""
	for _, verb := range []string{"act ", "look ", "wait "} {
		if strings.HasPrefix(line, verb) {
			before, line = verb, line[len(verb):]
		}
	}
	var found []string
	add := func(text string) { found = append(found, before+text) }
	head, typed, more := cutHead(line)
	switch {
	case more && before != "look " && before != "wait ":
		for _, op := range e.operations(strings.Fields(head)[0]) {
			if strings.HasPrefix(op, typed) {
				add(head + op + " ")
			}
		}
	case !more:
		if before == "" {
			for _, w := range words {
				if strings.HasPrefix(w, line) {
					add(w + " ")
				}
			}
		}
		low := strings.ToLower(line)
		for _, ref := range slices.SortedFunc(maps.Keys(e.named), order) {
			name := e.named[ref]
			if !strings.HasPrefix(ref, line) && (line == "" || !strings.Contains(strings.ToLower(name), low)) {
				continue
			}
			if name != "" && (before == "" || before == "act ") {
				ref += " " + name
			}
			add(ref + " ")
		}
	}
	return found
}

// cutHead splits a line into what stands before the word being typed and that
// word, if the first is an element or the page.
func cutHead(line string) (head, typed string, ok bool) {
	ref, rest, more := strings.Cut(line, " ")
	if !more || !driver.IsRef(ref) && ref != "_page" {
		return "", line, false
	}
	head = ref + " "
	rest = strings.TrimLeft(rest, " ")
	if quoted, err := strconv.QuotedPrefix(rest); err == nil {
		head += quoted + " "
		rest = strings.TrimLeft(rest[len(quoted):], " ")
	}
	return head, rest, !strings.Contains(rest, " ")
}

// operations are those of an element as last seen, the likely ones first, then
// what anything takes.
func (e *elements) operations(ref string) []string {
	if ref == "_page" {
		return aria.PageActions
	}
	likely := slices.Clone(e.ops[ref])
	for _, op := range operations {
		if !slices.Contains(likely, op) {
			likely = append(likely, op)
		}
	}
	return likely
}

// order has e2 before e10.
func order(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }
