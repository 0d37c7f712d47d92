package driver

import (
	"context"
	"maps"
	"time"

	"rove/driver/backend"
)

// Workers compute and fetch for a page, and nothing tells of the messages between them.
// But the browser knows whether one has run. Where one has, because of an action, what it
// has for the page is waited for.
const (
	workerPatience = 3 * time.Second         // for workers that run on
	workerQuiet    = 1500 * time.Millisecond // without a change of the page, though they do
	workerPause    = 150 * time.Millisecond  // after the last sign of them, where something came of it
	computingTime  = 100 * time.Millisecond  // without an answer, and a worker is computing
	mostRestless   = 3                       // calls in a row, between which workers ran by themselves
	promptAnswer   = 15 * time.Millisecond   // of a worker that has its turn when it is due
	mostAgain      = 3                       // times that workers at rest are asked once more
)

// workerWatch follows the workers of a page.
type workerWatch struct {
	tab      *Tab
	backend  backend.WorkerWatcher
	asked    func(context.Context) map[string]float64 // before it all; nil once that is read
	before   map[string]float64
	stuck    map[string]bool // those that were computing already, perhaps for ever
	since    time.Time       // when one was first seen to have run
	last     time.Time       // when that, or a change of the page, was seen last
	changed  time.Time       // when the page changed last, or since
	came     bool            // it has changed since
	computes bool            // one was computing when it was asked last
	slow     bool            // they were slow to answer then: on a busy machine what is due to them is late
	again    int             // times that they were asked once more for that
}

// watchWorkers begins to follow them; nil where the backend does not tell. It waits for nothing.
func (t *Tab) watchWorkers() *workerWatch {
	b, ok := t.tab.(backend.WorkerWatcher)
	if !ok {
		return nil
	}
	return &workerWatch{tab: t, backend: b, asked: b.WorkerActivity(), stuck: map[string]bool{}}
}

// readActivity reads what workers say, of which those that do not say it now are computing.
func readActivity(ctx context.Context, answer func(context.Context) map[string]float64) map[string]float64 {
	ctx, cancel := context.WithTimeout(ctx, computingTime)
	defer cancel()
	return answer(ctx)
}

// begin reads how workers were before it all.
func (o *workerWatch) begin(ctx context.Context) {
	if o.asked == nil {
		return
	}
	o.before, o.asked = readActivity(ctx, o.asked), nil
	ran := false
	rested := o.tab.workersAtRest.Load()
	for id, now := range o.before {
		o.stuck[id] = now < 0
		if rested != nil && !o.stuck[id] {
			was, there := (*rested)[id]
			ran = ran || there && now != was
		}
	}
	if ran {
		o.tab.restlessWorkers.Add(1)
	} else {
		o.tab.restlessWorkers.Store(0)
	}
}

// ran says whether a worker has run since it was last asked, or since the beginning.
func (o *workerWatch) ran(ctx context.Context) bool {
	ask := o.backend.WorkerActivity()
	if ask == nil {
		return false
	}
	o.begin(ctx)
	asked := time.Now()
	now := readActivity(ctx, ask)
	o.slow = time.Since(asked) > promptAnswer
	ran := false
	o.computes = false
	for id, n := range now {
		if was, known := o.before[id]; !o.stuck[id] {
			ran = ran || !known || n != was || n < 0
			o.computes = o.computes || n < 0
		}
		o.slow = o.slow && n >= 0 // of one that computes it says nothing
	}
	o.before = now
	return ran
}

// goesOn says whether to go on waiting for what workers have for the page: changed says
// that the page has changed since it was asked last, and shown that it had made something
// of the action before, so that there may be nothing more to come.
func (o *workerWatch) goesOn(ctx context.Context, changed, shown bool) bool {
	if o == nil {
		return false
	}
	ran := o.ran(ctx)
	now := time.Now()
	if o.since.IsZero() {
		if !ran && o.slow && o.again < mostAgain {
			o.again++
			return ctx.Err() == nil
		}
		if !ran {
			return false
		}
		o.since, o.last, o.changed = now, now, now
	}
	if changed {
		o.came, o.changed = true, now
	}
	if ran || changed {
		o.last = now
	}
	patience, silence := workerPatience, replyPatience
	vain := !o.came && o.tab.vainWorkerWaits.Load() >= mostInVain
	if vain || o.tab.restlessWorkers.Load() >= mostRestless {
		patience = replyPatience
	}
	if vain || o.came || shown {
		silence = workerPause
	}
	return now.Sub(o.last) <= silence && now.Sub(o.since) <= patience && (o.computes || now.Sub(o.changed) <= workerQuiet) && ctx.Err() == nil
}

// late says that a worker is still computing what it was asked for.
func (o *workerWatch) late() bool { return o != nil && o.computes && !o.since.IsZero() }

// end notes how the workers are, now that nobody waits for them.
func (o *workerWatch) end() {
	if o == nil || o.before == nil {
		return
	}
	o.tab.workersAtRest.Store(new(maps.Clone(o.before)))
	switch {
	case o.since.IsZero():
	case o.came:
		o.tab.vainWorkerWaits.Store(0)
	default:
		o.tab.vainWorkerWaits.Add(1)
	}
}

// worked waits until workers have done what they do while a page loads, and says whether
// they did anything.
func (t *Tab) worked(ctx context.Context, frame backend.Frame) bool {
	o := t.watchWorkers()
	if o == nil || o.asked == nil {
		return false
	}
	for {
		v, err := t.call(ctx, frame, "settle", prepareArg{Cap: workerPatience.Milliseconds(), Until: "worked"})
		if err != nil {
			return false
		}
		if !o.goesOn(ctx, v.Changes > 0, true) {
			o.end()
			return !o.since.IsZero()
		}
	}
}
