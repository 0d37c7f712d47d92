package apitest_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"rove/feature"
	"rove/internal/apitest"
	"rove/internal/har"
)

// run runs features with rove.
func run(ctx context.Context, r apitest.Run) (apitest.RunResult, error) {
	result, err := feature.Run(ctx, feature.Options{
		Paths: []string{filepath.Join(r.Dir, r.File)}, Dir: r.Dir, ConfigDir: r.Dir, Properties: r.Properties, Name: r.Name, Threads: 1, Output: "-",
	})
	if err != nil {
		return apitest.RunResult{}, err
	}
	out := apitest.RunResult{Passed: result.Passed, Failed: result.Failed + len(result.Broken)}
	for _, f := range result.Files {
		for _, s := range f.Scenarios {
			if s.Error != "" {
				out.Failures = append(out.Failures, s.Name+": "+s.Error)
			}
		}
		if f.Broken != nil {
			out.Failures = append(out.Failures, f.Broken.Error)
		}
	}
	return out, nil
}

// kinds are the applications, and what is done with each.
var kinds = []struct {
	name   string
	routes func(*app)
	use    func(*browser)
	life   int
}{
	{"cookie", cookieApp, useCookies, 0},
	{"bearer", bearerApp, useBearer, 0},
	{"refresh", refreshApp, useRefresh, 2},
}

func TestProve(t *testing.T) {
	t.Parallel()
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			a := newApp(t, k.routes)
			a.life = k.life
			b := newBrowser(t, a)
			k.use(b)
			a.life = 0
			s, err := apitest.Prove(t.Context(), [][]*har.Entry{b.entries}, apitest.Options{}, apitest.Proof{
				Run: run, Reset: func(context.Context) error { a.reset(); return nil },
			})
			if s != nil {
				for _, f := range s.Feature() {
					t.Logf("%s\n%s", f.Name, f.Text)
					if dir := os.Getenv("KEEP"); dir != "" {
						_ = os.MkdirAll(filepath.Join(dir, k.name), 0o755)
						_ = os.WriteFile(filepath.Join(dir, k.name, f.Name), []byte(f.Text), 0o644)
					}
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
