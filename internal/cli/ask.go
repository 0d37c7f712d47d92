package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"rove"

	"rove/internal/policy"
)

// asker asks the person at the terminal; nil where there is none.
func asker(c *cobra.Command) func(context.Context, string, int) (bool, error) {
	if !terminal(c.InOrStdin()) || !terminal(c.ErrOrStderr()) {
		return nil
	}
	return func(ctx context.Context, question string, unseen int) (bool, error) {
		fmt.Fprintf(c.ErrOrStderr(), "rove: %s\n%s ", question, policy.HowToAgree(unseen))
		said := make(chan string, 1)
		go func() { // a read can't be broken off; the program ends soon
			line, _ := bufio.NewReader(c.InOrStdin()).ReadString('\n')
			said <- line
		}()
		select {
		case line := <-said:
			return policy.Agrees(line, unseen), nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// asked has the calls of a context ask at the terminal, if there is one.
func asked(ctx context.Context, c *cobra.Command) context.Context {
	ask := asker(c)
	if ask == nil {
		return ctx
	}
	return rove.WithConfirm(ctx, func(ctx context.Context, q rove.Question) (bool, error) { return ask(ctx, q.String(), q.Unseen()) })
}

// terminal says whether a person is at one end.
func terminal(end any) bool {
	f, ok := end.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
