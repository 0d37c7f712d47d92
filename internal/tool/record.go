package tool

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rove"
	"rove/internal/replay"
	"rove/record"
	"rove/recording"
)

// recordTools make scripts of what was done, and do it again.
var recordTools = []*Tool{
	row(recordSet, "derive_script", false, "Make a script of what was done in this session, proved by running it. name: also keeps it, for act _page run NAME.", deriveScript),
	row(recordSet, "derive_api", true, "Make API tests, or a description or mock, of what pages of this session asked and were answered. Not proved: rove derive api does that.", deriveAPI),
	row(recordSet, "replay", false, "Do a flow again, by name or as derive_script gave it (format flow). Stops where an element is not what it was, and says what is there.", replayFlow),
	row(recordSet, "read_recording", true, "What was done in this session so far, as JSON lines.", showRecording).local(),
}

type deriveScriptInput struct {
	Format   string `json:"format,omitempty" enum:"feature,js,go,playwright,proposal,flow" about:"feature unless told"`
	Name     string `json:"name,omitempty" about:"what it is called; it can be run by this name then"`
	From     int    `json:"from,omitempty" about:"the first verb that counts, by its number in the history"`
	To       int    `json:"to,omitempty" about:"the last"`
	Prove    *int   `json:"prove,omitempty" about:"how many replays it has to pass; 3 unless told, 0 for no proof"`
	Unproved bool   `json:"unproved,omitempty" about:"give it even if it is not proved"`
	Where
}

// scripted is a script for programs.
type scripted struct {
	OK      bool             `json:"ok"`
	Proved  bool             `json:"proved"`
	Verdict string           `json:"verdict"`
	Script  string           `json:"script,omitempty"`
	Format  string           `json:"format"`
	Proof   *recording.Proof `json:"proof,omitempty"`
	Notes   []string         `json:"notes,omitempty"`
}

func deriveScript(ctx context.Context, c *Context, in deriveScriptInput) (Output, error) {
	if in.Format == "" {
		in.Format = record.Formats()[0]
	}
	runs := 3
	if in.Prove != nil {
		runs = *in.Prove
	}
	switch {
	case runs < 0 || runs > mostProofs:
		return Output{}, invalid("derive_script", "prove %d: a number of replays, 0 to %d", runs, mostProofs)
	case runs == 0 && !in.Unproved:
		return Output{}, invalid("derive_script", "without a proof it is given only with unproved")
	}
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	opts := record.ScriptOptions{Format: in.Format, Name: in.Name, From: in.From, To: in.To, Replays: runs, Unproved: true}
	if runs == 0 {
		opts.Replays = -1
	}
	made, err := record.Script(ctx, s, opts)
	if err != nil {
		return Output{}, err
	}
	d := scripted{OK: true, Proved: made.Proved, Verdict: made.Verdict, Format: in.Format, Proof: made.Flow.Proof, Notes: made.Notes}
	if !d.Proved && !in.Unproved {
		d.OK = false
		return Output{Data: d}, &rove.Error{Code: rove.CodeInvalid, Op: "derive_script", Message: d.Verdict, Hint: "unproved gives it all the same; put the application back first if something was saved"}
	}
	if in.Name != "" {
		if err := s.KeepFlow(made.Flow); err != nil {
			return Output{}, err
		}
	}
	d.Script = made.Text
	return Output{Text: d.Script, Data: d}, nil
}

const mostProofs = 20

type replayInput struct {
	Name   string `json:"name,omitempty" about:"of a flow that is kept"`
	Flow   string `json:"flow,omitempty" about:"its text, in the format flow"`
	Base   string `json:"base,omitempty" about:"another origin than that of the flow"`
	Fresh  bool   `json:"fresh,omitempty" about:"in a context of its own, and not in this session's page"`
	Skip   int    `json:"skip,omitempty" about:"a step to leave out, counted from 1"`
	Until  int    `json:"until,omitempty" about:"the last step to do"`
	Fail   string `json:"fail,omitempty" about:"a request to answer with 500, such as POST /api/contacts"`
	Checks int    `json:"checks,omitempty" about:"milliseconds to wait for what must be so after the last step"`
	Wait   int    `json:"wait,omitempty" about:"milliseconds to wait for each element; 10,000 unless told"`
	Params string `json:"params,omitempty" about:"values of parameters, a line NAME=VALUE for each"`
	Trial  string `json:"trial,omitempty" about:"what a proof tries, with spaces: learn (the answers to saves), lose=N (saves of step N get those and are not made; N.2: only its second), blind (statuses are not checked), every (check), again (what passes when the page is loaded again)"`
	Where
}

// trial reads what a proof tries.
func (in *replayInput) trial(s *rove.Session, opts *rove.ReplayOptions) error {
	for word := range strings.FieldsSeq(in.Trial) {
		step, lose := strings.CutPrefix(word, "lose=")
		step, which, one := strings.Cut(step, ".")
		n, err := strconv.Atoi(step)
		write, wrong := strconv.Atoi(which)
		switch {
		case lose && err == nil && n > 0 && (!one || wrong == nil && write > 0):
			opts.Lose, opts.Write, opts.Answers = n, write, s.Learned()
		case word == "learn":
			opts.Answers = s.Learned()
		case word == "blind":
			opts.Blind = true
		case word == "every":
			opts.Every = true
		case word == "again":
			opts.Again = true
		default:
			return invalid("replay", "trial %q: learn, lose=N, blind, every or again", word)
		}
	}
	return nil
}

func replayFlow(ctx context.Context, c *Context, in replayInput) (Output, error) {
	if (in.Name == "") == (in.Flow == "") {
		return Output{}, invalid("replay", "give the name of a flow, or its text, and not both")
	}
	opts := rove.ReplayOptions{Base: in.Base, Skip: in.Skip, Until: in.Until, Checks: time.Duration(in.Checks) * time.Millisecond, Patience: time.Duration(in.Wait) * time.Millisecond}
	if in.Fail != "" {
		method, path, _ := strings.Cut(in.Fail, " ")
		opts.Fail = &recording.Request{Method: method, URL: path}
	}
	for line := range strings.SplitSeq(in.Params, "\n") {
		if name, value, ok := strings.Cut(line, "="); ok {
			if opts.Params == nil {
				opts.Params = map[string]string{}
			}
			opts.Params[strings.TrimSpace(name)] = value
		}
	}
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	if err := in.trial(s, &opts); err != nil {
		return Output{}, err
	}
	var f *recording.Flow
	if in.Name != "" {
		f, err = s.Flow(in.Name)
	} else if f, err = recording.ReadFlow(strings.NewReader(in.Flow)); err != nil {
		err = invalid("replay", "%v", err)
	}
	if err != nil {
		return Output{}, err
	}
	run := s.Replay
	if in.Fresh {
		run = replay.Fresh(s)
	}
	r, err := run(ctx, f, opts)
	if r == nil {
		return Output{}, err
	}
	return Output{Text: r.Text(), Data: r}, err
}

type recordingInput struct {
	From int `json:"from,omitempty" about:"the first verb, by its number"`
	To   int `json:"to,omitempty" about:"the last"`
	Where
}

func showRecording(ctx context.Context, c *Context, in recordingInput) (Output, error) {
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	var b strings.Builder
	if err := s.Recording().Cut(in.From, in.To).Write(&b); err != nil {
		return Output{}, fmt.Errorf("recording: %w", err)
	}
	return Output{Text: b.String()}, nil
}
