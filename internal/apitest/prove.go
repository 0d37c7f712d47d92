package apitest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"rove/internal/har"
	"rove/internal/outlet"
)

// Run is a run of what was written.
type Run struct {
	Dir, File string // the folder, and the file in it
	// Properties are karate.properties.
	Properties map[string]string
	// Name is a regular expression that scenarios must match; empty is all.
	Name string
}

// RunResult is what a run came to.
type RunResult struct {
	Passed, Failed int
	Failures       []string // one text for each that failed
}

// Runner runs features; package feature can, and real Karate.
type Runner func(context.Context, Run) (RunResult, error)

// Proof says how a suite is proved.
type Proof struct {
	Run Runner
	// Times is how often it must pass; 0 is twice.
	Times int
	// Reset is called before every run, to bring the application back to where it
	// began; nil does nothing.
	Reset func(context.Context) error
	// Script proves the JavaScript form instead of the feature.
	Script bool
	// Progress is told what is under way.
	Progress func(string)
}

// Unproved is why a suite was not proved.
type Unproved struct{ Reason string }

func (e *Unproved) Error() string { return e.Reason }

// prover is a proof under way.
type prover struct {
	Proof
	o       Options
	suite   *Suite
	proxies []*proxy
	dir     string
}

// Prove derives a suite and proves it on the running application: it passes every
// time, what is recorded meanwhile tells which values stay, refusals are tried, and
// each altered answer makes it fail. The suite is given back with an Unproved error
// as well, for those who want it all the same.
func Prove(ctx context.Context, recordings [][]*har.Entry, o Options, how Proof) (*Suite, error) {
	s, err := Derive(recordings, o)
	if err != nil {
		return nil, err
	}
	p := &prover{Proof: how, o: o, suite: s}
	if p.Times <= 0 {
		p.Times = 2
	}
	if p.Progress == nil {
		p.Progress = func(string) {}
	}
	defer func() {
		for _, one := range p.proxies {
			one.stop()
		}
	}()
	for _, origin := range s.Origins {
		one, err := startProxy(origin)
		if err != nil {
			return s, &Unproved{err.Error()}
		}
		p.proxies = append(p.proxies, one)
	}
	if p.dir, err = os.MkdirTemp("", "rove-derive-*"); err != nil {
		return s, err
	}
	defer os.RemoveAll(p.dir)
	err = p.all(ctx, recordings)
	var unproved *Unproved
	if errors.As(err, &unproved) {
		unproved.Reason = p.suite.out.Text(unproved.Reason)
		p.suite.Verdict = []string{"NOT PROVED: " + oneLine(unproved.Reason)}
	}
	return p.suite, err
}

// rounds is how often expectations are mended by what a run showed.
const rounds = 3

func (p *prover) all(ctx context.Context, recordings [][]*har.Entry) error {
	var seen []marked
	var last RunResult
	for round := 1; ; round++ {
		p.Progress(fmt.Sprintf("run %d on the application, recording", round))
		r, err := p.recorded(ctx)
		if err != nil {
			return err
		}
		if p.refusedTwice() && round < rounds+1 {
			// What was seen of a flow that came to nothing says little.
			seen = nil
			if p.suite, err = derivedWith(recordings, nil, p.o); err != nil {
				return err
			}
			continue
		}
		seen = append(seen, p.marked())
		again, err := derivedWith(recordings, seen, p.o)
		if err != nil {
			return err
		}
		p.suite, last = again, r
		if r.Failed == 0 && len(seen) > 1 || round >= rounds+1 {
			break
		}
	}
	if last.Failed > 0 {
		return p.failed("it does not pass on the application", last)
	}
	if err := p.tryRefusals(ctx); err != nil {
		return err
	}
	for i := 0; i < p.Times; i++ {
		p.Progress(fmt.Sprintf("pass %d of %d", i+1, p.Times))
		r, err := p.run(ctx, p.suite.form(p.Script, false), p.properties(false), "")
		if err != nil {
			return err
		}
		if p.changeable(r) {
			i = -1
			continue
		}
		if r.Failed > 0 || r.Passed == 0 {
			return p.failed(fmt.Sprintf("run %d of %d on the application did not pass", i+1, p.Times), r)
		}
	}
	caught, tried, missed, err := p.alter(ctx)
	if err != nil {
		return err
	}
	// A failure for another reason than the altered answer proves nothing.
	r, err := p.run(ctx, p.suite.form(p.Script, false), p.properties(false), "")
	if err != nil {
		return err
	}
	if r.Failed > 0 {
		return p.failed("it does not pass any more after it was tried often: it uses up what the application has; --reset brings that back", r)
	}
	p.verdict(caught, tried, missed)
	return nil
}

// onceOnly are names of values that applications often take only once.
var onceOnly = pattern(`(?i)mail|user|name|title|slug|code|sku|handle|login|phone|key|number|label|domain|ref`)

// refusedTwice finds calls that were taken when they were recorded and are refused
// when they come again, and has their values be others each time. It says whether
// there was one that it had not seen before.
func (p *prover) refusedTwice() bool {
	found := false
	for _, c := range p.suite.Calls {
		if !c.writes() || c.Answer.Status >= 400 || c.Body == nil || slices.Contains(p.suite.Auth, c) {
			continue
		}
		switch status, _ := p.proxies[c.Origin].answered(c.ID); status {
		case 400, 409, 422:
		default:
			continue
		}
		var list []place
		mails := false
		for _, s := range c.slots() {
			text := s.text.plain()
			if s.kind != "json" && s.kind != "field" || s.text.variables() != nil || s.node != nil && s.node.Kind != 's' || text == "" || !onceOnly().MatchString(s.name) {
				continue
			}
			if email().MatchString(text) && !mails {
				list, mails = nil, true // an address says who it is
			}
			if !mails || email().MatchString(text) {
				list = append(list, place{c.ID, s.key})
			}
		}
		for _, one := range list {
			if !slices.Contains(p.o.fresh, one) {
				p.o.fresh, found = append(p.o.fresh, one), true
			}
		}
	}
	return found
}

func (p *prover) failed(what string, r RunResult) error {
	why := ""
	if len(r.Failures) > 0 {
		why = ": " + r.Failures[0]
	}
	return &Unproved{fmt.Sprintf("%s (%d of %d scenarios failed)%s", what, r.Failed, r.Failed+r.Passed, why)}
}

// recorded runs the positive scenarios through the proxies.
func (p *prover) recorded(ctx context.Context) (RunResult, error) {
	for _, one := range p.proxies {
		one.begin(nil)
	}
	return p.run(ctx, p.suite.feature(true), p.properties(true), "")
}

// run writes the files and runs them, on an application that was reset.
func (p *prover) run(ctx context.Context, files []File, properties map[string]string, name string) (RunResult, error) {
	if p.Reset != nil {
		if err := p.Reset(ctx); err != nil {
			return RunResult{}, &Unproved{"the reset command failed: " + err.Error()}
		}
	}
	return p.again(ctx, files, properties, name)
}

func (p *prover) again(ctx context.Context, files []File, properties map[string]string, name string) (RunResult, error) {
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(p.dir, f.Name), []byte(f.Text), 0o600); err != nil {
			return RunResult{}, err
		}
	}
	return p.Run(ctx, Run{Dir: p.dir, File: files[0].Name, Properties: properties, Name: name})
}

// properties are what the config reads: the addresses, and secrets as they were
// recorded, or else as the environment has them.
func (p *prover) properties(proxied bool) map[string]string {
	all := map[string]string{}
	for i, origin := range p.suite.Origins {
		all[baseName(i)] = origin
		if proxied && i < len(p.proxies) {
			all[baseName(i)] = p.proxies[i].url
		}
	}
	for _, v := range p.suite.Config {
		if v.Fresh {
			continue
		}
		if value, ok := p.o.Secrets[v.Name]; ok {
			all[v.Name] = value
		} else if !strings.Contains(v.Value, outlet.Mask) {
			all[v.Name] = v.Value
		}
	}
	return all
}

// marked is what passed the proxies in a run, by call.
type marked map[int]*har.Entry

func (p *prover) marked() marked {
	all := marked{}
	for _, one := range p.proxies {
		one.mu.Lock()
		for i, mark := range one.marks {
			if mark > 0 {
				all[mark] = one.entries[i] // of repeated ones the last, which ended it
			}
		}
		one.mu.Unlock()
	}
	return all
}

// derivedWith derives with what runs showed as further recordings.
func derivedWith(recordings [][]*har.Entry, seen []marked, o Options) (*Suite, error) {
	first := keep(recordings[0], &o, nil)
	var others []*recording
	for _, r := range recordings[1:] {
		others = append(others, keep(r, &o, first.origins))
	}
	return derive(first, others, seen, o)
}

// tryRefusals asks the application what it must refuse, and keeps the cases that
// it does refuse.
func (p *prover) tryRefusals(ctx context.Context) error {
	cases := p.suite.negatives()
	if len(cases) == 0 {
		return nil
	}
	p.Progress(fmt.Sprintf("%d cases that should be refused", len(cases)))
	for _, one := range p.proxies {
		one.begin(nil)
	}
	probe := *p.suite
	probe.Scenarios = cases
	if _, err := p.run(ctx, probe.feature(true), p.properties(true), ""); err != nil {
		return err
	}
	for _, sc := range cases {
		n := sc.Negative
		status, ok := p.proxies[n.Call.Origin].answered(n.mark)
		if !ok {
			continue // what it needs did not come about
		}
		keep, finding := n.judge(sc.Name, status)
		if keep {
			n.Status = status
			p.suite.Scenarios = append(p.suite.Scenarios, sc)
		}
		if finding != "" {
			p.suite.Findings = append(p.suite.Findings, finding)
		}
	}
	uniqueNames(p.suite.Scenarios)
	return nil
}

// changeable leaves out the refusals that failed, where nothing else did: whether they are
// refused depends on what was done before, as with a draft that is published by then. It
// says whether there were any.
func (p *prover) changeable(r RunResult) bool {
	var failed []*Scenario
	for _, sc := range p.suite.Scenarios {
		if sc.Negative != nil && slices.ContainsFunc(r.Failures, func(text string) bool { return strings.HasPrefix(text, oneLine(sc.Name)+": ") }) {
			failed = append(failed, sc)
		}
	}
	if len(failed) == 0 || len(failed) != r.Failed {
		return false
	}
	for _, sc := range failed {
		p.suite.Notes = append(p.suite.Notes, sc.Name+" is not always refused in the same way: it depends on what was done before, and is left out")
	}
	p.suite.Scenarios = slices.DeleteFunc(p.suite.Scenarios, func(sc *Scenario) bool { return slices.Contains(failed, sc) })
	return true
}

// alterLimit bounds the altered answers that are tried.
const alterLimit = 300

// alter runs each scenario with one answer altered at a time: it must fail.
func (p *prover) alter(ctx context.Context) (caught, tried int, missed []string, err error) {
	all := p.suite.alterations()
	if len(all) > alterLimit {
		p.suite.Notes = append(p.suite.Notes, fmt.Sprintf("%d of %d altered answers were tried", alterLimit, len(all)))
		all = all[:alterLimit]
	}
	p.Progress(fmt.Sprintf("%d altered answers", len(all)))
	files := p.suite.form(p.Script, true)
	for _, a := range all {
		i := slices.IndexFunc(p.suite.Scenarios, func(sc *Scenario) bool { return sc.Negative == nil && slices.Contains(sc.Calls, a.call) })
		for _, one := range p.proxies {
			one.begin(func(mark int, answer *Answer) bool { return mark == a.call.ID && a.do(answer) })
		}
		name := "^" + regexp.QuoteMeta(oneLine(p.suite.Scenarios[i].Name)) + "$"
		r, err := p.run(ctx, files, p.properties(true), name)
		if err != nil {
			return caught, tried, missed, err
		}
		if p.proxies[a.call.Origin].alterations() == 0 {
			continue // there was nothing to alter
		}
		tried++
		if r.Failed > 0 {
			caught++
		} else {
			missed = append(missed, a.String())
		}
	}
	return caught, tried, missed, nil
}

func (p *prover) verdict(caught, tried int, missed []string) {
	positive, negative := 0, 0
	calls := len(p.suite.Auth)
	for _, sc := range p.suite.Scenarios {
		if sc.Negative != nil {
			negative++
		} else {
			positive++
			calls += len(sc.Calls)
		}
	}
	p.suite.Verdict = []string{fmt.Sprintf("PROVED: passed %d of %d runs on %s (%d calls, %d scenarios, %d refusals); %d of %d altered answers made it fail",
		p.Times, p.Times, p.suite.Origins[0], calls, positive, negative, caught, tried)}
	for _, m := range missed {
		p.suite.Verdict = append(p.suite.Verdict, "not noticed: "+m)
	}
}
