//go:build !race

package testkit

// Race says that the race detector is on: memory is several times what it would be,
// and what the detector remembers grows with what was done.
const Race = false
