package tool

import (
	"strings"
	"testing"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
)

// TestNoPageYet: a tool that is called before any page says so, as after a go that was
// refused; nothing is waited for that could not come, and no browser is started for it.
func TestNoPageYet(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	ctx := testkit.Context(t)
	talk := manage(t, session.Options{}).Conversation("")
	run := func(name, input string) (Output, error) {
		t.Helper()
		tl, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		call, err := tl.Prepare(talk, []byte(input), Defaults{})
		if err != nil {
			t.Fatal(err)
		}
		return call.Run(ctx)
	}
	for _, c := range [][2]string{
		{"wait", `{"for":"text:Done"}`}, {"wait", `{"for":"gone:Loading"}`}, {"wait", `{"for":"document.title"}`}, {"browser_wait_for", `{"text":"Done"}`},
	} {
		_, err := run(c[0], c[1])
		if rove.CodeOf(err) != rove.CodeNotFound || !strings.Contains(err.Error(), "no page is open in it yet") {
			t.Errorf("%s %s: %v", c[0], c[1], err)
		}
	}
	if list := talk.Sessions(); len(list) != 0 {
		t.Errorf("sessions were opened for nothing: %v", list)
	}
	out, err := run("eval", `{"js":"1+1"}`)
	if err != nil || out.Text != "note: "+noPage+"; "+goFirst+"\n2" {
		t.Errorf("eval: %q, %v", out.Text, err)
	}
	if out, err = run("eval", `{"js":"2+2"}`); err != nil || out.Text != "4" {
		t.Errorf("eval, which was told: %q, %v", out.Text, err)
	}
	for name, input := range map[string]string{"look": `{"session":"a"}`, "act": `{"ref":"_page","op":"url","session":"b"}`, "browser_eval": `{"expression":"1","session":"c"}`} {
		if out, _ := run(name, input); !strings.HasPrefix(out.Text, "note: "+noPage) {
			t.Errorf("%s: %q", name, out.Text)
		}
	}
	out, err = run("go", `{"url":"`+testkit.Serve(t, nil)+`","session":"d"}`)
	if err != nil || strings.Contains(out.Text, noPage) {
		t.Errorf("go: %q, %v", out.Text, err)
	}
}
