package replay_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/derive"
	"rove/internal/replay"
	"rove/internal/testkit"
	"rove/internal/testkit/apps"
	"rove/recording"
)

// does has somebody log in and add a contact, in a session whose flow is given back.
func does(t *testing.T, base string, s *rove.Session) *recording.Flow {
	t.Helper()
	ctx := testkit.Context(t)
	if _, err := s.Go(ctx, base+"/login"); err != nil {
		t.Fatal(err)
	}
	for _, act := range [][]rove.Step{
		{{Ref: "{input}Email", Op: "input", Value: apps.User}, {Ref: "{input}Password", Op: "input", Value: apps.Password}, {Ref: "{button}Sign in", Op: "click"}},
		{{Ref: "{button}Add contact", Op: "click"}},
		{
			{Ref: "{input}Name", Op: "input", Value: "Ada Lovelace"},
			{Ref: "{input}Email address", Op: "input", Value: "countess@example.com"},
			{Ref: "{input}I have asked them", Op: "check"},
			{Ref: "{button}Save", Op: "click"},
		},
	} {
		if _, err := s.Act(ctx, act...); err != nil {
			t.Fatal(err)
		}
	}
	f, err := derive.Flow(s.Recording(), derive.Options{Name: "add"})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func open(t *testing.T) *rove.Session {
	t.Helper()
	testkit.Parallel(t)
	testkit.NeedsBrowser(t)
	s, err := browser.Open(testkit.Context(t), rove.Viewport{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, s)
	return s
}

// resetting is a command that puts an application back.
func resetting(base string) string { return fmt.Sprintf("curl -sf -X POST %s/reset", base) }

func TestProveBothWays(t *testing.T) {
	s := open(t)
	app := apps.New()
	base := testkit.ServeHandler(t, app)
	f := does(t, base, s)
	// One that is so whatever is done: it says nothing, and has to go.
	f.Steps[len(f.Steps)-1].Checks = append(f.Steps[len(f.Steps)-1].Checks, recording.Check{Kind: "text", Text: "Contacts", Role: "heading", Query: "//h1"})
	run := replay.Fresh(s)
	reset := func(ctx replayContext, f *recording.Flow, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
		app.Reset()
		return run(ctx, f, opts)
	}
	if err := replay.Prove(testkit.Context(t), f, replay.Options{Runs: 2, Run: reset, Missing: 200 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	p := f.Proof
	if !p.Proved() || p.Passed != 2 || p.Fail != p.Checks || p.Saves != 2 || p.Caught != 2 {
		t.Errorf("%s\n%+v", p, p)
	}
	if len(p.Dropped) == 0 || !strings.Contains(strings.Join(p.Dropped, "\n"), `heading "Contacts" is there: it is so without the step as well`) {
		t.Errorf("dropped: %q", p.Dropped)
	}
	for format, mark := range map[string]string{"feature": "# proved: passed 2 of 2", "js": "// proved: ", "playwright": "// proved: ", "go": "// proved: "} {
		if text, err := derive.Write(f, format); err != nil || !strings.HasPrefix(text, mark) {
			t.Errorf("%s begins with %.60q, %v", format, text, err)
		}
	}
}

// TestProveFreshValues proves a flow whose e-mail address is taken the second time.
func TestProveFreshValues(t *testing.T) {
	s := open(t)
	base := testkit.ServeHandler(t, apps.New())
	f := does(t, base, s)
	if err := replay.Prove(testkit.Context(t), f, replay.Options{Runs: 2, Run: replay.Fresh(s), Missing: 200 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	if !f.Proof.Proved() {
		t.Errorf("%s", f.Proof)
	}
	fresh := 0
	for _, p := range f.Params {
		if p.Kind == recording.Fresh {
			fresh++
		}
	}
	if fresh != 2 {
		t.Errorf("%+v", f.Params)
	}
}

// TestUnproved says why a flow is not proved: here because its application is broken.
func TestUnproved(t *testing.T) {
	s := open(t)
	app := apps.New()
	base := testkit.ServeHandler(t, app)
	f := does(t, base, s)
	app.Break("gone")
	if err := replay.Prove(testkit.Context(t), f, replay.Options{Runs: 1, Run: impatient(replay.Fresh(s))}); err != nil {
		t.Fatal(err)
	}
	if f.Proof.Proved() || !strings.Contains(f.Proof.String(), `UNPROVED: a replay stopped`) || !strings.Contains(f.Proof.String(), `"Add contact"`) {
		t.Errorf("%s", f.Proof)
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 1)
	base := testkit.ServeHandler(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.Method + " " + r.URL.Path }))
	if err := replay.Reset(testkit.Context(t), resetting(base)); err != nil {
		t.Skip("there is no curl here: ", err)
	}
	if got := <-asked; got != "POST /reset" {
		t.Error(got)
	}
	if err := replay.Reset(testkit.Context(t), "echo no such thing; false"); err == nil || !strings.Contains(err.Error(), "no such thing") {
		t.Error(err)
	}
}

// joins has somebody put a name at the end of a long table, by a form.
func joins(t *testing.T, base string, s *rove.Session) *recording.Flow {
	t.Helper()
	ctx := testkit.Context(t)
	if _, err := s.Go(ctx, base+"/crew"); err != nil {
		t.Fatal(err)
	}
	for _, act := range []rove.Step{{Ref: "{a}New", Op: "click"}, {Ref: "{input}Name", Op: "input", Value: "Grace Hopper"}, {Ref: "{button}Save", Op: "click"}} {
		if _, err := s.Act(ctx, act); err != nil {
			t.Fatal(err)
		}
	}
	f, err := derive.Flow(s.Recording(), derive.Options{Name: "join"})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestProveHoldsOnToTheEnd proves flows of a form that is answered with 200 and shown
// again where it saved nothing. That is no other way to pass: what was typed is made
// anew, and where that does not help, the flow is not proved.
func TestProveHoldsOnToTheEnd(t *testing.T) {
	s := open(t)
	crew := apps.NewCrew()
	crew.Previews = true // what is there before it is saved has to be there afterwards, too
	base := testkit.ServeHandler(t, crew)
	f := joins(t, base, s)
	// The command says that it puts the application back, and does not.
	if err := replay.Prove(testkit.Context(t), f, replay.Options{Runs: 2, Run: replay.Fresh(s), Reset: "true", Missing: 200 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	last := f.Steps[len(f.Steps)-1]
	if !f.Proof.Proved() || len(f.Params) != 1 || f.Params[0].Kind != recording.Fresh {
		t.Errorf("%s\n%+v", f.Proof, f.Params)
	}
	var text strings.Builder
	for _, c := range last.Checks {
		text.WriteString(c.String() + "\n")
	}
	for _, want := range []string{"POST /crew/new leads on", "the address is /crew\n", `"{{param:name}}" is there`} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("after the last step nothing holds it to %q:\n%s", want, text.String())
		}
	}

	crew.Reset()
	f = joins(t, base, s)
	f.Steps = f.Steps[len(f.Steps)-4:]
	crew.Refuses = true
	if err := replay.Prove(testkit.Context(t), f, replay.Options{Runs: 1, Run: impatient(replay.Fresh(s)), Reset: "true"}); err != nil {
		t.Fatal(err)
	}
	if f.Proof.Proved() || !strings.Contains(f.Proof.String(), "POST /crew/new leads on to another page") {
		t.Errorf("an application that saves nothing: %s", f.Proof)
	}
}

// TestStoppedOnTheWay proves a flow with replays that stop before the step whose save is
// lost or refused, for want of time: that says nothing of the step, so they are tried again
// with more, and what then stops on its way still is not taken for noticed.
func TestStoppedOnTheWay(t *testing.T) {
	t.Parallel()
	for _, enough := range []bool{true, false} { // whether more time is
		f := &recording.Flow{Steps: []recording.Do{
			{Op: "go", Value: "/", Checks: []recording.Check{{Kind: "title", Text: "Notes"}}},
			{Op: "click", Who: &recording.Identity{Role: "button", Name: "Save"}, Saves: &recording.Request{Method: "POST", URL: "/notes", Status: 200}, Checks: []recording.Check{{Kind: "text", Text: "Milk"}}},
		}}
		var least time.Duration
		run := func(_ context.Context, f *recording.Flow, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
			switch trial := opts.Fail != nil || opts.Lose > 0; {
			case opts.Skip > 0:
				return &rove.ReplayResult{Done: opts.Skip - 1, Unmet: true, Failed: []int{0}}, errors.New("missing")
			case trial && (!enough || opts.Patience < 10*time.Second):
				least = max(least, opts.Patience)
				return &rove.ReplayResult{Error: "no Notes"}, errors.New("no Notes")
			case trial:
				return &rove.ReplayResult{Done: 1, Unmet: true, Failed: []int{0}}, errors.New("no Milk")
			}
			return &rove.ReplayResult{Done: len(f.Steps)}, nil
		}
		if err := replay.Prove(t.Context(), f, replay.Options{Runs: 1, Run: run}); err != nil {
			t.Fatal(err)
		}
		want := map[bool]int{true: 1}[enough]
		if p := f.Proof; p.Saves != 1 || p.Caught != want || p.Lost != 1 || p.Noticed != want || least == 0 {
			t.Errorf("with enough time %v: %s\n%q", enough, p, f.Notes)
		}
	}
}

// TestSparesHold: a text that is no text of its page, as the name of a picture that leads on,
// takes the place of no check that says nothing: it would never be so.
func TestSparesHold(t *testing.T) {
	s := open(t)
	ctx := testkit.Context(t)
	base := testkit.ServeHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<h1>Garden</h1><h2>Tools and seeds</h2><button onclick="said.textContent = 'The gate is open'">Open</button><p id="said"></p>`)
		if r.URL.Path == "/two" {
			fmt.Fprint(w, `<a href="/" aria-label="Dashboard"><svg width="20" height="20"><rect width="20" height="20"></rect></svg></a><button onclick="said.textContent = 'All is done'">Finish</button>`)
		}
	}))
	for _, to := range []struct{ page, press string }{{"/one", "Open"}, {"/two", "Finish"}} {
		if _, err := s.Go(ctx, base+to.page); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Act(ctx, rove.Step{Ref: "{button}" + to.press, Op: "click"}); err != nil {
			t.Fatal(err)
		}
	}
	f, err := derive.Flow(s.Recording(), derive.Options{Name: "spares"})
	if err != nil {
		t.Fatal(err)
	}
	spare := func(c recording.Check) bool { return c.Text == "Dashboard" }
	if slices.ContainsFunc(append(f.Steps[2].Checks, f.Steps[2].Spares...), spare) {
		t.Errorf("what no text of the page says is to be looked for: %+v", f.Steps[2])
	}
	// A recording of another day may have it.
	f.Steps[2].Spares = append(f.Steps[2].Spares, recording.Check{Kind: "text", Role: "link", Text: "Dashboard", Query: "//body//*[normalize-space(.)='Dashboard']"})
	if err := replay.Prove(ctx, f, replay.Options{Runs: 1, Run: replay.Fresh(s), Missing: 300 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	if !f.Proof.Proved() || slices.ContainsFunc(f.Steps[2].Checks, spare) {
		t.Errorf("%s\n%+v", f.Proof, f.Steps[2].Checks)
	}
}
