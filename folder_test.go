package rove_test

import (
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// files has a session download a file, save a result and a PDF, and gives the
// list of its folder.
func files(t *testing.T, s *rove.Session) []rove.File {
	t.Helper()
	ctx := t.Context()
	url := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page("<h1>Files</h1>"),
		"/report.csv": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", "attachment")
			_, _ = w.Write([]byte("a,b\n"))
		},
	})
	for _, path := range []string{"/", "/report.csv"} {
		if _, err := s.Go(ctx, url+path); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Eval(ctx, `"x".repeat(5000)`); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Act(ctx, rove.Step{Ref: "_page", Op: "pdf"}); err != nil {
		t.Fatal(err)
	}
	list, err := s.Folder().Files()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestFolderListsWhatASessionMade(t *testing.T) {
	_, s := open(t)
	var got []string
	for _, f := range files(t, s) {
		got = append(got, f.Kind+" "+f.Name)
		info, err := os.Stat(f.Path)
		if err != nil || info.Size() != f.Size || f.Size == 0 || f.Time.IsZero() {
			t.Errorf("%+v: %v", f, err)
		} else if info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
			t.Errorf("%s: %v", f.Name, info.Mode())
		}
	}
	slices.Sort(got) // a clock may be too coarse to tell which was first
	if want := []string{"download report.csv", "pdf 2-page.pdf", "result 1-eval.json"}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	if info, err := os.Stat(s.Folder().Path()); err != nil || info.Mode().Perm() != 0o700 && os.PathSeparator == '/' {
		t.Errorf("the folder: %v, %v", info.Mode(), err)
	}
	// A download under way is one, and no more.
	if err := os.WriteFile(filepath.Join(s.Folder().Path(), "0c0ffee0-0000-4000-8000-00000000beef"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := s.Folder().Files()
	if err != nil || !slices.ContainsFunc(list, func(f rove.File) bool { return f.Kind == rove.FilePartial && strings.HasPrefix(f.Name, "0c0ffee0") }) {
		t.Errorf("a partial download: %+v, %v", list, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.Folder().Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is left: %v", err)
	}
	if _, err := s.Folder().Files(); code(err) != rove.CodeClosed {
		t.Errorf("the list of a session that is over: %v", err)
	}
}

func TestFolderIsKept(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	output := filepath.Join(t.TempDir(), "made", "output")
	b, err := rove.Launch(t.Context(), rove.Options{Output: output})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	var sessions [2]*rove.Session
	for i := range sessions {
		if sessions[i], err = b.Open(t.Context(), rove.Viewport{}); err != nil {
			t.Fatal(err)
		}
	}
	made := files(t, sessions[0])
	if other, err := sessions[1].Folder().Files(); err != nil || len(other) > 0 {
		t.Errorf("the other session has %v, %v", other, err)
	}
	leftover := filepath.Join(sessions[0].Folder().Path(), "0c0ffee0-0000-4000-8000-00000000beef.crdownload")
	if err := os.WriteFile(leftover, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{filepath.Dir(output), output, sessions[0].Folder().Path()} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 && runtime.GOOS != "windows" {
			t.Errorf("%s is open to others: %v, %v", dir, info, err)
		}
	}
	for _, f := range made {
		if info, err := os.Stat(f.Path); err != nil || info.Size() != f.Size || !strings.HasPrefix(f.Path, output) {
			t.Errorf("%s was not kept: %v", f.Path, err)
		}
	}
	if _, err := os.Stat(leftover); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("half a download was kept: %v", err)
	}
	left, err := os.ReadDir(output)
	if err != nil || len(left) != 1 {
		t.Errorf("an empty folder was kept: %v, %v", left, err)
	}

	if _, err := rove.Launch(t.Context(), rove.Options{Output: "/dev/null/x"}); code(err) != rove.CodeInvalid {
		t.Errorf("an output folder that cannot be: %v", err)
	}
}

// TestNoFileTakesAnothersPlace: whatever pages call their downloads, results and
// downloads leave each other alone.
func TestNoFileTakesAnothersPlace(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	t.Parallel()
	page := testkit.ServeHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/file" {
			w.Header().Set("Content-Disposition", "attachment; filename=1-result.txt")
			_, _ = w.Write([]byte("downloaded"))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<a href=/file>file</a>"))
	}))
	s, err := rove.Open(testkit.Context(t), rove.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.Go(testkit.Context(t), page); err != nil {
		t.Fatal(err)
	}
	fetch := func() {
		t.Helper()
		if done, err := s.Act(testkit.Context(t), rove.Step{Ref: "e1", Op: "click"}); err != nil || !strings.Contains(done.Text(), "result") {
			t.Fatal(done, err)
		}
	}
	fetch()
	for _, text := range []string{"saved", "again"} {
		if _, err := s.Folder().Save(rove.FileResult, "result.txt", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	fetch()
	files, err := s.Folder().Files()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, f := range files {
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		got[f.Kind+" "+string(data)]++
	}
	want := map[string]int{"download downloaded": 2, "result saved": 1, "result again": 1}
	if !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
