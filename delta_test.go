package rove_test

import (
	"os"
	"testing"
)

// Of an application that rebuilds itself only what a person would notice is told: cards
// and rows by their words and with their column, messages and dialogs first.
func TestDeltasTellWhatAPersonNotices(t *testing.T) {
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
