package derive_test

import (
	"strings"
	"testing"

	"rove/internal/derive"
	"rove/recording"
)

// TestTyped: what was typed behind what a field held is typed there in every format, and
// lines stay lines in Karate, which types no line break.
func TestTyped(t *testing.T) {
	t.Parallel()
	held := "one\n"
	area, page := who("textbox", "Text", "#text"), &recording.Page{URL: "http://a.example/edit"}
	f, err := derive.Flow(&recording.Recording{Steps: []recording.Step{
		{N: 1, Verb: "go", Value: page.URL, OK: true, Page: page},
		{N: 2, Verb: "act", Ref: "e1", Op: "type", Value: "two\nthree", Who: area, OK: true, Effect: &recording.Effect{From: &held, To: new("one\ntwo\nthree")}, Page: page},
		{N: 3, Verb: "act", Ref: "e2", Op: "type", Value: "new", Who: who("textbox", "Title", "#title"), OK: true, Effect: &recording.Effect{From: text(""), To: new("new")}, Page: page},
		{N: 4, Verb: "act", Ref: "e3", Op: "click", Who: who("button", "Save", "#save"), OK: true, Effect: &recording.Effect{}, Page: &recording.Page{URL: page.URL, Appeared: []recording.Line{{Role: "heading", Name: "Saved"}}}},
	}}, derive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for format, wants := range map[string][]string{
		"feature":    {`.input(Key.END + 'two' + Key.ENTER + 'three')`, `.input('new')`},
		"js":         {`.input(Key.END + 'two' + Key.ENTER + 'three')`, `.input('new')`},
		"go":         {`Input(ctx, driver.KeyEnd, "two\nthree")`, `Input(ctx, "new")`},
		"playwright": {"setSelectionRange(e.value.length, e.value.length)", `pressSequentially('two\nthree')`},
		"proposal":   {`"op": "type"`},
	} {
		got, err := derive.Write(f, format)
		if err != nil {
			t.Errorf("%s: %v", format, err)
		}
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s has no %s:\n%s", format, want, got)
			}
		}
	}
}
