package rove_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// The verbs through a Playwright server: go, look, act, wait, eval, a dialog, a frame, a
// file, a new tab, a download.
func TestVerbsOnPlaywright(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	testkit.Playwright(t, rove.PlaywrightVersion)
	ctx := testkit.Context(t)
	s, err := rove.Open(ctx, rove.Options{Browser: "playwright:" + os.Getenv("ROVE_BROWSER"), Emulate: rove.EmulateOptions{Locale: "de-DE", Timezone: "Asia/Tokyo"}})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, s)
	url := testkit.Pages(t, map[string]string{
		"/": `<!doctype html><title>Shop</title><h1>Shop</h1><label>Name <input id=name></label>
			<button onclick="setTimeout(() => out.textContent = 'Hello ' + document.getElementById('name').value, 50)">Greet</button><p id=out></p>
			<button onclick="out.textContent = confirm('Sure?') ? 'bought' : 'left'">Buy</button><a href="/next">Next</a><iframe src="/inner" title=inner></iframe>
			<input type=file id=file aria-label=File onchange="out.textContent = this.files[0].name + this.files[0].size">
			<a href="/next" target=_blank>Other</a><a href="data:text/plain,abc" download=abc.txt>Save</a>
			<div id=listens>Listens</div><div id=host></div><script>
			listens.addEventListener('click', () => out.textContent = 'heard')
			host.attachShadow({mode: 'closed'}).innerHTML = '<button>Hidden well</button>'</script>`,
		"/inner": `<!doctype html><button onclick="this.textContent='Pressed'">Inside</button>`,
		"/next":  `<!doctype html><title>Next</title><h1>Next page</h1>`,
	})
	act := func(ref, op, value string) string {
		t.Helper()
		r, err := s.Act(ctx, rove.Step{Ref: ref, Op: op, Value: value})
		if err != nil {
			t.Fatal(err)
		}
		return r.Text()
	}
	page, err := s.Go(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	has(t, page.Text(), `heading "Shop"`, `textbox "Name"`, `button "Greet"`, `link "Next"`, `button "Inside"`, `button "Hidden well"`, `clickable "Listens"`)
	act("#name", "input", "Änn")
	has(t, act("{button}Greet", "click", ""), "Hello Änn")
	has(t, act("{button}Buy", "click", ""), "Sure?")
	has(t, act("_page", "dialog", "accept"), "bought")
	has(t, act("#listens", "click", ""), "heard")
	file := filepath.Join(t.TempDir(), "some.txt")
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	has(t, act("#file", "upload", file), "some.txt5")
	has(t, act("{a}Save", "click", ""), "abc.txt")
	v, err := s.Eval(ctx, "navigator.language + ' ' + Intl.DateTimeFormat().resolvedOptions().timeZone + ' ' + typeof rove")
	if err != nil {
		t.Fatal(err)
	}
	has(t, v.Text(), "de-DE Asia/Tokyo undefined")
	has(t, act("{a}Other", "click", ""), "new tab", "/next")
	_, err = s.Go(ctx, "http://nowhere.invalid/")
	if rove.CodeOf(err) != rove.CodeNavigation {
		t.Errorf("what is not there: %v", err)
	}
	has(t, err.Error(), "DNS")
}

// What a Playwright server cannot be held to is refused before one is started, and what is
// missing is told with what to do about it.
func TestPlaywrightIsRefusedWhatItCannot(t *testing.T) {
	for _, opts := range []rove.Options{{Allow: []string{"example.com"}}, {Profile: t.TempDir()}} {
		opts.Browser = "playwright"
		if _, err := rove.Launch(t.Context(), opts); rove.CodeOf(err) != rove.CodeUnsupported {
			t.Errorf("%+v: %v", opts, err)
		}
	}
	for name, says := range map[string]string{
		"playwright:opera": `no "opera"`, "playwright=http://x": "ws://… or wss://…", "playwright=ws://127.0.0.1:1/": "no Playwright server answers",
	} {
		_, err := rove.Launch(t.Context(), rove.Options{Browser: name})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := exec.LookPath("node"); err == nil {
		t.Setenv("ROVE_PLAYWRIGHT", t.TempDir())
		if _, err := rove.Launch(t.Context(), rove.Options{Browser: "playwright"}); rove.CodeOf(err) != rove.CodeNotFound {
			t.Errorf("without Playwright: %v", err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	_, err := rove.Launch(t.Context(), rove.Options{Browser: "playwright"})
	if rove.CodeOf(err) != rove.CodeNotFound {
		t.Fatalf("without Node: %v", err)
	}
	has(t, err.Error(), "Node", "rove browser install playwright")
}
