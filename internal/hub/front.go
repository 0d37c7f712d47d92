package hub

import (
	"context"
	"slices"
	"time"

	"rove/internal/chrome"
)

// A page that opens a tab or a window brings it to the front, and one that asks whether it
// may be left comes there itself, as it would for the person, who may be typing elsewhere
// in that very window. So the person's own tab that was last shown in that window is
// brought back, as soon as the browser can be asked which that was.

const (
	putTime  = time.Second           // in which a new tab may come to the front
	putAgain = 30 * time.Millisecond // between looks at it

	windowTries = 5 // for windows, which take that long to show
)

// behind puts a tab of ours behind the person's again. l.mu is held.
func (l *line) behind(opener, popup string) {
	if !l.putting {
		l.putting = true
		go l.putBack(opener, popup)
	}
}

// putBack has the person's tab in front again after a popup of one of ours, or the opener
// itself, has come there.
func (l *line) putBack(opener, popup string) {
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.putting = false
	}()
	ctx, cancel := context.WithTimeout(context.Background(), putTime)
	defer cancel()
	own, apart := "", false
	for tries := 0; ; tries++ {
		order, err := chrome.Recent(ctx, l.address)
		if err != nil {
			return
		}
		if own == "" {
			window := l.window(opener)
			if own = l.lastShown(order, window); own == "" {
				return
			}
			apart = l.window(popup) != window
		}
		// Another popup may have come meanwhile: all that was made or shown since.
		before := order[:max(0, slices.Index(order, own))]
		switch {
		case slices.ContainsFunc(before, func(id string) bool { return !l.ours(id) }):
			return // the person has gone on
		case apart && tries > windowTries:
			return // a window of its own hid no tab: there is no seeing who is in front
		case len(before) > 0 || !slices.Contains(order, popup):
			if l.ask("Target.activateTarget", map[string]any{"targetId": own}, nil) != nil {
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-l.done:
			return
		case <-time.After(putAgain):
		}
	}
}

// lastShown is the first of the tabs that is the person's, in a window.
func (l *line) lastShown(order []string, window int64) string {
	for _, id := range order {
		if !l.ours(id) && window != 0 && l.window(id) == window {
			return id
		}
	}
	return ""
}

func (l *line) ours(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tabs[id] != nil
}

// window is that of a tab; 0 where it has none.
func (l *line) window(id string) int64 {
	var v struct {
		WindowID int64 `json:"windowId"`
	}
	if l.ask("Browser.getWindowForTarget", map[string]any{"targetId": id}, &v) != nil {
		return 0
	}
	return v.WindowID
}
