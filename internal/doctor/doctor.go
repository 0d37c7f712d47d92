// Package doctor looks at the machine for what keeps a browser from working, and
// says how to mend it. Each check is one function in a file of its own.
package doctor

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"
)

// State is how a check came out.
type State string

const (
	OK   State = "ok"
	Warn State = "warn" // works, but not as well as it could
	Bad  State = "bad"  // does not work
)

// Result is what a check found.
type Result struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	Found string `json:"found"`           // one sentence or less
	Mend  string `json:"mend,omitempty"`  // what to do about it
	Fixed string `json:"fixed,omitempty"` // what was done about it
}

// Check looks at one thing.
type Check struct {
	Name string
	Run  func(ctx context.Context, d *Doctor) Result
}

// Doctor runs checks. The zero value looks and touches nothing.
type Doctor struct {
	Home     string    // rove's directory; "" is the usual one
	Fix      bool      // mend what can be
	Progress io.Writer // told of a browser being fetched
	More     []Check   // after the usual ones

	homeless bool    // nothing can be kept, which is no fault of what comes after
	browser  browser // found by one check, used by the next ones
}

// checkTime bounds one check; mending may fetch a browser.
const (
	checkTime = time.Minute
	fixTime   = 10 * time.Minute
)

// Report is what all checks found.
type Report struct {
	OK     bool     `json:"ok"` // nothing is bad
	Checks []Result `json:"checks"`
}

// checks in the order in which one leads to the next. Leftovers come before the
// browser is tried, which clears them away as every start does.
var checks = []Check{
	{"rove", system},
	{"home", home},
	{"disk", disk},
	{"memory", memory},
	{"leftovers", leftovers},
	{"browser", find},
	{"start", start},
	{"others", others},
	{"sandbox", sandbox},
	{"fonts", fonts},
	{"loopback", loopback},
}

// Examine runs all checks.
func (d *Doctor) Examine(ctx context.Context, version string) Report {
	report := Report{OK: true}
	for _, c := range append(checks[:len(checks):len(checks)], d.More...) {
		bound := checkTime
		if d.Fix {
			bound = fixTime
		}
		ctx, cancel := context.WithTimeout(ctx, bound)
		r := c.Run(ctx, d)
		cancel()
		r.Name = c.Name
		if c.Name == "rove" {
			r.Found = "rove " + version + ", " + r.Found
		}
		report.OK = report.OK && r.State != Bad
		report.Checks = append(report.Checks, r)
	}
	return report
}

// Text is the report for people.
func (r Report) Text() string {
	var b strings.Builder
	marks := map[State]string{OK: "ok  ", Warn: "warn", Bad: "BAD "}
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "%s  %-9s  %s\n", marks[c.State], c.Name, c.Found)
		if c.Fixed != "" {
			fmt.Fprintf(&b, "      %-9s  fixed: %s\n", "", c.Fixed)
		}
		if c.Mend != "" {
			fmt.Fprintf(&b, "      %-9s  to mend: %s\n", "", c.Mend)
		}
	}
	return b.String()
}

// size is a number of bytes for people.
func size(n uint64) string {
	if n >= 10<<30 {
		return fmt.Sprintf("%d GiB", n>>30)
	}
	if n >= 1<<30 {
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
