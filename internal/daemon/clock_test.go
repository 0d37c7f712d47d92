package daemon

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rove/internal/testkit"
)

// A clock that jumps leaves files of another time behind it, from long ago or from years
// to come. What runs is found all the same, and what is left is swept all the same: locks
// say who lives, not dates.
func TestClockJumps(t *testing.T) {
	testkit.NeedsBrowser(t)
	for name, date := range map[string]time.Time{"back": time.Unix(86400, 0), "ahead": time.Now().AddDate(20, 0, 0)} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			site := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page("<h1>Here</h1>")})
			u.must("go", site)
			first := u.daemon()
			redate(t, os.Getenv("ROVE_HOME"), date)
			if out := u.must("look"); !strings.Contains(out, "Here") {
				t.Errorf("the session is another: %q", out)
			}
			if now := u.daemon(); now == nil || now.Pid != first.Pid || u.started() != 1 {
				t.Errorf("the daemon is another: %+v", now)
			}
			if n := len(testkit.Browsers(t)); n != 1 {
				t.Errorf("%d browsers, want the one", n)
			}
			browsers := testkit.Browsers(t)
			redate(t, os.Getenv("ROVE_HOME"), date)
			signal(t, first.Pid, syscall.SIGKILL)
			u.must("go", site)
			testkit.NoBrowsers(t, append(browsers, first.Pid), time.Minute)
		})
	}
}

// redate gives all files of a folder a date.
func redate(t *testing.T, root string, date time.Time) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type()&os.ModeSymlink == 0 {
			_ = os.Chtimes(path, date, date) // a browser's own files come and go
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A daemon to whose clock the machine is up for years more than to ours, as after a
// move to another machine: it serves, idles and is swept like any other.
func TestDaemonOfAnotherUptime(t *testing.T) {
	testkit.NeedsBrowser(t)
	if exec.Command("unshare", "--time", "--monotonic", "1", "true").Run() != nil {
		t.Skip("clocks of its own are given to a process on Linux alone, by root, with unshare")
	}
	u := newUser(t)
	elsewhere := *u
	elsewhere.program = filepath.Join(t.TempDir(), "rove-elsewhere")
	script := "#!/bin/sh\nexec unshare --time --monotonic 99999999 --boottime 99999999 " + program + ` "$@"` + "\n"
	if err := os.WriteFile(elsewhere.program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	elsewhere.must("eval", "window.kept = 1")
	first, browsers := u.daemon(), testkit.Browsers(t)
	if out := u.must("eval", "window.kept"); out != "1" || u.started() != 1 {
		t.Errorf("it is not the same session: %q", out)
	}
	signal(t, first.Pid, syscall.SIGKILL)
	u.must("eval", "1")
	if u.started() != 2 {
		t.Errorf("%d daemons, want 2", u.started())
	}
	testkit.NoBrowsers(t, append(browsers, first.Pid), time.Minute)
}
