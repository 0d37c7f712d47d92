package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"

	"rove/aria"
	"rove/proposal"
)

// shown prints what actions answered.
func (f *proposeFlags) shown(c *cobra.Command, p *proposal.ActionProposal, r *proposal.ProposalResult, x *callExecutor) {
	w := c.OutOrStdout()
	if f.json {
		w = c.ErrOrStderr() // it is in the data already
	}
	for _, id := range f.show {
		for i, a := range r.Results {
			if a.ActionID != id || a.Output == nil {
				continue
			}
			text := x.texts[id]
			if a.Reused {
				text = x.equal[callID(p.Actions[i].Tool, p.Actions[i].Parameters)]
			}
			if text == "" {
				data, _ := json.MarshalIndent(a.Output, "", "  ")
				text = string(aria.RevealJSON(data))
			}
			fmt.Fprintf(w, "\n%s:\n%s\n", id, strings.TrimRight(text, "\n"))
		}
	}
}

// progressTo tells of each step as it is done.
func progressTo(w io.Writer) func(proposal.Event) {
	return func(e proposal.Event) {
		switch e.Kind {
		case proposal.ActionStarted:
			if e.Attempt == 1 {
				fmt.Fprintf(w, "%s: %s …\n", firstLine(e.ActionID), firstLine(cmp.Or(e.Tool, "state")))
			}
		case proposal.ActionRetrying:
			fmt.Fprintf(w, "%s: again in %d ms, the %s time: %s\n", firstLine(e.ActionID), e.DelayMS, ordinal(e.Attempt), firstLine(e.Error))
		case proposal.ActionFinished:
			fmt.Fprintf(w, "%s: %s\n", firstLine(e.ActionID), e.Result.Status)
		case proposal.StateRolledBack:
			fmt.Fprintln(w, "the state is rolled back")
		}
	}
}

func ordinal(n int) string {
	switch {
	case n%10 == 2 && n%100 != 12:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3 && n%100 != 13:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

// firstLine is the first line of a text that somebody else wrote, without what a
// terminal would obey.
func firstLine(s string) string {
	line, _, more := strings.Cut(s, "\n")
	if more {
		line += " …"
	}
	return strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return '\uFFFD'
		}
		return c
	}, line)
}

// printResult prints a line for each action, and what it cost if it was real.
func printResult(w io.Writer, p *proposal.ActionProposal, r *proposal.ProposalResult, timed bool) error {
	var rows strings.Builder
	table := tabwriter.NewWriter(&rows, 0, 0, 2, ' ', 0)
	count := map[proposal.ActionStatus]int{}
	for i, a := range r.Results {
		count[a.Status]++
		took := ""
		if timed && (a.Status == proposal.Succeeded || a.Status == proposal.Failed) {
			took = shortTime(a.DurationMS)
		}
		why := firstLine(a.Error)
		if a.Reused {
			why = "taken from an equal call"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", firstLine(a.ActionID), a.Status, firstLine(cmp.Or(p.Actions[i].Tool, string(p.Actions[i].Type))), took, why)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(rows.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
	var parts []string
	for _, s := range []proposal.ActionStatus{proposal.Succeeded, proposal.Failed, proposal.Rejected, proposal.Skipped} {
		if count[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[s], s))
		}
	}
	cost := fmt.Sprintf("tool calls: %d", r.Cost.ToolCalls)
	if timed {
		cost += fmt.Sprintf(", retries: %d, %s", r.Cost.Retries, shortTime(r.Cost.TotalDurationMS))
	}
	_, err := fmt.Fprintf(w, "%s; %s\n", strings.Join(parts, ", "), cost)
	for _, warning := range r.Warnings {
		_, err = fmt.Fprintf(w, "warning: %s\n", firstLine(warning))
	}
	return err
}

func shortTime(ms float64) string {
	if ms < 1000 {
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f s", ms/1000)
}
