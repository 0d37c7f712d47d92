package rove_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rove"
	"rove/driver"
	"rove/internal/bidi"
	"rove/internal/proc"
	"rove/internal/testkit"
	"rove/internal/webdriver"
)

// The verbs in Firefox: go, look, act, wait, eval, a dialog, a frame, a picture.
func TestVerbsInFirefox(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	if _, err := bidi.Find(); err != nil {
		t.Skip(err)
	}
	verbsElsewhere(t, "firefox", "Firefox")
}

// The same through chromedriver.
func TestVerbsThroughChromedriver(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	if _, err := webdriver.Find("chromedriver"); err != nil {
		t.Skip(err)
	}
	verbsElsewhere(t, "chromedriver", "Chrome")
}

func verbsElsewhere(t *testing.T, browser, agent string) {
	ctx := testkit.Context(t)
	s, err := rove.Open(ctx, rove.Options{Browser: browser})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, s)
	url := testkit.Pages(t, map[string]string{
		"/": `<!doctype html><title>Shop</title><h1>Shop</h1><label>Name <input id=name onchange="out.textContent = 'changed to ' + value"></label>
			<button onclick="setTimeout(() => out.textContent = 'Hello ' + document.getElementById('name').value, 50)">Greet</button><p id=out></p>
			<button onclick="out.textContent = confirm('Sure?') ? 'bought' : 'left'">Buy</button><a href="/next">Next</a><iframe src="THERE/inner" title=inner></iframe>`,
		"/inner": `<!doctype html><input id=deep aria-label=Deep><button onclick="this.textContent='Pressed with ' + deep.value">Inside</button>`,
		"/next":  `<!doctype html><title>Next</title><h1>Next page</h1>`,
	})
	must := func(text string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
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
	has(t, page.Text(), `heading "Shop"`, `textbox "Name"`, `button "Greet"`, `link "Next"`, `button "Inside"`)
	act("#name", "input", "Ann")
	// A frame of another site has keys and presses of its own, and a field that is left changes
	// as it does for a person, though another session was in front meanwhile.
	other, err := rove.Open(ctx, rove.Options{Browser: browser})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, other)
	if _, err := other.Go(ctx, url); err != nil {
		t.Fatal(err)
	}
	deep := regexp.MustCompile(`f\d+e\d+`).FindAllString(page.Text(), 2)
	act(deep[0], "input", "words")
	has(t, act(deep[1], "click", ""), "Pressed with words")
	v, err := s.Eval(ctx, "out.textContent")
	has(t, must(v.Text(), err), "changed to Ann")
	has(t, act("{button}Greet", "click", ""), "Hello Ann")
	w, err := s.Wait(ctx, "text:Hello Ann", 0)
	has(t, must(w.Text(), err), "Hello Ann")
	has(t, act("{button}Buy", "click", ""), "Sure?")
	has(t, act("_page", "dialog", "accept"), "bought")
	found, err := s.Look(ctx, rove.LookOptions{Find: "Inside"})
	has(t, must(found.Text(), err), "Inside")
	v, err = s.Eval(ctx, "document.title + navigator.userAgent")
	has(t, must(v.Text(), err), "Shop", agent)
	if _, err := s.Driver().Screenshot(ctx, driver.ScreenshotOptions{}); err != nil {
		t.Error(err)
	}
	// A page that takes long for each key gets them all the same.
	if _, err := s.Eval(ctx, "document.getElementById('name').addEventListener('keydown', () => { const till = Date.now() + 900; while (Date.now() < till); })"); err != nil {
		t.Fatal(err)
	}
	act("#name", "input", "Benjamin")
	v, err = s.Eval(ctx, "document.getElementById('name').value")
	has(t, must(v.Text(), err), "Benjamin")
	has(t, act("{a}Next", "click", ""), "Next page")
	_, err = s.Go(ctx, "http://nowhere.invalid/")
	if rove.CodeOf(err) != rove.CodeNavigation {
		t.Errorf("what is not there: %v", err)
	}
	has(t, err.Error(), "DNS")
}

// What Firefox cannot be held to is refused before it is started, and where it is
// missing the error says what to do.
func TestFirefoxIsRefusedWhatItCannot(t *testing.T) {
	for _, opts := range []rove.Options{{Allow: []string{"example.com"}}, {Block: []string{"example.com"}}, {Profile: t.TempDir()}} {
		opts.Browser = "firefox"
		_, err := rove.Launch(t.Context(), opts)
		if rove.CodeOf(err) != rove.CodeUnsupported {
			t.Errorf("%+v: %v", opts, err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := webdriver.Find("geckodriver"); err != nil {
		_, err := rove.Launch(t.Context(), rove.Options{Browser: "geckodriver"})
		if rove.CodeOf(err) != rove.CodeNotFound {
			t.Fatalf("without geckodriver: %v", err)
		}
		has(t, err.Error(), "geckodriver is not on this machine", "cargo install geckodriver")
	}
	t.Setenv("ROVE_FIREFOX", "")
	if _, err := bidi.Find(); err == nil {
		t.Skip("there is a Firefox elsewhere than on the PATH")
	}
	_, err := rove.Launch(t.Context(), rove.Options{Browser: "firefox"})
	if rove.CodeOf(err) != rove.CodeNotFound {
		t.Fatalf("without Firefox: %v", err)
	}
	has(t, err.Error(), "there is no Firefox on this machine", "apt-get install firefox-esr")
}

// TestFirefoxThatRuns: a Firefox that somebody else has started is driven by its address, one
// session at a time, and goes on.
func TestFirefoxThatRuns(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	path, err := bidi.Find()
	if err != nil {
		t.Skip(err)
	}
	ctx := testkit.Context(t)
	profile := t.TempDir()
	process, err := proc.Start(ctx, proc.Spec{Path: path, Args: []string{"--headless", "--no-remote", "--new-instance", "--profile", profile, "--remote-debugging-port", "0", "about:blank"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = process.Kill() })
	var at struct {
		Port int `json:"ws_port"`
	}
	testkit.Eventually(t, "it listens", func() bool {
		text, err := os.ReadFile(filepath.Join(profile, "WebDriverBiDiServer.json"))
		return err == nil && json.Unmarshal(text, &at) == nil && at.Port > 0
	})
	url := testkit.Pages(t, map[string]string{"/": "<title>Here</title>"})
	configure := func(options map[string]any) (*driver.Driver, error) {
		c, err := driver.ParseConfig(options)
		if err != nil {
			t.Fatal(err)
		}
		return rove.Configure(ctx, c)
	}
	for _, options := range []map[string]any{
		{"type": "firefox", "webSocketUrl": fmt.Sprintf("ws://127.0.0.1:%d", at.Port)},
		{"type": "bidi", "host": "127.0.0.1", "port": at.Port, "start": false},
	} {
		d, err := configure(options)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.SetURL(ctx, url); err != nil {
			t.Error(err)
		}
		if title, err := d.Title(ctx); title != "Here" {
			t.Errorf("%v: %q, %v", options, title, err)
		}
		if _, err := configure(options); err == nil || !strings.Contains(err.Error(), "one session at a time") {
			t.Errorf("a second session: %v", err)
		}
		if err := d.Quit(ctx); err != nil {
			t.Error(err)
		}
	}
	_, err = rove.Launch(ctx, rove.Options{Connect: fmt.Sprint(at.Port)})
	if err == nil {
		t.Fatal("connected to a Firefox as to one's own browser")
	}
	told, _ := errors.AsType[*rove.Error](err)
	has(t, told.Hint, fmt.Sprintf("webSocketUrl: 'ws://127.0.0.1:%d/session'", at.Port))
	select {
	case <-process.Done():
		t.Error("it was ended")
	default:
	}
	if _, err := configure(map[string]any{"type": "firefox", "webSocketUrl": "http://127.0.0.1"}); err == nil || !strings.Contains(err.Error(), "ws://HOST:PORT/session") {
		t.Errorf("a wrong address: %v", err)
	}
}

// TestRefusedDragIsOver: a drag-and-drop of the page's own, which Firefox begins and does not
// carry on, is called off: the presses that come after it are not part of it.
func TestRefusedDragIsOver(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	if _, err := bidi.Find(); err != nil {
		t.Skip(err)
	}
	ctx := testkit.Context(t)
	s, err := rove.Open(ctx, rove.Options{Browser: "firefox"})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, s)
	url := testkit.Pages(t, map[string]string{
		"/": `<!doctype html><title>Drag</title><div id=thing draggable=true ondragstart="event.dataTransfer.setData('text', 'x')" ondragend="window.ended = true">Thing</div>
			<div id=place ondragover="event.preventDefault()">Place</div><iframe src="HERE/inner" title=inner></iframe>`,
		"/inner": `<!doctype html><input aria-label=Deep><button onclick="this.textContent = 'Pressed ' + (window.n = (window.n || 0) + 1)">Inside</button>`,
	})
	page, err := s.Go(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	deep := regexp.MustCompile(`f\d+e\d+`).FindAllString(page.Text(), 2)
	for i := range 3 {
		_, err := s.Act(ctx, rove.Step{Ref: "#thing", Op: "drag", Value: "#place"})
		if rove.CodeOf(err) != rove.CodeUnsupported {
			t.Errorf("drag: %v", err)
		}
		if _, err := s.Act(ctx, rove.Step{Ref: deep[0], Op: "input", Value: fmt.Sprint("words", i)}); err != nil {
			t.Fatal(err)
		}
		r, err := s.Act(ctx, rove.Step{Ref: deep[1], Op: "click"})
		if err != nil {
			t.Fatal(err)
		}
		has(t, r.Text(), fmt.Sprintf("Pressed %d", i+1))
	}
}
