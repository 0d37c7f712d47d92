package feature

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"rove/internal/data"
	"rove/internal/script"
)

// setting is a name that configure knows.
type setting struct {
	// standard is what it is where nothing is configured.
	standard any
	// check refuses values that cannot be meant; nil takes all.
	check func(v script.Value) error
}

// settings are all that configure knows. Files add their own in init.
var settings = map[string]setting{
	"driver": {}, "driverTarget": {}, "robot": {}, "headers": {}, "cookies": {}, "ssl": {}, "proxy": {}, "localAddress": {}, "auth": {}, "ntlmAuth": {}, "url": {},
	"connectTimeout": {standard: int64(30000)}, "readTimeout": {standard: int64(30000)}, "followRedirects": {standard: true}, "httpRetryEnabled": {standard: false},
	"charset": {standard: "UTF-8"}, "lowerCaseResponseHeaders": {standard: false}, "retry": {},
	"logPrettyRequest": {standard: false}, "logPrettyResponse": {standard: false}, "logModifier": {}, "printEnabled": {standard: true}, "report": {},
	"cors": {standard: false}, "responseHeaders": {}, "responseDelay": {}, "pauseIfNotPerf": {standard: false}, "xmlNamespaceAware": {standard: false},
	"callSingleCache": {check: wantObject("callSingleCache")}, "continueOnStepFailure": {}, "abortedStepsShouldPass": {standard: false}, "abortSuiteOnFailure": {standard: false},
	"matchEachEmptyAllowed": {standard: false}, "beforeScenario": {}, "afterScenario": {}, "afterScenarioOutline": {}, "afterFeature": {}, "imageComparison": {},
}

func wantObject(name string) func(script.Value) error {
	return func(v script.Value) error {
		if v.IsObject() || v.Null() {
			return nil
		}
		return fmt.Errorf("configure %s takes an object", name)
	}
}

// config is what a scenario has configured. A called scenario has a copy, or the
// same in a shared call.
type config struct {
	values map[string]script.Value
	// goesOn is the continueAfter of continueOnStepFailure, which holds until
	// another one is set.
	goesOn bool
}

func newConfig() *config { return &config{values: map[string]script.Value{}} }

func (c *config) clone() *config {
	n := newConfig()
	n.goesOn = c.goesOn
	for name, v := range c.values {
		n.values[name] = v.Copy()
	}
	return n
}

// detached is the config as data for other scenarios.
func (c *config) detached() map[string]any {
	all := map[string]any{}
	for name, v := range c.values {
		all[name] = v.Detach()
	}
	return all
}

// take takes over a config that was detached.
func (c *config) take(all map[string]any, scope *script.Scope) {
	for name, v := range all {
		c.values[name] = scope.Take(data.Clone(v))
	}
}

// value is what is configured, or undefined.
func (c *config) value(name string) (script.Value, bool) {
	v, ok := c.values[name]
	return v, ok && !v.Null()
}

// data is what is configured as data, or the standard.
func (c *config) data(name string) any {
	if v, ok := c.value(name); ok {
		return v.Export()
	}
	return settings[name].standard
}

func (c *config) bool(name string) bool {
	b, _ := c.data(name).(bool)
	return b
}

// configureValue sets a setting.
func (s *scenario) configureValue(name string, v script.Value) error {
	row, ok := settings[name]
	if !ok {
		return fmt.Errorf("unexpected 'configure' key: '%s'%s", name, nearestSetting(name))
	}
	if row.check != nil {
		if err := row.check(v); err != nil {
			return err
		}
	}
	before, had := s.config.values[name]
	s.config.values[name] = v
	if o, ok := v.Export().(*data.Object); ok && name == "continueOnStepFailure" {
		if after, says := o.Get("continueAfter"); says {
			s.config.goesOn = after == true
		}
	}
	for _, e := range s.extensions {
		if err := e.configured(name); err != nil {
			if had {
				s.config.values[name] = before
			} else {
				delete(s.config.values, name)
			}
			return err
		}
	}
	return nil
}

// reconfigured tells the extensions that any setting may have changed.
func (s *scenario) reconfigured() error {
	for name := range s.config.values {
		for _, e := range s.extensions {
			if err := e.configured(name); err != nil {
				return err
			}
		}
	}
	return nil
}

func nearestSetting(name string) string {
	if best := nearest(name, slices.Collect(maps.Keys(settings))); best != "" {
		return fmt.Sprintf("; did you mean '%s'?", best)
	}
	return ""
}

// continueOnStepFailure is true, or an object: enabled, continueAfter, keywords.
func (c *config) continuing() (enabled bool, words []string) {
	words = []string{"match"}
	switch v := c.data("continueOnStepFailure").(type) {
	case bool:
		return v, words
	case *data.Object:
		e, _ := v.Get("enabled")
		enabled, _ = e.(bool)
		if list, ok := v.Get("keywords"); ok {
			words = nil
			items, _ := list.([]any)
			for _, item := range items {
				words = append(words, data.Text(item))
			}
		}
	}
	return enabled, words
}

// continues says whether the failure of a keyword does not end the scenario.
func (c *config) continues(word string) bool {
	enabled, words := c.continuing()
	if !enabled {
		return false
	}
	for _, w := range words {
		if w == word || w == "eval" && word == "if" {
			return true
		}
	}
	return false
}

func (c *config) ignoresFailures() bool {
	enabled, _ := c.continuing()
	return enabled
}

// reporting is configure report: whether reports have the logs of steps, and
// steps with a star that passed.
func (c *config) reporting() (logs, all bool) {
	switch v := c.data("report").(type) {
	case bool:
		return v, v
	case *data.Object:
		is := func(name string) bool { b, ok := v.Get(name); return !ok || b == true }
		return is("showLog"), is("showAllSteps")
	}
	return true, true
}

// singleCache says for how many minutes callSingle keeps on disk, and where.
func (c *config) singleCache(su *suite) (minutes float64, dir string) {
	dir = filepath.Join(filepath.Dir(su.outputDir()), "karate-temp", "cache")
	o, ok := c.data("callSingleCache").(*data.Object)
	if !ok {
		return 0, dir
	}
	m, _ := o.Get("minutes")
	switch m := m.(type) {
	case int64:
		minutes = float64(m)
	case float64:
		minutes = m
	}
	if d, ok := o.Get("dir"); ok {
		dir = su.absolute(data.Text(d))
	}
	return minutes, dir
}

// hook calls a function that was configured to run around a scenario.
func (s *scenario) hook(ctx context.Context, name string) error {
	v, ok := s.config.value(name)
	if !ok {
		return nil
	}
	f := v.Func()
	if f == nil {
		return fmt.Errorf("configure %s needs a function", name)
	}
	result, err := f.Do(ctx)
	if err != nil {
		return jsError(f.Source(), err)
	}
	if err := s.failReason; err != nil {
		s.failReason = nil
		return err
	}
	if name == "beforeScenario" && result.Export() == false {
		return errors.New("beforeScenario gave false: the scenario does not run")
	}
	return nil
}
