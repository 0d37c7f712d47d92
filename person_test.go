package rove_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
	"rove/internal/testkit/apps"
	"rove/recording"
)

// TestPersonIsRecorded has hands do what a person would, below the session's verbs,
// and replays what was recorded of it.
func TestPersonIsRecorded(t *testing.T) {
	ctx, s := open(t)
	app := apps.New()
	base := testkit.ServeHandler(t, app)
	if _, err := s.Go(ctx, base+"/login"); err != nil {
		t.Fatal(err)
	}
	watch, stop := context.WithCancel(ctx)
	defer stop()
	told := make(chan recording.Step, 32)
	over := make(chan error, 1)
	go func() { over <- s.Watch(watch, func(st recording.Step) { told <- st }) }()
	within := func(op string, done <-chan time.Time) bool {
		for {
			select {
			case st := <-told:
				if st.Op == op || st.Verb == op {
					return true
				}
			case <-done:
				return false
			case <-ctx.Done():
				t.Fatalf("no %s was told", op)
			}
		}
	}
	await := func(op string) { within(op, nil) }
	d := s.Driver()
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	// What is done before the page is watched is not seen: once more, then.
	for seen := false; !seen; {
		must(d.Clear(ctx, "[name=email]"))
		must(d.Input(ctx, "[name=email]", apps.User))
		must(d.Clear(ctx, "[name=password]"))
		must(d.Input(ctx, "[name=password]", apps.Password))
		seen = within("input", time.After(3*time.Second)) // the second is told when it is left
	}
	must(d.Click(ctx, "{button}Sign in"))
	await("click")
	must(d.Click(ctx, "{button}Add contact"))
	await("click")
	must(nil, d.SetURL(ctx, base+"/frames")) // as by the address bar
	await("go")
	stop()
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	f := derived(t, s)
	var ops []string
	for _, do := range f.Steps {
		ops = append(ops, do.Op)
	}
	if got := strings.Join(ops, " "); got != "go input input click click go" {
		t.Fatalf("%s\n%+v", got, f.Steps)
	}
	var file strings.Builder
	if err := s.SaveRecording(&file); err != nil {
		t.Fatal(err)
	}
	hasNot(t, file.String(), apps.Password)
	if r, err := again(t, ctx, f, rove.ReplayOptions{}); err != nil {
		t.Errorf("%v\n%s", err, strings.Join(r.Trace, "\n"))
	}
}
