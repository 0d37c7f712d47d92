package rove

import (
	"context"
	"slices"
	"time"

	"rove/aria"
	"rove/driver"
)

// What is so only between two steps, and what is not so yet after the last.

// chooses are operations that change something which the next press may take away.
var chooses = map[string]bool{"click": true, "dblclick": true, "check": true, "uncheck": true, "select": true, "set": true}

// largestBetween is how many nodes a page may have to be read between two steps.
const largestBetween = 3000

// between reads the page before a press that may take away what the step before changed; nil where
// there is no need to.
func (s *Session) between(ctx context.Context, done []Receipt, next Step) *aria.Tree {
	n := len(done)
	if n == 0 || !chooses[done[n-1].Op] || next.Op != "click" && next.Op != "press" {
		return nil
	}
	if e := &done[n-1].Effect; e.Changes == 0 && e.Value == nil || e.Navigated || e.Dialog != nil || e.Hung || e.Closed || e.Crashed || len(e.Tabs) > 0 {
		return nil
	}
	last := s.looks.last()
	tab, _, err := s.currentTab(ctx)
	if err != nil || last == nil || len(last.Nodes) > largestBetween {
		return nil
	}
	bound, cancel := s.boundedWait(ctx)
	defer cancel()
	tree, err := tab.Snapshot(bound, driver.SnapshotOptions{Passing: true})
	if err != nil {
		return nil
	}
	cleanTree(s.out, tree)
	return tree
}

// passed is what changed of elements that are gone at the end: nothing else would tell of it.
func passed(before *aria.Tree, between []*aria.Tree, after *aria.Tree, done []Receipt) (list []aria.Entry) {
	told := map[aria.Ref]bool{} // of which it goes without saying
	for _, d := range done {
		told[d.Effect.Ref] = told[d.Effect.Ref] || d.Op != "click" && d.Op != "dblclick"
	}
	for _, tree := range between {
		if before.URL != tree.URL && before.Title != tree.Title {
			before = tree
			continue
		}
		for _, e := range aria.Diff(before, tree).Changed {
			if e.Ref != "" && !told[e.Ref] && !after.Has(e.Ref) && before.Has(e.Ref) && len(list) < mostPassed {
				e.Text += ", gone since"
				list = append(list, e)
			}
		}
		before = tree
	}
	return slices.Compact(list)
}

const mostPassed = 6

// workPatience is how long a page is waited for that says that it is at work.
const workPatience = 2 * time.Second

// worked waits until a page no longer says so, and says whether it does not.
func (s *Session) worked(ctx context.Context, tab *driver.Tab, words string) bool {
	bound, cancel := context.WithTimeout(ctx, workPatience)
	defer cancel()
	return tab.WaitText(bound, words, true) == nil
}
