package webdriver

import "testing"

// A driver's reason is in the answer, and not the name of the error twice.
func TestReason(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"session not created\nfrom unknown error: cannot find Chrome binary\nstack": "cannot find Chrome binary",
		"session not created: this version only supports Chrome 156\nstack":         "session not created: this version only supports Chrome 156",
		"session not created": "session not created",
		"":                    "",
	} {
		if got := reason("session not created", message); got != want {
			t.Errorf("%q is %q, want %q", message, got, want)
		}
	}
}
