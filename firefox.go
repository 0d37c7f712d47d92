package rove

import (
	"context"
	"errors"
	"os"

	"rove/internal/bidi"
)

// firefox says whether Firefox is wanted, and which: by its name, or by the path of an
// executable that is called so.
func (o *Options) firefox() (path string, ok bool) {
	want := o.Browser
	if want == "" {
		want = os.Getenv("ROVE_BROWSER")
	}
	if want == "firefox" {
		return "", true
	}
	return want, want != "" && bidi.IsFirefox(want)
}

// launchFirefox starts Firefox. What it cannot do yet is refused before anything is
// started.
func launchFirefox(ctx context.Context, path string, opts Options, made *Browser) (*Browser, error) {
	refused := func(what, instead string) error {
		return &Error{Code: CodeUnsupported, Op: "launch", Message: what + ": not supported by the firefox backend", Hint: instead + ", or take Chrome: --browser chrome"}
	}
	switch {
	case opts.Profile != "":
		return nil, refused("a profile that is kept", "leave profile out")
	case made.policy.Limits():
		return nil, refused("a limited network (allow, block)", "leave allow and block out")
	}
	b, err := bidi.Launch(ctx, bidi.Options{Path: path, Args: opts.Args, Headed: opts.Headed})
	if errors.Is(err, bidi.ErrMissing) {
		return nil, &Error{Code: CodeNotFound, Op: "launch", Message: "there is no Firefox on this machine", Hint: bidi.Install, Err: err}
	}
	if err != nil {
		return nil, err
	}
	made.backend, made.folder = b, b.Folder()
	return made, nil
}
