package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"rove"
	"rove/internal/derive"
	"rove/recording"
)

// Options say how a flow is proved.
type Options struct {
	Runs   int    // how often it has to pass; 0 is 3
	Reset  string // a command that puts the application back before each run
	Params map[string]string
	Run    Run
	// Missing is for how long what should not be so is waited for; 0 is 1.5 s.
	Missing time.Duration
	// Say is told what is being done; nil keeps silent.
	Say func(format string, args ...any)
}

// How long a replay of a proof waits: for elements, and for what must not be so when
// its cause is missing.
const (
	patience = 10 * time.Second
	failing  = 3 * time.Second // where something is made to fail, and will not come
	missing  = 1500 * time.Millisecond
)

// mostPruned is how many checks may turn out to be others each time before the flow
// is given up.
const mostPruned = 12

// Prove runs a flow as often as it has to pass, and then with the cause of each
// check missing, so that each is seen to fail. Checks that say nothing are dropped.
// The flow is changed: it has its proof, with the reason where it is none.
func Prove(ctx context.Context, f *recording.Flow, opts Options) error {
	p := &prover{Options: opts, flow: f, proof: &recording.Proof{Reset: opts.Reset != ""}}
	if p.Runs <= 0 {
		p.Runs = 3
	}
	if p.Missing <= 0 {
		p.Missing = missing
	}
	if p.Say == nil {
		p.Say = func(string, ...any) {}
	}
	f.Proof = p.proof
	p.kept = withoutAgain(f)
	if err := p.passes(ctx); err != nil {
		return err
	}
	for _, prove := range []func(context.Context) error{p.fails, p.stays, p.refused} {
		if p.proof.Passed < p.proof.Runs || p.proof.Why != "" {
			break
		}
		if err := prove(ctx); err != nil {
			return err
		}
	}
	if p.changed && p.proof.Why == "" { // it is another flow than the one that passed
		p.Say("other checks came to it: once more")
		p.proof.Passed, p.proof.Runs, p.proof.Times, p.proof.Heals = 0, 0, nil, 0
		if err := p.passes(ctx); err != nil {
			return err
		}
		f.Steps = slices.DeleteFunc(f.Steps, func(do recording.Do) bool { return do.Proves > 0 && !proves(f, do.Proves) })
	}
	for _, do := range f.Steps {
		p.proof.Checks += len(do.Checks)
	}
	p.unchecked()
	if p.proof.Passed == p.proof.Runs && p.proof.Checks == 0 {
		p.proof.Why = "nothing in it can fail"
	}
	return nil
}

// unchecked notes that nothing is checked after the last steps.
func (p *prover) unchecked() {
	n := 0
	for n < len(p.flow.Steps) && len(p.flow.Steps[len(p.flow.Steps)-1-n].Checks) == 0 {
		n++
	}
	if n > 0 && n < len(p.flow.Steps) {
		p.flow.Notes = append(p.flow.Notes, fmt.Sprintf("what its last %d steps did is not checked: nothing was seen to come or go that would not be so without them", n))
	}
}

type prover struct {
	Options
	flow  *recording.Flow
	proof *recording.Proof
	// changed says that checks were added since it passed.
	changed bool
	// kept is what an earlier proof saw when the page was loaded again.
	kept []recording.Check
	// answers are those that the last run that passed got, and wrote and reads what was
	// sent to be kept and read in it.
	answers *rove.Answers
	wrote   []rove.Wrote
	reads   []string
}

func (p *prover) run(ctx context.Context, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
	if err := Reset(ctx, p.Reset); err != nil {
		return nil, err
	}
	opts.Params = p.Params
	if opts.Patience == 0 {
		opts.Patience = patience
	}
	return p.Run(ctx, p.flow, opts)
}

// coming is for how long what may be there is waited for: an application that takes its
// time for the flow takes it for a page as well.
func (p *prover) coming() time.Duration {
	var longest time.Duration
	for _, ms := range p.proof.Times {
		longest = max(longest, time.Duration(ms)*time.Millisecond)
	}
	return max(2*p.Missing, min(longest, patience))
}

// reaching runs the flow, and once more with more patience where it stopped before a step:
// that says nothing of what the step does.
func (p *prover) reaching(ctx context.Context, step int, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
	r, err := p.run(ctx, opts)
	if r == nil || err == nil || r.Done >= step || ctx.Err() != nil {
		return r, err
	}
	opts.Patience = patience
	return p.run(ctx, opts)
}

func (p *prover) dropped(step int, c recording.Check, why string) {
	p.proof.Dropped = append(p.proof.Dropped, fmt.Sprintf("step %d, %s: %s", step+1, c, why))
}

// passes runs the flow until it has passed as often as it has to, or fails. What
// turns out to be another one each time is no check; what can be used once only is
// made anew for each run.
func (p *prover) passes(ctx context.Context) error {
	fresh := false
	for pruned := 0; p.proof.Passed < p.Runs; {
		p.answers = &rove.Answers{}
		opts := rove.ReplayOptions{}
		if p.proof.Passed == p.Runs-1 {
			opts.Answers = p.answers
		}
		r, err := p.run(ctx, opts)
		if r == nil {
			return err
		}
		if err == nil {
			if opts.Answers != nil {
				p.wrote, p.reads = r.Wrote, r.Reads
			}
			straighten(p.flow, r.Astray)
			p.proof.Passed++
			p.proof.Runs++
			p.proof.Times = append(p.proof.Times, r.Took)
			p.proof.Heals += len(r.Heals)
			p.Say("passed, %d of %d", p.proof.Passed, p.Runs)
			continue
		}
		p.Say("%v", err)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		step := &p.flow.Steps[min(r.Done, len(p.flow.Steps)-1)]
		var unmet *recording.Check
		if r.Unmet && len(r.Failed) > 0 {
			c := step.Checks[r.Failed[0]]
			unmet = &c
		}
		if unmet != nil && r.InParts && pruned < mostPruned {
			pruned++
			step.Checks[r.Failed[0]].Query = recording.InParts(unmet.Text)
			p.proof.Passed, p.proof.Runs, p.proof.Times = 0, 0, nil
			continue
		}
		refused := unmet != nil && step.Saves != nil && (unmet.Kind == "status" && !r.Unsent || elsewhere(unmet, p.flow.Base, r.URL))
		if !fresh && (refused || p.Reset == "" && p.saved(r.Done)) && derive.Freshen(p.flow) {
			fresh = true
			p.Say("what was typed may be taken: with new values once more")
			p.proof.Passed, p.proof.Runs, p.proof.Times = 0, 0, nil
			continue
		}
		if unmet != nil && pruned < mostPruned && p.mayDiffer(r, unmet) {
			pruned++
			n := r.Failed[0]
			p.dropped(r.Done, *unmet, "it was not so in a replay")
			if unmet.Kind == "status" {
				step.Unsave()
			}
			step.Checks = slices.Delete(step.Checks, n, n+1)
			// Once each was seen to fail, another would be one that was not.
			if n := slices.IndexFunc(step.Spares, func(c recording.Check) bool { return c.Kind != "gone" || unmet.Kind == "gone" }); n >= 0 && !p.changed {
				step.Checks = append(step.Checks, step.Spares[n])
				step.Spares = slices.Delete(step.Spares, n, n+1)
			}
			p.proof.Fail = max(0, p.proof.Fail-1)
			p.proof.Passed, p.proof.Runs, p.proof.Times = 0, 0, nil
			continue
		}
		p.proof.Runs++
		p.proof.Why = "a replay stopped: " + r.Error
		return nil
	}
	return nil
}

// straighten takes ways out of a flow that did not lead to their elements in a replay that
// passed: they were made up for one load of the page. Other formats have no other way.
func straighten(f *recording.Flow, astray [][]int) {
	for i, list := range astray {
		who := f.Steps[i].Who
		if who == nil || len(list) == 0 {
			continue
		}
		straight := *who
		straight.Ways = nil
		for n, w := range who.Ways {
			if !slices.Contains(list, n) {
				straight.Ways = append(straight.Ways, w)
			}
		}
		if len(straight.Ways) > 0 {
			f.Steps[i].Who = &straight
		}
	}
}

// mayDiffer says whether a check that was not so in a replay may be dropped: pages
// say other things at other times, and some save by themselves when they like: a
// request that was not made at this step may be dropped. That something was saved, and where a step leads
// to, may not differ, but for keys of things; nor may all that was seen to come of
// what was saved, or of the last step, turn out not to be so: then the replay did
// something else.
func (p *prover) mayDiffer(r *rove.ReplayResult, c *recording.Check) bool {
	i := r.Done
	step := &p.flow.Steps[min(i, len(p.flow.Steps)-1)]
	if c.Kind == "status" && !r.Unsent || elsewhere(c, p.flow.Base, r.URL) {
		return false
	}
	if (step.Saves == nil || c.Kind == "status") && i < len(p.flow.Steps)-1 || len(step.Spares) > 0 {
		return true
	}
	return slices.ContainsFunc(step.Checks, func(o recording.Check) bool { return o != *c && o.Kind != "status" })
}

// elsewhere says that a check of an address failed because a replay came to another
// page, and not to the same of another thing.
func elsewhere(c *recording.Check, base, at string) bool {
	if c.Kind != "url" {
		return false
	}
	place := func(address string) string {
		address, _, _ = strings.Cut(address, "#")
		address, _, _ = strings.Cut(address, "?")
		return recording.PathPattern(address)
	}
	want := c.Text
	if strings.HasPrefix(want, "/") {
		want = base + want
	}
	return place(want) != place(at)
}

// saved says whether something was saved up to a step.
func (p *prover) saved(step int) bool {
	return slices.ContainsFunc(p.flow.Steps[:min(step+1, len(p.flow.Steps))], func(do recording.Do) bool { return do.Saves != nil })
}

// fails leaves out the cause of each check: one that does not notice is dropped.
func (p *prover) fails(ctx context.Context) error {
	for i := range p.flow.Steps {
		do := &p.flow.Steps[i]
		if len(do.Checks) == 0 {
			continue
		}
		own := len(do.Checks)
		do.Checks = append(do.Checks, do.Spares...)
		var r *rove.ReplayResult
		var err error
		for range 2 { // a run that stops on its way says nothing
			r, err = p.run(ctx, rove.ReplayOptions{Skip: i + 1, Until: i + 1, Checks: p.Missing})
			if r == nil {
				return err
			}
			if r.Done >= i {
				break
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if r.Done < i {
			p.proof.Why = "without its step " + fmt.Sprint(i+1) + " it stopped on the way: " + r.Error
			return nil
		}
		shown, err := p.shown(ctx, i, own, r.Failed)
		if err != nil {
			return err
		}
		var kept, others []recording.Check
		silent := 0
		for n, c := range do.Checks {
			fails := slices.Contains(r.Failed, n) || slices.Contains(shown, n)
			switch {
			case n >= own && fails && c.Kind != "gone": // that it goes was not seen in a replay
				others = append(others, c)
			case n >= own:
			case fails:
				kept = append(kept, c)
			default:
				p.dropped(i, c, "it is so without the step as well")
				switch c.Kind {
				case "text":
					silent++
				case "status": // the page saves by itself
					do.Unsave()
				}
			}
		}
		do.Checks = kept
		if others, err = p.holding(ctx, i, others, silent); err != nil {
			return err
		}
		p.changed = p.changed || len(others) > 0
		kept = append(kept, others...)
		p.proof.Fail += len(kept)
		p.Say("step %d left out: %d of %d checks fail", i+1, len(kept), own)
		do.Checks = kept
	}
	return nil
}

// shown are checks of a page that a step leads to, which are so without the step as well,
// and fail where what they have in them was not entered: forms that show what is typed as
// it will look have it before it is saved. The address tells the two pages apart.
func (p *prover) shown(ctx context.Context, step, own int, failed []int) (list []int, err error) {
	do := &p.flow.Steps[step]
	if !slices.ContainsFunc(failed, func(n int) bool { return n < own && do.Checks[n].Kind == "url" }) {
		return nil, nil
	}
	tried := map[int][]int{} // what fails without a step that enters something
	for n, c := range do.Checks[:own] {
		if c.Kind != "text" || slices.Contains(failed, n) {
			continue
		}
		for k, before := range p.flow.Steps[:step] {
			if !before.Enters() || !strings.Contains(c.Text, before.Value) {
				continue
			}
			if _, known := tried[k]; !known {
				r, err := p.run(ctx, rove.ReplayOptions{Skip: k + 1, Until: step + 1, Every: true, Checks: p.Missing})
				if r == nil || ctx.Err() != nil {
					return nil, err
				}
				if tried[k] = nil; r.Done == step && r.Unmet {
					tried[k] = r.Failed
				}
			}
			if slices.Contains(tried[k], n) {
				list = append(list, n)
				break
			}
		}
	}
	return list, nil
}

// holding are the first of some checks that are so after a step.
func (p *prover) holding(ctx context.Context, step int, checks []recording.Check, most int) ([]recording.Check, error) {
	if most == 0 || len(checks) == 0 {
		return nil, nil
	}
	do := &p.flow.Steps[step]
	own := do.Checks
	do.Checks = checks
	r, err := p.run(ctx, rove.ReplayOptions{Until: step + 1, Every: true, Checks: p.coming()})
	do.Checks = own
	if r == nil || ctx.Err() != nil {
		return nil, err
	}
	if r.Done < step || r.Done == step && !r.Unmet {
		return nil, nil // it stopped on the way
	}
	checks = left(checks, r.Failed, false)
	return checks[:min(len(checks), most)], nil
}

// refused has each request that saves be answered with 500, which has to be noticed.
func (p *prover) refused(ctx context.Context) error {
	for i, do := range p.flow.Steps {
		for _, q := range do.Writes() {
			if err := p.refuse(ctx, i, &q); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *prover) refuse(ctx context.Context, i int, q *recording.Request) error {
	p.proof.Saves++
	first := slices.IndexFunc(p.flow.Steps, func(do recording.Do) bool {
		return slices.ContainsFunc(do.Writes(), func(w recording.Request) bool { return w.Same(q) })
	})
	refused := rove.ReplayOptions{Fail: q, Patience: failing, Blind: true}
	r, err := p.reaching(ctx, first, refused)
	if r == nil {
		return err
	}
	told, noticed := err != nil && r.Done >= first, false
	if err == nil {
		refused.Blind = false
		if r, err = p.reaching(ctx, first, refused); r == nil {
			return err
		}
		noticed = err != nil && r.Done >= first
	}
	switch {
	case told:
		p.proof.Caught++
	case noticed:
		p.proof.Caught++
		p.flow.Notes = append(p.flow.Notes, fmt.Sprintf("that step %d could not save is noticed by rove replay and Playwright alone: the page says nothing of it", i+1))
	case err != nil:
		p.flow.Notes = append(p.flow.Notes, fmt.Sprintf("whether it is noticed that step %d could not save is not known: the replay stopped on the way, %s", i+1, r.Error))
	default:
		p.flow.Notes = append(p.flow.Notes, fmt.Sprintf("that step %d could not save (%s answered with 500) was not noticed", i+1, q))
	}
	p.Say("%s of step %d answered with 500: noticed %v", q, i+1, told || noticed)
	return nil
}
