package feature

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"rove/internal/data"
	"rove/report"
)

// featureRun is a file while its scenarios run: a file of the suite, or one call
// of it. It holds what its scenarios share.
type featureRun struct {
	suite  *suite
	source *source
	once   *onces
	setups *onces
	told   *report.Feature

	mu           sync.Mutex
	after        any // the hook afterFeature
	afterOutline map[int]outlineHook
	afterVars    *data.Object
}

func newFeatureRun(su *suite, src *source) *featureRun {
	f := src.feature
	fr := &featureRun{suite: su, source: src, once: &onces{}, setups: &onces{}}
	fr.told = &report.Feature{Path: src.shown, Name: f.Name, Description: f.Description, Line: f.Line}
	for _, t := range f.Tags {
		fr.told.Tags = append(fr.told.Tags, "@"+t.Text)
	}
	return fr
}

// info is the file for reports.
func (fr *featureRun) info() *report.Feature { return fr.told }

// each gives the scenarios of a called feature, one after the other.
func (fr *featureRun) each(ctx context.Context, caller *scenario, c *call, chooses func(*plan) bool, run func(*plan) bool) error {
	for section := range fr.source.feature.Scenarios {
		plans, dynamic := expand(fr.source, section)
		for _, p := range plans {
			if chooses(p) && !run(p) {
				return nil
			}
		}
		for _, d := range dynamic {
			if !chooses(newPlan(fr.source, section, d.tags, nil)) {
				continue
			}
			helper := newCalled(caller, fr, newPlan(fr.source, section, d.tags, nil), &call{arg: c.arg, loop: c.loop, depth: c.depth})
			helper.result = &report.Scenario{}
			restore := helper.enter(ctx)
			caller.root.current = helper
			var rows []*plan
			err := d.unfold(ctx, helper, func(p *plan) bool {
				rows = append(rows, p)
				return true
			})
			restore()
			caller.root.current = caller
			if err != nil {
				return err
			}
			for _, p := range rows {
				if !run(p) {
					return nil
				}
			}
		}
	}
	return nil
}

// chooses says whether a call of a feature runs a scenario: all but those for
// setup, or those that a tag or a name selects.
func (f *featureFile) chooses(p *plan) bool {
	if f.tag != "" {
		return p.tags.contains(f.tag)
	}
	if f.name != "" {
		ok, err := regexp.MatchString("^(?:"+f.name+")$", p.scenario.Name)
		return err == nil && ok
	}
	return !p.tags.has("setup")
}

// setup runs the scenario with the tag @setup, and gives its variables.
func (s *scenario) setup(ctx context.Context, name string) (any, error) {
	for section, sc := range s.feature.source.feature.Scenarios {
		tags := tagsOf(sc.Tags)
		at := slices.IndexFunc(tags, func(t tag) bool { return t.name == "setup" && (name == "" || slices.Contains(t.values, name)) })
		if at < 0 {
			continue
		}
		p := newPlan(s.feature.source, section, tagsOf(s.feature.source.feature.Tags, sc.Tags), nil)
		p.only(ownSteps)
		p.setup = true
		var child *scenario
		if s.caller == nil {
			child = newScenario(s.feature, p)
		} else {
			child = newCalled(s.caller, s.feature, p, &call{arg: s.call.arg, loop: s.call.loop, depth: s.call.depth})
		}
		result := child.run(ctx)
		s.root.current = s
		s.calls = append(s.calls, &report.Call{Feature: s.feature.info(), Scenarios: []*report.Scenario{result}})
		if child.err != nil {
			return nil, child.callFailure()
		}
		if s.caller == nil {
			child.root.rt.Lock()
			defer child.root.rt.Unlock()
			kept := data.NewObject()
			for _, name := range child.scope.Names() {
				v, _ := child.scope.Get(name)
				kept.Set(name, v.Detach())
			}
			return kept, nil
		}
		return child.all(), nil
	}
	if name != "" {
		return nil, fmt.Errorf("no scenario found with @setup tag and name '%s'", name)
	}
	return nil, fmt.Errorf("no scenario found with @setup tag")
}

// setupOnce is setup, once for the file.
func (s *scenario) setupOnce(ctx context.Context, name string) (any, error) {
	o := s.feature.setups.of(name)
	s.root.rt.Outside(o.mu.Lock)
	defer o.mu.Unlock()
	if !o.done {
		v, err := s.setup(ctx, name)
		if err != nil {
			return nil, err
		}
		o.kept, o.done = s.value(v).Detach(), true
	}
	return s.scope.Take(data.Clone(o.kept)), nil
}
