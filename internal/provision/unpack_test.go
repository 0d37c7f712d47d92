package provision

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each archive tries to write, link or read outside of the directory.
var evilTars = map[string][]tarEntry{
	"parent":             {{name: "../evil", body: "x"}},
	"deep parent":        {{name: "a/b/../../../evil", body: "x"}},
	"absolute":           {{name: "/tmp/evil", body: "x"}},
	"backslashes":        {{name: `..\evil`, body: "x"}},
	"empty":              {{name: "", body: "x"}},
	"parent directory":   {{name: "../evil/", kind: tar.TypeDir}},
	"link to parent":     {{name: "a", kind: tar.TypeSymlink, link: ".."}},
	"absolute link":      {{name: "a", kind: tar.TypeSymlink, link: "/etc"}},
	"empty link":         {{name: "a", kind: tar.TypeSymlink}},
	"write through link": {{name: "a", kind: tar.TypeSymlink, link: "../.."}, {name: "a/evil", body: "x"}},
	"two links":          {{name: "p/q/d", kind: tar.TypeSymlink, link: "../.."}, {name: "p/q/e", kind: tar.TypeSymlink, link: "d/.."}},
	"two links, written": {{name: "p/q/d", kind: tar.TypeSymlink, link: "../.."}, {name: "p/q/e", kind: tar.TypeSymlink, link: "d/.."}, {name: "p/q/e/evil", body: "x"}},
	"hard link":          {{name: "a", kind: tar.TypeLink, link: "/etc/passwd"}},
	"device":             {{name: "a", kind: tar.TypeChar}},
	"pipe":               {{name: "a", kind: tar.TypeFifo}},
	"twice":              {{name: "a", body: "x"}, {name: "./a", body: "y"}},
}

func untarInto(t testing.TB, dir string, data []byte) error {
	t.Helper()
	u, err := newUnpacker(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	err = u.untar(bytes.NewReader(data))
	if closeErr := u.close(); err == nil {
		err = closeErr
	}
	return err
}

func TestUnpackRefusesToLeave(t *testing.T) {
	for name, entries := range evilTars {
		t.Run("tar "+name, func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "in", "side")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := untarInto(t, dir, makeTar(t, entries...)); err == nil {
				t.Error("no error")
			}
			assertNothingOutside(t, outer)
		})
	}
	for name, files := range map[string]map[string]string{
		"parent":    {"../evil": "x"},
		"absolute":  {"/tmp/evil": "x"},
		"backslash": {`..\evil`: "x"},
		"link":      {"a->": "../.."},
	} {
		t.Run("zip "+name, func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "in", "side")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			data := makeZip(t, files)
			if err := unzip(t.Context(), bytes.NewReader(data), int64(len(data)), dir); err == nil {
				t.Error("no error")
			}
			assertNothingOutside(t, outer)
		})
	}
}

// assertNothingOutside looks for files other than those in outer/in/side.
func assertNothingOutside(t testing.TB, outer string) {
	t.Helper()
	for _, pattern := range []string{filepath.Join(outer, "*"), filepath.Join(outer, "in", "*"), "/tmp/evil"} {
		found, _ := filepath.Glob(pattern)
		for _, path := range found {
			if path != filepath.Join(outer, "in") && path != filepath.Join(outer, "in", "side") {
				t.Errorf("written outside: %s", path)
			}
		}
	}
}

func TestUnpackKeepsWhatMatters(t *testing.T) {
	dir := t.TempDir()
	err := untarInto(t, dir, makeTar(t,
		tarEntry{name: "./", kind: tar.TypeDir},
		tarEntry{name: "app/Versions/1/run", body: "program"},
		tarEntry{name: "app/Versions/Current", kind: tar.TypeSymlink, link: "1"},
		tarEntry{name: "app/run", kind: tar.TypeSymlink, link: "Versions/Current/run"},
		tarEntry{name: "app/dangling", kind: tar.TypeSymlink, link: "nothing"},
	))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "app", "run"))
	if err != nil || string(got) != "program" {
		t.Errorf("through two links: %q, %v", got, err)
	}
	info, err := os.Stat(filepath.Join(dir, "app", "run"))
	if err != nil || info.Mode()&0o111 == 0 {
		t.Errorf("not executable: %v, %v", info.Mode(), err)
	}
}

func TestUnpackIsBounded(t *testing.T) {
	u, err := newUnpacker(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	u.left = 10
	if err := u.file("a", false, strings.NewReader("12345")); err != nil {
		t.Error(err)
	}
	if err := u.file("b", false, strings.NewReader(strings.Repeat("x", 6))); err == nil {
		t.Error("more than allowed was written")
	}
	u.entries = maxEntries
	if err := u.dir("c"); err == nil {
		t.Error("more entries than allowed")
	}
	if err := u.close(); err != nil {
		t.Error(err)
	}
}

func FuzzUntar(f *testing.F) {
	for _, entries := range evilTars {
		f.Add(makeTar(f, entries...))
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		outer := t.TempDir()
		dir := filepath.Join(outer, "in", "side")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		_ = untarInto(t, dir, data)
		assertNothingOutside(t, outer)
	})
}
