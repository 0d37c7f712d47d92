package driver

import (
	"context"

	"rove/aria"
)

// AriaTree is the page as its accessibility tree, frames included: one line for
// each node, indented, with a ref for what can be acted on. Refs are locators:
// "ref:e5". They stay with their element for as long as it lives.
func (d *Driver) AriaTree(ctx context.Context) (string, error) {
	ctx, cancel := d.within(ctx, sessionWait)
	defer cancel()
	tree, err := d.Tab().Snapshot(ctx, SnapshotOptions{})
	if err != nil {
		return "", err
	}
	return aria.Render(tree, aria.Options{YAML: true, Bare: true}), nil
}
