package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"

	"rove/internal/proc"
	"rove/internal/provision"
)

// browser is the one that rove would use, if there is one.
type browser struct {
	found bool
	runs  bool
	is    provision.Browser
}

const installOne = "rove browser install, or install Chrome or Chromium, or set ROVE_BROWSER to one"

// find looks for a browser, and fetches one to mend that there is none.
func find(ctx context.Context, d *Doctor) Result {
	req := provision.Request{Home: d.Home, Progress: d.Progress}
	b, err := provision.Find(ctx, req)
	var r Result
	if err != nil && d.Fix && errors.Is(err, provision.ErrNone) {
		if b, err = provision.Install(ctx, req); err == nil {
			r.Fixed = "fetched a browser"
		}
	}
	if err != nil {
		r.State, r.Found, r.Mend = Bad, err.Error(), installOne
		if os.Getenv("ROVE_BROWSER") != "" {
			r.Mend = "set ROVE_BROWSER to the path of a browser, or unset it"
		}
		return r
	}
	d.browser = browser{found: true, is: b}
	r.State, r.Found = OK, fmt.Sprintf("%s (%s, from %s)", b.Path, b.Kind, b.Source)
	return r
}

// start proves that the browser runs here.
func start(ctx context.Context, d *Doctor) Result {
	if !d.browser.found {
		return Result{State: Bad, Found: "no browser to try"}
	}
	if d.homeless {
		return Result{State: Bad, Found: "not tried: there is no place for its profile", Mend: "see home, above"}
	}
	version, err := provision.Probe(ctx, d.browser.is)
	if err != nil {
		return Result{
			State: Bad, Found: err.Error(),
			Mend: "if libraries are missing: apt install chromium brings them all; else rove browser install fetches another browser",
		}
	}
	d.browser.runs = true
	return Result{State: OK, Found: "it starts and answers: " + version}
}

// sandbox says whether pages are kept from the system. rove goes on without.
func sandbox(_ context.Context, d *Doctor) Result {
	ok, why := proc.Sandbox(d.browser.is.Path)
	if ok {
		return Result{State: OK, Found: "Chrome's sandbox can start"}
	}
	return Result{
		State: Warn, Found: why + " rove turns it off.",
		Mend: "run rove as an ordinary user; in a container, permit user namespaces (docker run --security-opt seccomp=unconfined, or a profile that allows clone)",
	}
}
