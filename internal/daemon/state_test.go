package daemon

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rove/internal/testkit"
)

// A killed daemon leaves a profile that the next one can use, and a file that was
// saved as it was.
func TestKilledDaemonWithProfile(t *testing.T) {
	testkit.NeedsBrowser(t)
	u := newUser(t)
	site := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page("<h1>Here</h1>")})
	dir := t.TempDir()
	profile, file := filepath.Join(dir, "profile"), filepath.Join(dir, "state.json")
	for range 2 {
		if out := u.must("go", site, "--profile", profile); !strings.Contains(out, "Here") {
			t.Errorf("it shows %q", out)
		}
		u.must("eval", "localStorage.a = 1")
		u.must("session", "save", DefaultSession, file)
		signal(t, u.daemon().Pid, syscall.SIGKILL)
	}
	u.must("session", "load", DefaultSession, file, "--profile", profile)
	u.must("go", site)
	if out := u.must("eval", "localStorage.a"); !strings.Contains(out, "1") {
		t.Errorf("local storage has %q", out)
	}
	u.must("session", "end")
	bad := filepath.Join(dir, "bad.json")
	if err := os.WriteFile(bad, []byte(`{"cookies": [{}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := u.run("session", "load", "two", bad, "--profile", profile); err == nil {
		t.Errorf("a file that is no state was loaded: %s", out)
	}
	if out := u.must("session", "list"); strings.Contains(out, "two") {
		t.Errorf("a failed load left a session: %s", out)
	}
	if _, err := os.Lstat(filepath.Join(profile, "rove.lock")); !os.IsNotExist(err) {
		t.Errorf("the lock was left: %v", err)
	}
}
