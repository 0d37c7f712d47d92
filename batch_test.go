package rove_test

import (
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
)

// slow is how long the server of these pages takes: longer than several frames.
const slow = 150 * time.Millisecond

// Steps of one act depend on each other: each is done when the one before has had
// its effect, also where that is up to a server.
func TestStepsFindWhatTheOnesBeforeDid(t *testing.T) {
	testkit.Parallel(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(slow):
		case <-r.Context().Done():
		}
	})
	page := func(path, html string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><title>Steps</title>", html)
		})
	}
	// The field is emptied once the server has the task.
	page("/list", `<label>Task <input id=task></label><button id=add>Add</button><ul id=list></ul>
		<label><input type=checkbox id=all> all</label><button id=clear>Clear</button><p id=done></p>
		<script>
		add.onclick = async () => {
			const text = task.value;
			await fetch('/slow', { method: 'POST' });
			list.append(Object.assign(document.createElement('li'), { textContent: 'task ' + text }));
			task.value = '';
		};
		let marked = false;
		all.onchange = async () => { await fetch('/slow', { method: 'PATCH' }); marked = true; };
		clear.onclick = () => { done.textContent = marked ? 'all cleared' : 'nothing marked'; };
		</script>`)
	// The code is sent as soon as it is complete; both pages have a button by the same name.
	page("/code", `<form action=/next><label>Code <input id=code name=code></label></form><button onclick="document.title='too early'">Next</button>
		<script>code.oninput = () => code.value.length == 4 && code.form.submit()</script>`)
	page("/shadow", `<div id=host></div><button onclick="document.title='too early'">Next</button><script>
		const root = host.attachShadow({ mode: 'open' });
		root.innerHTML = '<form action=/next><label>Code <input id=code name=code></label></form>';
		const code = root.querySelector('input');
		code.oninput = () => code.value.length == 4 && code.form.submit();
		</script>`)
	page("/choice", `<form action=/next><label>Where <select id=where name=code onchange="form.submit()"><option>here<option>there</select></label></form>
		<button onclick="document.title='too early'">Next</button>`)
	page("/next", `<form action=/other></form><button onclick="out.textContent='arrived'">Next</button><p id=out></p>`)
	// The answer to one field changes the next, a frame later.
	page("/fields", `<form name=addEventListener><label>One <input id=one></label><label>Two <input id=two></label></form><p id=out></p>
		<script>
		one.oninput = () => { two.value = 'as ' + one.value };
		two.oninput = () => { out.textContent = two.value };
		</script>`)
	base := testkit.ServeHandler(t, mux)

	for _, c := range []struct {
		name, page string
		steps      []string
		says       []string
	}{
		{
			"a field that the server's answer empties", "/list",
			[]string{"#task input one", "#add click", "#task input two", "#add click", "#task input three", "#add click"},
			[]string{`"task one"`, `"task two"`, `"task three"`, "POST /slow 200 ×3"},
		},
		{"a tick that the server has to hear of", "/list", []string{"#all check", "#clear click"}, []string{`"all cleared"`}},
		{"a form sent by what was typed", "/code", []string{"#code input 1234", "{button}Next click"}, []string{`"arrived"`}},
		{"a form in a shadow root", "/shadow", []string{"{input}Code input 1234", "{button}Next click"}, []string{`"arrived"`}},
		{"a form sent by a choice", "/choice", []string{"#where select there", "{button}Next click"}, []string{`"arrived"`}},
		{"a field that another fills", "/fields", []string{"#one input x", "#two type  and more"}, []string{`"as x and more"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, s := open(t)
			if _, err := s.Go(ctx, base+c.page); err != nil {
				t.Fatal(err)
			}
			r, err := s.Act(ctx, steps(c.steps...)...)
			if err != nil {
				t.Fatal(err)
			}
			has(t, r.Text(), c.says...)
		})
	}
}

// An action is two round trips, to find it ready and to do it; to settle is the
// third, and the look at what came of it the fourth.
func TestTripsOfAnAction(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<title>Trips</title><button onclick="out.textContent='done'">Do</button><input id=i aria-label=Field><p id=out></p>`)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		steps []string
		trips int
	}{
		{[]string{"{button}Do click"}, 4},
		{[]string{"#i input twenty characters!!"}, 4},
		{[]string{"#i input a", "{button}Do click"}, 7},
	} {
		if _, err := s.Act(ctx, steps(c.steps...)...); err != nil {
			t.Fatal(err)
		}
		all := s.History()
		if got := all[len(all)-1].Trips; got > c.trips {
			t.Errorf("%q took %d round trips, want %d", c.steps, got, c.trips)
		}
	}
}

// What a field opened lies over the next one, and a box is called by what was chosen in
// it: a batch goes on as a person would.
func TestBatchesGoOnOverPickers(t *testing.T) {
	page, err := os.ReadFile("testdata/pages/act/picker.html")
	if err != nil {
		t.Fatal(err)
	}
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, string(page))); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx, steps("e1 input 1961-02-24", "e2 uncheck", "e3 select Gift", "e3 select Export")...)
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "ok uncheck e2 \"Active\" \"checked\" → \"unchecked\" (after Tab in e1, which had something open over it)", `"Gift, Export"`)
	// A press of that kind is not for what the page itself lays over: that is told.
	if _, err := s.Eval(ctx, "born.focus(); born.onkeydown = null; days.hidden = false"); err != nil {
		t.Fatal(err)
	}
	r, err = s.Act(ctx, steps("e1 input 1962-02-24", "e2 check")...)
	if code(err) != rove.CodeCovered {
		t.Errorf("%v: %s", err, r.Text())
	}
	// In another answer somebody else may have renamed it: that is refused once, as ever.
	if _, err := s.Eval(ctx, "tags.textContent = 'Return'"); err != nil {
		t.Fatal(err)
	}
	if _, err = s.Act(ctx, steps("e3 select Gift")...); code(err) != rove.CodeStale {
		t.Error(err)
	}
}
