package derive_test

import (
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
			{Kind: "value", Text: "true", Of: `checkbox "Mail"`, Query: "#mail", Role: "checkbox"},
		}},
	}}
	for format, want := range map[string][]string{
		"feature": {
			"* def held = function(q){", "* refresh()\n", `* waitUntil(seen("//li[.='Milk']"))`, `* waitUntil(seen("//li[.='Milk']") + ' && !' + seen("//li[.='Bread']"))`,
			`* waitUntil(held('#name') + ' == ' + JSON.stringify('A "b"'))`, `* waitUntil(held('#mail') + ' == ' + JSON.stringify('true'))`,
		},
		"js": {"var held = function(q){", "refresh();", `waitUntil(held('#colour') + ' == ' + JSON.stringify('Blue'));`},
		"go": {"f.ok(f.Refresh(ctx))", `f.until(seen("//li[.='Milk']") + " && !" + seen("//li[.='Bread']"))`, `f.until(held("#name") + " == " + strconv.Quote("A \"b\""))`, "func held(query string) string"},
		"playwright": {
			"await page.reload();", `await expect(page.locator('#name').first()).toHaveValue('A "b"');`, "await expect(page.locator('#colour').first().locator('option:checked')).toHaveText('Blue');",
			"await expect(page.locator('#mail').first()).toBeChecked({ checked: true });",
			"await expect(page.locator(\"//li[.='Milk']\").filter({ visible: true }).first()).toBeVisible();\n  await expect(page.locator(\"//li[.='Bread']\").filter({ visible: true })).toHaveCount(0);",
		},
		"proposal": {`"op": "refresh"`, `"for": "//li[.='Milk']"`, `"for": "!//li[.='Bread']"`, `(\"#name\") == \"A \\\"b\\\"\""`},
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
