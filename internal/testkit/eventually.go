package testkit

import (
	"testing"
	"time"
)

// patience is how long a test waits for what must come sooner or later. It is no
// measure of anything: it tells a hang from a busy machine.
const patience = time.Minute

// Eventually waits until something is so that nobody tells of: what a process or a
// browser does in its own time. It may be called in a cleanup.
func Eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	if !within(patience, so) {
		t.Fatalf("not so after %v: %s", patience, what)
	}
}

// Within is Eventually for who has more to say when it is not so.
func Within(so func() bool) bool { return within(patience, so) }

// within looks every few milliseconds whether something is so.
func within(wait time.Duration, so func() bool) bool {
	deadline := time.Now().Add(wait)
	for !so() {
		if time.Now().After(deadline) {
			return false
		}
		<-time.After(5 * time.Millisecond)
	}
	return true
}
