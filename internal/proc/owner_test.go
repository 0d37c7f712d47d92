//go:build unix

package proc

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The test binary plays the owner of a browser when roleEnv is set, so that the
// tests can have it die in every way an owner can.
const roleEnv = "ROVE_TEST_ROLE"

func playRole(role string) {
	path, home := os.Getenv("ROVE_TEST_BROWSER"), os.Getenv("ROVE_TEST_HOME")
	p, s, err := launch(context.Background(), path, home)
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	if os.Getenv("ROVE_TEST_HUNG") == "" {
		if _, err := ask(p, `{"id":1,"method":"Browser.getVersion"}`); err != nil {
			fmt.Println("error:", err, p.Output())
			os.Exit(1)
		}
	}
	fmt.Println("ready", p.Pid(), s.Dir)
	switch role {
	case "close":
		_ = p.Kill()
		_ = s.Remove()
	case "exit":
		os.Exit(3)
	case "panic":
		panic("the owner panics")
	case "panic with defers":
		defer func() { _ = s.Remove() }()
		defer func() { _ = p.Kill() }()
		panic("the owner panics")
	case "wait":
		select {}
	}
}

// owner is a child process that owns a browser.
type owner struct {
	cmd     *exec.Cmd
	browser int
	dir     string
}

func startOwner(t *testing.T, role, browser, home string, env ...string) *owner {
	t.Helper()
	o := &owner{cmd: exec.Command(os.Args[0])}
	o.cmd.Env = append(os.Environ(), roleEnv+"="+role, "ROVE_TEST_BROWSER="+browser, "ROVE_TEST_HOME="+home)
	o.cmd.Env = append(o.cmd.Env, env...)
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := o.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if _, scanErr := fmt.Sscanf(line, "ready %d %s", &o.browser, &o.dir); scanErr != nil {
		_ = o.cmd.Process.Kill()
		_ = o.cmd.Wait()
		t.Fatalf("the owner says %q (%v)", line, err)
	}
	return o
}

// kill is kill -9.
func (o *owner) kill(t *testing.T) {
	t.Helper()
	if err := o.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = o.cmd.Wait()
}

func TestOwnerDies(t *testing.T) {
	browser := browserPath(t)
	for _, tc := range []struct {
		role    string
		cleaned bool // by the owner itself
	}{
		{"close", true},
		{"panic with defers", true},
		{"panic", false},
		{"exit", false},
		{"wait", false}, // and kill -9
	} {
		t.Run(tc.role, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			o := startOwner(t, tc.role, browser, home)
			if tc.role == "wait" {
				o.kill(t)
			} else {
				_ = o.cmd.Wait()
			}
			if !tc.cleaned {
				// The end of the pipe ends the browser without any help.
				awaitGone(t, o.dir, o.browser)
				if _, err := os.Stat(o.dir); err != nil {
					t.Errorf("the run directory is gone before the sweep: %v", err)
				}
				if swept, err := Sweep(home); err != nil || swept.Dirs != 1 {
					t.Errorf("Sweep = %+v, %v; want one directory", swept, err)
				}
			}
			assertGone(t, o.dir, o.browser)
			assertEmpty(t, filepath.Join(home, "run"))
		})
	}
}

// A browser that hangs does not notice that its pipe ended: the sweep kills it.
func TestSweepEndsHungBrowser(t *testing.T) {
	home := t.TempDir()
	o := startOwner(t, "wait", browserPath(t), home)
	if n := len(members(o.dir, o.browser)); n < 3 {
		t.Errorf("a browser of %d processes", n)
	}
	// The kernel continues a stopped group when its owner dies, with a hang-up
	// signal that Chrome ends on; so it is stopped again right after.
	stopGroup(o.browser)
	o.kill(t)
	stopGroup(o.browser)
	if _, err := Sweep(home); err != nil {
		t.Error(err)
	}
	assertGone(t, o.dir, o.browser)
	assertEmpty(t, filepath.Join(home, "run"))
}

// The same with a program that ignores every polite signal and the pipe.
func TestSweepEndsStubbornTree(t *testing.T) {
	for name, lostRecord := range map[string]bool{"recorded": false, "died before recording": true} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			stubborn := filepath.Join(t.TempDir(), "stubborn")
			script := "#!/bin/sh\ntrap '' HUP INT TERM PIPE\nsleep 300 &\nwhile :; do sleep 300; done\n"
			if err := os.WriteFile(stubborn, []byte(script), 0o700); err != nil {
				t.Fatal(err)
			}
			o := startOwner(t, "wait", stubborn, home, "ROVE_TEST_HUNG=1")
			o.kill(t)
			if len(members(o.dir, o.browser)) == 0 {
				t.Fatal("it ended by itself: this test proves nothing")
			}
			if lostRecord {
				if err := os.Remove(filepath.Join(o.dir, recordName)); err != nil {
					t.Fatal(err)
				}
			}
			swept, err := Sweep(home)
			if err != nil || swept.Dirs != 1 || swept.Processes == 0 {
				t.Errorf("Sweep = %+v, %v", swept, err)
			}
			awaitGone(t, o.dir, o.browser)
			assertEmpty(t, filepath.Join(home, "run"))
		})
	}
}

// Every start sweeps, without being asked.
func TestNextStartSweeps(t *testing.T) {
	home := t.TempDir()
	left := filepath.Join(home, "run", "left", "profile")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := NewScratch(home)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what a predecessor left is still there")
	}
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
	assertEmpty(t, filepath.Join(home, "run"))
}

// The browser's temporary files go with the run directory, however long its name
// and however the owner ends.
func TestTemporaryFilesGo(t *testing.T) {
	browser := browserPath(t)
	for name, below := range map[string]string{"short": "", "long": strings.Repeat("long/", 20)} {
		t.Run(name, func(t *testing.T) {
			temp, err := os.MkdirTemp("", "t")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = os.RemoveAll(temp) }()
			home := filepath.Join(temp, "h", below)
			o := startOwner(t, "wait", browser, home, "TMPDIR="+temp)
			o.kill(t)
			if _, err := Sweep(home); err != nil {
				t.Error(err)
			}
			assertGone(t, o.dir, o.browser)
			if err := os.RemoveAll(filepath.Join(temp, "h")); err != nil {
				t.Error(err)
			}
			assertEmpty(t, temp)
		})
	}
}

func TestSweepLeavesTheLivingAlone(t *testing.T) {
	home := t.TempDir()
	p, s, err := launch(t.Context(), browserPath(t), home)
	if err != nil {
		t.Fatal(err)
	}
	swept, err := Sweep(home)
	if err != nil || swept != (Swept{}) {
		t.Errorf("Sweep = %+v, %v; want nothing", swept, err)
	}
	if _, err := ask(p, `{"id":1,"method":"Browser.getVersion"}`); err != nil {
		t.Errorf("the browser no longer answers: %v", err)
	}
	_ = p.Kill()
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
}

// A record that names a pid which now belongs to somebody else kills nobody.
func TestSweepChecksWhoItKills(t *testing.T) {
	bystander := exec.Command("sleep", "300")
	if err := bystander.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = bystander.Process.Kill(); _ = bystander.Wait() }()
	for _, record := range []string{
		fmt.Sprintf(`{"pid":%d,"started":"another boot 12345"}`, bystander.Process.Pid),
		fmt.Sprintf(`{"pid":%d,"started":""}`, bystander.Process.Pid),
		fmt.Sprintf(`{"pid":%d}`, bystander.Process.Pid),
		`{"pid":-1,"started":"x"}`, `{"pid":1,"started":"x"}`, `{"pid":0}`, `{`, ``, `null`,
	} {
		home := t.TempDir()
		dir := filepath.Join(home, "run", "left")
		if err := os.MkdirAll(filepath.Join(dir, "profile"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, recordName), []byte(record), 0o600); err != nil {
			t.Fatal(err)
		}
		swept, err := Sweep(home)
		if err != nil || swept != (Swept{Dirs: 1}) {
			t.Errorf("record %q: Sweep = %+v, %v", record, swept, err)
		}
		if _, err := startTime(bystander.Process.Pid); err != nil {
			t.Fatalf("record %q killed a bystander", record)
		}
		assertEmpty(t, filepath.Join(home, "run"))
	}
}

func TestNamesDir(t *testing.T) {
	const dir = "/home/u/.cache/rove/run/abc"
	for data, want := range map[string]bool{
		"chrome\x00--user-data-dir=" + dir + "/profile\x00": true,
		"A=1\x00ROVE_RUN=" + dir + "\x00B=2\x00":            true,
		"ROVE_RUN=" + dir:                                   true,
		"ROVE_RUN=" + dir + "d\x00":                         false,
		"tail\x00-f\x00" + dir + "/profile/log\x00":         false,
		"PWD=" + dir + "\x00":                               false,
		"":                                                  false,
		"\x00\x00":                                          false,
	} {
		if got := namesDir([]byte(data), dir); got != want {
			t.Errorf("namesDir(%q) = %v", data, got)
		}
	}
}

func TestSweepOfNothing(t *testing.T) {
	if swept, err := Sweep(filepath.Join(t.TempDir(), "none")); err != nil || swept != (Swept{}) {
		t.Errorf("Sweep = %+v, %v", swept, err)
	}
}

// awaitGone waits until the browser's processes are gone, bounded.
func awaitGone(t *testing.T, dir string, pgid int) {
	t.Helper()
	err := retry(t.Context(), 15*time.Second, func() (bool, error) {
		left := members(dir, pgid)
		if len(left) == 0 {
			return false, nil
		}
		return true, fmt.Errorf("still there: %s", strings.Join(left, "; "))
	})
	if err != nil {
		t.Error(err)
	}
}

func assertGone(t *testing.T, dir string, pgid int) {
	t.Helper()
	for _, m := range members(dir, pgid) {
		t.Errorf("left running: %s", m)
	}
}

func assertEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Error(err)
	}
	for _, e := range entries {
		t.Errorf("left behind: %s", filepath.Join(dir, e.Name()))
	}
}
