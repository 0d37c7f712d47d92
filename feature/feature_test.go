package feature_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rove/feature"
)

// TestLanguage runs the features that real Karate passes, too.
func TestLanguage(t *testing.T) {
	t.Parallel()
	feature.TestWith(t, feature.Options{Dir: "testdata/language", Output: "-", Properties: map[string]string{"given": "by hand"}})
}

// files writes a suite and gives its folder.
func files(t *testing.T, pairs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i+1 < len(pairs); i += 2 {
		path := filepath.Join(dir, filepath.FromSlash(pairs[i]))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.TrimLeft(pairs[i+1], "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func run(t *testing.T, opts feature.Options) *feature.Result {
	t.Helper()
	if opts.Output == "" {
		opts.Output = "-"
	}
	r, err := feature.Run(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// told lists the results: one line each, with what went wrong.
func told(r *feature.Result) string {
	var b strings.Builder
	for _, f := range r.Files {
		if f.Broken != nil {
			b.WriteString("broken " + f.Broken.Error + "\n")
		}
		for _, s := range f.Scenarios {
			b.WriteString(string(s.Status) + " " + s.Feature.Path + " " + s.Name)
			if s.Error != "" {
				b.WriteString(": " + s.Error)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
