package rove_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// In every framework, a filter takes items out of the page and brings others of the
// same words back: the refs that were shown go over to them, and a batch that names
// them goes on. What is told is what changed, not what was rebuilt.
func TestRefsSurviveFrameworks(t *testing.T) {
	testkit.Parallel(t)
	bundles, err := filepath.Glob("testdata/frameworks/dist/*.js.gz")
	if err != nil || len(bundles) < 12 {
		t.Fatalf("%d applications: %v", len(bundles), err)
	}
	pages := map[string]http.HandlerFunc{"/style.css": func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, "testdata/frameworks/style.css")
	}}
	for _, path := range bundles {
		name := strings.TrimSuffix(filepath.Base(path), ".js.gz")
		pages["/"+name+".js"] = func(w http.ResponseWriter, _ *http.Request) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(data)
		}
		pages["/"+name] = testkit.Page(`<!doctype html><meta charset=utf-8><title>` + name + `</title><link rel=icon href=data:,><link rel=stylesheet href=style.css><body><div id=app></div><script src=` + name + `.js></script>`)
	}
	base := testkit.Serve(t, pages)
	for _, path := range bundles {
		name := strings.TrimSuffix(filepath.Base(path), ".js.gz")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			goesOn(t, base+"/"+name)
		})
	}
}

func goesOn(t *testing.T, url string) {
	ctx, s := open(t)
	page, err := s.Go(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	act := func(steps ...rove.Step) *rove.ActResult {
		t.Helper()
		r, err := s.Act(ctx, steps...)
		if err != nil {
			t.Fatalf("%v\n%s", err, r.Text())
		}
		return r
	}
	field := find(page.Text(), "textbox", "What needs to be done?")
	var add []rove.Step
	for _, text := range []string{"milk", "bread", "eggs"} {
		add = append(add, step(field, "input", text), step(field, "press", "Enter"))
	}
	act(add...)
	view, err := s.Look(ctx, rove.LookOptions{})
	if err != nil {
		t.Fatal(err)
	}
	box := func(words string) string {
		t.Helper()
		m := regexp.MustCompile(`(?m)(e\d+) checkbox \(toggle\)[^\n]*\n +(?:e\d+ \w+ )?"` + words + `"`).FindStringSubmatch(view.Text())
		if m == nil {
			t.Fatalf("no box of %s in\n%s", words, view.Text())
		}
		return m[1]
	}
	milk, bread, eggs := box("milk"), box("bread"), box("eggs")
	// All go and come back, and the batch goes on by the refs that were shown.
	r := act(step(bread, "check"), step("{a}Completed", "click"), step("{a}All", "click"), step(milk, "check"), step(bread, "uncheck"), step(eggs, "check"))
	got, err := s.Eval(ctx, listed)
	if err != nil || got.Text() != `"*milk,bread,*eggs"` {
		t.Errorf("%s (%v)\n%s", got.Text(), err, r.Text())
	}
	for _, lost := range []string{"+ ", "- "} {
		for line := range strings.Lines(r.Text()) {
			if strings.HasPrefix(line, lost) && (strings.Contains(line, "milk") || strings.Contains(line, "bread") || strings.Contains(line, "eggs")) {
				t.Errorf("what is as it was is told as new or gone:\n%s", r.Text())
			}
		}
	}
}

// rebuildPage makes all of itself anew whenever the event of its address comes, and
// shows a toast, which has no role, after much else.
const rebuildPage = `<!doctype html><title>Rebuild</title><div id=app></div><div id=toasts style="position:fixed;right:10px;top:10px"></div><script>
let n = 0; const items = ['Milk', 'Bread'];
const draw = () => { app.innerHTML = '<ul>' + items.map((i) => '<li><span>' + i + '</span> <button>Delete</button></li>').join('') + '</ul><button class=save>Save</button><p>' + n + ' saved</p>' };
draw(); const on = location.search.slice(1); if (on) addEventListener(on, draw, true);
addEventListener('click', (e) => { if (e.target.className !== 'save') return; n++; items.push('Item ' + n); draw();
  const d = document.createElement('div'); d.className = 'snackbar'; d.textContent = 'All changes saved'; toasts.append(d) });
</script>`

// A page that rebuilds itself below the pointer has not covered what is pressed: the
// successor gets the press, and where there is none to press, that is what is said.
func TestPressesOnWhatRebuildsItself(t *testing.T) {
	testkit.Parallel(t)
	url := serve(t, rebuildPage)
	for on, want := range map[string][]string{
		"":            {`ok click`, `"Save"`, `"1 saved"`},
		"mousemove":   {`ok click`, `"Save"`, `"1 saved"`},
		"pointermove": {`ok click`, `"Save"`, `"1 saved"`},
		"pointerover": {"failed click", "was taken away while it was being pressed", "the page rebuilds itself below the pointer"},
		"mouseover":   {"failed click", "was taken away while it was being pressed", "the page rebuilds itself below the pointer"},
	} {
		t.Run(on, func(t *testing.T) {
			t.Parallel()
			ctx, s := open(t)
			page, err := s.Go(ctx, url+"/?"+on)
			if err != nil {
				t.Fatal(err)
			}
			r, _ := s.Act(ctx, step(find(page.Text(), "button", "Save"), "click")) // the receipt says whether it failed
			has(t, r.Text(), want...)
			hasNot(t, r.Text(), "covered by", "of its own over the page")
			if r.OK {
				// What came over the page is told before all else.
				lines := strings.Split(r.Text(), "\n")
				if len(lines) < 3 || lines[1] != `+ "All changes saved"` {
					t.Errorf("the toast is not first:\n%s", r.Text())
				}
			}
		})
	}
}
