package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"rove"
	"rove/internal/demo"
)

// demoStep is one thing the demo shows: what a model would call, and what it
// would read.
type demoStep struct {
	why  string
	call string // as a model writes it
	run  func(ctx context.Context, s *rove.Session, site string) (result, error)
}

// result is what every verb answers with: a text for models, data for programs.
type result interface{ Text() string }

func look(opts rove.LookOptions) func(context.Context, *rove.Session, string) (result, error) {
	return func(ctx context.Context, s *rove.Session, _ string) (result, error) { return s.Look(ctx, opts) }
}

func visit(path string) func(context.Context, *rove.Session, string) (result, error) {
	return func(ctx context.Context, s *rove.Session, site string) (result, error) { return s.Go(ctx, site+path) }
}

// act performs steps. One that is meant to be refused is shown as it is.
func act(steps ...rove.Step) func(context.Context, *rove.Session, string) (result, error) {
	return func(ctx context.Context, s *rove.Session, _ string) (result, error) {
		r, err := s.Act(ctx, steps...)
		if err != nil && rove.CodeOf(err) != rove.CodeStale {
			return nil, err
		}
		return r, nil
	}
}

var demoSteps = []demoStep{
	{"Opening a page already shows it.", "go /login", visit("/login")},
	{
		"A login is one call, and its receipt shows the page that came: what is on screen and can be operated first, repeated rows folded, within a budget, and nothing dropped without a word. The password is never shown.",
		`act [{e12 input "ada@example.com"}, {e13 input …}, {e15 click}]`,
		act(rove.Step{Ref: "e12", Op: "input", Value: demo.Email}, rove.Step{Ref: "e13", Op: "input", Value: demo.Password}, rove.Step{Ref: "e15", Op: "click"}),
	},
	{"A ref belongs to one element for as long as it lives. One that is gone is refused, with what it was.", "act e12 click", act(rove.Step{Ref: "e12", Op: "click"})},
	{"Looking for something finds it wherever it is, with its place.", `look {find: "discount"}`, look(rove.LookOptions{Find: "discount", Budget: new(300)})},
	{"A form of ten fields …", "go /form", visit("/form")},
	{"… is filled and sent in one call. Locators work as well as refs.", "act [ten fields, submit]", act(demoForm...)},
	{"A list tells what changed, and nothing else.", "go /todo", visit("/todo")},
	{"", `act [{{input}New task input "Buy milk"}, {{button}Add click}]`, act(rove.Step{Ref: "{input}New task", Op: "input", Value: "Buy milk"}, rove.Step{Ref: "{button}Add", Op: "click"})},
	{"A dialog never hangs anybody: the answer says what is open and how to answer it.", "go /items, act {button:1}Delete click", func(ctx context.Context, s *rove.Session, site string) (result, error) {
		if _, err := s.Go(ctx, site+"/items"); err != nil {
			return nil, err
		}
		return s.Act(ctx, rove.Step{Ref: "{button:1}Delete", Op: "click"})
	}},
	{"", "act _page dialog accept", act(rove.Step{Ref: "_page", Op: "dialog", Value: "accept"})},
	{"Frames of other origins, nested, and shadow roots, closed ones too, read as one page.", "go /frames", visit("/frames")},
	{"Reading is Markdown, main content first.", `go /article, look {mode: "text"}`, func(ctx context.Context, s *rove.Session, site string) (result, error) {
		if _, err := s.Go(ctx, site+"/article"); err != nil {
			return nil, err
		}
		return s.Look(ctx, rove.LookOptions{Mode: rove.ModeText, Budget: new(300)})
	}},
	{"Scripts, where nothing else will do.", "eval document.querySelectorAll('a').length", func(ctx context.Context, s *rove.Session, _ string) (result, error) {
		return s.Eval(ctx, "document.querySelectorAll('a').length")
	}},
	{"Waiting is by events, never by a fixed delay.", "wait idle", func(ctx context.Context, s *rove.Session, _ string) (result, error) {
		return s.Wait(ctx, "idle", 5*time.Second)
	}},
}

// demoForm fills the registration form and sends it.
var demoForm = []rove.Step{
	{Ref: "#name", Op: "input", Value: "Ada Lovelace"},
	{Ref: "#email", Op: "input", Value: demo.Email},
	{Ref: "#guests", Op: "input", Value: "2"},
	{Ref: "#arrival", Op: "input", Value: "2026-12-10"},
	{Ref: "#country", Op: "select", Value: "Austria"},
	{Ref: "{input}Workshop", Op: "click"},
	{Ref: "#about", Op: "input", Value: "I write programs."},
	{Ref: "#volume", Op: "set", Value: "70"},
	{Ref: "form input[type=checkbox]", Op: "check"},
	{Ref: "{button}Register", Op: "click"},
}

func newDemoCommand() *cobra.Command {
	var f browserFlags
	c := &cobra.Command{
		Use:   "demo",
		Short: "Drive a demo site and print what an agent would see",
		Long: `Serves a small web site on this machine, opens it in a browser and prints what
an agent would read at each step. Nothing needs to be set up: without a browser
on the machine rove fetches one.`,
		Example: "  rove demo\n  rove demo --headed",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return &usageError{fmt.Errorf("demo takes no arguments")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			return runDemo(c.Context(), &f, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f.register(c, 5*time.Minute)
	f.registerJSON(c)
	return c
}

func runDemo(ctx context.Context, f *browserFlags, out, progress io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	site, stop, err := demo.Serve(ctx)
	if err != nil {
		return err
	}
	defer stop()
	s, err := f.open(ctx, progress)
	if err != nil {
		return err
	}
	defer s.Close()
	for i, step := range demoSteps {
		start := time.Now()
		r, err := step.run(ctx, s, site)
		if err != nil {
			return fmt.Errorf("%s: %w", step.call, err)
		}
		took := time.Since(start)
		if f.json {
			if err := printJSON(out, r); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			fmt.Fprintln(out)
		}
		text := r.Text()
		if step.why != "" {
			fmt.Fprintf(out, "# %s\n", step.why)
		}
		fmt.Fprintf(out, "> %s   (%d ms, about %d tokens)\n%s\n", step.call, took.Milliseconds(), rove.Tokens(text), text)
	}
	return nil
}
