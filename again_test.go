package rove_test

import (
	"fmt"
	"html"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// flat is a register of people whose pages come from a server, each with the same menu.
func flat(mux *http.ServeMux) {
	var people atomic.Pointer[[]string]
	people.Store(&[]string{"Zoe"})
	show := func(w http.ResponseWriter, main string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Flat</title><nav aria-label=Menu>`)
		for _, n := range []string{"People", "Settle", "Statistics", "History", "Settings"} {
			fmt.Fprintf(w, `<a href="/flat/%s">%s</a> `, strings.ToLower(n), n)
		}
		fmt.Fprint(w, `</nav><main>`, main, `</main>`)
	}
	mux.HandleFunc("/flat/{page}", func(w http.ResponseWriter, r *http.Request) {
		show(w, `<h1>`+html.EscapeString(r.PathValue("page"))+`</h1><button>Export</button><p>Nothing yet`)
	})
	mux.HandleFunc("/flat/people", func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			list := *people.Load()
			if name := r.FormValue("name"); name != "" {
				list = append(list[:len(list):len(list)], name)
			} else {
				list = []string{"Max"} // somebody else has changed it meanwhile
			}
			people.Store(&list)
			http.Redirect(w, r, "/flat/people", http.StatusSeeOther)
			return
		}
		main := `<h1>People</h1><form method=post><label>Name <input name=name></label><label>Code <input></label><label><input type=checkbox> Keep</label><button>Save</button></form>
			<form method=post><button>Refill</button></form><ul>`
		for _, n := range *people.Load() {
			main += `<li><span>` + html.EscapeString(n) + `</span> <button type=button>Edit</button></li>`
		}
		show(w, main+fmt.Sprintf(`</ul><footer><a href="#">Imprint</a><a href="#">Privacy</a><a href="#">Contact</a></footer><p>%d have been saved`, len(*people.Load())))
	})
}

// A page that its server sends again has the refs that it had, and what is new in it is
// told; so has a menu that all pages of a site have. What says something else, or stands
// on another site, has none of them.
func TestPagesThatComeAgain(t *testing.T) {
	mux := http.NewServeMux()
	flat(mux)
	base := testkit.ServeHandler(t, mux)
	ctx, s := open(t)
	page, err := s.Go(ctx, base+"/flat/people")
	if err != nil {
		t.Fatal(err)
	}
	name, code, keep, save, refill, edit := find(page.Text(), "textbox", "Name"), find(page.Text(), "textbox", "Code"), find(page.Text(), "checkbox", "Keep"), find(page.Text(), "button", "Save"), find(page.Text(), "button", "Refill"), find(page.Text(), "button", "Edit")
	act := func(steps ...rove.Step) string {
		t.Helper()
		r, err := s.Act(ctx, steps...)
		if err != nil {
			t.Fatalf("%v\n%s", err, r.Text())
		}
		return r.Text()
	}
	text := act(step(name, "input", "Ann"), step(save, "click"), step(name, "input", "Ben"), step(code, "input", "x1"), step(keep, "check"), step(save, "click"))
	has(t, text, "the same page again, but for:", `"x1" → =""`, `"Keep" -checked`, `"Ann"`, `"Ben"`, "3 have been saved")
	hasNot(t, text, "Menu", "Settle", "Imprint", `"Name"`+"\n")
	// The only row there was is another one now.
	act(step(refill, "click"))
	if r, err := s.Act(ctx, step(edit, "click")); !strings.Contains(fmt.Sprint(err), "is stale") {
		t.Errorf("the row of another took over the ref: %v\n%s", err, r.Text())
	}
	view, err := s.Look(ctx, rove.LookOptions{})
	if err != nil {
		t.Fatal(err)
	}
	settle, statistics := find(view.Text(), "link", "Settle"), find(view.Text(), "link", "Statistics")
	text = act(step(settle, "click"))
	has(t, text, "as before", "/flat/settle")
	export := find(text, "button", "Export")
	text = act(step(statistics, "click"))
	has(t, text, "as before", "/flat/statistics")
	// What is not beside the content is another page's.
	if r, err := s.Act(ctx, step(export, "click")); !strings.Contains(fmt.Sprint(err), "is stale") {
		t.Errorf("a button of another page took over the ref: %v\n%s", err, r.Text())
	}
	if _, err := s.Go(ctx, strings.Replace(base, "127.0.0.1", "localhost", 1)+"/flat/statistics"); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Act(ctx, step(statistics, "click")); !strings.Contains(fmt.Sprint(err), "is stale") {
		t.Errorf("another site took over the ref: %v\n%s", err, r.Text())
	}
}

// What a receipt has to say of the last step, and of what the page did by itself.
func TestReceiptsSayWhatElseThereIs(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/sent", func(w http.ResponseWriter, r *http.Request) {
		takes(r, slow)
		fmt.Fprint(w, "kept")
	})
	page := func(path, html string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><title>Else</title>", html)
		})
	}
	page("/idle", `<label>Name <input id=n></label><button id=b>Sign in</button><script>b.onclick = () => { b.dataset.x = 'y' }</script>`)
	// The editor of a row is made anew in each cell, and none has a name.
	page("/cells", `<table><tr id=row></table><script>let at = 0; const held = ['', '', ''];
		const draw = () => { row.innerHTML = '<td tabindex=0>Today</td>' + held.map((v, i) => i === at ? '<td><input></td>' : '<td tabindex=0>' + (v || '–') + '</td>').join(''); row.querySelector('input').focus() };
		row.onkeydown = (e) => { if (e.key !== 'Tab') return; e.preventDefault(); held[at] = e.target.value; at++; draw() }; draw()</script>`)
	page("/moves", `<p id=out>new</p><button id=b>Go on</button><script>b.onclick = () => { out.textContent = 'on' }</script>`)
	page("/upload", `<input type=file id=f aria-label=Picture><p id=out></p><script>f.onchange = () => { out.textContent = 'Please describe it'; const r = new FileReader();
		r.onload = () => { const img = new Image(); img.onerror = () => setTimeout(async () => { out.textContent = await (await fetch('/sent', { method: 'POST', body: r.result })).text() }, 60); img.src = 'data:image/png;base64,x' }; r.readAsDataURL(f.files[0]) }</script>`)
	base := testkit.ServeHandler(t, mux)
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, s := open(t)
	visit := func(path string) string {
		t.Helper()
		r, err := s.Go(ctx, base+path)
		if err != nil {
			t.Fatal(err)
		}
		return r.Text()
	}
	act := func(steps ...rove.Step) string {
		t.Helper()
		r, err := s.Act(ctx, steps...)
		if err != nil {
			t.Fatalf("%v\n%s", err, r.Text())
		}
		return r.Text()
	}
	visit("/idle")
	text := act(step("#n", "input", "Ann"), step("#b", "click"))
	has(t, text, "ok input", "nothing changed that a view shows")

	first := regexp.MustCompile(`e\d+ textbox`).FindString(visit("/cells"))
	text = act(step(strings.TrimSuffix(first, " textbox"), "type", "Bakery"), step(strings.TrimSuffix(first, " textbox"), "press", "Tab"))
	has(t, text, "focus → e", " textbox")
	hasNot(t, text, "focus → "+first)

	visit("/moves")
	if _, err := s.Eval(ctx, "history.replaceState({}, '', '/moved/7')"); err != nil {
		t.Fatal(err)
	}
	has(t, act(step("#b", "click")), "address → /moved/7")

	visit("/upload")
	has(t, act(step("#f", "upload", file)), "POST /sent 200", `"kept"`)
}
