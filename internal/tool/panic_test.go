package tool

import (
	"context"
	"testing"

	"rove/internal/session"
)

// TestPanicEndsItsCall: a fault in a tool is for the door to catch, and leaves no
// session busy for good.
func TestPanicEndsItsCall(t *testing.T) {
	talk := manage(t, session.Options{}).Conversation("main")
	bad := row("agent", "bad", true, "", func(context.Context, *Context, struct{ Where }) (Output, error) { panic("a fault") })
	call, err := bad.Prepare(talk, []byte(`{}`), Defaults{})
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the fault went unseen")
			}
		}()
		_, _ = call.Run(t.Context())
	}()
	for _, s := range talk.Sessions() {
		if s.Busy {
			t.Errorf("session %q is busy with a call that is over", s.Name)
		}
	}
}
