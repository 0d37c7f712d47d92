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

func look(opts rove.LookOptions) func(context.Context, *rove.Session, string) (result, error) {
	return func(ctx context.Context, s *rove.Session, _ string) (result, error) { return s.Look(ctx, opts) }
}

func visit(path string) func(context.Context, *rove.Session, string) (result, error) {
	return func(ctx context.Context, s *rove.Session, site string) (result, error) { return s.Go(ctx, site+path) }
}

var demoSteps = []demoStep{
	{"Opening a page already shows it.", "go /login", visit("/login")},
	{"A busy page is kept within a budget of tokens: what is on screen and can be operated first, repeated rows folded, nothing dropped without a word.", "go /dashboard", visit("/dashboard")},
	{"Looking for something finds it wherever it is, with its place.", `look {find: "discount"}`, look(rove.LookOptions{Find: "discount", Budget: 300})},
	{"Frames of other origins, nested, and shadow roots, closed ones too, read as one page.", "go /frames", visit("/frames")},
	{"Reading is Markdown, main content first.", `go /article, look {mode: "text"}`, func(ctx context.Context, s *rove.Session, site string) (result, error) {
		if _, err := s.Go(ctx, site+"/article"); err != nil {
			return nil, err
		}
		return s.Look(ctx, rove.LookOptions{Mode: rove.ModeText, Budget: 400})
	}},
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
	f.register(c)
	f.timeout = 5 * time.Minute
	c.Flags().Lookup("timeout").DefValue = "5m0s"
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
			if err := f.print(out, r); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			fmt.Fprintln(out)
		}
		text := r.Text()
		fmt.Fprintf(out, "# %s\n> %s   (%d ms, about %d tokens)\n%s\n", step.why, step.call, took.Milliseconds(), rove.Tokens(text), text)
	}
	return nil
}
