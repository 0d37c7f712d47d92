package repl

import (
	"strings"
	"testing"

	"rove"
)

func TestKarateLines(t *testing.T) {
	t.Parallel()
	r := &repl{}
	defer func() {
		if r.console != nil {
			_ = r.console.Close()
		}
	}()
	for _, c := range []struct{ line, want string }{
		{"* def x = { a: [1, 2] }", ""},
		{"karate.sizeOf(x.a)", "2"},
		{"* match x.a == '#[2]'", ""},
		{"* print x.a", "[print][1,2]"},
		{"* x.a.length + 1", "3"},
	} {
		out, err := r.karate(t.Context(), c.line)
		if err != nil || !strings.Contains(strings.ReplaceAll(out.Text, "\n", ""), c.want) && strings.Join(strings.Fields(out.Text), "") != c.want {
			t.Errorf("%s: %q, %v", c.line, out.Text, err)
		}
	}
	if _, err := r.karate(t.Context(), "* match x.a == 5"); err == nil || !strings.Contains(err.Error(), "match failed") {
		t.Errorf("a step that fails: %v", err)
	}
	for _, o := range []rove.Options{{Allow: []string{"a.example"}}, {Block: []string{"private"}}, {Caps: []string{"-eval"}}, {Confirm: []string{"eval"}}, {Uploads: []string{}}} {
		limited := &repl{opts: Options{Browser: o}}
		if _, err := limited.run(t.Context(), "* def x = 1"); rove.CodeOf(err) != rove.CodePolicy || limited.console != nil {
			t.Errorf("%+v: a step was run past it: %v", o, err)
		}
	}
	for line, want := range map[string]bool{"* def x = 1": true, "karate.log(1)": true, "go example.com": false, "*": false} {
		if isKarate(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}
