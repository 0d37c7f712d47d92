package tool

import (
	"context"

	"rove"
)

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

type goInput struct {
	URL string `json:"url" about:"as a person would type it; a name alone is https, localhost is http"`
	Where
}

func look(ctx context.Context, c *Context, in lookInput) (Output, error) {
	opts := rove.LookOptions{
		Ref: in.Ref, Find: in.Find, Mode: rove.Mode(in.Mode), Budget: c.Defaults.Budget, Viewport: in.Viewport,
		Format: rove.Format(in.Format), Since: string(in.Since), Screenshot: in.Screenshot,
	}
	if in.Budget != nil {
		if opts.Budget = *in.Budget; opts.Budget == 0 {
			opts.Budget = rove.All
		} else if opts.Budget < 0 {
			return Output{}, invalid("look", "budget %d: a number of tokens, or 0 for everything", opts.Budget)
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
	return shown(r, &r.Screenshot), nil
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
	return shown(r, &r.Screenshot), nil
}

// shown turns a verb's result into an output. Its picture goes out as one, not
// as text within the data.
func shown(r interface{ Text() string }, picture *[]byte) Output {
	out := Output{Data: r}
	if picture != nil && len(*picture) > 0 {
		out.Images = []Image{{"image/png", *picture}}
		*picture = nil
	}
	out.Text = r.Text()
	return out
}
