package tool

import (
	"context"

	"rove"
)

// agentTools are the verbs. The words are what a model pays for in every
// conversation, and all it knows before its first answer: see TestDefinitionsAreCheap.
var agentTools = []*Tool{
	row(agent, "look", true, "See the page; e3 is a ref. find: text or /regex/. budget: tokens, 0 all. since: last, only changes.", look),
	row(agent, "act", false, `Act on ref (e3, #css, //xpath, {button}Save, "text", _page) and see what changed. op: click input (sets text) type clear press check select upload drag hover scroll back dialog tab, or as shown. steps: many at once, as a form.`, act),
	row(agent, "go", false, "Open a URL and see the page.", visit).gentle(),
	row(agent, "wait", false, "Wait for e5, !e5 (gone), text:X, gone:X, url:X, request:X, idle, load, ms or a JS condition.", wait),
	row(agent, "eval", false, "Run JavaScript in the page.", eval),
}

// lookInput and the other inputs have the names that all doors share. What a
// parameter means stands in the tool's help where that is cheaper than a
// description in the schema.
type lookInput struct {
	Ref        string `json:"ref,omitempty" about:"only this element and what is in it"`
	Find       string `json:"find,omitempty" about:"only lines that match a text or a /regular expression/, each with its path"`
	Mode       string `json:"mode,omitempty" enum:"page,interactive,text" about:"page: what is there; interactive: only what can be operated; text: the content as Markdown"`
	Budget     *int   `json:"budget,omitempty" about:"tokens at most; 1,500 unless told, 0 for everything"`
	Viewport   bool   `json:"viewport,omitempty" about:"only what is on screen"`
	Format     string `json:"format,omitempty" about:"compact, or yaml"`
	Since      Text   `json:"since,omitempty" about:"only what changed since a look: last, or its number"`
	Screenshot bool   `json:"screenshot,omitempty" about:"with a picture"`
	Where
}

func look(ctx context.Context, c *Context, in lookInput) (Output, error) {
	opts := rove.LookOptions{
		Ref: in.Ref, Find: in.Find, Mode: rove.Mode(in.Mode), Budget: c.Defaults.Budget, Viewport: in.Viewport,
		Format: rove.Format(in.Format), Since: string(in.Since), Screenshot: in.Screenshot,
	}
	if in.Budget != nil {
		if opts.Budget = in.Budget; *in.Budget < 0 {
			return Output{}, invalid("look", "budget %d: a number of tokens, or 0 for everything", *in.Budget)
		}
	}
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	r, err := s.Look(ctx, opts)
	if err != nil {
		return Output{}, err
	}
	return outputOf(r, &r.Screenshot), nil
}

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
	return outputOf(r, &r.Screenshot), err // a failure shows what was done before it
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

type goInput struct {
	URL string `json:"url" about:"as a person would type it; a name alone is https, localhost is http"`
	Where
}

func visit(ctx context.Context, c *Context, in goInput) (Output, error) {
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	r, err := s.Go(ctx, in.URL)
	if err != nil {
		return Output{}, err
	}
	return outputOf(r, &r.Screenshot), nil
}

type waitInput struct {
	For     Text          `json:"for" also:"condition" about:"the condition"`
	Timeout *Milliseconds `json:"timeout,omitempty" jsonschema:"ms" about:"milliseconds, or a time such as 5s; 30 s unless told"`
	Where
}

func wait(ctx context.Context, c *Context, in waitInput) (Output, error) {
	if err := c.nothingYet(ctx, string(in.For)); err != nil {
		return Output{}, err
	}
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	r, err := s.Wait(ctx, string(in.For), patience{in.Timeout}.least(rove.WaitTimeout))
	if r == nil {
		return Output{}, err
	}
	return outputOf(r, &r.Screenshot), err
}

type evalInput struct {
	JS string `json:"js" about:"an expression, statements or a function; promises are awaited"`
	Where
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
	return outputOf(r, nil), err
}
