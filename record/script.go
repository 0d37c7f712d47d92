// Package record makes scripts and API tests of what a session did, and proves them
// before it hands them over: they pass when they should, and fail when they should.
//
//	s, _ := rove.Open(ctx, rove.Options{})
//	s.Go(ctx, "localhost:8080")
//	s.Act(ctx, rove.Step{Ref: "{textbox}Name", Op: "input", Value: "Ada"}, rove.Step{Ref: "{button}Save", Op: "click"})
//	script, err := record.Script(ctx, s, record.ScriptOptions{Format: "feature", Reset: "make seed"})
//	os.WriteFile("save.feature", []byte(script.Text), 0o644)
package record

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rove"
	"rove/driver"
	"rove/internal/derive"
	"rove/internal/replay"
)

// ScriptOptions say which script is made of a session, and how it is proved. The zero
// value is a feature of all that was done, which has passed three replays.
type ScriptOptions struct {
	// Format is feature, js, go, playwright, proposal or flow; "" is feature.
	Format string
	Name   string // what it is called
	// From and To are the first and last verb that count, by their numbers in the
	// history; 0 is the first, and the last.
	From, To int
	// Replays is how many it has to pass; 0 is 3. With Unproved, a number below 0
	// runs nothing.
	Replays int
	// Reset is a command that puts the application back before each replay.
	Reset string
	// Params are values of parameters: passwords, and what each run has anew.
	Params map[string]string
	// Unproved gives what could not be proved too; its first line says so.
	Unproved bool
	// Progress is told what is being done; nil keeps silent.
	Progress func(string)
}

// Derived is a script of what was done.
type Derived struct {
	Text    string
	Proved  bool
	Verdict string     // how it was proved, or why not; the head of the text has it too
	Notes   []string   // what was left out, and why
	Flow    *rove.Flow // for Session.Replay and KeepFlow
}

// Formats are the formats of scripts.
func Formats() []string { return slices.Clone(derive.Formats) }

// Script makes a script of what was done in a session. It is proved in new contexts of
// the session's browser: it has to pass, and every assertion in it to fail when its
// cause is missing. One that is not proved is an error, unless Unproved is set.
func Script(ctx context.Context, s *rove.Session, opts ScriptOptions) (*Derived, error) {
	const op = "derive script"
	if opts.Format == "" {
		opts.Format = derive.Formats[0]
	}
	switch {
	case !slices.Contains(derive.Formats, opts.Format):
		return nil, driver.Invalid(op, "there is no format %q: there are %s", opts.Format, strings.Join(derive.Formats, ", "))
	case opts.Replays < 0 && !opts.Unproved:
		return nil, driver.Invalid(op, "without a proof it is given only with Unproved")
	}
	f, err := derive.Flow(s.Recording(), derive.Options{Name: opts.Name, From: opts.From, To: opts.To})
	if err != nil {
		return nil, driver.Invalid(op, "%v", err)
	}
	if _, err := derive.Write(f, opts.Format); err != nil { // before it is proved for nothing
		return nil, driver.Invalid(op, "%v", err)
	}
	if opts.Replays >= 0 {
		how := replay.Options{Runs: opts.Replays, Reset: opts.Reset, Params: opts.Params, Run: replay.Fresh(s)}
		if opts.Progress != nil {
			how.Say = func(format string, args ...any) { opts.Progress(fmt.Sprintf(format, args...)) }
		}
		if err := replay.Prove(ctx, f, how); err != nil {
			return nil, err
		}
	}
	d := &Derived{Proved: f.Proof.Proved(), Verdict: f.Proof.String(), Notes: f.Notes, Flow: f}
	if !d.Proved && !opts.Unproved {
		return nil, &rove.Error{Code: rove.CodeInvalid, Op: op, Message: d.Verdict, Hint: "Reset puts the application back before each replay; Unproved gives it all the same"}
	}
	if d.Text, err = derive.Write(f, opts.Format); err != nil {
		return nil, err
	}
	return d, nil
}
