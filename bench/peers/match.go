package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"rove/bench/token"
	"rove/internal/demo"
)

// match has all contenders do the same, one after the other in every round, so
// that a busy moment of the machine meets all of them.
type match struct {
	ctx    context.Context
	opts   options
	base   string
	report *report
}

// patience bounds every single call; on a page of 100,000 elements some give up
// long before.
const patience = 2 * time.Minute

// glances is how often one looks for what an act should have brought.
const glances = 10

// pages that are looked at.
var pages = []struct{ name, path string }{
	{"login page", "/login"},
	{"admin dashboard", "/dashboard"},
	{"registration form", "/form"},
	{"1,000 elements", "/generated/1000"},
	{"10,000 elements", "/generated/10000"},
	{"100,000 elements", "/generated/100000"},
}

// flow is a task. What is done after more is done on a new view.
type flow struct {
	name, path string
	steps      []step
	more       []step
	proof      []string // one of these must be in the last view or answer
}

// proved says whether a text shows that the flow has done what it is for. Views differ in
// what they show first of a page, a greeting or the way out.
func (f flow) proved(text string) bool {
	return slices.ContainsFunc(f.proof, func(p string) bool { return strings.Contains(text, p) })
}

var flows = []flow{
	{name: "login to dashboard", path: "/login", proof: []string{"Sign out", "Welcome, Ada"}, steps: []step{
		{"fill", "textbox", "Email", demo.Email},
		{"fill", "textbox", "Password", demo.Password},
		{"click", "button", "Sign in", ""},
	}},
	{name: "form of ten fields", path: "/fields", proof: []string{"Thank you, Ada"}, steps: []step{
		{"fill", "textbox", "First name", "Ada"},
		{"fill", "textbox", "Last name", "Lovelace"},
		{"fill", "textbox", "Email", "ada@example.com"},
		{"fill", "textbox", "Phone", "020 7946 0000"},
		{"fill", "textbox", "Street", "12 St James's Square"},
		{"fill", "textbox", "Postal code", "SW1Y 4JH"},
		{"fill", "textbox", "City", "London"},
		{"select", "combobox", "Country", "Kenya"},
		{"fill", "textbox", "Note", "Leave it at the door."},
		{"check", "checkbox", "I accept the terms", ""},
		{"click", "button", "Order", ""},
	}},
	{name: "todo: add 3, check 1, clear", path: "/todo", proof: []string{"zeta"}, steps: []step{
		{"submit", "textbox", "New task", "alpha"},
		{"submit", "textbox", "New task", "beta"},
		{"submit", "textbox", "New task", "zeta"},
	}, more: []step{
		{"check", "checkbox", "beta", ""},
		{"click", "button", "Clear completed", ""},
	}},
}

func (m *match) play(contenders []contender) error {
	if err := m.coldStarts(contenders); err != nil {
		return err
	}
	var players []player
	defer func() {
		for _, p := range players {
			if err := p.close(); err != nil {
				fmt.Fprintf(os.Stderr, "%s: end: %v\n", p.name, err)
			}
		}
	}()
	for _, c := range contenders {
		b, err := c.start(m.ctx)
		if err != nil {
			return err
		}
		players = append(players, player{c.name, b})
		if l, ok := b.(interface{ list(context.Context) error }); ok {
			if err := l.list(m.ctx); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
		m.report.tokens("tool definitions", c.name, count(b.definitions()))
	}
	for _, step := range []func([]player) error{m.firstMemory, m.verbs, m.flows, m.looks, m.lastMemory} {
		if err := step(players); err != nil {
			return err
		}
	}
	return nil
}

type player struct {
	name string
	browser
}

// coldStarts measures from starting a server to the first view of a small page.
func (m *match) coldStarts(contenders []contender) error {
	for round := range m.opts.starts + 1 {
		for _, c := range contenders {
			fmt.Fprintf(os.Stderr, "cold start of %s …\n", c.name)
			begin := time.Now()
			b, err := c.start(m.ctx)
			if err != nil {
				return err
			}
			_, err = m.see(player{c.name, b}, "/login")
			took := time.Since(begin)
			if end := b.close(); err == nil {
				err = end
			}
			if err != nil {
				return fmt.Errorf("%s: cold start: %w", c.name, err)
			}
			if round > 0 { // the first one fills the file cache
				m.report.time("cold start to first view", c.name, took)
			}
		}
	}
	return nil
}

// see opens a page and shows it, in as many calls as it takes.
func (m *match) see(p player, path string) ([]exchange, error) {
	ctx, cancel := context.WithTimeout(m.ctx, patience)
	defer cancel()
	x, shows, err := p.open(ctx, m.base+path)
	if err != nil || shows {
		return []exchange{x}, err
	}
	view, err := p.look(ctx)
	return []exchange{x, view}, err
}

func (m *match) looks(players []player) error {
	for _, page := range pages {
		large := strings.HasPrefix(page.name, "100,000")
		if large && !m.opts.large {
			continue
		}
		row := "look: " + page.name
		fmt.Fprintln(os.Stderr, row, "…")
		out := map[string]bool{}
		for _, p := range players {
			// Others stand still while one is at it: a browser busy with one page is
			// of no use to the next.
			if _, err := m.see(p, page.path); err != nil {
				out[p.name] = true
				m.report.fail(row, p.name, err)
			}
		}
		rounds := m.opts.runs
		if large {
			rounds = 1
		}
		for range rounds {
			for _, p := range players {
				if out[p.name] {
					continue
				}
				ctx, cancel := context.WithTimeout(m.ctx, patience)
				begin := time.Now()
				x, err := p.look(ctx)
				took := time.Since(begin)
				cancel()
				if err != nil {
					out[p.name] = true
					m.report.fail(row, p.name, err)
					continue
				}
				m.report.time(row, p.name, took)
				m.report.tokens(row, p.name, count(x.answered))
			}
		}
	}
	return nil
}

// verbs measures single calls on a page that reacts at once.
func (m *match) verbs(players []player) error {
	fmt.Fprintln(os.Stderr, "single calls …")
	for round := range m.opts.runs + 1 {
		for _, p := range players {
			ctx, cancel := context.WithTimeout(m.ctx, patience)
			err := m.round(ctx, p, round > 0)
			cancel()
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	return nil
}

// round is one of each. rove's receipts show what came of an act; the others have
// to look.
func (m *match) round(ctx context.Context, p player, counts bool) error {
	take := func(row string, do func() ([]exchange, error)) error {
		begin := time.Now()
		x, err := do()
		took := time.Since(begin)
		if err == nil && counts {
			m.report.time(row, p.name, took)
			m.report.tokens(row, p.name, answers(x))
		}
		return err
	}
	_, receipts := p.browser.(*roveBrowser)
	var view string
	if err := take("go and see a small page", func() ([]exchange, error) {
		all, err := m.see(p, "/verbs")
		view = all[len(all)-1].answered
		return all, err
	}); err != nil {
		return err
	}
	for _, one := range []struct {
		row  string
		step step
	}{
		{"click", step{"click", "button", "Click me", ""}},
		{"input of 20 characters", step{"fill", "textbox", "Text", "twenty characters ok"}},
	} {
		if err := take(one.row+" and see what came of it", func() ([]exchange, error) {
			begin := time.Now()
			all, err := p.do(ctx, view, one.step)
			if err != nil || receipts {
				return all, err
			}
			if counts {
				m.report.time(one.row+", without a look", p.name, time.Since(begin))
			}
			after, err := p.look(ctx)
			return append(all, after), err
		}); err != nil {
			return err
		}
	}
	return take("eval 1+1", func() ([]exchange, error) {
		x, err := p.eval(ctx, "1+1")
		return []exchange{x}, err
	})
}

// flows are done as a model would that makes no mistakes: it sees the page, does
// what can be done, and sees what came of it.
func (m *match) flows(players []player) error {
	for _, f := range flows {
		fmt.Fprintln(os.Stderr, f.name, "…")
		for range max(1, m.opts.runs/3) {
			for _, p := range players {
				// One that goes wrong, as where somebody did not wait for the page, counts
				// as that. The list is this browser's own, and empty for the next round.
				m.report.tried("flow: "+f.name, p.name, m.flow(p, f))
				if err := m.emptied(p); err != nil {
					return fmt.Errorf("%s: %s: %w", p.name, f.name, err)
				}
			}
		}
	}
	return nil
}

// emptied empties the list. Of a browser that does not wait for pages one may still be on its way.
func (m *match) emptied(p player) (err error) {
	for range glances {
		if _, err = p.eval(m.ctx, emptyList); err == nil {
			return nil
		}
		<-time.After(100 * time.Millisecond)
	}
	return err
}

const emptyList = `fetch('/api/tasks').then(r => r.json()).then(list => Promise.all(list.map(t => fetch('/api/tasks/' + t.id, {method: 'DELETE'})))).then(() => 1)`

func (m *match) flow(p player, f flow) error {
	ctx, cancel := context.WithTimeout(m.ctx, patience)
	defer cancel()
	begin := time.Now()
	all, err := m.see(p, f.path)
	if err != nil {
		return err
	}
	_, receipts := p.browser.(*roveBrowser)
	todo := [][]step{f.steps, f.more}
	if receipts {
		todo = [][]step{slices.Concat(f.steps, f.more)}
	}
	for _, steps := range todo {
		if len(steps) == 0 {
			continue
		}
		did, err := p.do(ctx, all[len(all)-1].answered, steps...)
		if all = append(all, did...); err != nil {
			return err
		}
		if receipts {
			continue
		}
		// Who does not wait for the page sees the one before, and has to look again.
		for range glances {
			view, err := p.look(ctx)
			if all = append(all, view); err != nil {
				return err
			}
			if f.proved(view.answered) {
				break
			}
		}
	}
	took := time.Since(begin)
	if last := all[len(all)-1].answered; !f.proved(last) {
		return fmt.Errorf("the last view lacks %q:\n%.2000s", f.proof, last)
	}
	row := "flow: " + f.name
	m.report.time(row, p.name, took)
	m.report.tokens(row, p.name, answers(all))
	m.report.calls(row, p.name, len(all))
	return nil
}

func (m *match) firstMemory(players []player) error {
	for _, p := range players {
		if _, err := m.see(p, "/login"); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		m.report.bytes("memory after one page", p.name, p.memory())
	}
	return nil
}

func (m *match) lastMemory(players []player) error {
	for _, p := range players {
		m.report.bytes("memory after all of this", p.name, p.memory())
	}
	return nil
}

func count(text string) int {
	n, err := token.Count(text)
	if err != nil {
		return 0
	}
	return n
}

// answers is what a model reads in a number of calls.
func answers(all []exchange) int {
	n := 0
	for _, x := range all {
		n += count(x.answered)
	}
	return n
}
