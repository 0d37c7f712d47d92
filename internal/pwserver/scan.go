package pwserver

import (
	"context"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// scanLoaded scans documents that have just been loaded.
func (t *Tab) scanLoaded(frames []backend.FrameID) {
	ctx, cancel := context.WithTimeout(t.Life, anypage.ScanTimeout)
	defer cancel()
	_, _ = t.Scan(ctx, frames...)
}

// scanned waits for the scan after a load.
func (t *Tab) scanned(ctx context.Context, g *anypage.Gate) {
	work := t.scans.Busy()
	if work == nil {
		return
	}
	select {
	case <-work:
	case <-g.Shut:
	case <-ctx.Done():
	}
}

// Scan makes the page script acquainted with closed shadow roots and with elements that
// only a listener makes clickable, which Chromium alone tells; not of frames in a process
// of their own.
func (t *Tab) Scan(ctx context.Context, frames ...backend.FrameID) (found bool, err error) {
	g, err := t.Enter()
	if err != nil {
		return false, err
	}
	for _, f := range t.All(frames) { // the page script has to be there to be told
		if _, err := t.worldOf(ctx, g, f); err != nil && anypage.TabWide(err) {
			return false, err
		}
	}
	if t.browser.name != "chromium" {
		return false, nil
	}
	d, err := t.session(ctx)
	if err != nil {
		return false, err
	}
	send := func(cmds []devtool) []*reply {
		list := make([]command, len(cmds))
		for i, c := range cmds {
			list[i] = command{d.guid, "send", object{"method": c.Method, "params": c.Params}}
		}
		return t.start(list...)
	}
	s := anypage.ChromiumScan[string]{
		Worlds: d.list(),
		Ask: func(cmds []devtool, take func(i int, answer []byte)) error {
			for i, r := range send(cmds) {
				var a struct {
					Result raw `json:"result"`
				}
				err := t.await(ctx, g, r, &a)
				switch {
				case err == nil:
					take(i, a.Result)
				case ctx.Err() != nil || anypage.TabWide(err):
					return err
				}
			}
			return nil
		},
		Start: func(cmds ...devtool) { send(cmds) },
	}
	return s.Run(ctx, g, d.scanning)
}

type devtool = anypage.Devtool[string]
