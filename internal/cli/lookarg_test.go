package cli

import "testing"

// What look is given without a flag is an address, or what to look at: nobody wants to
// leave the page for https://table.
func TestLookTellsAddressesFromLocators(t *testing.T) {
	for arg, want := range map[string]bool{
		"e5": true, "#save": true, ".card": true, "table": true, "main": true, "//tr[5]": true, "{button}Save": true, `"Total"`: true, "ul > li": true, "[role=grid]": true,
		"example.com": false, "localhost": false, "localhost:8080": false, "http://a/b": false, "about:blank": false, "http://a/?q=a b": false, "/tmp/a.html": false,
	} {
		if isRef(arg) != want {
			t.Errorf("%s: %v", arg, !want)
		}
	}
}
