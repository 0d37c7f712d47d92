package cli

import (
	"context"
	"testing"

	"rove/internal/daemon"
)

// says answers every call with a text.
type says string

func (s says) call(context.Context, string, map[string]any) (*daemon.Answer, error) {
	return &daemon.Answer{Text: string(s)}, nil
}

func (s says) close() error { return nil }

// TestRecorded: of a session that ended it is said that it did, and not that its recording is none.
func TestRecorded(t *testing.T) {
	t.Parallel()
	const empty = `{"rove":"recording","version":1}` + "\n"
	const ended = "the session ended after 30m0s without a call; this is a new session, without its pages, cookies and refs"
	if _, err := recorded(t.Context(), says(empty)); err != nil {
		t.Error(err)
	}
	if _, err := recorded(t.Context(), says("note: "+ended+"\n"+empty)); err == nil || err.Error() != ended {
		t.Errorf("%v, want %s", err, ended)
	}
}
