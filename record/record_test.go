package record_test

import (
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
	"rove/internal/testkit/apps"
	"rove/record"
)

var browser *rove.Browser

func TestMain(m *testing.M) {
	os.Exit(testkit.Main(m, testkit.Share(&browser, func(ctx context.Context) (*rove.Browser, error) {
		return rove.Launch(ctx, rove.Options{})
	})))
}

// A program makes a script and API tests of what it did, as the other doors do.
func TestForPrograms(t *testing.T) {
	testkit.ShellIsEnough(t)
	testkit.NeedsBrowser(t)
	testkit.Parallel(t)
	ctx := testkit.Context(t)
	base := testkit.ServeHandler(t, apps.New())
	s, err := browser.Open(ctx, rove.Viewport{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, s)
	if _, err := s.Go(ctx, base+"/login"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Act(ctx, rove.Step{Ref: "{input}Email", Op: "input", Value: apps.User}, rove.Step{Ref: "{input}Password", Op: "input", Value: apps.Password}, rove.Step{Ref: "{button}Sign in", Op: "click"}); err != nil {
		t.Fatal(err)
	}

	password := map[string]string{"password": apps.Password}
	script, err := record.Script(ctx, s, record.ScriptOptions{Name: "sign in", Replays: 1, Params: password})
	if err != nil {
		t.Fatal(err)
	}
	if !script.Proved || !strings.Contains(script.Text, "Scenario:") || !strings.Contains(script.Text, script.Verdict) || strings.Contains(script.Text, apps.Password) {
		t.Errorf("%+v\n%s", script, script.Text)
	}
	if r, err := s.Replay(ctx, script.Flow, rove.ReplayOptions{Params: password}); err != nil || !r.OK {
		t.Errorf("replay: %v", err)
	}
	if _, err := record.Script(ctx, s, record.ScriptOptions{Format: "cobol"}); rove.CodeOf(err) != rove.CodeInvalid {
		t.Errorf("a format that there is not: %v", err)
	}

	traffic, err := record.Traffic(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := record.API(ctx, []io.Reader{traffic}, record.APIOptions{Runs: 1, Include: regexp.MustCompile("/api/|/login"), Secrets: password})
	if err != nil {
		t.Fatal(err)
	}
	if text := tests.String(); len(tests.Files) < 2 || !strings.Contains(text, "/contacts") || strings.Contains(text, apps.Password) {
		t.Errorf("%v\n%s", tests.Head, text)
	}
	if _, err := record.API(ctx, []io.Reader{strings.NewReader("{")}, record.APIOptions{}); rove.CodeOf(err) != rove.CodeInvalid {
		t.Errorf("no archive: %v", err)
	}
}
