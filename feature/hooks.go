package feature

import (
	"context"
	"maps"
	"slices"

	"rove/internal/data"
)

// remember keeps hooks that run later than their scenario: afterFeature and
// afterScenarioOutline are those of the scenario that ended last.
func (s *scenario) remember() {
	if s.caller != nil || s.plan.setup {
		return
	}
	f := s.feature
	f.mu.Lock()
	defer f.mu.Unlock()
	if v, ok := s.config.value("afterFeature"); ok {
		f.after = v.Detach()
		f.afterVars = s.detachedVars()
	}
	if v, ok := s.config.value("afterScenarioOutline"); ok && s.plan.row != nil {
		if f.afterOutline == nil {
			f.afterOutline = map[int]outlineHook{}
		}
		f.afterOutline[s.plan.section] = outlineHook{v.Detach(), s.plan}
		f.afterVars = s.detachedVars()
	}
}

// outlineHook is a hook and the row that ended last, whose outline it sees.
type outlineHook struct {
	hook any
	plan *plan
}

func (s *scenario) detachedVars() *data.Object {
	o := data.NewObject()
	for _, name := range s.scope.Names() {
		v, _ := s.scope.Get(name)
		o.Set(name, v.Detach())
	}
	return o
}

// afterFeature runs the hooks of a file whose scenarios have all ended. What goes
// wrong in them is told in the log of the last scenario.
func (su *suite) afterFeature(f *suiteFile) {
	fr := f.run
	if fr == nil || (fr.after == nil && len(fr.afterOutline) == 0) || len(f.results) == 0 {
		return
	}
	p := newPlan(fr.source, len(fr.source.feature.Scenarios)-1, nil, nil)
	s := newScenario(fr, p)
	s.result = p.result(s)
	s.root.current = s
	s.root.rt.Lock()
	defer s.root.rt.Unlock()
	for name, v := range fr.afterVars.All() {
		s.scope.Set(name, v)
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	run := func(name string, hook any) {
		s.config.values[name] = s.scope.Take(hook)
		if err := s.hook(ctx, name); err != nil {
			s.print(name + " hook failed: " + err.Error())
		}
	}
	for _, section := range slices.Sorted(maps.Keys(fr.afterOutline)) {
		outline := fr.afterOutline[section]
		s.plan = outline.plan
		run("afterScenarioOutline", outline.hook)
	}
	s.plan = p
	if fr.after != nil {
		run("afterFeature", fr.after)
	}
	last := f.results[len(f.results)-1]
	if n := len(last.Steps); n > 0 {
		s.attach(last.Steps[n-1])
	}
	s.root.current = nil
}
