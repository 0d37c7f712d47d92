// Package replay does flows again and again: to say how reliably they pass, to
// mend the ways to their elements, and to prove that they pass when they should and
// fail when they should.
package replay

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"rove"
	"rove/recording"
)

// Run does a flow once in a context of its own. The result is there beside an
// error, too, where the flow was begun.
type Run func(ctx context.Context, f *recording.Flow, opts rove.ReplayOptions) (*rove.ReplayResult, error)

// Fresh gives a Run in contexts of the browser that a session has.
func Fresh(s *rove.Session) Run {
	return func(ctx context.Context, f *recording.Flow, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
		n, err := s.Fresh(ctx)
		if err != nil {
			return nil, err
		}
		defer n.Close()
		return n.Replay(ctx, f, opts)
	}
}

// Report is what several runs came to.
type Report struct {
	Runs   []*rove.ReplayResult `json:"runs"`
	Passed int                  `json:"passed"`
	// Flake is the share of runs that failed while others passed: 0 is a flow that
	// always does the same.
	Flake float64 `json:"flake"`
	// Stops are the steps that runs stopped at, and how often.
	Stops map[int]int `json:"stops,omitempty"`
}

// Text is what a person reads.
func (r *Report) Text() string {
	var b strings.Builder
	for i, run := range r.Runs {
		fmt.Fprintf(&b, "%d. %s\n", i+1, run.Text())
	}
	fmt.Fprintf(&b, "%d of %d passed, flake score %.2f", r.Passed, len(r.Runs), r.Flake)
	return b.String()
}

// Times does a flow so many times.
func Times(ctx context.Context, n int, f *recording.Flow, opts rove.ReplayOptions, reset string, run Run) (*Report, error) {
	r := &Report{Stops: map[int]int{}}
	for range n {
		if err := Reset(ctx, reset); err != nil {
			return r, err
		}
		one, err := run(ctx, f, opts)
		if one == nil {
			return r, err
		}
		r.Runs = append(r.Runs, one)
		if err == nil {
			r.Passed++
		} else {
			r.Stops[one.Done+1]++
		}
	}
	if r.Passed > 0 && n > 0 {
		r.Flake = float64(n-r.Passed) / float64(n)
	}
	return r, nil
}

// Heal writes into a flow what runs found out: the way that led to an element comes
// first, and what it is called now. It says how many steps it changed.
func Heal(f *recording.Flow, runs []*rove.ReplayResult) int {
	healed := map[int]bool{}
	for _, r := range runs {
		for _, h := range r.Heals {
			i := h.Step - 1
			if healed[i] || i < 0 || i >= len(f.Steps) || f.Steps[i].Who == nil || h.Way >= len(f.Steps[i].Who.Ways) {
				continue
			}
			healed[i] = true
			who := *f.Steps[i].Who
			way := who.Ways[h.Way]
			who.Ways = slices.Insert(slices.Delete(slices.Clone(who.Ways), h.Way, h.Way+1), 0, way)
			if h.Renamed != "" {
				old := who.Name
				who.Name = h.Renamed
				// Ways that go by the name that it no longer has lead nowhere.
				who.Ways = slices.DeleteFunc(who.Ways, func(w recording.Way) bool {
					return w != way && (w.By == "role" || w.By == "place" || w.By == "text") && strings.Contains(w.Query, old)
				})
			}
			f.Steps[i].Who = &who
		}
	}
	return len(healed)
}

// resetTimeout bounds the command that puts an application back.
const resetTimeout = 2 * time.Minute

// Reset runs the command that puts the application back to what it was at first;
// "" is none.
func Reset(ctx context.Context, command string) error {
	if command == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, resetTimeout)
	defer cancel()
	shell := []string{"sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/C"}
	}
	cmd := exec.CommandContext(ctx, shell[0], shell[1], command)
	cmd.WaitDelay = time.Second // for what it has left running
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("the reset failed: %s: %w: %s", command, err, strings.TrimSpace(string(out[max(0, len(out)-500):])))
	}
	return nil
}
