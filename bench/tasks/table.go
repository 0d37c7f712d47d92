package main

import (
	"fmt"
	"strings"
	"time"
)

// row is one task over its seeds.
type row struct {
	task          string
	tries, solved int
	unfair        int // seeds passed over
	calls, tokens int
	byEval        bool
	took          time.Duration
}

func (r *row) add(e episode) {
	r.tries++
	if e.err == nil {
		r.solved++
	}
	r.calls += e.calls
	r.tokens += e.tokens
	r.byEval = r.byEval || e.byEval
	r.took += e.took
}

func (r row) per(n int) int { return (n + r.tries/2) / max(r.tries, 1) }

func (r row) String() string {
	return fmt.Sprintf("%s: %d of %d, %d calls, %d tokens, %d ms", r.task, r.solved, r.tries, r.per(r.calls), r.per(r.tokens), r.took.Milliseconds()/int64(max(r.tries, 1)))
}

type table struct {
	seeds int
	when  time.Time
	rows  []row
}

func (t table) unsolved() int {
	n := 0
	for _, r := range t.rows {
		if r.solved < r.tries {
			n++
		}
	}
	return n
}

func (t table) summary() string {
	seeing, solvedSeeing, calls, tokens := 0, 0, 0, 0
	for _, r := range t.rows {
		calls += r.per(r.calls)
		tokens += r.per(r.tokens)
		if r.byEval {
			seeing++
			if r.solved == r.tries {
				solvedSeeing++
			}
		}
	}
	plain := len(t.rows) - seeing
	return fmt.Sprintf("%d of %d tasks solved with every one of %d seeds by the verbs alone, and %d of %d more where eval saw something; on average %d calls and %d tokens a task.",
		plain-(t.unsolved()-(seeing-solvedSeeing)), plain, t.seeds, solvedSeeing, seeing, calls/max(len(t.rows), 1), tokens/max(len(t.rows), 1))
}

func (t table) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Small web tasks\n\nThe pages of %s, done by a script through look, act and wait (`make bench-tasks`), %s. No pauses but those that a task asks for.\n\n%s\n\n", set, t.when.Format("2 January 2006"), t.summary())
	b.WriteString("Calls, tokens (o200k_base, of all answers) and milliseconds are means over the seeds, from the first look to the last act. *by eval*: the solver saw with eval what the view does not say\n" +
		"(a place, a picture, a meaning). *passed over*: seeds that the solver gave up, and the next ones taken: two mails by the one sender, a slice of a pie that moves away from under the pointer, a game of tic-tac-toe that was not won. The solver was made with these pages and seeds at hand: it knows what each task is, and where a task has marks of its own (a class, a colour) it asks for them.\n\n")
	b.WriteString("| task | solved | calls | tokens | ms | by eval | passed over |\n|---|---:|---:|---:|---:|---|---:|\n")
	for _, r := range t.rows {
		eval, unfair := "", ""
		if r.byEval {
			eval = "yes"
		}
		if r.unfair > 0 {
			unfair = fmt.Sprint(r.unfair)
		}
		fmt.Fprintf(&b, "| %s | %d of %d | %d | %d | %d | %s | %s |\n", r.task, r.solved, r.tries, r.per(r.calls), r.per(r.tokens), r.took.Milliseconds()/int64(max(r.tries, 1)), eval, unfair)
	}
	return b.String()
}
