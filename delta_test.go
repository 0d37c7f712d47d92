package rove_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"rove/internal/testkit"
)

// Of an application that rebuilds itself only what a person would notice is told: cards
// and rows by their words and with their column, messages and dialogs first.
func TestDeltasTellWhatAPersonNotices(t *testing.T) {
	testkit.Parallel(t)
	page := func(name string) string {
		t.Helper()
		data, err := os.ReadFile("testdata/pages/act/" + name + ".html")
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, c := range []struct {
		name, page string
		steps      []string
		want       string
	}{
		{
			"a card that goes to the next column", "board",
			[]string{"e8 click"},
			`ok click e8 "Move"
~ "Inbox (0)" → "Inbox (1)"
~ e6 button "Inbox (0)" → "Inbox (1)"
~ "Milk", now in "Doing" below "Taxes"`,
		},
		{
			"a card that is new", "board",
			[]string{"e16 click"},
			`ok click e16 "Add card"
~ "Inbox (0)" → "Inbox (1)"
~ e6 button "Inbox (0)" → "Inbox (1)"
+ "New card" e20 button "Edit" e21 button "Move" in "Doing"`,
		},
		{
			"a dialog", "board",
			[]string{"e9 click"},
			`ok click e9 "Edit"
+ dialog "Edit card"
+  e20 textbox "Title" ="Bread"
+  e21 button "Save"
+  e22 button "Close"
~ "Inbox (0)" → "Inbox (1)"
~ e6 button "Inbox (0)" → "Inbox (1)"`,
		},
		{
			"one star of many", "mail",
			[]string{"e9 click"},
			`ok click e9 "☆"
~ e9 button "☆" → "★" in "Bob Subject 1 10:01"`,
		},
		{
			"rows that go", "mail",
			[]string{"e4 check", "e8 check", "e3 click"},
			`ok check e4 e8 click e3
~ heading "Inbox (3)" → "Inbox (1)"
- e6 clickable "Ann Subject 0 10:00" and 3 below
- e10 clickable "Bob Subject 1 10:01" and 3 below`,
		},
		{
			"one switch of cards that are all made anew", "fleet",
			[]string{"e7 click"},
			`ok click e7
~ heading "Vehicles 1 updates" → "Vehicles 2 updates"
~ e7 clickable (Tracking) +pressed in "Van 1"`,
		},
		{
			"a batch on what each of its steps makes anew", "fleet",
			[]string{"e7 click", "e10 click", "e14 click"},
			`ok click e7 e10 e14
~ heading "Vehicles 1 updates" → "Vehicles 4 updates"
~ e7 clickable (Tracking) +pressed in "Van 1"
~ "50" → "60" in "Speed limit" in "Van 1"
~ "60" → "50" in "Speed limit" in "Van 2"`,
		},
		{
			"what is gone when a batch ends", "fleet",
			[]string{"e11 click", `"Port" click`, "{button}Save click"},
			`ok click e11 e24 e28
~ e24 clickable "Port" +selected, gone since
~ heading "Vehicles 1 updates" → "Vehicles 4 updates"`,
		},
		{
			"a label that is taken away from under the press", "fleet",
			[]string{"e11 click", `label:nth-of-type(2) click`},
			`ok click e11
ok click e30 "Full cover"; e26 radio "Full cover" is as it was
~ heading "Vehicles 1 updates" → "Vehicles 3 updates"
+ heading "Van 1" 2
+ e22 textbox "Plate" ="HH-RV 11"
+ "Zones"
+ e23 clickable "City"
+ e24 clickable "Port"
+ e25 clickable "Ring"
+ e26 radio "Full cover"
+ e27 radio "Part cover"
+ e28 button "Save"
+ e29 button "Cancel"
- e4 clickable "All"
- e5 clickable "Kiel"
- e6 clickable "Bremen" and 33 more`,
		},
		{
			"a page that says that it searches", "fleet",
			[]string{"e2 click"},
			`ok click e2 "Zones"
~ e1 clickable "Vehicles" -selected
~ e2 clickable "Zones" +selected
~ heading "Vehicles 1 updates" → "Zones 3 updates"
+ "3 zones"
- e4 clickable "All"
- e5 clickable "Kiel"
- e6 clickable "Bremen" and 33 more`,
		},
		{
			"a box that comes again when its table is loaded anew", "records",
			[]string{"e1 input rush", "e1 press Enter", "e2 check"},
			`ok input e1
ok press e1 "Filter"
ok check e2
~ e9 checkbox (box_4) +checked in "rrx | PO-1004 | rush"
~ e17 checkbox (box_8) +checked in "1g7t | PO-1008 | rush"
~ e25 checkbox (box_12) +checked in "24np | PO-1012 | rush"
~ "Found: 12" → "Found: 3"
- e3 checkbox (box_1) | e4 button "⧉" (Copy to clipboard) "9g0 | PO-1001 | sent"
- e5 checkbox (box_2) | e6 button "⧉" (Copy to clipboard) "fjz | PO-1002 | sent"
- e7 checkbox (box_3) | e8 button "⧉" (Copy to clipboard) "lny | PO-1003 | sent"
- e11 checkbox (box_5) | e12 button "⧉" (Copy to clipboard) "xvw | PO-1005 | sent"
- e13 checkbox (box_6) | e14 button "⧉" (Copy to clipboard) "13zv | PO-1006 | sent"
- e15 checkbox (box_7) | e16 button "⧉" (Copy to clipboard) "1a3u | PO-1007 | sent"
- e19 checkbox (box_9) | e20 button "⧉" (Copy to clipboard) "1mbs | PO-1009 | sent"
- e21 checkbox (box_10) | e22 button "⧉" (Copy to clipboard) "1sfr | PO-1010 | sent"
- e23 checkbox (box_11) | e24 button "⧉" (Copy to clipboard) "1yjq | PO-1011 | sent"`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, s := open(t)
			if _, err := s.Go(ctx, serve(t, page(c.page))); err != nil {
				t.Fatal(err)
			}
			r, err := s.Act(ctx, steps(c.steps...)...)
			if err != nil {
				t.Fatal(err)
			}
			if r.Text() != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", r.Text(), c.want)
			}
		})
	}
}

// A header that nobody called one is not told again on the next page, and all that a form has to fill in is; a button
// of the header is told, since it may be of something else.
func TestArrivalsTellFormsAndNotTheHeaderAgain(t *testing.T) {
	t.Parallel()
	var header, fields strings.Builder
	for _, part := range strings.Fields("Wiki Timeline Roadmap Tickets Search Admin Help About") {
		fmt.Fprintf(&header, `<a href=/part/%s>%[1]s</a> `, part)
	}
	for i := range 20 {
		fmt.Fprintf(&fields, `<div class=f><label>Property number %d of the order <input name=p%[1]d></label><p>What property number %[1]d is for is said here at some length, as it would be in a manual, and more of it than anybody would read</p></div>`, i)
	}
	head := `<div id=top>` + header.String() + `<button>Log out</button></div>`
	base := testkit.Serve(t, map[string]http.HandlerFunc{
		"/":    testkit.Page(`<title>Start</title>` + head + `<h1>Start</h1><a href=/new>New order</a>`),
		"/new": testkit.Page(`<title>New</title>` + head + `<h1>New order</h1><form>` + fields.String() + `<button>Create</button></form>`),
	})
	ctx, s := open(t)
	if _, err := s.Go(ctx, base); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx, step("New order", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "8 as before", `button "Log out"`, `textbox "Property number 0 of the order"`, `textbox "Property number 19 of the order"`, `button "Create"`)
	hasNot(t, r.Text(), "Roadmap")
}

// Of a page that an act led to, what it is about comes first where it says what that is:
// the entries of its table, and not the links around it.
func TestArrivalsBeginWithTheContent(t *testing.T) {
	t.Parallel()
	var around, rows, filters strings.Builder
	for i := range 12 {
		fmt.Fprintf(&around, `<tr><th><a href=/app%d>Application number %[1]d</a><td><a href=/add%[1]d>Add</a>`, i)
		fmt.Fprintf(&filters, `<li><a href=/f%d>Only those of kind %[1]d</a>`, i)
	}
	for _, name := range []string{"ada", "bob", "cleo"} {
		fmt.Fprintf(&rows, `<tr><td><input type=checkbox aria-label="Select %s"><td><a href=/u/%[1]s>%[1]s</a><td>staff`, name)
	}
	base := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Start</title><a href=/users>Users</a>`),
		"/users": testkit.Page(`<title>Users</title><header><a href=/a>View the site</a> <a href=/b>Change password</a> <button>Log out</button></header>
			<nav aria-label=Sidebar><input aria-label="Find an application"><table>` + around.String() + `</table></nav>
			<main><h1>Select a user</h1><a href=/new>Add user</a><table><thead><tr><th><input type=checkbox aria-label="Select all users of this page"><th><a href=?o=1>Sort by the name of the user</a><th><a href=?o=2>Sort by the group of the user</a></thead>` + rows.String() + `</table>
			<nav aria-label=Filter><ul>` + filters.String() + `</ul></nav></main>`),
	})
	ctx, s := open(t)
	if _, err := s.Go(ctx, base); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx, step("{a}Users", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `heading "Select a user"`, `link "Add user"`, `link "ada"`, `link "cleo"`, " more")
	hasNot(t, r.Text(), "Application number 3")
}
