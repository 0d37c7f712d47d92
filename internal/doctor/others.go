package doctor

import (
	"context"
	"errors"
	"strings"

	"rove/internal/bidi"
	"rove/internal/provision"
	"rove/internal/pwserver"
	"rove/internal/webdriver"
)

// others are the browsers and drivers beside the one that is used by itself. Nobody
// needs them all, so that one that is missing is no fault.
func others(_ context.Context, d *Doctor) Result {
	var here, missing, wrong []string
	note := func(name, path string, err, absent error) {
		switch {
		case err == nil:
			here = append(here, name+" ("+path+")")
		case errors.Is(err, absent):
			missing = append(missing, name)
		default:
			wrong = append(wrong, name+": "+err.Error())
		}
	}
	path, err := bidi.Find()
	note("firefox", path, err, bidi.ErrMissing)
	for _, name := range webdriver.Names() {
		path, err := webdriver.Find(name)
		note(name, path, err, webdriver.ErrMissing)
	}
	p, err := provision.FindPlaywright(provision.Request{Home: d.Home}, pwserver.Minor)
	note("playwright", p.Version, err, provision.ErrNoPlaywright)
	r := Result{State: OK, Found: "no other browsers (--browser takes more)"}
	if len(here) > 0 {
		r.Found = "for --browser: " + strings.Join(here, ", ")
	}
	if len(missing) > 0 {
		r.Found += "; not here: " + strings.Join(missing, ", ")
	}
	if len(wrong) > 0 {
		r.State, r.Mend = Warn, strings.Join(wrong, "; ")
	}
	return r
}
