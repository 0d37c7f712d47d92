package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
)

// TestConsentThroughTheSocket: what needs consent is asked of the client whose call
// it is, however often, and a client that goes while it is asked ends the call.
func TestConsentThroughTheSocket(t *testing.T) {
	testkit.NeedsBrowser(t)
	site := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page(`<p id=p>nothing</p><button onclick="p.textContent += ' bought'">Buy</button>`)})
	c := serve(t, Config{Idle: time.Hour})
	launch := Launch{Confirm: []string{"click:Buy"}}
	call := func(ctx context.Context, tool string, in any) (*Answer, error) {
		t.Helper()
		raw, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		return c.Call(ctx, Request{Session: "s", Launch: launch, Tool: tool, Input: raw})
	}
	if _, err := call(t.Context(), "go", map[string]string{"url": site}); err != nil {
		t.Fatal(err)
	}
	step := map[string]string{"ref": "{button}Buy", "op": "click"}
	twice := map[string]any{"steps": []any{step, step}}

	if _, err := call(t.Context(), "act", step); code(err) != rove.CodePolicy || !strings.Contains(err.Error(), "not a terminal") {
		t.Errorf("nobody there: %v", err)
	}
	var asked []string
	c.Confirm = func(_ context.Context, q string, _ int) (bool, error) {
		asked = append(asked, q)
		return true, nil
	}
	a, err := call(t.Context(), "act", twice)
	if err != nil || len(asked) != 2 || !strings.Contains(asked[0], `button "Buy"`) || !strings.Contains(a.Text, "nothing bought bought") {
		t.Errorf("%v, asked %q, %+v", err, asked, a)
	}
	c.Confirm = func(context.Context, string, int) (bool, error) { return false, errors.New("the terminal is gone") }
	if _, err := call(t.Context(), "act", step); code(err) != rove.CodePolicy || !strings.Contains(err.Error(), "the terminal is gone") {
		t.Errorf("trouble: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	c.Confirm = func(ctx context.Context, _ string, _ int) (bool, error) {
		cancel()
		<-ctx.Done()
		return true, ctx.Err()
	}
	if _, err := call(ctx, "act", step); err == nil {
		t.Error("a call went on without its client")
	}
	c.Confirm = nil
	if a, err = call(t.Context(), "look", map[string]string{}); err != nil || strings.Contains(a.Text, "bought bought bought") {
		t.Errorf("afterwards: %v, %+v", err, a)
	}
}
