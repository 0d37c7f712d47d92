package proc

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// ROVE_HOME is where everything goes; without it, where the platform keeps caches.
func TestHome(t *testing.T) {
	user := t.TempDir()
	for _, name := range []string{"HOME", "USERPROFILE", "LocalAppData", "XDG_CACHE_HOME"} {
		t.Setenv(name, "")
	}
	caches := map[string]string{"windows": "LocalAppData", "darwin": "HOME", "linux": "HOME"}
	t.Setenv(caches[runtime.GOOS], user)
	below := map[string]string{"windows": "rove", "darwin": "Library/Caches/rove", "linux": ".cache/rove"}[runtime.GOOS]
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ set, want string }{
		{"", filepath.Join(user, filepath.FromSlash(below))},
		{filepath.Join(user, "mine"), filepath.Join(user, "mine")},
		{"beside", filepath.Join(here, "beside")}, // daemons have another working directory
	} {
		t.Setenv("ROVE_HOME", tt.set)
		if got, err := Home(); err != nil || got != tt.want {
			t.Errorf("ROVE_HOME=%q: %q, %v, want %q", tt.set, got, err, tt.want)
		}
	}
	if runtime.GOOS == "linux" {
		t.Setenv("ROVE_HOME", "")
		t.Setenv("XDG_CACHE_HOME", filepath.Join(user, "xdg"))
		if got, err := Home(); err != nil || got != filepath.Join(user, "xdg", "rove") {
			t.Errorf("XDG_CACHE_HOME: %q, %v", got, err)
		}
	}
	t.Setenv("ROVE_HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv(caches[runtime.GOOS], "")
	if got, err := Home(); err == nil || !strings.Contains(err.Error(), "set ROVE_HOME") {
		t.Errorf("without any: %q, %v", got, err)
	}
}

// What is kept for a run is below ROVE_HOME, for the user alone.
func TestScratchIsInHome(t *testing.T) {
	home := filepath.Join(t.TempDir(), "mine")
	t.Setenv("ROVE_HOME", home)
	s, err := NewScratch("")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Remove()
	if !strings.HasPrefix(s.Dir, filepath.Join(home, "run")+string(filepath.Separator)) {
		t.Errorf("it is %s", s.Dir)
	}
	if info, err := os.Stat(s.Dir); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
}
