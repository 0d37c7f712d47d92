package pwserver

import (
	"context"
	"time"

	"rove/driver/backend"
	"rove/internal/anypage"
)

const scanTimeout = 3 * time.Second // for the scan after a load

// scanLoaded scans documents that have just been loaded.
func (t *Tab) scanLoaded([]string) {
	ctx, cancel := context.WithTimeout(t.life, scanTimeout)
	defer cancel()
	_, _ = t.Scan(ctx)
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

// Scan makes the page script acquainted with closed shadow roots.
func (t *Tab) Scan(ctx context.Context, frames ...backend.FrameID) (found bool, err error) {
	return false, nil
}
