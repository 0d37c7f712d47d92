package feature

import (
	"context"
	"strings"

	"rove/internal/gherkin"
	"rove/report"
)

// Console is a scenario that is written as it runs: steps and JavaScript, line
// by line, with karate, the variables of the config and a driver. It is used by
// one goroutine.
type Console struct {
	s   *scenario
	at  *Pause
	cfg error
}

// NewConsole opens a console in the folder of a suite. Its error is that of
// options that are wrong; a config that fails is told by the first Eval.
func NewConsole(ctx context.Context, opts Options) (*Console, error) {
	opts.Output = "-"
	su, err := newSuite(opts)
	if err != nil {
		return nil, err
	}
	su.writers = &writers{}
	src := &source{file: su.absolute("console.feature"), shown: "console", feature: &gherkin.Feature{Line: 1, Scenarios: []*gherkin.Scenario{{Line: 1}}}}
	s := newScenario(newFeatureRun(su, src), newPlan(src, 0, nil, nil))
	s.result = s.plan.result(s)
	s.root.rt.Lock()
	s.root.current = s
	s.step = &report.Step{Line: 1}
	c := &Console{s: s, at: &Pause{Path: "console", Line: 1, Scenario: s.result, s: s, ctx: ctx}}
	c.cfg = su.configure(ctx, s)
	return c, nil
}

// Eval runs a line: a step with or without its star, or JavaScript. It gives the
// value as text, and what was logged.
func (c *Console) Eval(ctx context.Context, line string) (string, error) {
	if err := c.cfg; err != nil {
		c.cfg = nil
		return "", err
	}
	c.at.ctx = ctx
	text, err := c.at.Eval(line)
	if err == nil && c.s.failReason != nil {
		err, c.s.failReason = c.s.failReason, nil
	}
	log := strings.TrimRight(c.s.takeLog(), "\n")
	if log != "" && text != "" && text != "undefined" {
		return log + "\n" + text, err
	}
	if log != "" {
		return log, err
	}
	return text, err
}

// Close gives back what the console owns, such as its browser.
func (c *Console) Close() error {
	defer c.s.root.rt.Unlock()
	c.s.finish(context.Background())
	return nil
}
