package derive_test

import (
	"slices"
	"strings"
	"testing"

	"rove/internal/derive"
	"rove/recording"
)

// TestWritersOfWhatIsKept writes a flow that loads its page again: what has to be there
// then, what has to be gone beside something that is there, and what fields hold.
func TestWritersOfWhatIsKept(t *testing.T) {
	t.Parallel()
	f := &recording.Flow{FlowHeader: recording.FlowHeader{Base: "http://x.test", Name: "kept"}, Steps: []recording.Do{
		{Op: "go", Value: "/notes"},
		{Op: "refresh", Proves: 1, Checks: []recording.Check{
			{Kind: "text", Text: "Milk", Query: "//li[.='Milk']"},
			{Kind: "gone", Text: "Bread", Role: "listitem", Query: "//li[.='Bread']", With: "//li[.='Milk']"},
			{Kind: "value", Text: `A "b"`, Of: `textbox "Name"`, Query: "#name", Role: "input"},
			{Kind: "value", Text: "Blue", Of: `combobox "Colour"`, Query: "#colour", Role: "select"},
			{Kind: "kept", Text: `"done":true`, Query: "/api/tags"},
			{Kind: "unkept", Text: "Bread", Query: "/api/notes"},
			{Kind: "value", Text: "true", Of: `checkbox "Mail"`, Query: "#mail", Role: "checkbox"},
		}},
	}}
	for format, want := range map[string][]string{
		"feature": {
			"* def held = function(q){", "* refresh()\n", `* waitUntil(seen("//li[.='Milk']"))`, `* waitUntil(seen("//li[.='Milk']") + ' && !' + seen("//li[.='Bread']"))`,
			"* def kept = function(path, text){ return ", "* waitUntil(kept('/api/tags', '\"done\":true'))", "* waitUntil(unkept('/api/notes', 'Bread'))",
			`* waitUntil(held('#name') + ' == ' + JSON.stringify('A "b"'))`, `* waitUntil(held('#mail') + ' == ' + JSON.stringify('true'))`,
		},
		"js": {"waitUntil(unkept('/api/notes', 'Bread'));", "var held = function(q){", "refresh();", `waitUntil(held('#colour') + ' == ' + JSON.stringify('Blue'));`},
		"go": {`f.until(kept("/api/tags", "\"done\":true"))`, "func unkept(path, text string) string", "f.ok(f.Refresh(ctx))", `f.until(seen("//li[.='Milk']") + " && !" + seen("//li[.='Bread']"))`, `f.until(held("#name") + " == " + strconv.Quote("A \"b\""))`, "func held(query string) string"},
		"playwright": {
			"await page.reload();", "+ JSON.stringify('/api/notes') + ',' + JSON.stringify('Bread') + ',false)', null, { polling: 100 });", `await expect(page.locator('#name').first()).toHaveValue('A "b"');`, "await expect(page.locator('#colour').first().locator('option:checked')).toHaveText('Blue');",
			"await expect(page.locator('#mail').first()).toBeChecked({ checked: true });",
			"await expect(page.locator(\"//li[.='Milk']\").filter({ visible: true }).first()).toBeVisible();\n  await expect(page.locator(\"//li[.='Bread']\").filter({ visible: true })).toHaveCount(0);",
		},
		"proposal": {`(\"/api/notes\",\"Bread\",false)`, `"op": "refresh"`, `"for": "//li[.='Milk']"`, `"for": "!//li[.='Bread']"`, `(\"#name\") == \"A \\\"b\\\"\""`},
	} {
		got, err := derive.Write(f, format)
		if err != nil {
			t.Fatal(format, err)
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s has no %s:\n%s", format, w, got)
			}
		}
	}
	var again strings.Builder
	if err := f.Write(&again); err != nil {
		t.Fatal(err)
	}
	back, err := recording.ReadFlow(strings.NewReader(again.String()))
	if err != nil || back.Steps[1].Proves != 1 || back.Steps[1].Checks[1] != f.Steps[1].Checks[1] {
		t.Errorf("it is another flow when it is read: %v\n%s", err, again.String())
	}
}

// TestNoWords: a format that has no words for a step gives no script without it, and says
// which step that is.
func TestNoWords(t *testing.T) {
	t.Parallel()
	card := who("listitem", "Card", "#card")
	closed := who("button", "Inside")
	for _, c := range []struct {
		do      recording.Do
		lacking string // the formats that have no words for it
		says    string
	}{
		{recording.Do{Op: "drag", Who: card, Value: "e9 before"}, "feature js playwright go", `step 2, drag e9 before of listitem "Card"`},
		{recording.Do{Op: "click", Who: closed}, "feature js go", `step 2, click of button "Inside"`},
		{recording.Do{Op: "emulate", Value: "offline"}, "feature js playwright go", "step 2, emulate offline"},
		{recording.Do{Op: "upload", Value: "/tmp/a.txt"}, "feature js playwright go", "step 2, upload /tmp/a.txt"},
		{recording.Do{Op: "upload", Who: card, Value: "[\"/tmp/a.txt\",\"/tmp/b.txt\"]"}, "", ""},
	} {
		f := &recording.Flow{FlowHeader: recording.FlowHeader{Base: "http://a.example"}, Steps: []recording.Do{{Op: "go", Value: "/"}, c.do}}
		for _, format := range derive.Formats {
			lacks := slices.Contains(strings.Fields(c.lacking), format)
			text, err := derive.Write(f, format)
			if (err != nil) != lacks || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s, %s: %v\n%s", c.do.Op, format, err, text)
			}
		}
	}
}

// TestUploads: several files are several arguments; to Karate a path is one beside the
// feature unless it says that it is a file's.
func TestUploads(t *testing.T) {
	t.Parallel()
	files := who("button", "Paper", "{input}Paper", "#paper")
	files.Tag, files.Type = "input", "file"
	f := &recording.Flow{Steps: []recording.Do{{Op: "upload", Who: files, Value: "/tmp/a.txt\n/tmp/b.txt"}}}
	for format, want := range map[string]string{
		"feature":    `driver.inputFile('#paper', 'file:/tmp/a.txt', 'file:/tmp/b.txt')`,
		"playwright": `setInputFiles(['/tmp/a.txt', '/tmp/b.txt'])`,
		"go":         `InputFile(ctx, "/tmp/a.txt", "/tmp/b.txt")`,
	} {
		if text, err := derive.Write(f, format); err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: %v, want %s in\n%s", format, err, want, text)
		}
	}
}

// TestDeletedOnAPageOfItsOwn: what was taken up in a list, deleted on another page and led
// back from may be gone from the list; a proof is given that to try.
func TestDeletedOnAPageOfItsOwn(t *testing.T) {
	t.Parallel()
	row := who("link", "Delete", "#d")
	row.Near = "Ulysses"
	act := func(n int, id *recording.Identity, e recording.Effect, page recording.Page) recording.Step {
		return recording.Step{N: n, Verb: "act", Ref: "e1", Op: "click", Who: id, OK: true, Effect: &e, Page: &page}
	}
	// In a dialog that hides the page, and closes.
	f, err := derive.Flow(&recording.Recording{Steps: []recording.Step{
		{N: 1, Verb: "go", Value: "http://a.example/books", OK: true, Page: &recording.Page{URL: "http://a.example/books"}},
		act(2, row, recording.Effect{}, recording.Page{URL: "http://a.example/books", Appeared: []recording.Line{{Role: "dialog", Name: "Sure?"}}}),
		act(3, who("button", "Yes", "#y"), recording.Effect{Requests: []recording.Request{{Method: "POST", URL: "http://a.example/books/3/delete", Status: 200, Type: "Fetch"}}},
			recording.Page{URL: "http://a.example/books", Gone: []recording.Line{{Role: "dialog", Name: "Sure?"}}, Appeared: []recording.Line{{Role: "cell", Name: "Emma"}}}),
	}}, derive.Options{})
	if err != nil || !slices.ContainsFunc(f.Steps[2].Spares, func(c recording.Check) bool { return c.String() == `"Ulysses" is gone` }) {
		t.Errorf("out of a dialog: %v %+v", err, f)
	}
	for appears, want := range map[string]bool{"Emma": true, "Ulysses": false} {
		f, err := derive.Flow(&recording.Recording{Steps: []recording.Step{
			{N: 1, Verb: "go", Value: "http://a.example/books", OK: true, Page: &recording.Page{URL: "http://a.example/books"}},
			act(2, row, recording.Effect{Navigated: true}, recording.Page{URL: "http://a.example/books/3/delete"}),
			act(3, who("button", "Yes", "#y"), recording.Effect{Navigated: true, Requests: []recording.Request{{Method: "POST", URL: "http://a.example/books/3/delete", Status: 302, Type: "Document"}}},
				recording.Page{URL: "http://a.example/books?page=1", Appeared: []recording.Line{{Role: "cell", Name: appears}}}),
		}}, derive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(f.Steps[2].Spares, func(c recording.Check) bool { return c.String() == `"Ulysses" is gone` }); got != want {
			t.Errorf("where %q is there: %v, %v", appears, got, f.Steps[2].Spares)
		}
	}
}

// TestWhatASaveSays has a form lead back to a list: what the list said before says nothing
// of it, and a message does. A request that only asks, by whatever method, is no save.
func TestWhatASaveSays(t *testing.T) {
	t.Parallel()
	list := func(names ...string) (lines []recording.Line) {
		for _, name := range names {
			lines = append(lines, recording.Line{Role: map[bool]string{true: "text", false: "cell"}[strings.Contains(name, " was ")], Name: name})
		}
		return lines
	}
	to := func(path string, lines []recording.Line) *recording.Page {
		return &recording.Page{URL: "http://a.example" + path, Appeared: lines}
	}
	f, err := derive.Flow(&recording.Recording{Steps: []recording.Step{
		{N: 1, Verb: "go", Value: "http://a.example/authors", OK: true, Page: to("/authors", list("Ursula", "Jane"))},
		{N: 2, Verb: "act", Ref: "e1", Op: "click", Who: who("link", "Create", "#create"), OK: true, Effect: &recording.Effect{Requests: []recording.Request{{Method: "PROPFIND", URL: "http://a.example/dav/", Status: 207}}}, Page: to("/authors/new", nil)},
		{N: 3, Verb: "act", Ref: "e2", Op: "input", Value: "Toni", Who: who("textbox", "Name", "#name"), OK: true, Effect: &recording.Effect{To: new("Toni")}},
		{N: 4, Verb: "act", Ref: "e3", Op: "click", Who: who("button", "Save", "#save"), OK: true, Effect: &recording.Effect{Requests: []recording.Request{{Method: "POST", URL: "http://a.example/authors/new", Status: 302}}}, Page: to("/authors?size=20", list("Record was created.", "Ursula", "Jane", "Toni"))},
		{N: 5, Verb: "act", Ref: "e4", Op: "upload", Value: "/home/ann/report.txt", Who: who("button", "File", "#file"), OK: true, Effect: &recording.Effect{To: new("report.txt")}},
		{N: 6, Verb: "act", Ref: "e5", Op: "click", Who: who("button", "Send", "#send"), OK: true, Effect: &recording.Effect{Requests: []recording.Request{{Method: "POST", URL: "http://a.example/files", Status: 302}}}, Page: to("/files", []recording.Line{{Role: "cell", Name: "Size"}, {Role: "cell", Name: "Date"}, {Role: "cell", Name: "Name"}, {Role: "link", Name: "report.txt"}})},
	}}, derive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, c := range f.Steps[3].Checks {
		if c.Kind == "text" {
			said = append(said, c.Text)
		}
	}
	if !slices.ContainsFunc(f.Steps[5].Checks, func(c recording.Check) bool { return c.Text == "report.txt" }) {
		t.Errorf("the file that was sent is not looked for: %v", f.Steps[5].Checks)
	}
	if f.Steps[1].Saves != nil || len(said) != 2 || said[0] != "Toni" || said[1] != "Record was created." {
		t.Errorf("%q is looked for; %v was saved by asking", said, f.Steps[1].Saves)
	}
}

// TestChoosers: a press that opens a file chooser, and the files it is given, are one step.
// What only a field takes is given to the field that the page asks by.
func TestChoosers(t *testing.T) {
	t.Parallel()
	act := func(op, value string, id *recording.Identity, e recording.Effect) recording.Step {
		return recording.Step{N: 2, Verb: "act", Ref: "_page", Op: op, Value: value, Who: id, OK: true, Effect: &e}
	}
	button := who("button", "Attach", "#attach")
	to := "a.txt"
	begin := recording.Step{N: 1, Verb: "go", Value: "http://a.example/", OK: true, Page: &recording.Page{URL: "http://a.example/"}}
	for name, steps := range map[string][]recording.Step{
		"answered":   {begin, act("click", "", button, recording.Effect{Changed: true}), act("upload", "/tmp/a.txt", nil, recording.Effect{Changed: true})},
		"by the way": {begin, act("upload", "/tmp/a.txt", button, recording.Effect{Changed: true})},
		"dropped":    {begin, act("upload", "/tmp/a.txt", button, recording.Effect{Changed: true, To: &to})},
	} {
		f, err := derive.Flow(&recording.Recording{Steps: steps}, derive.Options{})
		if err != nil || len(f.Steps) != 2 || f.Steps[1].Op != "upload" || f.Steps[1].Who != button {
			t.Fatalf("%s: %v %+v", name, err, f)
		}
		for format, want := range map[string]string{
			"feature":    "* waitFor('[data-chosen]')\n  * driver.inputFile('[data-chosen]', 'file:/tmp/a.txt')",
			"playwright": "page.waitForEvent('filechooser');\n  await page.locator('#attach').click();\n  await (await chooser2).setFiles(['/tmp/a.txt']);",
			"go":         `InputFile(ctx, "/tmp/a.txt")`,
			"proposal":   `"op": "upload"`,
		} {
			text, err := derive.Write(f, format)
			if lacks := name == "dropped" && (format == "feature" || format == "playwright"); (err != nil) != lacks || !lacks && !strings.Contains(text, want) {
				t.Errorf("%s, %s: %v, want %s in\n%s", name, format, err, want, text)
			}
		}
	}
}

// TestTabs goes to tabs by their number, and by a part of their address.
func TestTabs(t *testing.T) {
	t.Parallel()
	f := &recording.Flow{Steps: []recording.Do{{Op: "tab", Value: "2"}, {Op: "tab", Value: "/help"}, {Op: "rightclick", Who: who("row", "INV-7", "#r")}}}
	for format, want := range map[string][]string{
		"feature":    {"switchPage(1)", "switchPage('/help')", "'contextmenu'"},
		"playwright": {"page = page.context().pages()[1]!;", "page = page.context().pages().find((p) => p.url().includes('/help'))!;", "click({ button: 'right' })"},
		"go":         {"SwitchPageAt(ctx, 1)", `SwitchPage(ctx, "/help")`, "RightClick(ctx)"},
	} {
		text, err := derive.Write(f, format)
		for _, w := range want {
			if err != nil || !strings.Contains(text, w) {
				t.Errorf("%s: %v, want %s in\n%s", format, err, w, text)
			}
		}
	}
	f.Steps = []recording.Do{{Op: "tab", Value: "close 2"}}
	for _, format := range []string{"feature", "playwright", "go"} {
		if _, err := derive.Write(f, format); err == nil {
			t.Errorf("%s has words for what it has none for", format)
		}
	}
}

// TestDrags: what is dropped on something, at an edge of it, at a place or a distance away.
func TestDrags(t *testing.T) {
	t.Parallel()
	for value, want := range map[string][3]string{
		"#done":         {`carry('#done', '', 'on', 0, 0)`, `dragTo(page.locator('#done').first())`, `DragTo(ctx, f.at("#done"))`},
		"{li}Tea after": {`carry("//li[normalize-space(text())='Tea']", 'after', 'on', 0, 0)`, `"//li[normalize-space(text())='Tea']", 'after', 'on', 0, 0)`, `driver.Op{Name: "drag", Value: "{li}Tea after"}`},
		"#map@10,-5.5":  {`carry('#map', '', 'at', 10, -5.5)`, `'#map', '', 'at', 10, -5.5)`, `Value: "#map@10,-5.5"`},
		"@10,20":        {`carry('', '', 'at', 10, 20)`, `'', '', 'at', 10, 20)`, `Value: "@10,20"`},
		"+40,0":         {`carry('', '', 'by', 40, 0)`, `'', '', 'by', 40, 0)`, `Value: "+40,0"`},
		"-40,-2":        {`carry('', '', 'by', -40, -2)`, `'', '', 'by', -40, -2)`, `Value: "-40,-2"`},
	} {
		f := &recording.Flow{Steps: []recording.Do{{Op: "drag", Who: who("listitem", "Card", "#card"), Value: value}}}
		for i, format := range []string{"feature", "playwright", "go"} {
			if text, err := derive.Write(f, format); err != nil || !strings.Contains(text, want[i]) {
				t.Errorf("%s: %v, want %s in\n%s", format, err, want[i], text)
			}
		}
	}
}
