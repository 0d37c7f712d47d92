package rove_test

import (
	"testing"

	"rove"
	"rove/internal/testkit"
)

// What pages take for granted in a browser is there in whichever rove has chosen, in a
// container without a language too.
func TestWhatPagesTakeForGranted(t *testing.T) {
	testkit.NeedsBrowser(t)
	for _, name := range []string{"LC_ALL", "LC_MESSAGES"} {
		t.Setenv(name, "")
	}
	t.Setenv("LANG", "C.UTF-8")
	ctx := testkit.Context(t)
	s, err := rove.Open(ctx, rove.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, s)
	if _, err := s.Go(ctx, serve(t, `<title>P</title><button>Copy</button><p id=out>nothing</p><script>
		const say = (s) => { out.textContent = s }
		document.querySelector('button').onclick = () => navigator.clipboard.writeText('x').then(() => say('copied'), (e) => say(e.name))</script>`)); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx, step("{button}Copy", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `"nothing" → "copied"`)
	for script, want := range map[string]string{
		"navigator.languages.join()":                               `"en-US,en"`,
		"(1234.5).toLocaleString(navigator.language)":              `"1,234.5"`,
		"Intl.DateTimeFormat().resolvedOptions().locale":           `"en-US"`,
		"screen.width >= innerWidth && innerWidth === 1280":        "true",
		"matchMedia('(hover: hover) and (pointer: fine)').matches": "true",
	} {
		got, err := s.Eval(ctx, script)
		if err != nil {
			t.Fatal(err)
		}
		if got.Text() != want {
			t.Errorf("%s is %s, want %s", script, got.Text(), want)
		}
	}
}
