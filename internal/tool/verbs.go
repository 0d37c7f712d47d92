package tool

import (
	"context"
	"time"

	"rove"
)

// step is one operation of an act.
type step struct {
	Ref   string `json:"ref,omitempty"`
	Op    string `json:"op,omitempty"`
	Value Text   `json:"value,omitempty"`
}

type actInput struct {
	Ref   string `json:"ref,omitempty" about:"a ref from look, a locator, or _page for the page itself"`
	Op    string `json:"op,omitempty" about:"what to do; answers say what can be done"`
	Value Text   `json:"value,omitempty" about:"what the operation needs: a text, a key, an option, a file, another ref"`
	Steps []step `json:"steps,omitempty" about:"several, in order, up to the first that fails"`
	Where
}

type waitInput struct {
	For     Text         `json:"for" about:"the condition"`
	Timeout Milliseconds `json:"timeout,omitempty" jsonschema:"ms" about:"milliseconds, or a time such as 5s; 30 s unless told"`
	Where
}

type evalInput struct {
	JS string `json:"js" about:"an expression, statements or a function; promises are awaited"`
	Where
}

func act(ctx context.Context, c *Context, in actInput) (Output, error) {
	steps, err := in.list()
	if err != nil {
		return Output{}, err
	}
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	r, err := s.Act(ctx, steps...)
	if r == nil {
		return Output{}, err
	}
	return shown(r, &r.Screenshot), err // a failure shows what was done before it
}

// list gives the steps of an act, of which there is one or a list.
func (in *actInput) list() ([]rove.Step, error) {
	one := in.Ref != "" || in.Op != "" || in.Value != ""
	switch {
	case one && len(in.Steps) > 0:
		return nil, invalid("act", "give ref and op, or steps, not both")
	case one && (in.Ref == "" || in.Op == ""):
		return nil, invalid("act", "give both ref and op, as in ref e3, op click; ref _page is the page itself")
	case one:
		return []rove.Step{{Ref: in.Ref, Op: in.Op, Value: string(in.Value)}}, nil
	case len(in.Steps) == 0:
		return nil, invalid("act", "nothing to do: give ref and op, or steps, a list of {ref, op, value}")
	}
	steps := make([]rove.Step, len(in.Steps))
	for i, s := range in.Steps {
		if s.Ref == "" || s.Op == "" {
			return nil, invalid("act", "steps[%d] needs both ref and op; nothing was done", i)
		}
		steps[i] = rove.Step{Ref: s.Ref, Op: s.Op, Value: string(s.Value)}
	}
	return steps, nil
}

func wait(ctx context.Context, c *Context, in waitInput) (Output, error) {
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	r, err := s.Wait(ctx, string(in.For), time.Duration(in.Timeout))
	if r == nil {
		return Output{}, err
	}
	return shown(r, &r.Screenshot), err
}

func eval(ctx context.Context, c *Context, in evalInput) (Output, error) {
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	r, err := s.Eval(ctx, in.JS)
	if r == nil {
		return Output{}, err
	}
	return shown(r, nil), err
}
