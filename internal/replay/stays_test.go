package replay_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rove"
	"rove/internal/derive"
	"rove/internal/replay"
	"rove/internal/testkit"
	"rove/internal/testkit/apps"
	"rove/recording"
)

// TestProveWhatIsKept proves flows on a page that shows at once what it sends, and never
// looks at the answer: the page is loaded again, and what was kept has to be there. So
// the flow stops at an application that keeps nothing, or something else; also where it
// cannot see how a request was answered, as in a feature.
func TestProveWhatIsKept(t *testing.T) {
	s := open(t)
	ctx := testkit.Context(t)
	app := apps.NewNotes()
	base := testkit.ServeHandler(t, app)
	run := replay.Fresh(s)
	fresh := func(ctx replayContext, f *recording.Flow, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
		app.Reset()
		return run(ctx, f, opts)
	}
	for _, c := range []struct {
		name   string
		path   string
		acts   []rove.Step
		checks []string // after the page is loaded again
		breaks []string
	}{
		{"add", "/notes", []rove.Step{{Ref: "{input}Note", Op: "input", Value: "Buy milk"}, {Ref: "{button}Add", Op: "click"}}, []string{`"Buy milk" is there`}, []string{"lose", "refuse", "wrong"}},
		{"remove", "/folded", []rove.Step{{Ref: "{button}Show notes", Op: "click"}, {Ref: "button[aria-label='Remove Call the bank']", Op: "click"}}, []string{`"Call the bank" is gone`}, []string{"lose", "refuse"}},
		{
			"settings", "/notes",
			[]rove.Step{{Ref: "#name", Op: "input", Value: "Grace"}, {Ref: "#colour", Op: "select", Value: "Blue"}, {Ref: "#mail", Op: "check"}, {Ref: "{button}Save settings", Op: "click"}},
			[]string{`textbox "Your name" holds "Grace"`, `combobox "Colour" holds "Blue"`, `checkbox "Send me mail" holds "true"`},
			[]string{"lose", "refuse"},
		},
	} {
		app.Reset()
		app.Break("")
		from := len(s.Recording().Steps)
		if from > 0 {
			from = s.Recording().Steps[from-1].N
		}
		if _, err := s.Go(ctx, base+c.path); err != nil {
			t.Fatal(err)
		}
		for _, act := range c.acts {
			if _, err := s.Act(ctx, act); err != nil {
				t.Fatal(err)
			}
		}
		f, err := derive.Flow(s.Recording(), derive.Options{Name: c.name, From: from + 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := replay.Prove(ctx, f, replay.Options{Runs: 1, Run: fresh, Missing: 300 * time.Millisecond}); err != nil {
			t.Fatal(err)
		}
		if p := f.Proof; !p.Proved() || p.Lost != 1 || p.Noticed != 1 || p.Saves != 1 || p.Caught != 1 {
			t.Errorf("%s: %s\n%q", c.name, p, f.Notes)
		}
		last := f.Steps[len(f.Steps)-1]
		var said strings.Builder
		for _, k := range last.Checks {
			said.WriteString(k.String() + "\n")
			if k.Kind == "gone" && k.With == "" {
				t.Errorf("%s: a page that has not loaded yet has nothing either", c.name)
			}
		}
		if last.Proves == 0 || f.Steps[last.Proves].Op != "refresh" {
			t.Errorf("%s: the page is not loaded again: %+v", c.name, last)
		}
		for _, want := range c.checks {
			if !strings.Contains(said.String(), want) {
				t.Errorf("%s: nothing holds it to %s:\n%s", c.name, want, said.String())
			}
		}
		for _, how := range append(c.breaks, "") {
			app.Break(how)
			r, err := impatient(fresh)(ctx, f, rove.ReplayOptions{Blind: true})
			if (err == nil) != (how == "") {
				t.Errorf("%s, broken by %q: %v\n%s", c.name, how, err, r.Text())
			}
		}
	}
}

// TestProveEveryWrite proves a flow whose one press writes in four places: a list that its
// page shows, tags that it never shows but reads, a label that has an address of its own, and a count that nothing reads, after
// something that the page sends by itself, too. The
// application is asked for the tags, and the verdict names the one that is not proved.
func TestProveEveryWrite(t *testing.T) {
	if os.Getenv("ROVE_DERIVE") == "" {
		t.Skip("each write is lost in runs of its own: make derive, which sets ROVE_DERIVE")
	}
	s := open(t)
	ctx := testkit.Context(t)
	app := apps.NewNotes()
	base := testkit.ServeHandler(t, app)
	run := replay.Fresh(s)
	fresh := func(ctx replayContext, f *recording.Flow, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
		app.Reset()
		return run(ctx, f, opts)
	}
	if _, err := s.Go(ctx, base+"/several"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Act(ctx, rove.Step{Ref: "{input}Note", Op: "input", Value: "Buy milk"}, rove.Step{Ref: "{button}Add", Op: "click"}); err != nil {
		t.Fatal(err)
	}
	f, err := derive.Flow(s.Recording(), derive.Options{Name: "several"})
	if err != nil {
		t.Fatal(err)
	}
	if err := replay.Prove(ctx, f, replay.Options{Runs: 1, Run: fresh, Missing: 300 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	p := f.Proof
	if verdict := p.String(); !p.Proved() || p.Lost != 4 || p.Noticed != 3 || !strings.Contains(verdict, "passes where nothing comes of step 3, POST /api/count)") {
		t.Errorf("%s\n%q", verdict, f.Notes)
	}
	var asked strings.Builder
	for _, do := range f.Steps {
		for _, k := range do.Checks {
			if k.Kind == "kept" {
				asked.WriteString(k.String() + "\n")
			}
		}
	}
	if text := asked.String(); !strings.Contains(text, `"done":true`) && !strings.Contains(text, "Buy") || !strings.Contains(text, "GET /api/tags") || strings.Contains(text, "a1b2c3") {
		t.Errorf("the tags are asked for by %q", text)
	}
	for _, how := range []string{"untagged", "unlabelled", "lose", ""} {
		app.Break(how)
		if r, err := impatient(fresh)(ctx, f, rove.ReplayOptions{Blind: true}); (err == nil) != (how == "") {
			t.Errorf("broken by %q: %v\n%s", how, err, r.Text())
		}
	}
}

// TestProveMoreThanMessages proves a flow on an application that says whom it added, on the
// page that comes next: that is no proof that they were. So the page is loaded again, and
// the flow stops at an application that only says so.
func TestProveMoreThanMessages(t *testing.T) {
	s := open(t)
	ctx := testkit.Context(t)
	crew := apps.NewCrew()
	base := testkit.ServeHandler(t, crew)
	run := replay.Fresh(s)
	fresh := impatient(func(ctx replayContext, f *recording.Flow, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
		crew.Reset()
		return run(ctx, f, opts)
	})
	for _, c := range []struct {
		says, direct, unheard bool   // unheard is a message that was no check: it becomes one
		loads                 string // how the page is loaded again: a form must not be sent once more
	}{{true, false, true, "refresh"}, {false, true, false, "go"}, {false, false, false, ""}} {
		crew.Reset()
		crew.Says, crew.Direct, crew.Loses = c.says, c.direct, false
		f := joins(t, base, s)
		f.Steps = f.Steps[len(f.Steps)-4:]
		for i := range f.Steps[:3] { // the way there is not what this is about
			f.Steps[i].Checks = nil
		}
		message := func(c recording.Check) bool {
			return strings.Contains(c.Text, "Member “") || strings.Contains(c.Text, "was added")
		}
		if save := &f.Steps[3]; c.unheard {
			save.Checks, save.Spares = slices.DeleteFunc(save.Checks, message), slices.DeleteFunc(save.Spares, message)
		}
		if err := replay.Prove(ctx, f, replay.Options{Runs: 1, Run: fresh, Missing: 200 * time.Millisecond}); err != nil {
			t.Fatal(err)
		}
		if heard := slices.ContainsFunc(f.Steps[3].Checks, message); c.says && !heard {
			t.Errorf("%+v: the message is no check: %+v", c, f.Steps[3].Checks)
		}
		if p := f.Proof; !p.Proved() || p.Lost != 1 || p.Noticed != 1 {
			t.Errorf("%+v: %s\n%q", c, p, f.Notes)
		}
		last := f.Steps[len(f.Steps)-1]
		if loads := last.Proves > 0; loads != (c.loads != "") || loads && last.Op != c.loads {
			t.Errorf("%+v: the last step is %+v", c, last)
		}
		for _, loses := range []bool{true, false} {
			crew.Loses = loses
			if r, err := fresh(ctx, f, rove.ReplayOptions{Blind: true}); (err != nil) != loses {
				t.Errorf("%+v, an application that keeps nothing is %v: %v\n%s", c, loses, err, r.Text())
			}
		}
	}
}

// TestProveGraphQL proves a press of a page that asks and writes by GraphQL, all of it sent to
// one path: what it asks again and again is no save, and what it wrote has to be kept.
func TestProveGraphQL(t *testing.T) {
	s := open(t)
	ctx := testkit.Context(t)
	var mu sync.Mutex
	on, loses := false, false
	base := testkit.ServeHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path != "/graphql" {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<h1>Alarms</h1><p id="is"></p><button onclick="send('mutation Start { start }').then(show)">Start</button><script>
const send = async (query) => (await (await fetch('/graphql', { method: 'POST', body: JSON.stringify({ query }) })).json()).data;
const show = async () => { is.textContent = (await send('query State { state }')).state ? 'The alarm is on' : 'The alarm is off'; };
show(); setInterval(show, 300);</script>`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "mutation") {
			on = !loses
		}
		fmt.Fprintf(w, `{"data":{"state":%v}}`, on)
	}))
	run := replay.Fresh(s)
	fresh := func(ctx replayContext, f *recording.Flow, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
		mu.Lock()
		on = false
		mu.Unlock()
		return run(ctx, f, opts)
	}
	if _, err := s.Go(ctx, base); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Act(ctx, rove.Step{Ref: "{button}Start", Op: "click"}); err != nil {
		t.Fatal(err)
	}
	f, err := derive.Flow(s.Recording(), derive.Options{Name: "start"})
	if err != nil {
		t.Fatal(err)
	}
	if q := f.Steps[1].Saves; q == nil || q.Asks != "mutation Start" || len(f.Steps[1].Also) > 0 {
		t.Fatalf("it saves %v and %v", q, f.Steps[1].Also)
	}
	if err := replay.Prove(ctx, f, replay.Options{Runs: 1, Run: fresh, Missing: 300 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	if p := f.Proof; !p.Proved() || p.Saves != 1 || p.Caught != 1 || p.Lost != 1 || p.Noticed != 1 {
		t.Errorf("%s\n%q", p, f.Notes)
	}
	if text, err := derive.Write(f, "playwright"); err != nil || !strings.Contains(text, ".includes('Start')") {
		t.Errorf("%v\n%s", err, text)
	}
	loses = true
	if r, err := impatient(fresh)(ctx, f, rove.ReplayOptions{Blind: true}); err == nil {
		t.Errorf("it passes where nothing is kept: %s", r.Text())
	}
}

// TestProveWhatIsListedLater proves a form that is shown empty again after its first save
// ("save and add another"), and whose entries are listed only at the end: the first save is
// looked for there.
func TestProveWhatIsListedLater(t *testing.T) {
	s := open(t)
	ctx := testkit.Context(t)
	var mu sync.Mutex
	var items []string
	loses, said := "", ""
	mux := http.NewServeMux()
	mux.HandleFunc("GET /add", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		added := ""
		if said != "" {
			added, said = `<p>The item “<a href=#>`+said+`</a>” was added.`, ""
		}
		testkit.Page(`<title>Add</title>`+added+`<h1>Add</h1><form method=post><label>Name <input name=name></label><label>Kind <input name=kind></label><button name=then value=add>Save and add another</button><button name=then value=list>Save</button></form>`)(w, nil)
	})
	mux.HandleFunc("POST /add", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		said = r.FormValue("name")
		if said != loses {
			items = append(items, said)
		} else if len(items) == 0 {
			items = []string{"Something else"}
		}
		http.Redirect(w, r, "/"+r.FormValue("then"), http.StatusSeeOther)
	})
	mux.HandleFunc("GET /list", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		rows := "" // the newest first, which says most of the step that leads here
		for i, name := range slices.Backward(items) {
			rows += fmt.Sprintf("<tr><td><a href=#>%s</a><td>%d.50", name, 3+i)
		}
		testkit.Page(`<title>List</title><p>The item “<a href=#>`+said+`</a>” was added.<h1>All of them</h1><a href=/add>Add item</a><table>`+rows+`</table><p>By kind<p>All<p>Apple<p>Banana`)(w, nil)
	})
	base := testkit.ServeHandler(t, mux)
	run := replay.Fresh(s)
	fresh := impatient(func(ctx replayContext, f *recording.Flow, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
		mu.Lock()
		items, said = nil, ""
		mu.Unlock()
		return run(ctx, f, opts)
	})
	if _, err := s.Go(ctx, base+"/add"); err != nil {
		t.Fatal(err)
	}
	for _, steps := range [][]rove.Step{
		{{Ref: "{input}Name", Op: "input", Value: "Green pear"}, {Ref: "{input}Kind", Op: "input", Value: "Banana"}, {Ref: "{button}Save and add another", Op: "click"}},
		{{Ref: "{input}Name", Op: "input", Value: "Old plum"}, {Ref: "{input}Kind", Op: "input", Value: "Apple"}, {Ref: "{button}Save", Op: "click"}},
	} {
		if _, err := s.Act(ctx, steps...); err != nil {
			t.Fatal(err)
		}
	}
	f, err := derive.Flow(s.Recording(), derive.Options{Name: "two"})
	if err != nil {
		t.Fatal(err)
	}
	if err := replay.Prove(ctx, f, replay.Options{Runs: 1, Run: fresh, Missing: 200 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	if p := f.Proof; !p.Proved() || p.Lost != 2 || p.Noticed != 2 {
		t.Errorf("%s\n%q", p, f.Notes)
	}
	for _, loses = range []string{"Green pear", "Old plum", ""} {
		if r, err := fresh(ctx, f, rove.ReplayOptions{Blind: true}); (err != nil) != (loses != "") {
			t.Errorf("an application that loses %q: %v\n%s", loses, err, r.Text())
		}
	}
}
