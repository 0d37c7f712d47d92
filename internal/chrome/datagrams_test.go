package chrome

import (
	"testing"
	"time"

	"rove/driver/backend"
	"rove/internal/policy"
	"rove/internal/testkit"
)

// A browser that lets datagrams out, for want of the switch or because somebody set it
// otherwise, gets no session with limits, and goes on having others.
func TestDatagramsAreHeldOrRefused(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.Parallel(t)
	limits, err := policy.New([]string{"example.com"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		opts Options
		held bool
	}{
		"launched with limits":    {Options{Policy: limits}, true},
		"launched without":        {Options{}, false},
		"with switches overruled": {Options{Policy: limits, Args: []string{"--webrtc-ip-handling-policy=default", "--force-webrtc-ip-handling-policy=default"}}, false},
		"with a profile":          {Options{Policy: limits, Profile: t.TempDir()}, true},
	} {
		t.Run(name, func(t *testing.T) {
			c.opts.Path, c.opts.Home = executable(), t.TempDir()
			b := launch(t, c.opts)
			ctx := within(t, time.Minute)
			start := time.Now()
			limited, err := b.NewContext(ctx, backend.ContextOptions{Policy: limits})
			t.Logf("took %v", time.Since(start))
			if c.held {
				if err != nil {
					t.Fatal(err)
				}
				tab, err := limited.NewTab(ctx)
				if err != nil {
					t.Fatal(err)
				}
				if url := tab.Frames()[0].URL; url != blank {
					t.Errorf("it begins at %s", url)
				}
				return
			}
			if !isKind(err, backend.KindPolicy) {
				t.Errorf("a session with limits: %v", err)
			}
			if _, err := b.NewContext(ctx, backend.ContextOptions{}); err != nil {
				t.Errorf("a session without: %v", err)
			}
		})
	}
}
