package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"rove/internal/daemon"
	"rove/internal/tool"
	"rove/proposal"
)

// TestProposalExamples: every proposal and policy that documents and help show is
// one that runs, with the tools there are.
func TestProposalExamples(t *testing.T) {
	var texts []string
	files, err := filepath.Glob("../../proposal/testdata/proposals/*.json")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	doc, err := os.ReadFile("../../docs/PROPOSALS.md")
	if err != nil {
		t.Fatal(err)
	}
	fenced := regexp.MustCompile("(?ms)^```json\n(.*?)^```$").FindAllStringSubmatch(string(doc), -1)
	help := regexp.MustCompile(`(?ms)^  \{"id".*?^  \]\}$`).FindString(newProposeCommand().Long)
	if len(fenced) != 2 || help == "" {
		t.Fatalf("%d examples in the document, %q in the help", len(fenced), help)
	}
	texts = append(texts, fenced[0][1], help)
	for _, text := range texts {
		p, err := proposal.Parse([]byte(text))
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		rt, err := newProposals(nil, proposal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v := rt.Verify(p); !v.Valid {
			t.Errorf("%+v\n%s", v.Issues, text)
		}
	}
	var rules []proposal.Policy
	if err := json.Unmarshal([]byte(fenced[1][1]), &rules); err != nil {
		t.Fatal(err)
	}
	if _, err := newProposals(nil, proposal.Options{Policies: rules}); err != nil {
		t.Error(err)
	}
}

// TestEveryToolCanBeAnAction: and it is held to its own parameters before
// anything runs.
func TestEveryToolCanBeAnAction(t *testing.T) {
	rt, err := newProposals(nil, proposal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range allTools(t) {
		for param, want := range map[string]string{"no_such": `there is no parameter "no_such"`, "session": "a proposal runs in one session"} {
			v := rt.Verify(&proposal.ActionProposal{Actions: []proposal.Action{{ID: "a", Tool: name, Parameters: map[string]any{param: "x"}}}})
			if v.Valid || !strings.Contains(v.Issues[0].Message, want) {
				t.Errorf("%s with %s: %+v", name, param, v)
			}
		}
	}
}

func allTools(t *testing.T) (names []string) {
	tools, err := tool.Set("all")
	if err != nil {
		t.Fatal(err)
	}
	for _, tl := range tools {
		names = append(names, tl.Name)
	}
	return names
}

// TestProposalsCannotForgeLines: what a proposal, or a page by way of an error,
// says is shown in its place and nowhere else.
func TestProposalsCannotForgeLines(t *testing.T) {
	evil := "a\nb  succeeded\x1b[2J\r"
	p := &proposal.ActionProposal{Actions: []proposal.Action{{ID: evil, Tool: evil}}}
	r := &proposal.ProposalResult{Warnings: []string{evil}, Results: []proposal.ActionResult{{ActionID: evil, Status: proposal.Failed, Error: evil}}}
	var b strings.Builder
	if err := printResult(&b, p, r, true); err != nil {
		t.Fatal(err)
	}
	show := progressTo(&b)
	for _, e := range []proposal.Event{
		{Kind: proposal.ActionStarted, ActionID: evil, Tool: evil, Attempt: 1},
		{Kind: proposal.ActionRetrying, ActionID: evil, Error: evil},
		{Kind: proposal.ActionFinished, ActionID: evil, Result: &r.Results[0]},
	} {
		show(e)
	}
	if n := strings.Count(b.String(), "\n"); n != 6 || strings.ContainsAny(b.String(), "\x1b\r") {
		t.Errorf("%d lines: %q", n, b.String())
	}
}

// counting answers every call with the number of calls there were.
type counting struct{ n atomic.Int32 }

func (c *counting) call(context.Context, string, map[string]any) (*daemon.Answer, error) {
	n := c.n.Add(1)
	return &daemon.Answer{Text: fmt.Sprintf("answer %d", n), Data: fmt.Appendf(nil, `{"n": %d}`, n)}, nil
}

func (c *counting) close() error { return nil }

// TestShowsEachOfEqualCalls: of two actions that call the same with the same
// parameters, each is shown with its own answer.
func TestShowsEachOfEqualCalls(t *testing.T) {
	p, err := proposal.Parse([]byte(`{"id": "p", "actions": [
		{"id": "first", "type": "tool_call", "tool": "act", "parameters": {"ref": "e1", "op": "click"}},
		{"id": "second", "type": "tool_call", "tool": "act", "parameters": {"ref": "e1", "op": "click"}}
	]}`))
	if err != nil {
		t.Fatal(err)
	}
	x := &callExecutor{caller: &counting{}, texts: map[string]string{}, equal: map[string]string{}, failed: map[string]error{}}
	rt, err := newProposals(x, proposal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := rt.Execute(t.Context(), p)
	c := newProposeCommand()
	var b strings.Builder
	c.SetOut(&b)
	(&proposeFlags{show: []string{"first", "second"}}).shown(c, p, r, x)
	want := ""
	for _, a := range r.Results {
		output, _ := a.Output.(map[string]any)
		want += fmt.Sprintf("\n%s:\nanswer %v\n", a.ActionID, output["n"])
	}
	if got := b.String(); got != want || !strings.Contains(got, "answer 1") || !strings.Contains(got, "answer 2") {
		t.Errorf("got %q, want %q", got, want)
	}
}
