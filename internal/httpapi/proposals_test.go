package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
	"rove/proposal"
)

type fields = map[string]any

// TestProposalsAreChecked needs no browser: nothing gets that far.
func TestProposalsAreChecked(t *testing.T) {
	_, addr, _ := start(t, Options{Token: secret})
	at := "http://" + addr + "/sessions"
	var one struct{ ID string }
	ask(t, "POST", at, struct{}{}, &one)
	at += "/" + one.ID + "/proposals"

	for want, body := range map[string]any{
		`actions: there are none`:        fields{"id": "p"},
		`there is no "action"`:           fields{"action": 1},
		`names a session`:                fields{"session": "x", "actions": []any{fields{"tool": "look"}}},
		`actions[0].type takes one of`:   fields{"actions": []any{fields{"type": "x"}}},
		`actions[0]: there is no "tols"`: fields{"actions": []any{fields{"tols": "x"}}},
	} {
		var a said
		if status := ask(t, "POST", at, body, &a); status != 400 || a.Code != rove.CodeInvalid || !strings.Contains(a.Error, want) {
			t.Errorf("%v: %d %+v", body, status, a)
		}
	}
	p := fields{"id": "p", "actions": []any{
		fields{"id": "a", "tool": "go", "parameters": fields{"url": "example.com"}, "expected_effects": fields{"open": true}},
		fields{"id": "b", "tool": "look", "parameters": fields{"session": "other"}},
		fields{"id": "c", "tool": "browse_click", "parameters": fields{"elment_id": "el_1"}},
		fields{"id": "d", "tool": "browser_click", "preconditions": []any{fields{"key": "open", "operator": "eq", "value": false}}, "parameters": fields{"selector": "#x"}},
	}}
	var a said
	if status := ask(t, "POST", at+"?mode=try", p, &a); status != 400 || !strings.Contains(a.Error, "execute, verify or simulate") {
		t.Errorf("%d %+v", status, a)
	}
	if status := ask(t, "POST", "http://"+addr+"/sessions/nobody/proposals", p, &a); status != 404 {
		t.Errorf("%d %+v", status, a)
	}
	var v proposal.Verification
	if status := ask(t, "POST", at+"?mode=verify", p, &v); status != 200 || v.Valid || len(v.Issues) != 3 {
		t.Fatalf("%d %+v", status, v)
	}
	for i, want := range []string{
		"rejected: parameters of look: session: a proposal runs in one session, which the path names",
		`rejected: parameters of browse_click: there is no parameter "elment_id"; it takes element_id`,
		"rejected: precondition: open eq false does not hold: it is true",
	} {
		if got := v.Issues[i].Message; !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var s proposal.Simulation
	p["actions"] = p["actions"].([]any)[:1]
	if status := ask(t, "POST", at+"?mode=simulate", p, &s); status != 200 || !s.Succeeded() || s.State["open"] != true {
		t.Errorf("%d %+v", status, s)
	}
}

// TestProposals runs proposals that mix the sets of tools in a real browser.
func TestProposals(t *testing.T) {
	testkit.NeedsBrowser(t)
	m := session.NewManager(session.Options{})
	defer m.Close()
	site := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page(`<title>Shop</title><button onclick="document.title='Bought'">Buy</button><input aria-label=Name>`)})
	_, addr, _ := start(t, Options{Token: secret, Sessions: m})
	at := "http://" + addr + "/sessions"
	var one struct{ ID string }
	ask(t, "POST", at, struct{}{}, &one)
	at += "/" + one.ID + "/proposals"

	p := fields{"id": "buy", "actions": []any{
		fields{"id": "open", "tool": "go", "parameters": fields{"url": site}, "expected_effects": fields{"open": true}},
		fields{"id": "see", "tool": "browse_observe", "state_dependencies": []any{"open"}},
		fields{"id": "buy", "tool": "browser_click", "parameters": fields{"selector": "button"}, "expected_effects": fields{"bought": 1}},
		fields{"id": "check", "tool": "eval", "parameters": fields{"js": "document.title"}},
		fields{"id": "state", "type": "assertion", "parameters": fields{"key": "bought", "operator": "gte", "value": 1}},
		fields{"id": "fail", "tool": "browse_click", "parameters": fields{"element_id": "el_77"}, "failure_behavior": "skip"},
	}}
	var r proposal.ProposalResult
	if status := ask(t, "POST", at, p, &r); status != 200 {
		t.Fatalf("%d %+v", status, r)
	}
	got := ""
	for _, a := range r.Results {
		got += fmt.Sprintf("%s:%s ", a.ActionID, a.Status)
	}
	if got != "open:succeeded see:succeeded buy:succeeded check:succeeded state:succeeded fail:failed " {
		t.Errorf("%s\n%+v", got, r.Results)
	}
	if text, _ := json.Marshal(r.Results[1].Output); !strings.Contains(string(text), "Buy") {
		t.Errorf("%s", text)
	}
	if text, _ := json.Marshal(r.Results[3].Output); !strings.Contains(string(text), "Bought") {
		t.Errorf("%s", text)
	}
	if r.Cost.ToolCalls != 5 || r.Cost.ActionsExecuted != 6 {
		t.Errorf("%+v", r.Cost)
	}

	// The state is there for the next, step by step as it is done.
	p = fields{"actions": []any{
		fields{"id": "bought", "type": "state_read", "parameters": fields{"key": "bought"}},
		fields{"id": "look", "tool": "look", "parameters": fields{}},
		fields{"id": "wait", "tool": "wait", "parameters": fields{"for": "text:never"}, "timeout_ms": 100, "failure_behavior": "retry", "max_retries": 1},
	}}
	kinds := ""
	follows(t, t.Context(), at, p, func(kind string, data []byte) {
		kinds += kind + " "
		if kind == "result" {
			if err := json.Unmarshal(data, &r); err != nil || r.Results[0].Output != 1.0 || r.Results[2].Status != proposal.Failed {
				t.Errorf("%v %s", err, data)
			}
		}
	})
	if want := "proposal_started action_started action_finished action_started action_finished action_started action_retrying action_started action_finished proposal_finished result "; kinds != want {
		t.Errorf("got  %s\nwant %s", kinds, want)
	}

	// Who goes away ends it: the session is free at once.
	ctx, cancel := context.WithCancel(t.Context())
	p["actions"] = []any{fields{"id": "wait", "tool": "wait", "parameters": fields{"for": "text:never", "timeout": "60s"}}}
	begun := time.Now()
	follows(t, ctx, at, p, func(kind string, _ []byte) {
		if kind == "action_started" {
			cancel()
		}
	})
	cancel()
	p["actions"] = []any{fields{"id": "look", "tool": "look"}}
	if ask(t, "POST", at, p, &r); !r.Succeeded() || time.Since(begun) > 30*time.Second {
		t.Errorf("%+v after %v", r, time.Since(begun))
	}
}

// follows runs a proposal and hands over its events until the stream ends.
func follows(t *testing.T, ctx context.Context, url string, p any, heard func(kind string, data []byte)) {
	t.Helper()
	body, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(ctx, "POST", url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Authorization", "Bearer "+secret)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	if a.StatusCode != 200 || a.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %s", a.StatusCode, a.Header)
	}
	lines := bufio.NewScanner(a.Body)
	lines.Buffer(nil, 16<<20)
	kind := ""
	for lines.Scan() {
		if event, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			kind = event
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			heard(kind, []byte(data))
		}
	}
}
