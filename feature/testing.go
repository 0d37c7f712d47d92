package feature

import (
	"context"
	"fmt"

	"rove/report"
)

// T is what Test needs of *testing.T: programs that only run suites do not pull
// in package testing.
type T interface {
	Helper()
	Context() context.Context
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
}

// Test runs the features below paths, each scenario a subtest of t:
//
//	func TestFeatures(t *testing.T) { feature.Test(t, "testdata") }
func Test[TT interface {
	T
	Run(name string, f func(TT)) bool
}](t TT, paths ...string) {
	t.Helper()
	TestWith(t, Options{Paths: paths, Output: "-"})
}

// TestWith is Test with options.
func TestWith[TT interface {
	T
	Run(name string, f func(TT)) bool
}](t TT, opts Options) {
	t.Helper()
	result, err := Run(t.Context(), opts)
	if err != nil {
		t.Fatalf("%v", err)
		return
	}
	for _, b := range result.Broken {
		t.Errorf("%s", b.Error)
	}
	if result.Passed+result.Failed+result.Skipped == 0 && len(result.Broken) == 0 {
		t.Fatalf("no scenario was found in %v", opts.Paths)
	}
	for _, f := range result.Files {
		for _, s := range f.Scenarios {
			t.Run(fmt.Sprintf("%s:%d %s", s.Feature.Path, s.Line, s.Name), func(t TT) {
				t.Helper()
				for _, st := range s.Steps {
					if st.Log != "" {
						t.Logf("%s:%d %s", s.Feature.Path, st.Line, st.Log)
					}
				}
				if s.Status == report.Failed {
					t.Errorf("%s:%d: %s", s.ErrorPath, s.ErrorLine, s.Error)
				}
			})
		}
	}
}
