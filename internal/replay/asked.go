package replay

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"rove"
	"rove/recording"
)

// How many addresses are asked for what a write should have kept, for how many pieces of
// it, and how many checks come of it.
const (
	mostAsked  = 8
	mostPieces = 12
	mostFound  = 2
)

// asked has the application be asked for what a write should have kept, where its page
// shows nothing of it: by a request that reads the same thing. What it answers when all is
// well, and does not when the write is lost, is checked.
func (p *prover) asked(ctx context.Context, cause int, q *recording.Request, lost rove.ReplayOptions) (bool, error) {
	checks := p.answerable(cause, q)
	if len(checks) == 0 {
		return false, nil
	}
	at := cause
	if at+1 < len(p.flow.Steps) && p.flow.Steps[at+1].Op == "dialog" {
		at++
	}
	whole := p.flow.Steps
	try := func(opts rove.ReplayOptions, checks []recording.Check, within time.Duration) (*rove.ReplayResult, error) {
		p.flow.Steps = slices.Clone(whole)
		for i := cause; i <= at; i++ {
			p.flow.Steps[i].Checks = nil
		}
		p.flow.Steps[at].Checks = checks
		defer func() { p.flow.Steps = whole }()
		opts.Until, opts.Every, opts.Checks = at+1, true, within
		r, err := p.run(ctx, opts)
		if r == nil {
			return nil, err
		}
		return r, ctx.Err()
	}
	r, err := try(rove.ReplayOptions{}, checks, p.coming())
	if err != nil || r.Done < at {
		return false, err
	}
	checks = left(checks, r.Failed, false)
	if len(checks) == 0 {
		return false, nil
	}
	if r, err = try(lost, checks, 2*p.Missing); err != nil || r.Done != at || !r.Unmet {
		return false, err
	}
	checks = left(checks, r.Failed, true)
	checks = checks[:min(len(checks), mostFound)]
	do := &p.flow.Steps[at]
	do.Checks = append(slices.Clone(do.Checks), checks...)
	p.proof.Fail += len(checks)
	p.changed = p.changed || len(checks) > 0
	return len(checks) > 0, nil
}

// left are the checks that failed, or those that did not.
func left(checks []recording.Check, failed []int, those bool) (list []recording.Check) {
	for n, c := range checks {
		if slices.Contains(failed, n) == those {
			list = append(list, c)
		}
	}
	return list
}

// answerable are the checks that may hold of what a write kept, those first of what was
// entered, where the address is nearest to that of the write.
func (p *prover) answerable(cause int, q *recording.Request) (list []recording.Check) {
	var said []string
	own, made := "", ""
	for _, w := range p.wrote {
		if w.Step > cause && w.Method == q.Method && w.Path == q.Path() && w.Asks == q.Asks {
			own, made = cmp.Or(own, w.At), cmp.Or(made, w.Made)
			said = append(said, w.Said...)
		}
	}
	if own == "" {
		return nil
	}
	var entered []string
	for _, do := range p.flow.Steps[:cause+1] {
		if enters[do.Op] && len(do.Value) > 1 && !slices.Contains(entered, do.Value) && slices.ContainsFunc(said, func(piece string) bool { return strings.Contains(piece, do.Value) }) {
			entered = append(entered, do.Value)
		}
	}
	slices.Reverse(entered) // what was entered last first
	slices.SortStableFunc(said, func(a, b string) int { return cmp.Compare(plain(a), plain(b)) })
	pieces := append(entered, said...)
	kinds := []string{"kept"}
	if q.Method == "DELETE" {
		kinds = []string{"unkept"}
		name := own[strings.LastIndex(own, "/")+1:]
		if decoded, err := url.PathUnescape(name); err == nil {
			name = decoded
		}
		pieces = append(pieces, name)
	}
	if who := p.flow.Steps[cause].Who; who != nil && q.Method != "PUT" {
		pieces = append(pieces, who.Near)
		kinds = append(kinds, "unkept")
	}
	pieces = slices.Compact(slices.DeleteFunc(pieces, func(s string) bool { return len(s) < 2 }))
	for _, kind := range slices.Compact(kinds) {
		for _, at := range p.near(own, made, q.Method) {
			for _, piece := range pieces[:min(len(pieces), mostPieces)] {
				list = append(list, recording.Check{Kind: kind, Text: piece, Query: at})
			}
		}
	}
	return list
}

// plain is 0 for a text, and 1 for a piece of JSON, which says less to a reader.
func plain(piece string) int {
	if strings.HasPrefix(piece, `"`) {
		return 1
	}
	return 0
}

// near are the addresses that pages read, nearest first to one that was written to, which
// can itself be asked where it is that of a thing.
func (p *prover) near(own, made, method string) (list []string) {
	shared := func(at string) (n int) {
		at, _, _ = strings.Cut(at, "?")
		a, b := strings.Split(at, "/"), strings.Split(own, "/")
		for n < min(len(a), len(b)) && a[n] == b[n] {
			n++
		}
		return n
	}
	for _, at := range p.reads {
		if shared(at) > 1 || strings.Count(own, "/") == 1 {
			list = append(list, at)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return shared(b) - shared(a) })
	if method != "POST" && !slices.Contains(list, own) {
		list = slices.Insert(list, 0, own)
	}
	if made != "" && method == "POST" {
		list = slices.Insert(list, 0, made)
	}
	return list[:min(len(list), mostAsked)]
}
