package rove_test

import (
	"testing"

	"rove"
	"rove/internal/testkit"
)

const emulatePage = `<title>Who</title><p id=p></p><script>
navigator.geolocation.getCurrentPosition((g) => document.body.append(' at ' + g.coords.latitude + ' ' + g.coords.longitude), (e) => document.body.append(' at ' + e.code))
p.textContent = [innerWidth, devicePixelRatio, navigator.maxTouchPoints, /iPhone/.test(navigator.userAgent), navigator.language,
	Intl.DateTimeFormat().resolvedOptions().timeZone, matchMedia('(prefers-color-scheme: dark)').matches].join(' ')</script>`

// TestEmulateFromTheStart: a session is what its options say, from its first page on.
func TestEmulateFromTheStart(t *testing.T) {
	testkit.Parallel(t)
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	ctx := testkit.Context(t)
	s, err := rove.Open(ctx, rove.Options{Emulate: rove.EmulateOptions{
		Device: "iPhone 15", Locale: "de-DE", Timezone: "Asia/Tokyo", Geolocation: "52.5,13.4", ColorScheme: "dark",
	}})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, s)
	url := serve(t, `<meta name=viewport content="width=device-width">`+emulatePage)
	if _, err := s.Go(ctx, url); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Wait(ctx, "text:at 52.5 13.4", rove.WaitTimeout); err != nil {
		t.Error(err)
	}
	view, err := s.Look(ctx, rove.LookOptions{Mode: "text"})
	if err != nil {
		t.Fatal(err)
	}
	has(t, view.Text(), "393 3 5 true de-DE Asia/Tokyo true")
	for name, opts := range map[string]rove.Options{
		"device": {Emulate: rove.EmulateOptions{Device: "Nokia"}}, "timezone": {Emulate: rove.EmulateOptions{Timezone: "Mars/Base"}},
	} {
		if s, err := rove.Open(ctx, opts); rove.CodeOf(err) != rove.CodeInvalid {
			t.Errorf("%s: %v", name, err)
			if err == nil {
				_ = s.Close()
			}
		}
	}
}

// TestEmulateAsAnAct: an agent changes what its pages take the browser for, one
// setting after the other, and ends it.
func TestEmulateAsAnAct(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	url := serve(t, `<meta name=viewport content="width=device-width">`+emulatePage)
	if _, err := s.Go(ctx, url); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ value, says, page string }{
		{"iPhone 15, locale=de-DE", "emulates device=iPhone 15, locale=de-DE", "393 3 5 true de-DE"},
		{"timezone=Asia/Tokyo, dark", "timezone=Asia/Tokyo", "393 3 5 true de-DE Asia/Tokyo true"},
		{"device=none", "emulates locale=de-DE, timezone=Asia/Tokyo, color-scheme=dark", "1280 1 0 false de-DE Asia/Tokyo true"},
		{"none", "emulates nothing", "1280 1 0 false en-US"},
	} {
		r, err := s.Act(ctx, rove.Step{Ref: "_page", Op: "emulate", Value: step.value}, rove.Step{Ref: "_page", Op: "refresh"})
		if err != nil {
			t.Fatal(err)
		}
		has(t, r.Text(), step.says)
		view, err := s.Look(ctx, rove.LookOptions{Mode: "text"})
		if err != nil {
			t.Fatal(err)
		}
		has(t, view.Text(), step.page)
	}
	for _, wrong := range []string{"", "Nokia", "timezone=Mars/Base", "geolocation=here"} {
		if _, err := s.Act(ctx, rove.Step{Ref: "_page", Op: "emulate", Value: wrong}); rove.CodeOf(err) != rove.CodeInvalid {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	if _, err := s.Act(ctx, rove.Step{Ref: "_page", Op: "emulate", Value: "offline"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Go(ctx, url+"?2"); rove.CodeOf(err) != rove.CodeNavigation {
		t.Errorf("offline: %v", err)
	}
}
