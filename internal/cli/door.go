package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rove/internal/session"
	"rove/internal/tool"
)

// doorFlags are the flags of the commands that offer tools to others.
type doorFlags struct {
	browserFlags
	rules  policyFlags
	tools  string
	budget int
	idle   time.Duration
	memory size
}

// register has tools for the sets that are offered unless told.
func (f *doorFlags) register(c *cobra.Command, tools string) {
	f.browserFlags.register(c, 0)
	f.rules.register(c)
	f.memory.register(c)
	c.Flags().StringVar(&f.tools, "tools", tools, "the `SETS` of tools to offer, with commas, or all: "+strings.Join(tool.Sets(), ", "))
	c.Flags().IntVar(&f.budget, "budget", 0, "`TOKENS` at most of a look that does not say (default 1,500; 0: everything)")
	c.Flags().DurationVar(&f.idle, "idle", session.DefaultIdle, "end a session after `DURATION` without a call; 0: never")
}

// door is what they come to.
type door struct {
	tools    []*tool.Tool
	defaults tool.Defaults
	sessions session.Options
}

// door reads the flags. afar is for doors whose callers may be elsewhere. Progress
// goes to standard error: standard output may be the caller's.
func (f *doorFlags) door(c *cobra.Command, afar bool) (d door, err error) {
	if d.tools, err = tool.Set(f.tools); err != nil {
		return d, &usageError{err}
	}
	d.sessions = session.Options{Idle: f.idle, MaxMemory: int64(f.memory)}
	if f.idle <= 0 {
		d.sessions.Idle = -1
	}
	browser := &d.sessions.Browser
	if *browser, err = f.options(c.ErrOrStderr()); err != nil {
		return d, err
	}
	if d.defaults.Budget, err = parseBudget(f.budget, c.Flags().Changed("budget")); err != nil {
		return d, err
	}
	if err = f.rules.apply(browser, afar); err != nil {
		return d, err
	}
	if err = browser.Check(); err != nil {
		return d, err
	}
	if d.tools, err = tool.Able(d.tools, browser.Caps); err != nil {
		return d, &usageError{err}
	}
	return d, nil
}

// parseBudget reads --budget, where 0 means everything if it was said.
func parseBudget(budget int, said bool) (*int, error) {
	switch {
	case budget < 0:
		return nil, &usageError{fmt.Errorf("--budget %d: a number of tokens, or 0 for everything", budget)}
	case budget == 0 && !said:
		return nil, nil
	}
	return &budget, nil
}
