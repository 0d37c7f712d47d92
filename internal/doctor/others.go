package doctor

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"rove/internal/bidi"
	"rove/internal/provision"
	"rove/internal/pwserver"
	"rove/internal/webdriver"
)

// Other is what --browser takes beside Chromium and its kin: Firefox, a driver, or a
// Playwright server.
type Other struct {
	provision.Browser
	Err    error // it cannot be used, or is missing
	Absent bool  // it is missing
}

// Others looks for them.
func Others(home string) (list []Other) {
	note := func(b provision.Browser, err, absent error) {
		list = append(list, Other{Browser: b, Err: err, Absent: errors.Is(err, absent)})
	}
	path, err := bidi.Find()
	note(provision.Browser{Path: path, Kind: "firefox", Source: provision.FromSystem}, err, bidi.ErrMissing)
	for _, name := range webdriver.Names() {
		path, err := webdriver.Find(name)
		note(provision.Browser{Path: path, Kind: name, Source: provision.FromSystem}, err, webdriver.ErrMissing)
	}
	const playwright = "playwright"
	p, err := provision.FindPlaywright(provision.Request{Home: home}, pwserver.Minor)
	note(provision.Browser{Path: p.CLI, Kind: playwright, Source: provision.FromCache, Name: playwright, Version: p.Version}, err, provision.ErrNoPlaywright)
	return list
}

// others tells which are here. Nobody needs them all, so that one that is missing is no
// fault.
func others(_ context.Context, d *Doctor) Result {
	var here, missing, wrong []string
	for _, o := range Others(d.Home) {
		switch {
		case o.Err == nil:
			here = append(here, o.Kind+" ("+cmp.Or(o.Version, o.Path)+")")
		case o.Absent:
			missing = append(missing, o.Kind)
		default:
			wrong = append(wrong, o.Kind+": "+o.Err.Error())
		}
	}
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
