package tool

import (
	"testing"

	"rove/internal/session"
	"rove/internal/testkit"
)

// manage gives a test its browsers and sessions, which end with it.
func manage(t *testing.T, opts session.Options) *session.Manager {
	t.Helper()
	testkit.Parallel(t) // each has a browser of its own, if it needs one
	m := session.NewManager(opts)
	testkit.Closes(t, m)
	return m
}
