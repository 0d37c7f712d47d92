package cli

import "testing"

func TestHeadlessUnlessTold(t *testing.T) {
	for value, want := range map[string]bool{"": true, "1": true, "true": true, "0": false, "false": false, "perhaps": true} {
		t.Setenv("ROVE_HEADLESS", value)
		if headless() != want {
			t.Errorf("ROVE_HEADLESS=%q: headless %v", value, headless())
		}
		c := newMCPCommand()
		if got := c.Flags().Lookup("headed").DefValue; (got == "false") != want {
			t.Errorf("ROVE_HEADLESS=%q: --headed is %s", value, got)
		}
	}
}
