package daemon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rove/internal/testkit"
)

// program is rove as it is built for people; a daemon is a process, and is
// tested as one.
var program string

var buildFlags []string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "rove-bin")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	program = filepath.Join(dir, "rove")
	build := exec.Command("go", append(append([]string{"build"}, buildFlags...), "-o", program, "rove/cmd/rove")...)
	build.Stdout, build.Stderr = os.Stdout, os.Stderr
	code := 1
	if err := build.Run(); err == nil {
		code = testkit.Main(m)
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// user is somebody with a home of their own who runs commands.
type user struct {
	t       testing.TB
	program string
	env     []string
	place   Place
}

// newUser gives a home to the test, and takes care at its end that nothing is
// left: no daemon, no browser, no file but the log.
func newUser(t testing.TB, env ...string) *user {
	t.Helper()
	home, err := os.MkdirTemp("", "rh")
	if err != nil {
		t.Fatal(err)
	}
	return userAt(t, home, env...)
}

func userAt(t testing.TB, home string, env ...string) *user {
	t.Setenv("ROVE_HOME", home)
	place, err := Locate()
	if err != nil {
		t.Fatal(err)
	}
	u := &user{t: t, program: program, env: env, place: place}
	t.Cleanup(func() {
		defer os.RemoveAll(home)
		pid := place.holder()
		browsers := testkit.Browsers(t)
		if _, err := u.run("daemon", "stop"); err != nil {
			t.Error(err)
		}
		if pid > 0 {
			testkit.NoBrowsers(t, []int{pid}, 5*time.Second)
		}
		testkit.NoBrowsers(t, browsers, 5*time.Second)
		u.nothingLeft()
		log, _ := os.ReadFile(place.Log())
		if bytes.Contains(log, []byte("DATA RACE")) || bytes.Contains(log, []byte("panic:")) {
			t.Error("the daemon went wrong")
		}
		if t.Failed() {
			t.Logf("the daemon's log:\n%s", log)
		}
	})
	return u
}

func (u *user) nothingLeft() {
	u.t.Helper()
	for _, dir := range []string{u.place.Dir, filepath.Dir(u.place.Socket), filepath.Join(os.Getenv("ROVE_HOME"), "run")} {
		left, _ := os.ReadDir(dir)
		for _, e := range left {
			if !strings.HasPrefix(e.Name(), "daemon.log") {
				u.t.Errorf("left behind: %s", filepath.Join(dir, e.Name()))
			}
		}
	}
}

func (u *user) command(args ...string) *exec.Cmd {
	cmd := exec.Command(u.program, args...)
	cmd.Env = append(os.Environ(), u.env...)
	return cmd
}

// run runs a command and gives what it printed.
func (u *user) run(args ...string) (string, error) {
	cmd := u.command(args...)
	var trouble bytes.Buffer
	cmd.Stderr = &trouble
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("rove %s: %w: %s", strings.Join(args, " "), err, trouble.Bytes())
	}
	return strings.TrimSpace(string(out)), err
}

// must is run for commands that have to work.
func (u *user) must(args ...string) string {
	u.t.Helper()
	out, err := u.run(args...)
	if err != nil {
		u.t.Fatal(err)
	}
	return out
}

// touch makes a call that needs the daemon and no browser: its input is wrong.
func (u *user) touch() {
	u.t.Helper()
	if _, err := u.run("call", "look", `{"colour":"red"}`); exitCode(err) != 2 || !strings.Contains(err.Error(), "colour") {
		u.t.Fatal(err)
	}
}

// daemon is the state of the daemon; nil if there is none.
func (u *user) daemon() *Status {
	u.t.Helper()
	var s struct {
		Running bool
		Status
	}
	if err := json.Unmarshal([]byte(u.must("daemon", "status", "--json")), &s); err != nil {
		u.t.Fatal(err)
	}
	if !s.Running {
		return nil
	}
	return &s.Status
}

// started counts the daemons there have been.
func (u *user) started() int {
	log, _ := os.ReadFile(u.place.Log())
	return bytes.Count(log, []byte("msg=started"))
}

func signal(t testing.TB, pid int, sig syscall.Signal) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Signal(sig)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func exitCode(err error) int {
	var e *exec.ExitError
	if !errors.As(err, &e) {
		return -1
	}
	return e.ExitCode()
}
