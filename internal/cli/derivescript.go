package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"rove"
	"rove/internal/derive"
	"rove/internal/replay"
	"rove/recording"
)

// deriveScriptFlags are the flags of rove derive script.
type deriveScriptFlags struct {
	callFlags
	file     string
	from, to int
	format   string
	name     string
	output   string
	prove    int
	reset    string
	params   []string
	unproved bool
	quiet    bool
}

func newDeriveScriptCommand() *cobra.Command {
	var f deriveScriptFlags
	c := &cobra.Command{
		Use:   "script",
		Short: "Make a script of what was done in a session, and prove it",
		Long: `Makes a script of what was done in the session: only what counts, elements by what
they are known by, and after each step what must be so, from what was seen then.

It is proved before it is handed over: it has to pass in fresh contexts, and each
assertion has to fail when its cause is missing; one that does not is dropped, and
the script says so. --reset is run before each replay and puts the application back
to what it was. What cannot be proved is handed over only with --unproved, and says
so in its first line.

  --format feature      for rove run and for Karate (the default)
  --format js           the same, as a function
  --format go           a Go test with package driver
  --format playwright   Playwright Test, in TypeScript
  --format proposal     for rove propose
  --format flow         for rove replay, with all that elements are known by

What was typed into password fields is not in it: the script reads it by name.`,
		Example: `  rove derive script -o login.feature --reset 'make seed'
  rove derive script --format playwright -o login.spec.ts --prove 5
  rove derive script --from 4 --to 9 --format flow -o add.flow
  rove derive script --recording add.flow --format playwright -o add.spec.ts
  rove derive script --recording monday.jsonl --unproved --prove 0`,
		Args: noArgs("derive script"),
		RunE: func(c *cobra.Command, _ []string) error { return f.script(c) },
	}
	f.register(c, deriveTimeout)
	fl := c.Flags()
	fl.StringVar(&f.file, "recording", "", "`FILE` of a recording or a flow, instead of a session")
	fl.IntVar(&f.from, "from", 0, "the first verb that counts, by its number ('rove recording show' has them)")
	fl.IntVar(&f.to, "to", 0, "the last")
	fl.StringVar(&f.format, "format", derive.Formats[0], "what to write: "+strings.Join(derive.Formats, ", "))
	fl.StringVar(&f.name, "name", "", "what the flow is called (default: the name of the file)")
	fl.StringVarP(&f.output, "out", "o", "", "`FILE` to write it to (default: standard output)")
	fl.IntVar(&f.prove, "prove", 3, "how many replays it has to pass; 0 for no proof")
	fl.StringVar(&f.reset, "reset", "", "`COMMAND` that puts the application back, run before each replay")
	fl.StringArrayVar(&f.params, "param", nil, "`NAME=VALUE` of a parameter, for the replays")
	fl.BoolVar(&f.unproved, "unproved", false, "hand it over even if it is not proved")
	fl.BoolVar(&f.quiet, "quiet", false, "do not tell how the proof goes")
	return c
}

func (f *deriveScriptFlags) script(c *cobra.Command) (err error) {
	if f.prove < 0 {
		return &usageError{errors.New("--prove takes a number of replays, 0 or more")}
	}
	params, err := parameters(f.params)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Context(), f.timeout)
	defer cancel()
	if f.file != "" && f.isFlow() && !c.Flags().Changed("prove") {
		if flow, err := readFlow(f.file); err == nil && flow.Proof.Proved() {
			f.prove = 0 // it was, before it was written
		}
	}
	f.json = true // answers are for this program
	if f.file == "" {
		kept, err := f.kept(c)
		if err != nil {
			return err
		}
		if kept != nil {
			f.file = kept.File
			defer f.apart(c)()
		}
	}
	var caller caller
	if f.file == "" || f.prove > 0 {
		if caller, err = f.caller(c); err != nil {
			return err
		}
		defer func() { err = cmp.Or(err, caller.close()) }()
	}
	flow, err := f.flow(ctx, caller)
	if err != nil {
		return err
	}
	if _, err := derive.Write(flow, f.format); err != nil { // before it is proved for nothing
		return &usageError{err}
	}
	if f.prove > 0 {
		say := func(format string, args ...any) { fmt.Fprintf(c.ErrOrStderr(), format+"\n", args...) }
		if f.quiet {
			say = nil
		}
		if err := replay.Prove(ctx, flow, replay.Options{Runs: f.prove, Reset: f.reset, Params: params, Run: throughTool(caller), Say: say}); err != nil {
			return err
		}
	}
	text, err := derive.Write(flow, f.format)
	if err != nil {
		return err
	}
	if !flow.Proof.Proved() && !f.unproved {
		return fmt.Errorf("%s\nIt is not handed over; --unproved does so all the same", flow.Proof)
	}
	fmt.Fprintln(c.ErrOrStderr(), flow.Proof)
	if err := writeOut(c, f.output, text); err != nil {
		return err
	}
	if line := howToRun(flow, f.format, f.output); line != "" {
		fmt.Fprintln(c.ErrOrStderr(), "run it:", line)
	}
	return nil
}

// flow is that of the file, or made of what was recorded there or in the session.
func (f *deriveScriptFlags) flow(ctx context.Context, caller caller) (*recording.Flow, error) {
	name := f.name
	if name == "" && f.output != "" {
		name, _, _ = strings.Cut(filepath.Base(f.output), ".")
	}
	var rec *recording.Recording
	var err error
	switch {
	case f.file == "":
		rec, err = recorded(ctx, caller)
	case f.isFlow():
		if f.from > 0 || f.to > 0 {
			return nil, &usageError{errors.New("--from and --to are for recordings, and this is a flow")}
		}
		flow, err := readFlow(f.file)
		if err != nil {
			return nil, err
		}
		flow.Name = cmp.Or(f.name, flow.Name, name)
		return flow, nil
	default:
		rec, err = readRecording(f.file)
	}
	if err != nil {
		return nil, err
	}
	return derive.Flow(rec, derive.Options{Name: name, From: f.from, To: f.to})
}

// isFlow says that the file is a flow, and no recording.
func (f *deriveScriptFlags) isFlow() bool {
	data, err := os.ReadFile(f.file)
	return err == nil && isFlow(data)
}

// recorded is the recording of a session.
func recorded(ctx context.Context, caller caller) (*recording.Recording, error) {
	a, err := caller.call(ctx, "read_recording", map[string]any{})
	if err != nil {
		return nil, err
	}
	if note, _, ok := strings.Cut(a.Text, "\n"); ok && strings.HasPrefix(note, "note: ") {
		return nil, errors.New(strings.TrimPrefix(note, "note: ")) // what was done went with the session that was meant
	}
	return recording.Read(strings.NewReader(a.Text))
}

// throughTool gives a Run in contexts of the browser that the session of a caller
// has: what was typed there is known there.
func throughTool(caller caller) replay.Run {
	return func(ctx context.Context, f *recording.Flow, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
		var text strings.Builder
		if err := f.Write(&text); err != nil {
			return nil, err
		}
		input := map[string]any{"flow": text.String(), "fresh": true}
		if opts.Skip > 0 {
			input["skip"] = opts.Skip
		}
		if opts.Until > 0 {
			input["until"] = opts.Until
		}
		if opts.Checks > 0 {
			input["checks"] = opts.Checks.Milliseconds()
		}
		if opts.Patience > 0 {
			input["wait"] = opts.Patience.Milliseconds()
		}
		if opts.Fail != nil {
			input["fail"] = opts.Fail.Method + " " + opts.Fail.URL
		}
		if trial := trialOptions(opts); trial != "" {
			input["trial"] = trial
		}
		var params []string
		for name, value := range opts.Params {
			params = append(params, name+"="+value)
		}
		if len(params) > 0 {
			input["params"] = strings.Join(params, "\n")
		}
		a, err := caller.call(ctx, "replay", input)
		if a == nil || len(a.Data) == 0 {
			return nil, cmp.Or(err, errors.New("the replay gave no answer"))
		}
		var r rove.ReplayResult
		if e := json.Unmarshal(a.Data, &r); e != nil || r.Trace == nil {
			return nil, cmp.Or(err, e)
		}
		return &r, err
	}
}

// trialOptions is what a proof tries, as the tool reads it. The answers stay where the session is.
func trialOptions(opts rove.ReplayOptions) string {
	var words []string
	add := func(on bool, word string) {
		if on {
			words = append(words, word)
		}
	}
	add(opts.Answers != nil && opts.Lose == 0, "learn")
	add(opts.Lose > 0 && opts.Write == 0, fmt.Sprint("lose=", opts.Lose))
	add(opts.Lose > 0 && opts.Write > 0, fmt.Sprintf("lose=%d.%d", opts.Lose, opts.Write))
	add(opts.Blind, "blind")
	add(opts.Every, "every")
	add(opts.Again, "again")
	return strings.Join(words, " ")
}

func parameters(list []string) (map[string]string, error) {
	values := map[string]string{}
	for _, p := range list {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			return nil, &usageError{fmt.Errorf("--param %q: write it as NAME=VALUE", p)}
		}
		values[name] = value
	}
	return values, nil
}

func readRecording(path string) (*recording.Recording, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rec, err := recording.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rec, nil
}

// howToRun is the command that runs what was written to a file; "" where it is not rove's.
func howToRun(flow *recording.Flow, format, path string) string {
	if path == "" || path == "-" {
		return ""
	}
	if strings.Contains(path, " ") {
		path = strconv.Quote(path)
	}
	line, value := "", ""
	switch format {
	case "feature", "js":
		line, value = "rove run "+path+" --browser chrome", " -D "
	case "flow":
		line, value = "rove replay "+path, " --param "
	default:
		return ""
	}
	for _, name := range derive.Needs(flow) {
		line += value + name + "=…"
	}
	return line
}

// writeOut writes a text to a file that is its owner's, or to standard output.
func writeOut(c *cobra.Command, path, text string) error {
	if path == "" || path == "-" {
		_, err := io.WriteString(c.OutOrStdout(), text)
		return err
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.ErrOrStderr(), "wrote", path)
	return err
}
