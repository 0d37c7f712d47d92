// Command tasks has a scripted solver do small web tasks that nobody here wrote:
// the pages of MiniWoB, a public set. It reads what a model reads, the text of a
// look, and acts by refs and keys through the verbs alone. The pages are fetched
// from the Python package index when it runs; nothing of them is kept here.
//
//	make bench-tasks SEEDS=5
//
// It writes tasks.md to bench/results. eval starts an episode and reads its
// reward; a task whose solver sees with it too (colours, a canvas, what blinks)
// says so in the table.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rove"
)

type options struct {
	seeds, first int
	pages, out   string
	verbose      bool
	names        []string
}

func main() {
	var o options
	flag.IntVar(&o.seeds, "seeds", 5, "episodes of each task")
	flag.IntVar(&o.first, "first", 1, "the first seed")
	flag.StringVar(&o.pages, "pages", "", "the set's folder html, when it is here already")
	flag.StringVar(&o.out, "out", "", "the folder for the table; none is written without")
	flag.BoolVar(&o.verbose, "v", false, "tell every call and its answer")
	flag.Parse()
	o.names = flag.Args()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "tasks:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.seeds < 1 {
		return errors.New("-seeds must be at least 1")
	}
	if len(o.names) == 0 {
		o.names = slices.Sorted(maps.Keys(solvers))
	}
	for _, name := range o.names {
		if solvers[name] == nil {
			return fmt.Errorf("there is no task %s; there are %s", name, strings.Join(slices.Sorted(maps.Keys(solvers)), ", "))
		}
	}
	if o.pages == "" {
		scratch, err := os.MkdirTemp("", "rove-tasks-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(scratch)
		if o.pages, err = fetch(ctx, scratch); err != nil {
			return err
		}
	}
	srv := httptest.NewServer(http.FileServer(http.Dir(o.pages)))
	defer srv.Close()
	b, err := rove.Launch(ctx, rove.Options{})
	if err != nil {
		return err
	}
	defer b.Close()

	t := table{seeds: o.seeds, when: time.Now().UTC()}
	for _, name := range o.names {
		r := row{task: name}
		for seed, tries := o.first, 0; tries < o.seeds && ctx.Err() == nil; seed++ {
			e := play(ctx, b, srv.URL, name, seed, o.verbose)
			if e.unfair != "" && r.unfair < o.seeds {
				r.unfair++
				fmt.Printf("%s, seed %d passed over: %s\n", name, seed, e.unfair)
				continue
			}
			tries++
			r.add(e)
			if e.err != nil {
				fmt.Printf("%s, seed %d: %v\n", name, seed, e.err)
			}
		}
		fmt.Println(r)
		t.rows = append(t.rows, r)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if o.out != "" {
		if err := os.WriteFile(filepath.Join(o.out, "tasks.md"), []byte(t.markdown()), 0o600); err != nil {
			return err
		}
	}
	fmt.Println(t.summary())
	if n := t.unsolved(); n > 0 {
		return fmt.Errorf("%d tasks are not solved with every seed", n)
	}
	return nil
}

// episodeTime bounds one episode, whatever its page and solver do.
const episodeTime = time.Minute

// episode is one task with one seed.
type episode struct {
	err    error  // why it is not solved
	unfair string // why nobody could have solved it
	calls  int
	tokens int
	byEval bool
	took   time.Duration
}

// play starts an episode, has it solved and reads its reward.
func play(ctx context.Context, b *rove.Browser, base, task string, seed int, verbose bool) (e episode) {
	ctx, cancel := context.WithTimeout(ctx, episodeTime)
	defer cancel()
	s, err := b.Open(ctx, rove.Viewport{})
	if err != nil {
		return episode{err: err}
	}
	defer s.Close()
	p := &page{ctx: ctx, s: s, verbose: verbose}
	if e.err = p.attempt(func() {
		if _, err := s.Go(ctx, base+"/miniwob/"+task+".html"); err != nil {
			p.fail("%v", err)
		}
		// Time enough for a machine with other things to do; the seed makes the task.
		p.run(fmt.Sprintf("core.EPISODE_MAX_TIME = 120000; Math.seedrandom('%d')", seed))
		if watch := watches[task]; watch != "" {
			p.run(watch)
		}
		p.act("#sync-task-cover", "click")
	}); e.err != nil {
		return e
	}
	start := time.Now()
	p.calls, p.tokens = 0, 0
	e.err = p.attempt(func() { p.look(); p.query = p.lines[0].name; solvers[task](p) })
	e.took, e.calls, e.tokens, e.byEval, e.unfair = time.Since(start), p.calls, p.tokens, p.byEval, p.unfair
	if e.err != nil || e.unfair != "" {
		return e
	}
	var end struct {
		Done   bool
		Reward float64
	}
	if e.err = p.attempt(func() { p.read("({Done: WOB_DONE_GLOBAL, Reward: WOB_RAW_REWARD_GLOBAL})", &end) }); e.err == nil && (!end.Done || end.Reward <= 0) {
		e.err = fmt.Errorf("%s\ndone %v, reward %v; at the end:\n%s", p.query, end.Done, end.Reward, p.view)
	}
	return e
}
