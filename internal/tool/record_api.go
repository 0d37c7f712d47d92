package tool

import (
	"bytes"
	"context"
	"regexp"

	"rove"
	"rove/internal/apitest"
	"rove/internal/har"
)

type deriveAPIInput struct {
	Format  string `json:"format,omitempty" enum:"feature,js,openapi,mock,har,curl,k6" about:"feature unless told"`
	Include string `json:"include,omitempty" about:"a regular expression that addresses must match"`
	Exclude string `json:"exclude,omitempty" about:"one that they must not match"`
	Where
}

// derivedAPI is what was derived, for programs.
type derivedAPI struct {
	Format string         `json:"format"`
	Files  []apitest.File `json:"files"`
	Head   []string       `json:"head"`
}

// deriveAPI makes API tests of the session's traffic. It runs nothing: the proof
// makes requests of its own, past what a session is held to, and is for people
// (rove derive api).
func deriveAPI(ctx context.Context, c *Context, in deriveAPIInput) (Output, error) {
	const name = "derive_api"
	if in.Format == "" {
		in.Format = apitest.Formats()[0]
	}
	var o apitest.Options
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
	_, n, err := network(ctx, c, name)
	if err != nil {
		return Output{}, err
	}
	var b bytes.Buffer
	if err := n.HAR(ctx, &b, rove.HAROptions{Bodies: true}); err != nil {
		return Output{}, err
	}
	entries, err := har.Read(&b)
	if err != nil {
		return Output{}, err
	}
	suite, err := apitest.Derive([][]*har.Entry{entries}, o)
	if err != nil {
		return Output{}, invalid(name, "%v", err)
	}
	files, err := suite.Write(in.Format)
	if err != nil {
		return Output{}, invalid(name, "%v", err)
	}
	text := ""
	for _, f := range files {
		if len(files) > 1 {
			text += "-- " + f.Name + " --\n"
		}
		text += f.Text
	}
	return Output{Text: text, Data: derivedAPI{Format: in.Format, Files: files, Head: suite.Head()}}, nil
}
