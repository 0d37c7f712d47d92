package cli

import "runtime/debug"

const (
	// garbageRoom is how much of a run's garbage may lie before it is collected, besides
	// as much as there is memory in use. Scenarios are short-lived: a small heap would be
	// collected a hundred times a second. With much more than this the memory itself,
	// which the system hands out page by page, costs more time than collecting does.
	garbageRoom = 16 << 20
	// softLimit is from where on memory goes before time.
	softLimit = 512 << 20
)

// collectCalmly lets garbage lie until there is some of it. What it gives has to be kept
// as long as that is to hold: Go collects when the heap has grown by what is in use, and
// this counts as in use. Nobody writes to it, so that it takes no memory.
func collectCalmly() []byte {
	debug.SetMemoryLimit(softLimit)
	return make([]byte, garbageRoom)
}
