package apitest_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	{"classic", classicApp, useClassic, 0},
	{"mixed", mixedApp, useMixed, 0},
}

// recorded is an application and what was done with it.
func recorded(t testing.TB, kind int) (*app, []*har.Entry) {
	t.Helper()
	k := kinds[kind]
	a := newApp(t, k.routes)
	a.life = k.life
	b := newBrowser(t, a)
	k.use(b)
	a.life = 0
	return a, b.entries
}

func (a *app) proof() apitest.Proof {
	return apitest.Proof{Run: run, Reset: func(context.Context) error { a.reset(); return nil }}
}

// proved derives a suite and proves it.
func proved(t testing.TB, kind int, change func(*apitest.Proof)) (*app, *apitest.Suite) {
	t.Helper()
	a, entries := recorded(t, kind)
	how := a.proof()
	if change != nil {
		change(&how)
	}
	s, err := apitest.Prove(t.Context(), [][]*har.Entry{entries}, apitest.Options{}, how)
	if err != nil {
		if s != nil {
			t.Logf("%s", s.Script()[0].Text)
			t.Logf("%s", s.Feature()[0].Text)
		}
		t.Fatal(err)
	}
	return a, s
}

// write writes files to a folder of the test.
func write(t testing.TB, files []apitest.File) string {
	t.Helper()
	dir := t.TempDir()
	if keep := os.Getenv("KEEP"); keep != "" {
		dir = filepath.Join(keep, t.Name())
		_ = os.MkdirAll(dir, 0o755)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestProve(t *testing.T) {
	t.Parallel()
	for kind, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			a, s := proved(t, kind, nil)
			if len(s.Verdict) != 1 || !strings.HasPrefix(s.Verdict[0], "PROVED: passed 2 of 2 runs") {
				t.Errorf("the verdict is %q", s.Verdict)
			}
			if len(s.Auth) == 0 && k.name != "classic" {
				t.Error("it did not see who signs in")
			}
			noSecrets(t, s, append([]string{thePassword}, a.issued...))
		})
		t.Run(k.name+" as a script", func(t *testing.T) {
			t.Parallel()
			_, s := proved(t, kind, func(p *apitest.Proof) { p.Script = true })
			if len(s.Verdict) != 1 {
				t.Errorf("the verdict is %q", s.Verdict)
			}
		})
	}
}

// TestProveWithoutReset proves on an application that keeps what was done.
func TestProveWithoutReset(t *testing.T) {
	t.Parallel()
	a, s := proved(t, 3, func(p *apitest.Proof) { p.Reset = nil })
	if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "takes 'guest_name' only once") }) {
		t.Errorf("the notes are %q", s.Notes)
	}
	dir := write(t, s.Feature())
	for _, fault := range []string{"", "stale list", "csrf off", "status POST /guests"} {
		a.break_(fault)
		r, err := run(t.Context(), apitest.Run{Dir: dir, File: "api.feature"})
		if err != nil {
			t.Fatal(err)
		}
		if (r.Failed > 0) != (fault != "") {
			t.Errorf("with fault %q: %d failed %s", fault, r.Failed, r.Failures)
		}
	}
}
