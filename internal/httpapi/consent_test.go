package httpapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
	"rove/proposal"
)

// TestNobodyToAskOverHTTP: there is nobody to ask here. What needs consent is refused
// by whatever call it comes, and is not done.
func TestNobodyToAskOverHTTP(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	var bank atomic.Int32
	site := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Shop</title><form onsubmit="document.title = 'Bought'; return false"><input id=i aria-label=Card><button id=b>Buy</button></form><a id=l href="/on">On</a>`),
		"/on": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+strings.Replace(r.Host, "127.0.0.1", "localhost", 1)+"/bank", http.StatusFound)
		},
		"/bank": func(http.ResponseWriter, *http.Request) { bank.Add(1) },
	})
	m := session.NewManager(session.Options{Browser: rove.Options{Confirm: []string{"click:Buy", "eval", "go@localhost"}}})
	defer m.Close()
	_, addr, _ := start(t, Options{Token: secret, Sessions: m})
	at := "http://" + addr + "/sessions"
	var one struct{ ID string }
	ask(t, "POST", at, struct{}{}, &one)
	at += "/" + one.ID
	if status := ask(t, "POST", at+"/go", fields{"url": site}, nil); status != http.StatusOK {
		t.Fatal(status)
	}
	if status := ask(t, "POST", at+"/browse_observe", fields{}, nil); status != http.StatusOK {
		t.Fatal(status)
	}
	flow := func(step string) fields {
		return fields{"wait": 500, "flow": `{"rove":"flow","version":1,"base":"` + site + `"}` + "\n" + step}
	}
	for _, c := range []struct {
		tool  string
		input fields
	}{
		{"act", fields{"ref": "#b", "op": "click"}},
		{"act", fields{"ref": "#i", "op": "input", "value": "4711\n"}},
		{"act", fields{"steps": []any{fields{"ref": "#i", "op": "focus"}, fields{"ref": "_page", "op": "press", "value": "Tab Enter"}}}},
		{"act", fields{"ref": "#l", "op": "click"}},
		{"act", fields{"ref": "(document.querySelector('#b'))", "op": "text"}},
		{"go", fields{"url": site + "/on"}},
		{"wait", fields{"for": "1 == 1"}},
		{"eval", fields{"js": "1"}},
		{"browser_click", fields{"selector": "form"}},
		{"browser_type", fields{"selector": "#i", "text": "1\n"}},
		{"browser_navigate", fields{"url": strings.Replace(site, "127.0.0.1", "localhost", 1) + "/bank"}},
		{"browser_eval", fields{"expression": "1"}},
		{"browse_click", fields{"element_id": "el_1"}},
		{"browse_navigate", fields{"url": site + "/on"}},
		{"replay", flow(`{"n":1,"op":"click","who":{"role":"button","name":"Buy","ways":[{"by":"css","q":"#b"}]}}`)},
		{"replay", flow(`{"n":1,"op":"go","value":"/on"}`)},
		{"replay", flow(`{"n":1,"op":"script","value":"1"}`)},
		{"replay", flow(`{"n":1,"op":"wait","value":"idle","checks":[{"kind":"text","q":"(document.body)"}]}`)},
		{"browser_tabs", fields{"action": "new", "url": site + "/on"}},
	} {
		var got said
		if status := ask(t, "POST", at+"/"+c.tool, c.input, &got); status != http.StatusForbidden || got.Code != rove.CodePolicy {
			t.Errorf("%s %v: %d %+v", c.tool, c.input, status, got)
		}
	}
	ask(t, "POST", at+"/act", fields{"ref": "_page", "op": "tab", "value": "close"}, nil)
	// A refusal is no failure that another try mends.
	p := fields{"actions": []any{fields{"id": "buy", "tool": "act", "parameters": fields{"ref": "#b", "op": "click"}, "failure_behavior": "retry", "max_retries": 3}}}
	var r proposal.ProposalResult
	if status := ask(t, "POST", at+"/proposals", p, &r); status != http.StatusOK || len(r.Results) != 1 || r.Results[0].Status != proposal.Failed || r.Cost.ToolCalls != 1 {
		t.Errorf("a proposal: %d %+v", status, r)
	}
	var look said
	ask(t, "POST", at+"/look", fields{}, &look)
	if text, _ := json.Marshal(look); strings.Contains(string(text), "Bought") || bank.Load() > 0 {
		t.Errorf("it was bought, or the bank was come to %d times: %s", bank.Load(), text)
	}
}
