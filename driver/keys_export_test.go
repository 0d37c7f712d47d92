package driver

import "rove/driver/backend"

// For tests in a browser, which rove opens and which therefore are outside.
var (
	Typing = typing
	Chords = chords
)

// Backend is what the tab drives.
func (t *Tab) Backend() backend.Tab { return t.tab }
