package rove_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"rove"
	"rove/internal/testkit"
)

const nextPage = `<!doctype html><title>Next</title><form><label>Email <input id=mail></label><label><input type=checkbox id=box checked> Stay</label>
<select id=pick aria-label=Pick><option>a<option>b</select><button id=send type=button disabled>Send</button></form><button id=more onclick="send.disabled = false">More</button>`

// Every answer of every verb carries what can be done next: of the page, of each
// element as it is now, and of nothing that cannot be operated.
func TestEveryAnswerSaysWhatIsNext(t *testing.T) {
	ctx, s := open(t)
	next := func(answer any, err error) map[string][]string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		var data struct{ Actions map[string][]string }
		if err := json.Unmarshal(raw, &data); err != nil {
			t.Fatal(err)
		}
		for _, op := range []string{"look", "go", "wait", "back", "refresh", "screenshot"} {
			if !slices.Contains(data.Actions["_page"], op) {
				t.Errorf("%T: the page does not offer %s: %v", answer, op, data.Actions["_page"])
			}
		}
		return data.Actions
	}
	is := func(actions map[string][]string, ref, want string) {
		t.Helper()
		if got := fmt.Sprint(actions[ref]); got != want {
			t.Errorf("%s offers %s, want %s", ref, got, want)
		}
	}
	at := next(s.Go(ctx, serve(t, nextPage)))
	is(at, "e1", "[input type focus]")
	is(at, "e2", "[click uncheck]")
	is(at, "e3", "[select click]")
	is(at, "e4", "[]")
	is(at, "e5", "[click]")
	is(next(s.Look(ctx, rove.LookOptions{})), "e2", "[click uncheck]")
	at = next(s.Act(ctx, step("e1", "input", "ada"), step("e2", "uncheck"), step("e5", "click")))
	is(at, "e1", "[input type clear focus]")
	is(at, "e2", "[click check]")
	is(at, "e4", "[click]")
	next(s.Wait(ctx, "load", 0))
	next(s.Eval(ctx, "1+1"))
	// What is not offered is refused.
	if _, err := s.Act(ctx, step("e5", "check")); err == nil {
		t.Error("a button can be checked")
	}
}

// The example conversation of seed 000: look, three acts, and a look at where they led.
// Each act is told by what the look before it showed, and nothing else.
func TestExampleConversation(t *testing.T) {
	asked := ""
	base := testkit.Serve(t, map[string]http.HandlerFunc{
		"/login": func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				asked = r.FormValue("mail") + " " + r.FormValue("word")
				http.Redirect(w, r, "/dashboard", http.StatusSeeOther)
				return
			}
			testkit.Page(`<!doctype html><title>Login</title><h1>Login</h1><form method=post><label>Email <input name=mail required></label><label>Password <input name=word type=password required></label><button>Sign In</button></form>`)(w, r)
		},
		"/dashboard": testkit.Page(`<!doctype html><title>Dashboard</title><h1>Welcome</h1><a href=/reports>Reports</a>`),
	})
	ctx, s := open(t)
	if _, err := s.Go(ctx, base+"/login"); err != nil {
		t.Fatal(err)
	}
	look := func() *rove.LookResult {
		t.Helper()
		r, err := s.Look(ctx, rove.LookOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	view := look().Text()
	for _, c := range []struct{ role, name, op, value, says string }{
		{"textbox", "Email", "input", "user@test.com", `ok input e1 "Email" ="user@test.com"`},
		{"textbox", "Password", "input", "secret", `ok input e2 "Password" ="••••`},
		{"button", "Sign In", "click", "", "→ /dashboard (POST /login 303) — Dashboard"},
	} {
		ref := find(view, c.role, c.name)
		r, err := s.Act(ctx, step(ref, c.op, c.value))
		if err != nil {
			t.Fatalf("%s %q is %q in\n%s\n%v", c.role, c.name, ref, view, err)
		}
		has(t, r.Text(), c.says)
		if !r.OK || !r.Changed {
			t.Errorf("%s: ok %v, changed %v", c.name, r.OK, r.Changed)
		}
	}
	if asked != "user@test.com secret" {
		t.Errorf("the server got %q", asked)
	}
	after := look()
	has(t, after.Text(), "/dashboard — Dashboard", `heading "Welcome" 1`, `link "Reports"`)
	hasNot(t, after.Text(), "Sign In", "secret")
}
