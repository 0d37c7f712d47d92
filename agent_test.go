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

// What act offers it accepts: no element lists an operation that is refused as
// one that does not exist or makes no sense.
func TestEveryOfferedOperationIsAccepted(t *testing.T) {
	ctx, s := open(t)
	base := site(t)
	values := map[string]string{"input": "7", "type": "7", "press": "Tab", "select": "", "set": "5", "drag": "@10,10", "attribute": "id"}
	for _, page := range []string{"/login", "/form", "/todo", "/board", "/frames"} {
		if _, err := s.Go(ctx, base+page); err != nil {
			t.Fatal(err)
		}
		l, err := s.Look(ctx, rove.LookOptions{Budget: rove.All})
		if err != nil {
			t.Fatal(err)
		}
		for ref, ops := range l.Actions.Map() {
			if ref == "_page" {
				continue
			}
			for _, op := range ops {
				value := values[op]
				if op == "upload" || op == "select" || (op == "click" && !strings.Contains(l.Tree, ref+" checkbox") && !strings.Contains(l.Tree, ref+" radio")) {
					continue // needs a value of its own, or leaves the page
				}
				_, err := s.Act(ctx, rove.Step{Ref: ref, Op: op, Value: value})
				if err == nil {
					continue
				}
				// The page may have moved on, or a date may want another value; the
				// operation itself must not be refused.
				if strings.Contains(err.Error(), "no operation") || strings.Contains(err.Error(), "takes no text") || strings.Contains(err.Error(), "cannot be checked") || rove.CodeOf(err) == rove.CodeDisabled {
					t.Errorf("%s: %s %s was offered, and refused: %v", page, op, ref, err)
				}
			}
		}
	}
}
