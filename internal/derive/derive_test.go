package derive_test

import (
	"flag"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rove/aria"
	"rove/internal/derive"
	"rove/recording"
)

var update = flag.Bool("update", false, "write the golden files anew")

var suffixes = map[string]string{"feature": ".feature", "js": ".js", "go": ".go.txt", "playwright": ".spec.ts", "proposal": ".json", "flow": ".flow"}

func read(t *testing.T, path string) *recording.Recording {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rec, err := recording.Read(f)
	if err != nil {
		t.Fatal(path, err)
	}
	return rec
}

// TestWriters derives a flow from each recording of testdata and writes it in every
// format, beside the golden files.
func TestWriters(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		for _, format := range derive.Formats {
			t.Run(name+" "+format, func(t *testing.T) {
				f, err := derive.Flow(read(t, file), derive.Options{Name: name})
				if err != nil {
					t.Fatal(err)
				}
				f.Proof = &recording.Proof{Passed: 3, Runs: 3, Times: []int64{812, 790, 805}, Checks: 4, Fail: 4, Reset: true, Dropped: []string{`step 2, "Welcome" is there: it is so without the step as well`}}
				got, err := derive.Write(f, format)
				if err != nil {
					t.Fatal(err)
				}
				golden := "testdata/" + name + suffixes[format]
				if *update {
					if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("%s is not what it was; if that is meant, run with -update and read it:\n%s", golden, got)
				}
				if !strings.Contains(strings.SplitN(got, "\n", 6)[0]+got, "passed 3 of 3 replays") && format != "flow" {
					t.Error("the verdict is not in it")
				}
			})
		}
	}
}

func who(role, name string, ways ...string) *recording.Identity {
	id := &recording.Identity{Role: role, Name: name, Tag: "input"}
	for _, w := range ways {
		id.Ways = append(id.Ways, recording.Way{By: "attr", Query: w})
	}
	return id
}

func text(s string) *string { return &s }

// TestScriptsHideNothing: whoever reads a script sees all of the names that pages chose.
func TestScriptsHideNothing(t *testing.T) {
	t.Parallel()
	name := "Bu\u202ey\u009b2J\u3164\U000e0041 '\"+`); //"
	rec := &recording.Recording{Header: recording.Header{Rove: "recording", Version: 1}, Steps: []recording.Step{
		{N: 1, Verb: "go", Value: "http://a.example", OK: true, Page: &recording.Page{URL: "http://a.example/"}},
		{N: 2, Verb: "act", Op: "click", Ref: "e1", OK: true, Who: who("button", name, "{button}"+name)},
	}}
	f, err := derive.Flow(rec, derive.Options{Name: "odd"})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range derive.Formats {
		got, err := derive.Write(f, format)
		if err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexFunc(got, aria.Unseen); i >= 0 {
			t.Errorf("%s: %q", format, got[i:])
		}
		if !strings.Contains(got, "202e") {
			t.Errorf("%s: the name is not in it:\n%s", format, got)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "odd.go", got, 0); format == "go" && err != nil {
			t.Error(err)
		}
	}
}

// TestNormalise: what has no effect in the end is not in a flow.
func TestNormalise(t *testing.T) {
	t.Parallel()
	page := func(url string) *recording.Page { return &recording.Page{URL: url} }
	open := recording.Step{N: 1, Verb: "go", Value: "localhost:8080/a", OK: true, Page: page("http://localhost:8080/a")}
	act := func(n int, op string, id *recording.Identity, value string, e recording.Effect) recording.Step {
		return recording.Step{N: n, Verb: "act", Ref: "e1", Op: op, Value: value, Who: id, OK: true, Effect: &e, Page: page("http://localhost:8080/a")}
	}
	name, box, link := who("textbox", "Name", "#name"), who("checkbox", "Sure", "#sure"), who("link", "Help", "#help")
	for _, c := range []struct {
		about string
		steps []recording.Step
		want  string // op and value of what is left
	}{
		{"looks and failed tries", []recording.Step{open, {N: 2, Verb: "look", OK: true}, {N: 3, Verb: "act", Value: "click e9", Code: "stale"}, act(4, "click", link, "", recording.Effect{Changed: true})}, "go /a, click"},
		{"typing merges", []recording.Step{open, act(2, "input", name, "A", recording.Effect{From: text(""), To: text("A")}), act(3, "type", name, "da", recording.Effect{})}, "go /a, input Ada"},
		{"the last value counts", []recording.Step{open, act(2, "input", name, "Bob", recording.Effect{From: text("")}), act(3, "input", name, "Ada", recording.Effect{From: text("Bob")})}, "go /a, input Ada"},
		{"a field that is empty again", []recording.Step{open, act(2, "input", name, "Bob", recording.Effect{From: text("")}), act(3, "input", name, "", recording.Effect{From: text("Bob")}), act(4, "click", link, "", recording.Effect{})}, "go /a, click"},
		{"ticked and unticked", []recording.Step{open, act(2, "check", box, "", recording.Effect{Changed: true}), act(3, "uncheck", box, "", recording.Effect{Changed: true}), act(4, "click", link, "", recording.Effect{})}, "go /a, click"},
		{"as it was already", []recording.Step{open, act(2, "check", box, "", recording.Effect{Already: true})}, "go /a"},
		{"there and back", []recording.Step{open, act(2, "click", link, "", recording.Effect{Navigated: true}), {N: 3, Verb: "act", Ref: "_page", Op: "back", OK: true, Effect: &recording.Effect{Navigated: true}}, act(4, "click", box, "", recording.Effect{})}, "go /a, click"},
		{"undone", []recording.Step{open, act(2, "input", name, "Bob", recording.Effect{From: text("")}), {N: 3, Verb: "act", Ref: "_page", Op: "undo", OK: true, Effect: &recording.Effect{}}}, "go /a"},
		{"reading", []recording.Step{open, act(2, "text", name, "", recording.Effect{}), {N: 3, Verb: "eval", Value: "1+1", OK: true, Page: page("http://localhost:8080/a")}}, "go /a"},
		{"pages that were left at once", []recording.Step{open, {N: 2, Verb: "go", Value: "http://localhost:8080/b", OK: true, Page: page("http://localhost:8080/b")}}, "go /b"},
	} {
		f, err := derive.Flow(&recording.Recording{Steps: c.steps}, derive.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.about, err)
			continue
		}
		var left []string
		for _, do := range f.Steps {
			left = append(left, strings.TrimSpace(do.Op+" "+do.Value))
		}
		if got := strings.Join(left, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.about, got, c.want)
		}
	}
	if _, err := derive.Flow(&recording.Recording{}, derive.Options{}); err == nil {
		t.Error("nothing was done, and there is a flow")
	}
}

// TestChecksSayWhatWasEntered: what has something in it that was entered comes before
// headings, and the value alone is there for where the line turns out to be another.
func TestChecksSayWhatWasEntered(t *testing.T) {
	t.Parallel()
	lines := []recording.Line{{Role: "heading", Name: "Tasks"}, {Role: "heading", Name: "Filter"}, {Role: "heading", Name: "More"}, {Role: "heading", Name: "About"}, {Role: "link", Name: "Water plants"}, {Role: "cell", Name: "Water plants of 2026-11-19, 14:33"}, {Role: "listitem", Name: "Water plants 2027-01-15"}}
	f, err := derive.Flow(&recording.Recording{Steps: []recording.Step{
		{N: 1, Verb: "go", Value: "http://a.example/", OK: true, Page: &recording.Page{URL: "http://a.example/"}},
		{N: 2, Verb: "act", Ref: "e1", Op: "input", Value: "Water plants", Who: who("textbox", "Title", "#t"), OK: true, Effect: &recording.Effect{From: text("")}},
		{N: 3, Verb: "act", Ref: "e2", Op: "input", Value: "2027-01-15", Who: who("textbox", "Due", "#d"), OK: true, Effect: &recording.Effect{From: text("")}},
		{N: 4, Verb: "act", Ref: "e3", Op: "click", Who: who("button", "Add", "#add"), OK: true, Effect: &recording.Effect{}, Page: &recording.Page{URL: "http://a.example/", Appeared: lines}},
	}}, derive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range append(f.Steps[3].Checks, f.Steps[3].Spares[0]) {
		got = append(got, c.Text)
	}
	if want := []string{"Water plants 2027-01-15", "Water plants", "Tasks", "2027-01-15"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	f, err = derive.Flow(&recording.Recording{Steps: []recording.Step{
		{N: 1, Verb: "go", Value: "http://a.example/", OK: true, Page: &recording.Page{URL: "http://a.example/"}},
		{N: 2, Verb: "act", Ref: "e3", Op: "click", Who: who("button", "Delete", "#del"), OK: true, Effect: &recording.Effect{}, Page: &recording.Page{
			URL: "http://a.example/", Appeared: []recording.Line{{Role: "status", Name: "Deleted INV-7 of 2027-01-15"}}, Gone: []recording.Line{{Role: "cell", Name: "INV-7 of 2027-01-15"}},
		}},
	}}, derive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Steps[1].Checks; len(c) != 1 || c[0].String() != `"INV-7 of 2027-01-15" is gone` {
		t.Errorf("what went is not looked for: %v", c)
	}
}

// TestNoSecrets: what was typed unseen is in no format.
func TestNoSecrets(t *testing.T) {
	t.Parallel()
	f, err := derive.Flow(read(t, "testdata/contacts.jsonl"), derive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range derive.Formats {
		text, err := derive.Write(f, format)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "••••") || strings.Contains(text, "correct horse") {
			t.Errorf("%s has a secret in it, or what hides it", format)
		}
		if !strings.Contains(text, "password") {
			t.Errorf("%s does not read the password by its name", format)
		}
	}
}

// TestHovers: a step that only a style answers to is one of the flow, and so is a hover that
// its verb went on from; one that nothing came of is not.
func TestHovers(t *testing.T) {
	t.Parallel()
	page := func(names ...string) *recording.Page {
		p := &recording.Page{URL: "http://x.test/"}
		for _, n := range names {
			p.Appeared = append(p.Appeared, recording.Line{Role: "link", Name: n})
		}
		return p
	}
	over := func(n int, name string, p *recording.Page) recording.Step {
		return recording.Step{N: n, Verb: "act", Op: "hover", Ref: "e1", OK: true, Who: who("article", name, "#"+name), Page: p}
	}
	rec := &recording.Recording{Steps: []recording.Step{
		{N: 1, Verb: "go", Value: "http://x.test/", OK: true, Page: page()},
		over(2, "shows", page("Edit")), over(3, "nothing", page()), over(4, "through", nil),
		{N: 4, Verb: "act", Op: "click", Ref: "e2", OK: true, Who: who("link", "Edit", "#edit"), Effect: &recording.Effect{Changed: true}, Page: page("Done")},
	}}
	f, err := derive.Flow(rec, derive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, do := range f.Steps {
		if do.Who != nil {
			got = append(got, do.Op+" "+do.Who.Name)
		}
	}
	if want := []string{"hover shows", "hover through", "click Edit"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPathsInPlaywright: a path that an address spells with %20 and the like is compared as it
// is meant.
func TestPathsInPlaywright(t *testing.T) {
	t.Parallel()
	f := &recording.Flow{FlowHeader: recording.FlowHeader{Base: "http://x.test"}, Steps: []recording.Do{
		{Op: "go", Value: "/", Checks: []recording.Check{{Kind: "status", Text: "PUT /notes/Draft of 'New'"}, {Kind: "status", Text: "POST /api/notes/*/tags"}}},
	}}
	got, err := derive.Write(f, "playwright")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`/^\/notes\/Draft of 'New'$/.test(decodeURIComponent(new URL(r.url()).pathname))`, `/^\/api\/notes\/[^\/]+\/tags$/.test(new URL(r.url()).pathname)`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// TestDoubleClicksInKarate: an element is told of both presses, with a moment between them,
// and what follows waits for the second.
func TestDoubleClicksInKarate(t *testing.T) {
	t.Parallel()
	f := &recording.Flow{FlowHeader: recording.FlowHeader{Base: "http://x.test"}, Steps: []recording.Do{
		{Op: "go", Value: "/"}, {Op: "dblclick", Who: who("generic", "Pin", "#pin")}, {Op: "click", Who: who("button", "Done", "#done")},
	}}
	for _, format := range []string{"feature", "js"} {
		got, err := derive.Write(f, format)
		if err != nil {
			t.Fatal(err)
		}
		press, wait, next := strings.Index(got, "script('#pin', \"function(e){"), strings.Index(got, "waitUntil('!window.pressing')"), strings.Index(got, "waitForEnabled('#done')")
		if press < 0 || wait < press || next < wait || strings.Contains(got, "doubleClick") {
			t.Errorf("%s:\n%s", format, got)
		}
	}
}

// TestTypedAsByAPerson: other programs tell the page what a person would: keys, lines, that a
// field is left before the press. Only a page that is all there is pressed on.
func TestTypedAsByAPerson(t *testing.T) {
	t.Parallel()
	field := func(tag, kind string) *recording.Identity {
		return &recording.Identity{Role: "textbox", Name: tag, Tag: tag, Type: kind, Ways: []recording.Way{{By: "attr", Query: "#" + tag}}}
	}
	button := who("button", "Save", "#save")
	f := &recording.Flow{FlowHeader: recording.FlowHeader{Base: "http://a.example", Params: []recording.Param{{Name: "fresh", Kind: recording.Fresh, Value: "one\ntwo {{now}}"}}}, Steps: []recording.Do{
		{Op: "go", Value: "/", Leads: true},
		{Op: "input", Value: "Ada", Who: field("input", "text")},
		{Op: "input", Value: "one\ntwo", Empty: true, Who: field("textarea", "")},
		{Op: "click", Who: button, Leads: true},
		{Op: "click", Who: button},
		{Op: "input", Value: "{{param:fresh}}", Empty: true, Who: field("textarea", "")},
		{Op: "input", Value: "2026-12-01", Who: field("input", "date")},
		{Op: "click", Who: button, Saves: &recording.Request{Method: "POST", URL: "http://a.example/notes/7", Type: "xhr", Status: 200}, Checks: []recording.Check{{Kind: "status", Text: "POST /notes/*"}}},
	}}
	for format, want := range map[string][]string{
		"playwright": {"('#input').clear();", "('#input').pressSequentially('Ada');", `('#textarea').fill('one\ntwo');`, "('#save').click();", "page.waitForLoadState();", "('#save').click();", "('#textarea').", "('#input').fill('2026-12-01');"},
		"feature":    {"'Ada')", `.input('one' + Key.ENTER + 'two')`, ".focus().click()", "document.readyState == 'complete'", "waitForEnabled('#save').click()", `.input((fresh).replace(/\n/g, Key.ENTER))`, "2026-12-01", "clearResourceTimings", ".focus().click()", "waitUntil(answered('/notes/*'))"},
		"js":         {"'Ada')", `.input('one' + Key.ENTER + 'two')`, ".focus().click()", "document.readyState == 'complete'", "waitForEnabled('#save').click()", `.input((fresh).replace(/\n/g, Key.ENTER))`, "2026-12-01", "clearResourceTimings", ".focus().click()", "waitUntil(answered('/notes/*'))"},
	} {
		got, err := derive.Write(f, format)
		if err != nil {
			t.Fatal(format, err)
		}
		rest := got
		for _, part := range want {
			_, after, ok := strings.Cut(rest, part)
			if !ok {
				t.Errorf("%s: no %s after what came before:\n%s", format, part, got)
				break
			}
			rest = after
		}
	}
}
