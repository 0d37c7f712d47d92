package proposal_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rove/proposal"
)

// TestParseReadsEveryField: each has the name that it has on paper, and is
// written as it is read.
func TestParseReadsEveryField(t *testing.T) {
	text := `{"id":"p1","source":"a model","actions":[{"id":"a1","type":"assertion","tool":"browse_click","parameters":{"element_id":"el_1"},` +
		`"preconditions":[{"key":"k","operator":"gte","value":2,"description":"at least two"}],"expected_effects":{"done":true},` +
		`"state_dependencies":["k","l"],"idempotent":true,"max_retries":0,"failure_behavior":"skip","timeout_ms":10000,"metadata":{"why":"so"}}],` +
		`"timestamp":"2026-01-31T12:00:00Z","context":{"goal":"g"}}`
	want := &proposal.ActionProposal{
		ID: "p1", Source: "a model", Timestamp: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC), Context: map[string]any{"goal": "g"},
		Actions: []proposal.Action{{
			ID: "a1", Type: proposal.Assertion, Tool: "browse_click", Parameters: map[string]any{"element_id": "el_1"},
			Preconditions:   []proposal.Precondition{{Key: "k", Operator: proposal.Gte, Value: 2.0, Description: "at least two"}},
			ExpectedEffects: map[string]any{"done": true}, StateDependencies: []string{"k", "l"}, Idempotent: true, MaxRetries: 0,
			FailureBehavior: proposal.Skip, TimeoutMS: 10000, Metadata: map[string]any{"why": "so"},
		}},
	}
	got, err := proposal.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	back, err := json.Marshal(got)
	if err != nil || string(back) != text {
		t.Errorf("%v\n%s\n%s", err, back, text)
	}
}

func TestParseDefaults(t *testing.T) {
	for _, text := range []string{
		`{"actions":[{}]}`,
		`{"actions":[{"type":null,"failure_behavior":null,"max_retries":null}]}`,
		`{"actions":[{"action_type":"tool_call"}]}`,
	} {
		p, err := proposal.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		want := proposal.Action{Type: proposal.ToolCall, FailureBehavior: proposal.Abort, MaxRetries: 3}
		if diff := cmp.Diff(want, p.Actions[0]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		``:                                   "the proposal is empty",
		"\xff":                               "the proposal is not UTF-8",
		"{\n\"id\": tru}":                    "the proposal is not JSON, line 2, at tru}",
		`{"actions": [`:                      "the proposal is not JSON, line 1: it ends too soon",
		`{"actions":[{}]} {}`:                "the proposal has something after its end",
		`[]`:                                 "the proposal takes an object with id, source, actions, timestamp, context, not []",
		`null`:                               "the proposal takes an object with",
		`{}`:                                 "actions: there are none; a proposal needs at least one",
		`{"actions":[]}`:                     "actions: there are none",
		`{"actions":{}}`:                     "actions takes a list, not {}",
		`{"actions":[1]}`:                    "actions[0] takes an object with id, type, tool,",
		`{"action":[]}`:                      `there is no "action"; it takes id, source, actions, timestamp, context`,
		`{"id":"a","id":"b"}`:                `the proposal has "id" twice in one object`,
		`{"id":1}`:                           "id takes a string, not 1",
		`{"timestamp":"noon"}`:               `timestamp takes a time such as "2026-01-31T12:00:00Z", not "noon"`,
		`{"context":[]}`:                     "context takes an object, not []",
		`{"actions":[{"tol":"x"}]}`:          `actions[0]: there is no "tol"; it takes id, type, tool, parameters,`,
		`{"actions":[{"type":"call"}]}`:      `actions[0].type takes one of tool_call, state_write, state_read, assertion, not "call"`,
		`{"actions":[{"idempotent":"yes"}]}`: `actions[0].idempotent takes true or false, not "yes"`,
		`{"actions":[{"max_retries":-1}]}`:   "actions[0].max_retries takes a whole number from 0 to 100, not -1",
		`{"actions":[{"max_retries":1.5}]}`:  "actions[0].max_retries takes a whole number",
		`{"actions":[{"timeout_ms":"5s"}]}`:  `actions[0].timeout_ms takes a whole number from 0 to 86400000, not "5s"`,
		`{"actions":[{"parameters":{"a":1,"a":2}}]}`:                              `the proposal has "a" twice in one object`,
		`{"actions":[{"state_dependencies":"x"}]}`:                                `actions[0].state_dependencies takes a list of strings, not "x"`,
		`{"actions":[{"failure_behavior":"ignore"}]}`:                             `actions[0].failure_behavior takes one of abort, retry, skip, not "ignore"`,
		`{"actions":[{"preconditions":[{"key":"k","operator":"is"}]}]}`:           "actions[0].preconditions[0].operator takes one of eq, neq, gt, lt, gte, lte, exists, not_exists, contains",
		`{"actions":[{"preconditions":[{"operator":"eq"}]}]}`:                     "actions[0].preconditions[0]: key is missing",
		`{"actions":[{"type":"tool_call","action_type":"tool_call"}]}`:            "actions[0].action_type: it is the same as type, which is there too",
		`{"actions":[{"action_type":"tool_call","type":"tool_call"}]}`:            "actions[0].type: it is the same as action_type, which is there too",
		`{"context":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}": "the proposal is nested too deep",
		`{"context":{"x":"` + strings.Repeat("x", 9<<20) + `"}}`:                  "the proposal is longer than",
		`{"actions":[` + strings.Repeat("{},", 1000) + "{}]}":                     "actions: there are 1001, and 1000 are the most",
		`{"actions":[{"parameters":` + strings.Repeat("x", 200) + "}]}":           "the proposal is not JSON, line 1",
		`{"actions":[{"id":{"a":"` + strings.Repeat("é", 200) + `"}}]}`:           "actions[0].id takes a string, not {",
	} {
		_, err := proposal.Parse([]byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.80s\n got: %v\nwant: %s", text, err, want)
		}
		if err != nil && len(err.Error()) > 400 {
			t.Errorf("%d bytes to say what is wrong: %.200s", len(err.Error()), err)
		}
	}
}

// TestExamples: the proposals that documents show can be read, and their tools
// are there.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("testdata/proposals/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	rt, err := proposal.NewRuntime(nil, proposal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := rt.RegisterToolSchemas(proposal.BrowseSchemas()); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := proposal.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if filepath.Base(name) == "search.json" { // the others are verified where all tools are
			if v := rt.Verify(p); !v.Valid {
				t.Errorf("%s: %+v", name, v.Issues)
			}
		}
	}
}

// FuzzParse: whatever comes in is read or refused, and what was read is written
// as something that reads the same. Nothing that was read upsets the runtime.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"id":"p","actions":[{"id":"a","tool":"ok","parameters":{"id":"a"},"state_dependencies":["x"],"expected_effects":{"y":[1,{"z":null}]}}]}`))
	f.Add([]byte(`{"actions":[{"type":"state_write","parameters":{"key":"k","value":1e300}},{"type":"assertion","parameters":{"key":"k","operator":"contains","value":"x"}}]}`))
	f.Add([]byte(`{"actions":[{"id":"a","state_dependencies":["x"],"expected_effects":{"y":1}},{"state_dependencies":["y"],"expected_effects":{"x":1}}],"timestamp":"2026-01-31T12:00:00+02:00"}`))
	f.Add([]byte(`{"actions":[{"preconditions":[{"key":"k","operator":"eq","value":"\ud800"}],"failure_behavior":"retry","max_retries":0}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := proposal.Parse(text)
		if err != nil {
			return
		}
		back, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := proposal.Parse(back)
		if err != nil {
			t.Fatalf("%v\n%s", err, back)
		}
		once, _ := json.Marshal(p)
		twice, _ := json.Marshal(again)
		if string(once) != string(twice) {
			t.Fatalf("%s\n%s", once, twice)
		}
		rt, err := proposal.NewRuntime(nil, proposal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := rt.RegisterToolSchema(proposal.ToolSchema{Name: "ok"}); err != nil {
			t.Fatal(err)
		}
		sound(t, p, &rt.Simulate(p).ProposalResult)
		if len(rt.State()) > 0 {
			t.Fatal("a simulation changed the state")
		}
		rt.Verify(p)
	})
}
