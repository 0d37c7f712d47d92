package rove_test

import (
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// What a locator finds in a frame can be acted on, and gets no secret of the page
// around it.
func TestLocatorsInFrames(t *testing.T) {
	url := testkit.Pages(t, map[string]string{
		"/": `<!doctype html><title>Shop</title><input id=mine aria-label=Mine><button>Same</button><iframe src=THERE/inner></iframe>`,
		"/inner": `<button id=b onclick="this.textContent = 'Pressed'">Press</button><input id=theirs aria-label=Theirs><button>Same</button>
			<i class=row>1</i><i class=row>2</i>`,
	})
	secrets, err := rove.ParseSecrets("PASS@" + url + "=hunter2222")
	if err != nil {
		t.Fatal(err)
	}
	ctx, s := strict(t, rove.Options{Secrets: secrets})
	if _, err := s.Go(ctx, url); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		step rove.Step
		code rove.Code
		says string
	}{
		{rove.Step{Ref: "#b", Op: "click"}, "", `ok click f1e1 "Press"`},
		{rove.Step{Ref: "#theirs", Op: "input", Value: "plain"}, "", `="plain"`},
		{rove.Step{Ref: "{button}Same", Op: "click"}, "", "ok click e"},
		{rove.Step{Ref: "#theirs", Op: "assert", Value: "value plain"}, "", "ok assert"},
		{rove.Step{Ref: ".row", Op: "assert", Value: "count 0"}, "", "ok assert"},
		{rove.Step{Ref: ".row", Op: "click"}, rove.CodeInvalid, "matches 2 elements of a frame, and none was acted on: f1e"},
		{rove.Step{Ref: "#nowhere", Op: "click", Timeout: 1}, rove.CodeNotFound, "element not found: #nowhere"},
		{rove.Step{Ref: "#mine", Op: "input", Value: "{{secret:PASS}}"}, "", "ok input"},
		{rove.Step{Ref: "#theirs", Op: "input", Value: "{{secret:PASS}}"}, rove.CodePolicy, "the secret PASS is not for "},
		{rove.Step{Ref: "#theirs", Op: "input", Value: "{{secret:PASS}}", First: true}, rove.CodePolicy, "the secret PASS is not for "},
		{rove.Step{Ref: "#theirs", Op: "assert", Value: "value plain"}, "", "ok assert"},
	} {
		r, err := s.Act(ctx, c.step)
		if (err == nil) != (c.code == "") || err != nil && rove.CodeOf(err) != c.code || r == nil || !strings.Contains(r.Text(), c.says) {
			t.Errorf("%s: %v\n%s", c.step, err, r.Text())
		}
	}
}
