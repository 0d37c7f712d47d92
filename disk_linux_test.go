package rove_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// smallDisk is a file system of half a megabyte.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("only root can have a disk that is full: mount: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// TestFullDisk: what does not fit is told, and leaves no file that looks like one.
func TestFullDisk(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	t.Parallel()
	page := testkit.ServeHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large", "/small":
			w.Header().Set("Content-Disposition", "attachment; filename=file.bin")
			size := 4 << 20
			if r.URL.Path == "/small" {
				size = 10
			}
			w.Header().Set("Content-Length", fmt.Sprint(size))
			_, _ = w.Write([]byte(strings.Repeat("x", size)))
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<a href=/large>large</a> <a href=/small>small</a>")
		}
	}))
	s, err := rove.Open(testkit.Context(t), rove.Options{Output: smallDisk(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	ctx := testkit.Context(t)
	if _, err := s.Go(ctx, page); err != nil {
		t.Fatal(err)
	}
	none := func(after string) {
		t.Helper()
		files, err := s.Folder().Files()
		if err != nil || len(files) > 0 {
			t.Errorf("after %s: %v, %v", after, files, err)
		}
	}
	if _, err := s.Folder().Save(rove.FileResult, "result.txt", make([]byte, 1<<20)); err == nil {
		t.Error("a result larger than the disk was saved")
	}
	none("a result")
	done, err := s.Act(ctx, rove.Step{Ref: "e1", Op: "click"})
	if err != nil || !strings.Contains(done.Text(), `download "file.bin" failed`) {
		t.Errorf("a download larger than the disk: %v, %v", done, err)
	}
	testkit.Eventually(t, "nothing of it is left", func() bool {
		files, err := s.Folder().Files()
		return err == nil && len(files) == 0
	})
	// The last block is taken too: a file can be made, and nothing put into it.
	filler := filepath.Join(filepath.Dir(s.Folder().Path()), "filler")
	_ = os.WriteFile(filler, make([]byte, 1<<20), 0o600)
	if done, err = s.Act(ctx, rove.Step{Ref: "e2", Op: "click"}); err != nil || !strings.Contains(done.Text(), `download "file.bin" failed`) {
		t.Errorf("a small download: %v, %v", done, err)
	}
	none("a small download")
	if _, err := s.Folder().Save(rove.FileResult, "result.txt", []byte("x")); err == nil {
		t.Error("a result was saved on a full disk")
	}
	none("a small result")
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if done, err = s.Act(ctx, rove.Step{Ref: "e2", Op: "click"}); err != nil || !strings.Contains(done.Text(), `file.bin" (10 bytes`) {
		t.Errorf("with room again: %v, %v", done, err)
	}
}
