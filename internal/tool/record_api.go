package tool

import (
	"cmp"
	"context"
	"io"
	"regexp"

	"rove/record"
)

type deriveAPIInput struct {
	Format  string `json:"format,omitempty" enum:"feature,js,openapi,mock,har,curl,k6" about:"feature unless told"`
	Include string `json:"include,omitempty" about:"a regular expression that addresses must match"`
	Exclude string `json:"exclude,omitempty" about:"one that they must not match"`
	Where
}

// derivedAPI is what was derived, for programs.
type derivedAPI struct {
	Format string        `json:"format"`
	Files  []record.File `json:"files"`
	Head   []string      `json:"head"`
}

// deriveAPI makes API tests of the session's traffic. It runs nothing: the proof
// makes requests of its own, past what a session is held to, and is for people
// (rove derive api).
func deriveAPI(ctx context.Context, c *Context, in deriveAPIInput) (Output, error) {
	const name = "derive_api"
	o := record.APIOptions{Format: in.Format, Runs: -1, Unproved: true}
	for _, one := range []struct {
		text string
		to   **regexp.Regexp
	}{{in.Include, &o.Include}, {in.Exclude, &o.Exclude}} {
		if one.text == "" {
			continue
		}
		re, err := regexp.Compile(one.text)
		if err != nil {
			return Output{}, invalid(name, "%v", err)
		}
		*one.to = re
	}
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	traffic, err := record.Traffic(ctx, s)
	if err != nil {
		return Output{}, err
	}
	made, err := record.API(ctx, []io.Reader{traffic}, o)
	if err != nil {
		return Output{}, invalid(name, "%v", err)
	}
	text := ""
	for _, f := range made.Files {
		if len(made.Files) > 1 {
			text += "-- " + f.Name + " --\n"
		}
		text += f.Text
	}
	return Output{Text: text, Data: derivedAPI{Format: cmp.Or(in.Format, record.APIFormats()[0]), Files: made.Files, Head: made.Head}}, nil
}
