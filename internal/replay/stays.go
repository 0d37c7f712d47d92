package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"rove"
	"rove/recording"
)

// A page may show at once what it will save later, or never. So the saves of a flow are
// answered well and not made; where nobody notices, the page is loaded again in the
// flow, and what was kept has to be there.

// How many things are tried after a page was loaded again, and how many of them stay.
const (
	mostTried   = 14
	mostStaying = 4
	mostAnchors = 6
)

// stays has every write of the flow be noticed when it keeps nothing, as far as it can.
// Where a step has several, each is lost by itself.
func (p *prover) stays(ctx context.Context) error {
	saves := 0
	for i := 0; i < len(p.flow.Steps); i++ {
		if p.flow.Steps[i].Saves == nil || p.flow.SignsIn(i) || p.shownAgain(i) {
			continue
		}
		writes := p.flow.Steps[i].Writes()
		for n := range writes {
			saves++
			lost := rove.ReplayOptions{Lose: i + 1, Answers: p.answers, Blind: true, Patience: failing}
			if len(writes) > 1 {
				lost.Write = n + 1
			}
			if err := p.lose(ctx, i, &writes[n], lost); err != nil {
				return err
			}
		}
		p.join()
	}
	if saves > 0 {
		return nil
	}
	// What is kept by other ways than requests (in the browser, through a socket) can
	// only be left out.
	for i := len(p.flow.Steps) - 1; i >= 0; i-- {
		if slices.ContainsFunc(p.flow.Steps[i].Checks, func(c recording.Check) bool { return c.Kind == "gone" || c.Kind == "text" && p.typed(i, c.Text) }) {
			_, err := p.again(ctx, i, rove.ReplayOptions{Skip: i + 1})
			return err
		}
	}
	return nil
}

// lose has one write of a step be noticed when it keeps nothing: by what the flow checks
// anyway, by what the page says once it is loaded again, or by what the application
// answers when it is asked.
func (p *prover) lose(ctx context.Context, i int, q *recording.Request, lost rove.ReplayOptions) error {
	p.proof.Lost++
	r, err := p.reaching(ctx, i, lost)
	if r == nil || ctx.Err() != nil {
		return err
	}
	noticed := err != nil && r.Done >= i
	if noticed {
		if noticed, err = p.lasting(ctx, i, r, lost); err != nil {
			return err
		}
	}
	for _, find := range []func() (bool, error){
		func() (bool, error) { return p.again(ctx, i, lost) },
		func() (bool, error) { return p.asked(ctx, i, q, lost) },
	} {
		if noticed {
			break
		}
		if noticed, err = find(); err != nil {
			return err
		}
	}
	p.Say("%s of step %d kept nothing: noticed %v", q, i+1, noticed)
	if noticed {
		p.proof.Noticed++
		return nil
	}
	p.proof.Unseen = append(p.proof.Unseen, fmt.Sprintf("step %d, %s", i+1, q))
	p.flow.Notes = append(p.flow.Notes, fmt.Sprintf("that step %d kept nothing, though %s was answered well, would not be noticed: nothing of it but messages was seen when the page was loaded again, nor in what the application answers", i+1, q))
	return nil
}

// join makes one of several times that the page is loaded again on end.
func (p *prover) join() {
	steps := p.flow.Steps
	for i := len(steps) - 1; i > 0; i-- {
		a, b := &steps[i-1], &steps[i]
		if a.Proves == 0 || a.Proves != b.Proves || a.Who != nil || b.Who != nil || a.Op != b.Op || a.Value != b.Value {
			continue
		}
		for _, c := range b.Checks {
			if !slices.Contains(a.Checks, c) {
				a.Checks = append(a.Checks, c)
			} else {
				p.proof.Fail--
			}
		}
		steps = slices.Delete(steps, i, i+1)
		for n := range steps { // what proves a later step counts on
			if steps[n].Proves > i {
				steps[n].Proves--
			}
		}
	}
	p.flow.Steps = steps
}

// shownAgain says that a step sent a form that was shown again: a later one sent it once
// more, and was led on. It saved nothing.
func (p *prover) shownAgain(i int) bool {
	did := p.flow.Steps[i].Saves
	return did.Status < 300 && slices.ContainsFunc(p.flow.Steps[i+1:], func(do recording.Do) bool {
		q := do.Saves
		return q != nil && q.Status >= 300 && q.Method == did.Method && recording.PathPattern(q.URL) == recording.PathPattern(did.URL)
	})
}

// typed says that a text has something in it that was entered up to a step.
func (p *prover) typed(upTo int, text string) bool {
	return slices.ContainsFunc(p.flow.Steps[:upTo+1], func(do recording.Do) bool {
		return enters[do.Op] && len(do.Value) > 1 && strings.Contains(text, do.Value)
	})
}

var enters = map[string]bool{"input": true, "type": true, "select": true, "set": true}

// again has the page be loaded again after a step, with what has to be there then: what
// is there when all is well, and is not when the step's work is lost. It says whether
// there is any.
func (p *prover) again(ctx context.Context, cause int, lost rove.ReplayOptions) (bool, error) {
	soon := cause + 1
	if soon < len(p.flow.Steps) && p.flow.Steps[soon].Op == "dialog" {
		soon++
	}
	late := soon
	for late < len(p.flow.Steps) && !p.flow.Steps[late].Leaves() {
		late++
	}
	whole := p.flow.Steps
	places := []int{late, soon}
	if late < len(whole) { // a list at the end may have what an earlier step made, as well
		places = append(places, len(whole))
	}
	for _, at := range slices.Compact(places) {
		way := p.way(cause)
		for n := 0; n <= len(way); n++ {
			more := p.loaded(cause, at, way[:n])
			checks, err := p.staying(ctx, cause, at, more, lost)
			if err != nil {
				return false, err
			}
			if len(checks) == 0 {
				continue
			}
			more[n].Checks = checks
			p.flow.Steps = inserted(whole, at, more)
			if at < len(whole) { // what comes after it has to go on
				r, err := p.run(ctx, rove.ReplayOptions{})
				if r == nil {
					return false, err
				}
				if err != nil {
					p.flow.Steps = whole
					continue
				}
			}
			p.proof.Fail += len(checks)
			p.changed = true
			p.Say("after step %d the page is loaded again: %d checks", at, len(checks))
			return true, nil
		}
	}
	return false, ctx.Err()
}

// mostWay is how many presses are made again after a page was loaded again.
const mostWay = 2

// way are the presses that the page was brought to with what it shows, before something
// was entered: a page that is loaded again may begin elsewhere.
func (p *prover) way(cause int) (list []recording.Do) {
	from := cause
	for from > 0 && (from == cause || !p.flow.Steps[from].Leaves()) {
		from--
	}
	for i := from + 1; i < cause && len(list) < mostWay; i++ {
		do := p.flow.Steps[i]
		if do.Op != "click" || do.Saves != nil || do.Asks {
			break
		}
		list = append(list, do)
	}
	return list
}

// loaded are the steps that load a page again after a step, and bring it to what it showed.
func (p *prover) loaded(cause, at int, way []recording.Do) []recording.Do {
	list := []recording.Do{p.flow.Reload(at)}
	list[0].Proves = cause + 1
	for _, do := range way {
		do.Checks, do.Spares, do.Proves = nil, nil, cause+1
		list = append(list, do)
	}
	return list
}

// proves says that something is checked that proves a step.
func proves(f *recording.Flow, step int) bool {
	return slices.ContainsFunc(f.Steps, func(do recording.Do) bool { return do.Proves == step && len(do.Checks) > 0 })
}

// inserted is a list of steps with some more. What proves a later step counts on.
func inserted(steps []recording.Do, at int, more []recording.Do) []recording.Do {
	list := slices.Clone(steps)
	for i := at; i < len(list); i++ {
		if list[i].Proves > at {
			list[i].Proves += len(more)
		}
	}
	return slices.Insert(list, at, slices.Clone(more)...)
}

// staying finds what is there after the page was loaded again, and only because of a
// step.
func (p *prover) staying(ctx context.Context, cause, at int, more []recording.Do, lost rove.ReplayOptions) ([]recording.Check, error) {
	whole := p.flow.Steps
	last := at + len(more) - 1
	try := func(opts rove.ReplayOptions, checks []recording.Check, within time.Duration) (failed []int, ok bool, err error) {
		p.flow.Steps = inserted(whole, at, more)
		for i := cause; i < last; i++ { // messages may be missing that the application would give
			p.flow.Steps[i].Checks = nil
		}
		p.flow.Steps[last].Checks = checks
		defer func() { p.flow.Steps = whole }()
		opts.Until, opts.Every, opts.Checks = last+1, true, within
		r, err := p.run(ctx, opts)
		if r == nil {
			return nil, false, err
		}
		return r.Failed, r.Done > last || r.Done == last && r.Unmet, ctx.Err()
	}
	checks, anchors := p.candidates(cause, at)
	if len(checks) == 0 {
		return nil, nil
	}
	failed, ok, err := try(rove.ReplayOptions{}, append(checks[:len(checks):len(checks)], anchors...), p.coming())
	if err != nil || !ok {
		return nil, err
	}
	with := ""
	for n, c := range anchors {
		if with == "" && !slices.Contains(failed, len(checks)+n) {
			with = c.Query
		}
	}
	var there []recording.Check
	for n, c := range checks {
		if slices.Contains(failed, n) {
			continue
		}
		if c.Kind == "gone" {
			c.With = with
		}
		there = append(there, c)
	}
	if len(there) == 0 {
		return nil, nil
	}
	if failed, ok, err = try(lost, there, 2*p.Missing); err != nil || !ok {
		return nil, err
	}
	var kept []recording.Check
	for _, n := range failed {
		if len(kept) < mostStaying {
			kept = append(kept, there[n])
		}
	}
	return kept, nil
}

// candidates are what may still be so after the page was loaded again, what was entered
// first; and what may be there in any case.
func (p *prover) candidates(cause, at int) (list, anchors []recording.Check) {
	add := func(c recording.Check) {
		if !c.Frame && len(list) < mostTried && !slices.ContainsFunc(list, func(o recording.Check) bool { return o.Kind == c.Kind && o.Text == c.Text && o.Of == c.Of }) {
			list = append(list, c)
		}
	}
	seen := func(from, to int, kind string, entered bool) {
		for i := from; i < to; i++ {
			do := &p.flow.Steps[i]
			for _, c := range append(do.Checks[:len(do.Checks):len(do.Checks)], do.Spares...) {
				if c.Kind == kind && p.typed(cause, c.Text) == entered {
					add(c)
				}
			}
		}
	}
	seen(cause, at, "text", true)
	seen(cause, at, "gone", true)
	seen(cause, at, "gone", false)
	came := cause
	for came > 0 && !p.flow.Steps[came].Leaves() {
		came--
	}
	// What was changed on the page first, and then saved.
	seen(came+1, cause, "text", true)
	seen(came+1, cause, "gone", false)
	for i := cause; i >= 0 && (i == cause || !p.flow.Steps[i].Leaves()); i-- {
		if c, ok := holds(&p.flow.Steps[i]); ok {
			add(c)
		}
	}
	for _, c := range p.kept {
		add(c)
	}
	seen(cause, at, "text", false)
	for _, best := range []bool{true, false} {
		for i := at - 1; i >= 0; i-- {
			do := &p.flow.Steps[i]
			for _, c := range append(do.Checks[:len(do.Checks):len(do.Checks)], do.Spares...) {
				isBest := c.Role != "heading" && c.Role != "text"
				if c.Kind == "text" && !c.Frame && isBest == best && len(anchors) < mostAnchors && !slices.ContainsFunc(list, func(o recording.Check) bool { return o.Kind == "gone" && o.Text == c.Text }) {
					anchors = append(anchors, c)
				}
			}
		}
	}
	return list, anchors
}

// holds is what a field has to hold that a step entered something into.
func holds(do *recording.Do) (c recording.Check, ok bool) {
	who := do.Who
	if who == nil || who.Secret || len(who.Frame) > 0 || who.Plain() == "" {
		return c, false
	}
	c = recording.Check{Kind: "value", Text: do.Value, Of: strings.TrimSpace(who.Role + " " + fmt.Sprintf("%q", who.Name)), Query: who.Plain(), Role: who.Tag}
	switch do.Op {
	case "check", "uncheck":
		c.Text = fmt.Sprint(do.Op == "check")
		c.Role = "checkbox"
		return c, who.Tag == "input"
	case "input", "set":
		return c, do.Value != ""
	case "select":
		return c, who.Tag == "select"
	}
	return c, false
}

// withoutAgain takes out of a flow what an earlier proof put into it, and gives it back.
func withoutAgain(f *recording.Flow) (kept []recording.Check) {
	f.Steps = slices.DeleteFunc(f.Steps, func(do recording.Do) bool {
		if do.Proves > 0 {
			kept = append(kept, do.Checks...)
		}
		return do.Proves > 0
	})
	return kept
}
