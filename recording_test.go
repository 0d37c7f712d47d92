package rove_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/derive"
	"rove/internal/recording"
	"rove/internal/testkit"
	"rove/internal/testkit/apps"
)

// does has a session do steps, each written as a model would.
func does(t *testing.T, ctx context.Context, s *rove.Session, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if to, ok := strings.CutPrefix(line, "go "); ok {
			if _, err := s.Go(ctx, to); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			continue
		}
		parts := strings.SplitN(line, "|", 3)
		st := rove.Step{Ref: parts[0], Op: parts[1]}
		if len(parts) > 2 {
			st.Value = parts[2]
		}
		if _, err := s.Act(ctx, st); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}

// adds is the way of somebody who logs in, adds a contact, filters and deletes.
func adds(base string) []string {
	return []string{
		"go " + base + "/login",
		"{input}Email|input|" + apps.User,
		"{input}Password|input|" + apps.Password,
		"{button}Sign in|click",
		"{button}Add contact|click",
		"{input}Name|input|Ada Lovelace",
		"{input}Email address|input|countess@example.com",
		"{select}Team|select|Poetry",
		"{input}I have asked them|check",
		"{button}Save|click",
		"{searchbox}Filter|input|Ada",
		"{searchbox}Filter|input|",
		"{button:1}Delete|click",
		"_page|dialog|accept",
	}
}

func derived(t *testing.T, s *rove.Session) *recording.Flow {
	t.Helper()
	f, err := derive.Flow(s.Recording(), derive.Options{Name: "contacts"})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// again replays a flow in a session of its own.
func again(t *testing.T, ctx context.Context, f *recording.Flow, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
	t.Helper()
	s, err := browser.Open(ctx, rove.Viewport{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if opts.Params == nil {
		opts.Params = map[string]string{"password": apps.Password}
	}
	return s.Replay(ctx, f, opts)
}

// TestRecordedFlowsReplay does a flow on an application, derives it and does it
// again: on one as it was, on one with other ids and classes, and on broken ones.
func TestRecordedFlowsReplay(t *testing.T) {
	for _, shifting := range []bool{false, true} {
		name := "steady"
		if shifting {
			name = "shifting"
		}
		t.Run(name, func(t *testing.T) {
			ctx, s := open(t)
			app := apps.New()
			app.Shifting = shifting
			base := testkit.ServeHandler(t, app)
			does(t, ctx, s, adds(base)...)
			f := derived(t, s)
			var file bytes.Buffer
			if err := s.SaveRecording(&file); err != nil {
				t.Fatal(err)
			}
			if err := f.Write(&file); err != nil {
				t.Fatal(err)
			}
			for _, form := range []string{apps.Password, base64.StdEncoding.EncodeToString([]byte(apps.Password)), url.QueryEscape(apps.Password), url.PathEscape(apps.Password)} {
				if strings.Contains(file.String(), form) {
					t.Errorf("the password is in the recording, as %s", form)
				}
			}
			app.Reset()
			r, err := again(t, ctx, f, rove.ReplayOptions{})
			if err != nil {
				t.Fatalf("%v\n%s", err, strings.Join(r.Trace, "\n"))
			}
			if r.Done != len(f.Steps) || r.Checked == 0 || len(r.Heals) > 0 {
				t.Errorf("%+v", r)
			}
			if shifting {
				return
			}
			for _, broken := range []string{"login", "save", "lose", "gone", "delete", "title", "rename"} {
				t.Run(broken, func(t *testing.T) {
					t.Parallel()
					app := apps.New()
					app.Break(broken)
					opts := rove.ReplayOptions{Base: testkit.ServeHandler(t, app), Patience: 500 * time.Millisecond}
					if broken == "rename" { // which heals
						opts.Patience = 5 * time.Second
					}
					r, err := again(t, testkit.Context(t), f, opts)
					switch {
					case broken == "rename":
						if err != nil || len(r.Heals) != 1 || r.Heals[0].Renamed != "New person" {
							t.Errorf("%v %+v", err, r.Heals)
						}
					case err == nil:
						t.Errorf("it passes on a broken application\n%s", r.Text())
					case broken == "gone":
						has(t, err.Error(), `"Add contact"`, "there is", `heading "Contacts"`)
					}
				})
			}
		})
	}
}
