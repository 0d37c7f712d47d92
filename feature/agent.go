package feature

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"rove"
	"rove/driver"
	"rove/internal/data"
	"rove/internal/script"
)

func init() {
	addKarate(map[string]karateFunc{"agent": karateAgent}, nil)
}

// karateAgent is karate.agent(config): the five verbs on the scenario's browser,
// or with a config on one of their own.
func karateAgent(c *karateCall) (any, error) {
	u := uiOf(c.s)
	var b *uiDriver
	var err error
	if c.arg(0).Null() || u.state.browser == nil && !u.possible() {
		if !c.arg(0).Null() {
			if err := c.s.configureValue("driver", c.arg(0)); err != nil {
				return nil, err
			}
		}
		b, err = u.start(c.ctx)
	} else {
		b, err = u.own(c.ctx, c.arg(0).Export())
	}
	if err != nil {
		return nil, err
	}
	s, err := rove.Attend(b.d)
	if err != nil {
		return nil, err
	}
	c.s.onClose(func() { _ = s.Close() })
	return &agentObject{b: b, session: s}, nil
}

// own starts a browser besides the scenario's, which ends with the scenario.
func (u *uiSide) own(ctx context.Context, config any) (*uiDriver, error) {
	c, err := u.parse(config)
	if err != nil {
		return nil, err
	}
	b, err := u.acquire(ctx, c)
	if err != nil {
		return nil, err
	}
	u.s.onClose(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
		defer cancel()
		_ = b.release(ctx)
	})
	return b, nil
}

// agentObject is an agent in scripts. Its answers are plain objects; one that
// failed has ok: false, and never ends the scenario by itself.
type agentObject struct {
	b       *uiDriver
	session *rove.Session
}

// Members is part of script.Host.
func (a *agentObject) Members() []string { return nil }
func (a *agentObject) String() string    { return "agent" }

func (a *agentObject) Member(name string) (any, bool) {
	if name == "driver" {
		return a.b.object, true
	}
	f, ok := agentVerbs[name]
	if !ok {
		return nil, false
	}
	return script.Function(func(ctx context.Context, args []script.Value) (any, error) {
		return f(&agentCall{&uiCall{ctx: ctx, b: a.b, d: a.b.d, name: name, args: args}, a})
	}), true
}

type agentCall struct {
	*uiCall
	a *agentObject
}

var agentVerbs map[string]func(c *agentCall) (any, error)

func init() {
	agentVerbs = map[string]func(c *agentCall) (any, error){
		"look": func(c *agentCall) (any, error) {
			o, err := lookOptions(c.arg(0))
			if err != nil {
				return nil, err
			}
			return answer(c, func() (*rove.LookResult, error) { return c.a.session.Look(c.ctx, o) })
		},
		"go": func(c *agentCall) (any, error) {
			return answer(c, func() (*rove.GoResult, error) { return c.a.session.Go(c.ctx, c.text(0)) })
		},
		"act":   func(c *agentCall) (any, error) { return c.act() },
		"batch": func(c *agentCall) (any, error) { return c.act() },
		"wait": func(c *agentCall) (any, error) {
			var limit time.Duration
			if d := c.within(1); len(d) > 0 {
				limit = d[0]
			}
			return answer(c, func() (*rove.WaitResult, error) { return c.a.session.Wait(c.ctx, c.text(0), limit) })
		},
		"eval": func(c *agentCall) (any, error) {
			js := c.page(0)
			return answer(c, func() (*rove.EvalResult, error) { return c.a.session.Eval(c.ctx, js) })
		},
		"assert": func(c *agentCall) (any, error) {
			return answer(c, func() (*rove.ActResult, error) {
				return c.a.session.Assert(c.ctx, c.text(0), c.text(1), c.text(2))
			})
		},
		"run":   func(c *agentCall) (any, error) { return c.run() },
		"close": func(c *agentCall) (any, error) { return nil, c.a.session.Close() },
	}
}

func lookOptions(v script.Value) (rove.LookOptions, error) {
	var o rove.LookOptions
	given, ok := v.Export().(*data.Object)
	if !ok {
		if text, ok := v.Export().(string); ok {
			o.Ref = text
		}
		return o, nil
	}
	for name, each := range given.All() {
		b, _ := each.(bool)
		switch name {
		case "ref":
			o.Ref = data.Text(each)
		case "find":
			o.Find = data.Text(each)
		case "mode":
			o.Mode = rove.Mode(data.Text(each))
		case "format":
			o.Format = rove.Format(data.Text(each))
		case "since":
			o.Since = data.Text(each)
		case "budget":
			n, _ := script.Number(each)
			o.Budget = new(int(n))
		case "viewport":
			o.Viewport = b
		case "screenshot":
			o.Screenshot = b
		default:
			return o, fmt.Errorf("look has no option %q: ref, find, mode, budget, viewport, format, since, screenshot", name)
		}
	}
	return o, nil
}

// act takes one step, or a list of them.
func (c *agentCall) act() (any, error) {
	var steps []rove.Step
	if list, ok := c.arg(0).Export().([]any); ok {
		for _, each := range list {
			o, ok := each.(*data.Object)
			if !ok {
				return nil, errors.New("act takes a list of steps: [{ ref: 'e1', op: 'click' }]")
			}
			ref := cmp.Or(member(o, "ref"), member(o, "act"))
			steps = append(steps, rove.Step{Ref: ref, Op: member(o, "op"), Value: member(o, "value")})
		}
	} else {
		steps = []rove.Step{{Ref: c.text(0), Op: c.text(1), Value: c.text(2)}}
	}
	return answer(c, func() (*rove.ActResult, error) { return c.a.session.Act(c.ctx, steps...) })
}

// answer makes a plain object of a verb's result, and of its failure.
func answer[T any](c *agentCall, f func() (*T, error)) (any, error) {
	var result *T
	var failure error
	_ = c.b.outside(func() error {
		result, failure = f()
		return nil
	})
	o := data.NewObject()
	if result != nil {
		text, err := json.Marshal(result)
		if err != nil {
			return nil, err
		}
		v, err := data.ParseJSON(string(text))
		if err != nil {
			return nil, err
		}
		if given, ok := v.(*data.Object); ok {
			o = given
		}
	}
	if failure == nil {
		if _, said := o.Get("ok"); !said {
			o.Set("ok", true)
		}
		return o, nil
	}
	o.Set("ok", false)
	o.Set("error", failure.Error())
	o.Set("code", string(driver.CodeOf(failure)))
	return o, nil
}

// run executes what a model wrote: JavaScript that has an agent and nothing else
// of ours, for a minute at most. It gives the value of the last expression.
func (c *agentCall) run() (any, error) {
	rt := script.New(script.Options{Limit: time.Minute})
	scope := rt.NewScope(func(name string, _ bool) (any, bool) {
		if name == "agent" {
			return c.a, true
		}
		return nil, false
	})
	ctx, cancel := context.WithTimeout(c.ctx, 5*time.Minute)
	defer cancel()
	rt.Lock()
	defer rt.Unlock()
	v, err := rt.Eval(ctx, scope, c.text(0))
	if err != nil {
		return nil, fmt.Errorf("agent.run: %w", err)
	}
	return v.Export(), nil
}
