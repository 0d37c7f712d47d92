// Command bench measures rove beside the raw layer below it and prints one
// table: how long a look takes, how many bytes and tokens it is, and how often
// it goes over the wire, on generated pages and on those of the demo.
//
// What rove is compared with, all in one run and taking turns:
//
//   - 1+1: a round trip, the least any call takes.
//   - walk: the least that could be told of a page (walk.js), as one line per
//     interactive element, and with every visible text once. The latter is the
//     floor: a look that is quicker or shorter leaves something out.
//   - Accessibility.getFullAXTree, which others build on.
//
// Look is measured on a page that has just changed. What it costs when nothing
// has changed is a line of its own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"time"

	"rove"
	"rove/bench/site"
	"rove/bench/token"
	"rove/cdp"
	"rove/internal/provision"
)

type options struct {
	pages   []page
	runs    int
	starts  int
	browser string
	json    string
}

func main() {
	var o options
	var names, memory string
	var against, only string
	var profile bool
	var recorded, backends int
	flag.StringVar(&names, "pages", "", "pages to measure on, of "+pageNames()+" (default all)")
	flag.IntVar(&o.runs, "n", 15, "runs per page, a third of it on large ones")
	flag.IntVar(&o.starts, "starts", 5, "cold starts per browser; 0 leaves them out")
	flag.StringVar(&o.browser, "browser", "", "shell, chrome, or the path of an executable (default as rove chooses)")
	flag.StringVar(&o.json, "json", "", "also write the figures to this `file`")
	flag.StringVar(&memory, "memory", "", "print the memory in use after looking at the pages of this `site` (used by bench itself)")
	flag.IntVar(&recorded, "recording", 0, "only measure what recording costs a verb, in so many `turns`")
	flag.IntVar(&backends, "backends", 0, "only measure a click and a look on each backend, in so many `turns`")
	flag.StringVar(&against, "turns", "", "only have these `programs`, executables of rove or page scripts, with commas, do the same in turns")
	flag.BoolVar(&profile, "profile", false, "with -turns of page scripts: also print where their time goes")
	flag.StringVar(&only, "only", "", "with -turns: only what has this in its name")
	flag.Parse()

	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	var err error
	if o.pages, err = choose(names); err == nil && memory != "" {
		err = childMemory(ctx, o, memory)
	} else if err == nil && against != "" {
		if files := strings.Split(against, ","); strings.HasSuffix(against, ".js") {
			err = scriptsInTurns(ctx, o, files, profile)
		} else {
			err = inTurns(ctx, o, files, only)
		}
	} else if err == nil && recorded > 0 {
		err = recordingCost(ctx, o, recorded)
	} else if err == nil && backends > 0 {
		err = backendsCost(ctx, backends)
	} else if err == nil {
		err = run(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.runs < 1 {
		return errors.New("-n must be at least 1")
	}
	b, err := provision.Find(ctx, provision.Request{Want: o.browser, Fetch: true, Progress: os.Stderr})
	if err != nil {
		return err
	}
	product, err := version(ctx, b)
	if err != nil {
		return err
	}
	srv := site.Serve()
	defer srv.Close()
	rep := &report{Browser: product, Go: runtime.Version(), CPUs: runtime.NumCPU(), When: time.Now().UTC()}

	rows, err := looks(ctx, o, b, srv.URL)
	if err != nil {
		return err
	}
	rep.Rows = append(rep.Rows, rows...)
	if rows, err = verbs(ctx, o, b, srv.URL); err != nil {
		return err
	}
	rep.Rows = append(rep.Rows, rows...)
	if rows, err = runFlows(ctx, o, b, srv.URL); err != nil {
		return err
	}
	rep.Rows = append(rep.Rows, rows...)
	if rows, err = coldStarts(ctx, o, srv.URL+"/login"); err != nil {
		return err
	}
	rep.Rows = append(rep.Rows, rows...)
	if rows, err = memoryInUse(ctx, o, srv.URL); err != nil {
		return err
	}
	rep.Rows = append(rep.Rows, rows...)

	fmt.Printf("%s, %d CPUs, %s, medians of %d runs\n\n", rep.Browser, rep.CPUs, rep.Go, o.runs)
	if o.json != "" {
		if err := rep.save(o.json); err != nil {
			return err
		}
	}
	return rep.print(os.Stdout)
}

// looks measures each page in a session of its own, as an agent that begins with
// it has it. The raw layer uses the same tab and the same connection.
func looks(ctx context.Context, o options, b provision.Browser, base string) ([]row, error) {
	browser, err := rove.Launch(ctx, rove.Options{Browser: b.Path})
	if err != nil {
		return nil, err
	}
	defer browser.Close()
	var rows []row
	for _, p := range o.pages {
		fmt.Fprintf(os.Stderr, "%s …\n", p.name)
		m := &measurement{ctx: ctx, page: p, url: base + p.path, runs: o.runs}
		if p.large {
			m.runs = max(1, o.runs/3)
		}
		got, err := m.inSession(browser)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		ax, err := axTree(ctx, b, p, m.url, m.runs)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		rows = append(append(rows, got...), ax)
	}
	return rows, nil
}

// inSession measures the page in a session that ends with it.
func (m *measurement) inSession(b *rove.Browser) (rows []row, err error) {
	if m.session, err = b.Open(m.ctx, rove.Viewport{}); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.session.Close()) }()
	if m.conn, m.raw, err = raw(m.session); err != nil {
		return nil, err
	}
	return m.measure()
}

// everything is a look without a budget.
var everything = rove.LookOptions{Budget: new(0)}

// raw reaches below rove: to the protocol session of its tab.
func raw(s *rove.Session) (*cdp.Conn, *cdp.Session, error) {
	conn, session := cdp.Of(s.Driver().Tab())
	if conn == nil {
		return nil, nil, errors.New("rove's tab gives no access to its protocol session, so there is nothing to compare with")
	}
	return conn, session, nil
}

// measurement is one page.
type measurement struct {
	ctx     context.Context
	page    page
	url     string
	session *rove.Session
	conn    *cdp.Conn    // of session
	raw     *cdp.Session // of session's tab
	runs    int
}

// contender is one of those who take turns.
type contender struct {
	what   string
	touch  bool // the page changes before each run
	counts bool // its text is counted in tokens
	rove   bool // it is ours, and compared with the floor
	run    func() (string, error)

	text    string
	samples []time.Duration
	wire    cdp.Stats // summed up over the runs
}

func (m *measurement) measure() ([]row, error) {
	if _, err := m.session.Go(m.ctx, m.url); err != nil {
		return nil, err
	}
	n, err := evaluate[int](m.ctx, m.raw, elements)
	if err != nil {
		return nil, err
	}

	walk := func(expression string) func() (string, error) {
		return func() (string, error) { return evaluate[string](m.ctx, m.raw, expression) }
	}
	look := func(opts rove.LookOptions) func() (string, error) {
		return func() (string, error) {
			r, err := m.session.Look(m.ctx, opts)
			if err != nil {
				return "", err
			}
			return r.Text(), nil
		}
	}
	roundTrip := func() (string, error) {
		_, err := evaluate[int](m.ctx, m.raw, onePlusOne)
		return "", err
	}
	trip := &contender{what: "1+1", run: roundTrip}
	lines := &contender{what: "walk: interactive elements", touch: true, counts: true, run: walk(walkLines)}
	floor := &contender{what: "walk: and every text (floor)", touch: true, counts: true, run: walk(walkFloor)}
	full := &contender{what: "**look, all**", touch: true, counts: true, rove: true, run: look(everything)}
	again := &contender{what: "look, all, nothing changed", rove: true, run: look(everything)}
	brief := &contender{what: "look, default budget", touch: true, counts: true, rove: true, run: look(rove.LookOptions{})}
	contenders := []*contender{trip, lines, floor, full, again, brief}

	for i := range m.runs + 1 { // the first one warms up
		for _, c := range contenders {
			if err := m.turn(c, i > 0); err != nil {
				return nil, fmt.Errorf("%s: %w", c.what, err)
			}
		}
	}
	rows, err := m.rows(contenders, floor)
	if err != nil {
		return nil, err
	}
	rows[0].Note = count(n) + " elements"
	return rows, nil
}

// turn has a contender do its work once.
func (m *measurement) turn(c *contender, count bool) error {
	if c.touch {
		if _, err := evaluate[bool](m.ctx, m.raw, touch); err != nil {
			return err
		}
	}
	before, begin := m.conn.Stats(), time.Now()
	text, err := c.run()
	took, after := time.Since(begin), m.conn.Stats()
	if err != nil || !count {
		return err
	}
	c.text = text
	c.samples = append(c.samples, took)
	c.wire.Writes += after.Writes - before.Writes
	c.wire.Replies += after.Replies - before.Replies
	return nil
}

// rows makes the lines of the table. Time is compared with that of the floor in
// the same turn, tokens with those of the floor unless something was left out.
func (m *measurement) rows(contenders []*contender, floor *contender) ([]row, error) {
	floorTokens, err := token.Count(floor.text)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, c := range contenders {
		r := row{Page: m.page.name, What: c.what, Bytes: len(c.text)}
		r.time(c.samples)
		r.Writes = float64(c.wire.Writes) / float64(r.Runs)
		r.Replies = float64(c.wire.Replies) / float64(r.Runs)
		if c.counts {
			if r.Tokens, err = token.Count(c.text); err != nil {
				return nil, err
			}
		}
		switch {
		case m.page.partial && c == floor:
			r.Note = "without other origins and closed roots"
		case c.rove && !m.page.partial:
			r.Slower = medianRatio(c.samples, floor.samples)
			if r.Tokens >= floorTokens {
				r.Dearer = float64(r.Tokens) / float64(floorTokens)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}
