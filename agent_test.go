package rove_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"rove"
)

// standIn is a model that makes no mistakes: it reads what a model would read
// and answers with what a model would do next, or nothing when it is done.
type standIn struct{ task string }

var line = regexp.MustCompile(`(?m)^\s*(f?\d*e\d+) (\w+) "([^"]*)"`)

// find is the ref of the first element of a role whose name has a part.
func find(view, role, name string) string {
	for _, m := range line.FindAllStringSubmatch(view, -1) {
		if m[2] == role && strings.Contains(strings.ToLower(m[3]), strings.ToLower(name)) {
			return m[1]
		}
	}
	return ""
}

func (m standIn) next(view string) []rove.Step {
	switch {
	case strings.Contains(view, "Welcome"):
		return nil
	case m.task == "log in" && find(view, "textbox", "email") != "":
		return []rove.Step{
			{Ref: find(view, "textbox", "email"), Op: "input", Value: "ada@example.com"},
			{Ref: find(view, "textbox", "password"), Op: "input", Value: "analytical"},
			{Ref: find(view, "button", "sign in"), Op: "click"},
		}
	case m.task == "log in" && find(view, "link", "sign in") != "":
		return []rove.Step{{Ref: find(view, "link", "sign in"), Op: "click"}}
	case m.task == "log in": // named in a row of links
		return []rove.Step{{Ref: "{a}Sign in", Op: "click"}}
	}
	return nil
}

// The full loop of seed 000: the model sees, decides and acts until it is done.
func TestFullLoopWithAStandInForAModel(t *testing.T) {
	ctx, s := open(t)
	page, err := s.Go(ctx, site(t)+"/article")
	if err != nil {
		t.Fatal(err)
	}
	view := page.Text()
	turns := loop(t, ctx, s, standIn{"log in"}, view)
	if turns != 2 {
		t.Errorf("%d turns, want 2: to the login page, and in", turns)
	}
	if r, err := s.Look(ctx, rove.LookOptions{}); err != nil || !strings.Contains(r.URL, "/dashboard") {
		t.Errorf("ended at %v: %v", r, err)
	}
}

func loop(t *testing.T, ctx context.Context, s *rove.Session, model standIn, view string) int {
	t.Helper()
	for turn := 0; turn < 10; turn++ {
		steps := model.next(view)
		if len(steps) == 0 {
			return turn
		}
		r, err := s.Act(ctx, steps...)
		if err != nil {
			t.Fatalf("%v: %v", steps, err)
		}
		view = r.Text()
	}
	t.Fatal("the model goes in circles")
	return 0
}
