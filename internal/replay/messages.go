package replay

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"rove"
	"rove/internal/derive"
	"rove/recording"
)

// lasting says that what noticed a lost save is more than a message. A server says once
// what it did, on the page it leads to ("Added Winter sale"), and one that kept nothing may
// say so too, where the trial does not: its server was never asked. So what passes when the
// page is loaded again is no proof that something was kept.
func (p *prover) lasting(ctx context.Context, cause int, noticed *rove.ReplayResult, lost rove.ReplayOptions) (bool, error) {
	at := noticed.Done
	if !noticed.Unmet || !p.flow.Steps[cause].Leads || slices.ContainsFunc(p.flow.Steps[cause+1:at+1], func(do recording.Do) bool { return do.Leaves() }) {
		return true, nil
	}
	lost.Until, lost.Every, lost.Checks = at+1, true, 2*p.Missing
	without, err := p.run(ctx, lost)
	if without == nil || ctx.Err() != nil {
		return false, err
	}
	whole, err := p.run(ctx, rove.ReplayOptions{Until: at + 1, Again: true, Checks: p.coming()})
	if whole == nil || ctx.Err() != nil {
		return false, err
	}
	if err != nil || without.Done != at {
		return true, nil // what passes is not known
	}
	if err := p.told(ctx, cause, at, whole.Passing); err != nil {
		return false, err
	}
	return slices.ContainsFunc(without.Failed, func(n int) bool {
		c := p.flow.Steps[at].Checks[n]
		return c.Kind != "text" || !slices.ContainsFunc(whole.Passing, says(c.Text).MatchString)
	}), nil
}

// told has the message be there that a page gave of what a step saved, where no check asks
// for one: it is what the page says no longer once it is loaded again.
func (p *prover) told(ctx context.Context, cause, at int, passing []string) error {
	step := &p.flow.Steps[at]
	passing = slices.DeleteFunc(slices.Clone(passing), func(text string) bool { // it stands in the list, too
		return slices.ContainsFunc(p.flow.Steps[:cause+1], func(do recording.Do) bool { return do.Value == text })
	})
	message, ok := derive.Message(passing)
	if !ok || slices.ContainsFunc(step.Checks, func(c recording.Check) bool {
		return c.Kind == "text" && slices.ContainsFunc(passing, says(c.Text).MatchString)
	}) {
		return nil
	}
	own := step.Checks
	step.Checks = []recording.Check{message}
	r, err := p.run(ctx, rove.ReplayOptions{Skip: cause + 1, Until: at + 1, Checks: p.Missing})
	step.Checks = own
	if r == nil || ctx.Err() != nil {
		return err
	}
	if r.Done != at || !r.Unmet {
		return nil
	}
	step.Checks = append(slices.Clone(own), message)
	p.proof.Fail++
	p.changed = true
	return nil
}

// says is a text as it may be said, whatever its parameters are in a run.
func says(text string) *regexp.Regexp {
	var b strings.Builder
	for i, part := range recording.ParamPlace.Split(text, -1) {
		if i > 0 {
			b.WriteString(".+")
		}
		b.WriteString(regexp.QuoteMeta(part))
	}
	return regexp.MustCompile(b.String())
}
