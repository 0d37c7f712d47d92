package rove

import (
	"context"
	"time"

	"rove/driver"
)

// again loads the page again, and finds out what it says no longer. What comes back a
// while later is waited for: pages fill by themselves.
func (p *player) again(ctx context.Context) error {
	tab := p.session.driver.Tab()
	tree, err := tab.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return err
	}
	said := linesOf(tree)
	load := p.flow.Reload(p.result.Done)
	if err := p.do(ctx, p.result.Done, &load); err != nil {
		return err
	}
	for deadline := time.Now().Add(p.opts.Checks); ; {
		if tree, err = tab.Snapshot(ctx, driver.SnapshotOptions{}); err != nil {
			return err
		}
		says := map[string]int{}
		for _, l := range linesOf(tree) {
			says[l.Name]++
		}
		p.result.Passing = nil
		for _, l := range said {
			if says[l.Name]--; says[l.Name] < 0 {
				p.result.Passing = append(p.result.Passing, l.Name)
			}
		}
		if len(p.result.Passing) == 0 || !time.Now().Before(deadline) {
			return nil
		}
		if err := pause(ctx, checkPause); err != nil {
			return err
		}
	}
}
