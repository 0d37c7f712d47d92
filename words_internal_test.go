package rove

import (
	"errors"
	"fmt"
	"testing"

	"rove/driver"
	"rove/driver/advice"
	"rove/driver/backend"
)

// What is wrapped stays; what is advised in no code, or was said better since, is left
// alone.
func TestInVerbsKeepsTheError(t *testing.T) {
	busy := &backend.Error{Kind: backend.KindBusy}
	methods := (&Error{Code: CodeTimeout, Op: "look", Message: "busy", Err: busy}).Advise(advice.StopPage)
	if want := "look: busy; wait for it, or stop it: Driver.Refresh, or Driver.SetURL to go elsewhere"; methods.Error() != want {
		t.Errorf("a program is told %q, want %q", methods, want)
	}
	said := inVerbs(methods)
	if want := "look: busy; wait for it, or stop it: act _page refresh, or go elsewhere"; said.Error() != want || !driver.IsBusy(said) || CodeOf(said) != CodeTimeout {
		t.Errorf("got %q, want %q, with its code and cause", said, want)
	}
	better := *methods
	better.Hint = "it is for somebody else to do"
	for _, err := range []error{nil, busy, fmt.Errorf("plain"), &Error{Hint: "look again"}, &better} {
		if got := inVerbs(err); !errors.Is(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
}
