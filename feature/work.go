package feature

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"rove/report"
)

// task is what a worker does at a time: a scenario, several that must follow each
// other, an outline to unfold, or a JavaScript test.
type task struct {
	file    *suiteFile
	plans   []*plan
	dynamic *dynamicExamples
	locks   []string
	// alone says that nothing else may run meanwhile: @lock=*.
	alone bool
	// script says that the file is a JavaScript test; name selects its tests.
	script bool
	name   *regexp.Regexp
}

// work is a suite while its workers run.
type work struct {
	suite  *suite
	files  []*suiteFile
	head   report.Suite
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	changed *sync.Cond
	queue   []*task
	running int
	alone   bool
	held    map[string]bool
	stopped bool // fail-fast

	all, done, failed int
	config            string // the failure of the config, where no scenario got past it
	past              bool
}

// errFailFast is why the rest of a suite does not run.
var errFailFast = errors.New("stopped at the first failure")

// plan makes the tasks of a suite.
func (su *suite) plan(files []*suiteFile) ([]*task, error) {
	var name *regexp.Regexp
	if su.opts.Name != "" {
		var err error
		if name, err = regexp.Compile(su.opts.Name); err != nil {
			return nil, fmt.Errorf("wrong name: %w", err)
		}
	}
	var tasks []*task
	for _, f := range files {
		if f.js {
			tasks = append(tasks, su.planScript(f, name))
			continue
		}
		su.read(f)
		if f.source == nil {
			continue
		}
		t, err := su.planFile(f, name)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, t...)
	}
	return su.shard(tasks)
}

func (su *suite) planFile(f *suiteFile, name *regexp.Regexp) ([]*task, error) {
	var tasks []*task
	inOrder := slices.Contains(tagsOf(f.source.feature.Tags).values("parallel"), "false")
	add := func(t *task, tags tagSet) {
		t.file = f
		for _, lock := range tags.values("lock") {
			if lock == "*" {
				t.alone = true
			} else {
				t.locks = append(t.locks, lock)
			}
		}
		if slices.Contains(tags.values("parallel"), "false") {
			t.locks = append(t.locks, "\x00"+f.path)
		}
		tasks = append(tasks, t)
	}
	for section := range f.source.feature.Scenarios {
		plans, dynamic := expand(f.source, section)
		for _, p := range plans {
			p.file = f.index
			ok, err := su.chosen(f, p, name)
			if err != nil {
				return nil, err
			}
			if ok {
				add(&task{plans: []*plan{p}}, p.tags)
			}
		}
		for _, d := range dynamic {
			d.file = f.index
			p := newPlan(f.source, section, d.tags, nil)
			ok, err := su.chosen(f, p, nil)
			if err != nil {
				return nil, err
			}
			if ok {
				add(&task{dynamic: d}, d.tags)
			}
		}
	}
	if inOrder && len(tasks) > 1 {
		// One after the other, in the order of the file: on one worker.
		joined := &task{file: f}
		for _, t := range tasks {
			joined.plans = append(joined.plans, t.plans...)
			joined.locks = append(joined.locks, t.locks...)
			joined.alone = joined.alone || t.alone
			if t.dynamic != nil {
				return tasks, nil
			}
		}
		slices.Sort(joined.locks)
		joined.locks = slices.Compact(joined.locks)
		tasks = []*task{joined}
	}
	return tasks, nil
}

// shard leaves the part of the tasks that is asked for.
func (su *suite) shard(tasks []*task) ([]*task, error) {
	if su.opts.Shard == "" {
		return tasks, nil
	}
	var part, parts int
	if n, err := fmt.Sscanf(su.opts.Shard, "%d/%d", &part, &parts); err != nil || n != 2 || part < 1 || part > parts {
		return nil, fmt.Errorf("wrong shard %q: it is a part and how many there are, such as 2/5", su.opts.Shard)
	}
	var mine []*task
	for i, t := range tasks {
		if i%parts == part-1 {
			mine = append(mine, t)
		}
	}
	return mine, nil
}

// start lets workers do all tasks, and waits for them.
func (w *work) start(ctx context.Context, tasks []*task) {
	w.changed = sync.NewCond(&w.mu)
	w.held = map[string]bool{}
	w.queue = tasks
	for _, t := range tasks {
		n := max(len(t.plans), 1)
		w.all += n
		t.file.left += n
	}
	for _, f := range w.files {
		if f.broken != nil && w.suite.opts.Progress != nil {
			w.suite.opts.Progress(Progress{Broken: f.broken, All: w.all})
		}
	}
	defer context.AfterFunc(ctx, func() {
		w.mu.Lock()
		w.changed.Broadcast()
		w.mu.Unlock()
	})()
	var group sync.WaitGroup
	for i := range min(w.suite.opts.Threads, max(len(tasks), 1)) {
		group.Go(func() { w.worker(ctx, i+1) })
	}
	group.Wait()
}

// next takes the first task that may run now. It waits where none may.
func (w *work) next(ctx context.Context) *task {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		if ctx.Err() != nil || w.stopped {
			return nil
		}
		for i, t := range w.queue {
			if t.alone && w.running > 0 {
				break // it waits for the others; none may pass it
			}
			if w.alone || slices.ContainsFunc(t.locks, func(l string) bool { return w.held[l] }) {
				continue
			}
			if w.queue[i] = nil; i == 0 {
				w.queue = w.queue[1:] // without moving all that follow
			} else {
				w.queue = slices.Delete(w.queue, i, i+1)
			}
			w.running++
			w.alone = t.alone
			for _, l := range t.locks {
				w.held[l] = true
			}
			return t
		}
		if w.running == 0 && len(w.queue) == 0 {
			return nil
		}
		w.changed.Wait()
	}
}

func (w *work) release(t *task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running--
	if t.alone {
		w.alone = false
	}
	for _, l := range t.locks {
		delete(w.held, l)
	}
	w.changed.Broadcast()
}

func (w *work) worker(ctx context.Context, number int) {
	for {
		t := w.next(ctx)
		if t == nil {
			return
		}
		switch {
		case t.dynamic != nil:
			w.unfold(ctx, t, number)
		case t.script:
			w.script(ctx, t, number)
		}
		for _, p := range t.plans {
			if ctx.Err() != nil || w.ends() {
				break
			}
			w.scenario(ctx, t.file, p, number)
		}
		w.release(t)
	}
}

func (w *work) ends() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stopped
}

// scenario runs one, again where it failed and may be tried again.
func (w *work) scenario(ctx context.Context, f *suiteFile, p *plan, number int) {
	var earlier []string
	for attempt := 1; ; attempt++ {
		s := newScenario(f.run, p)
		s.onStart = func(r *report.Scenario) {
			r.Thread, r.Attempt, r.Earlier = number, attempt, earlier
			w.tell(Progress{Started: r})
		}
		r := s.run(ctx)
		if r.Status == report.Failed && attempt <= w.suite.opts.Retry && ctx.Err() == nil {
			earlier = append(earlier, r.Error)
			continue
		}
		if r.Status == report.Passed && attempt > 1 {
			r.Status = report.Flaky
		}
		w.ended(f, r, s.err)
		if r.Status == report.Failed && s.config.bool("abortSuiteOnFailure") {
			w.stop()
		}
		return
	}
}

// unfold makes scenarios of an outline's rows. They are run by all workers.
func (w *work) unfold(ctx context.Context, t *task, number int) {
	d := t.dynamic
	s := newScenario(t.file.run, newPlan(d.source, d.section, d.tags, nil))
	s.plan.only(noSteps)
	s.result = s.plan.result(s)
	s.result.Start, s.result.Thread = time.Now(), number
	s.root.current = s
	s.root.rt.Lock()
	var more []*task
	err := w.suite.configure(ctx, s)
	if err == nil {
		err = d.unfold(ctx, s, func(p *plan) bool {
			more = append(more, &task{file: t.file, plans: []*plan{p}, locks: t.locks, alone: t.alone})
			return ctx.Err() == nil
		})
	}
	if err != nil {
		s.fakeStep("Examples", err)
	}
	s.finish(ctx)
	s.root.rt.Unlock()
	if err != nil {
		s.conclude()
		w.tell(Progress{Started: s.result})
		w.ended(t.file, s.result, s.err)
		return
	}
	w.mu.Lock()
	w.all += len(more) - 1
	t.file.left += len(more) - 1
	w.queue = append(more, w.queue...)
	w.changed.Broadcast()
	w.mu.Unlock()
	if len(more) == 0 {
		w.fileEnds(t.file)
	}
}

// ended takes a result.
func (w *work) ended(f *suiteFile, r *report.Scenario, err error) {
	w.suite.clean(r)
	w.mu.Lock()
	w.done++
	if r.Status == report.Failed {
		w.failed++
		var config *configError
		if errors.As(err, &config) && !w.past {
			w.config = w.suite.cleanText(config.Error())
		}
	} else {
		w.past, w.config = true, ""
	}
	f.results = append(f.results, r)
	w.mu.Unlock()
	w.suite.writers.scenario(r)
	w.tell(Progress{Ended: r, Picture: w.suite.picture(r)})
	w.suite.writers.spare(r)
	w.mu.Lock()
	f.left-- // only now: reports of the file need all that is told above
	w.mu.Unlock()
	if r.Status == report.Failed && w.suite.opts.FailFast {
		w.stop()
	}
	w.fileEnds(f)
}

// fileEnds tells reports of a file whose scenarios have all ended.
func (w *work) fileEnds(f *suiteFile) {
	w.mu.Lock()
	ends := f.left == 0
	if ends {
		f.left = -1
		sortResults(f.results)
	}
	w.mu.Unlock()
	if ends {
		w.suite.afterFeature(f)
		w.suite.writers.feature(f.told, f.results)
	}
}

func sortResults(list []*report.Scenario) {
	slices.SortStableFunc(list, func(a, b *report.Scenario) int {
		return cmp.Or(cmp.Compare(a.Section, b.Section), cmp.Compare(a.Example, b.Example))
	})
}

func (w *work) stop() {
	w.mu.Lock()
	w.stopped = true
	w.changed.Broadcast()
	w.mu.Unlock()
}

func (w *work) tell(p Progress) {
	if w.suite.opts.Progress == nil {
		return
	}
	w.mu.Lock()
	p.All, p.Done, p.Failed = w.all, w.done, w.failed
	w.mu.Unlock()
	w.suite.opts.Progress(p)
}

// result sums up.
func (w *work) result(ctx context.Context) *Result {
	r := &Result{Summary: report.Summary{Suite: w.head, Time: time.Since(w.suite.started)}, Config: w.config}
	r.Suite.Scenarios = w.done
	switch {
	case ctx.Err() != nil:
		r.Interrupted = reason(ctx)
	case w.stopped:
		r.Interrupted = errFailFast.Error()
	}
	for _, f := range w.files {
		file := &File{Feature: f.told, Scenarios: f.results, Broken: f.broken}
		if f.broken == nil && f.left >= 0 && len(f.results) > 0 {
			// It was not finished: what there is, is told all the same.
			sortResults(f.results)
			w.suite.writers.feature(f.told, f.results)
		}
		failed := f.broken != nil
		if f.broken != nil {
			r.Broken = append(r.Broken, *f.broken)
		}
		for _, s := range f.results {
			switch s.Status {
			case report.Passed:
				r.Passed++
			case report.Flaky:
				r.Flaky++
				r.Passed++
			case report.Failed:
				r.Failed++
				failed = true
			default:
				r.Skipped++
			}
		}
		if failed {
			r.FailedFeatures++
		}
		if failed || len(f.results) > 0 {
			r.Features++
			r.Files = append(r.Files, file)
		}
	}
	return r
}

func reason(ctx context.Context) string {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return strings.TrimSpace(cause.Error())
	}
	return "interrupted"
}
