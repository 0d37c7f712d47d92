package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"rove/internal/tool"
)

// output runs the program and gives what it printed.
func output(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, trouble strings.Builder
	code = Main(args, strings.NewReader(""), &out, &trouble)
	return out.String(), trouble.String(), code
}

// TestToolsListsTheTable holds the command line's list to the table.
func TestToolsListsTheTable(t *testing.T) {
	all, err := tool.Set("all")
	if err != nil {
		t.Fatal(err)
	}
	text, _, code := output(t, "tools")
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	asJSON, _, _ := output(t, "tools", "--json")
	var defs []struct {
		Name, Description string
		InputSchema       struct{ Properties map[string]any }
	}
	if err := json.Unmarshal([]byte(asJSON), &defs); err != nil {
		t.Fatal(err)
	}
	if len(defs) != len(all) {
		t.Fatalf("%d tools as JSON, the table has %d", len(defs), len(all))
	}
	for i, tl := range all {
		if !strings.Contains(text, "\n"+tl.Name+"\n  "+tl.Help+"\n") {
			t.Errorf("the list misses %s", tl.Name)
		}
		if defs[i].Name != tl.Name || defs[i].Description != tl.Help || len(defs[i].InputSchema.Properties) != len(tl.Parameters()) {
			t.Errorf("as JSON %s is %+v", tl.Name, defs[i])
		}
	}
}

func TestToolsRefusesWhatIsNotThere(t *testing.T) {
	for _, args := range [][]string{{"tools", "nope"}, {"tools", "agent", "agent"}, {"tools", "--nope"}} {
		if _, stderr, code := output(t, args...); code != 2 || stderr == "" {
			t.Errorf("%q: exit code %d, %q", args, code, stderr)
		}
	}
}
