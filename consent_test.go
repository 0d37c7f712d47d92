package rove_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
	"rove/recording"
)

const consentPage = `<title>Shop</title><button id=buy onclick="document.title='bought'">Buy now</button>
	<button id=look onclick="document.title='looked'">Look</button><input id=name aria-label=Name>
	<input id=f type=file aria-label=File><a id=d href=/file>Get it</a>`

func shop(t *testing.T) string {
	return testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(consentPage),
		"/file": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", "attachment; filename=a.txt")
			fmt.Fprint(w, "hello")
		},
	})
}

// TestCapabilities: what is switched off is refused whichever verb asks for it, and
// says how it can be had; the rest works.
func TestCapabilities(t *testing.T) {
	testkit.NeedsBrowser(t)
	site := shop(t)
	ctx, s := strict(t, rove.Options{Caps: []string{"none"}})
	if _, err := s.Go(ctx, site); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	act := func(ref, op, value string) error {
		_, err := s.Act(ctx, rove.Step{Ref: ref, Op: op, Value: value})
		return err
	}
	refused := map[string]func() error{
		"eval":       func() error { _, err := s.Eval(ctx, "document.title = 'eval'"); return err },
		"wait":       func() error { _, err := s.Wait(ctx, "document.title = 'wait'", 0); return err },
		"locator":    func() error { return act("(document.body)", "click", "") },
		"upload":     func() error { return act("#f", "upload", path) },
		"chooser":    func() error { return act("_page", "upload", path) },
		"pdf":        func() error { return act("_page", "pdf", "") },
		"screenshot": func() error { return act("_page", "screenshot", "") },
		"element":    func() error { return act("#buy", "screenshot", "") },
		"offline":    func() error { return act("_page", "emulate", "dark, offline") },
		"answers": func() error {
			_, err := s.Replay(ctx, &rove.Flow{}, rove.ReplayOptions{Fail: &recording.Request{Method: "GET", URL: "/"}})
			return err
		},
		"look": func() error { _, err := s.Look(ctx, rove.LookOptions{Screenshot: true}); return err },
	}
	for name, try := range refused {
		if err := try(); code(err) != rove.CodePolicy || !strings.Contains(err.Error(), "--caps") {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err := s.Act(ctx, rove.Step{Ref: "#d", Op: "click"})
	if err != nil || strings.Contains(r.Text(), "a.txt (5 bytes") {
		t.Errorf("a download: %v\n%s", err, r.Text())
	}
	if err := act("#buy", "click", ""); err != nil {
		t.Error(err)
	}
	look, err := s.Look(ctx, rove.LookOptions{})
	if err != nil || look.Title != "bought" {
		t.Errorf("the title is %q, %v", look.Title, err)
	}
}

// TestConsent: what a rule names is done if somebody agrees, and not otherwise,
// however it is written; what none names is not asked about.
func TestConsent(t *testing.T) {
	testkit.NeedsBrowser(t)
	site := shop(t)
	ctx, s := strict(t, rove.Options{Confirm: []string{"click:Buy", "upload", "eval", "offline", "go@*.bank.example"}})
	if _, err := s.Go(ctx, site); err != nil {
		t.Fatal(err)
	}
	var asked []string
	answer, trouble := false, error(nil)
	asking := rove.WithConfirm(ctx, func(_ context.Context, q rove.Question) (bool, error) {
		asked = append(asked, q.String())
		return answer, trouble
	})
	title := func() string {
		t.Helper()
		r, err := s.Look(ctx, rove.LookOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Title
	}
	buy := []rove.Step{
		{Ref: "#buy", Op: "click"},
		{Ref: "{button}Buy now", Op: "dblclick"},
		{Ref: "button#buy", Op: "click"},
		{Ref: "#buy", Op: "press", Value: "Enter"},
	}
	for _, st := range buy {
		// Nobody to ask, somebody who says no, somebody who can't be asked.
		if _, err := s.Act(ctx, st); code(err) != rove.CodePolicy || !strings.Contains(err.Error(), "without --confirm click:Buy") {
			t.Errorf("%v, nobody there: %v", st, err)
		}
		asked, answer, trouble = nil, false, nil
		r, err := s.Act(asking, st)
		if code(err) != rove.CodePolicy || !strings.Contains(err.Error(), "did not agree") || r == nil || len(r.Done) != 0 {
			t.Errorf("%v, refused: %v", st, err)
		}
		if len(asked) != 1 || !strings.Contains(asked[0], `button "Buy now"`) || !strings.Contains(asked[0], site) {
			t.Errorf("%v: asked %q", st, asked)
		}
		trouble = errors.New("no terminal")
		if _, err := s.Act(asking, st); code(err) != rove.CodePolicy || !strings.Contains(err.Error(), "no terminal") {
			t.Errorf("%v, not asked: %v", st, err)
		}
		trouble = nil
	}
	if got := title(); got != "Shop" {
		t.Fatalf("it was done: %q", got)
	}
	for name, try := range map[string]func() error{
		"eval":   func() error { _, err := s.Eval(asking, "buy.click()"); return err },
		"wait":   func() error { _, err := s.Wait(asking, "buy.click() || 1", 0); return err },
		"upload": func() error { _, err := s.Act(asking, rove.Step{Ref: "#f", Op: "upload", Value: "/x"}); return err },
		"go":     func() error { _, err := s.Go(asking, "www.bank.example"); return err },
		"offline": func() error {
			_, err := s.Act(asking, rove.Step{Ref: "_page", Op: "emulate", Value: "offline"})
			return err
		},
		"new tab": func() error {
			_, err := s.Act(asking, rove.Step{Ref: "_page", Op: "tab", Value: "new www.bank.example"})
			return err
		},
	} {
		asked = nil
		if err := try(); code(err) != rove.CodePolicy || len(asked) != 1 {
			t.Errorf("%s: %v, asked %q", name, err, asked)
		}
	}

	asked = nil
	if _, err := s.Act(asking, rove.Step{Ref: "#look", Op: "click"}, rove.Step{Ref: "#name", Op: "input", Value: "Buy"}); err != nil || len(asked) != 0 {
		t.Errorf("what no rule names: %v, asked %q", err, asked)
	}
	if got := title(); got != "looked" {
		t.Errorf("title %q", got)
	}
	answer = true
	if _, err := s.Act(asking, rove.Step{Ref: "#name", Op: "input", Value: "Ada"}, rove.Step{Ref: "#buy", Op: "click"}); err != nil || len(asked) != 1 {
		t.Errorf("agreed: %v, asked %q", err, asked)
	}
	if got := title(); got != "bought" {
		t.Errorf("agreed, and the title is %q", got)
	}
}

// TestConsentIsForWhatWasSeen: a button that becomes another while somebody makes up
// their mind is not clicked.
func TestConsentIsForWhatWasSeen(t *testing.T) {
	testkit.NeedsBrowser(t)
	site := shop(t)
	ctx, s := strict(t, rove.Options{Confirm: []string{"click:Look"}})
	if _, err := s.Go(ctx, site); err != nil {
		t.Fatal(err)
	}
	asking := rove.WithConfirm(ctx, func(ctx context.Context, _ rove.Question) (bool, error) {
		_, err := s.Driver().Tab().Script(ctx, "look.textContent = 'Delete everything'")
		return true, err
	})
	if _, err := s.Act(asking, rove.Step{Ref: "#look", Op: "click"}); code(err) != rove.CodeStale {
		t.Errorf("it was clicked: %v", err)
	}
}
