package rove_test

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/bidi"
	"rove/internal/proc"
	"rove/internal/testkit"
	"rove/internal/webdriver"
)

// TestHoldsABrowser is the program that TestKilledLeavesNothing kills.
func TestHoldsABrowser(t *testing.T) {
	kind := os.Getenv("ROVE_TEST_HOLDS")
	if kind == "" {
		t.Skip("it is for TestKilledLeavesNothing")
	}
	t.Setenv("ROVE_HOME", cmp.Or(os.Getenv("ROVE_TEST_HOME"), os.Getenv("ROVE_HOME"))) // where its next start looks for what is left
	s, err := rove.Open(t.Context(), rove.Options{Browser: kind})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Go(t.Context(), "about:blank"); err != nil {
		t.Fatal(err)
	}
	fmt.Println("holds it")
	select { // until it is killed
	case <-time.After(time.Minute):
	case <-t.Context().Done():
	}
}

// Whoever has Firefox, a driver or a Playwright server open and is killed leaves no
// process: they end with it, or the next start of any rove ends them.
func TestKilledLeavesNothing(t *testing.T) {
	for _, kind := range []string{"firefox", "chromedriver", "geckodriver", "playwright"} {
		t.Run(kind, func(t *testing.T) {
			testkit.NeedsBrowser(t)
			testkit.ShellIsEnough(t)
			testkit.Parallel(t)
			var missing error
			switch kind {
			case "playwright":
				testkit.Playwright(t, rove.PlaywrightVersion)
			case "firefox":
				_, missing = bidi.Find()
			default:
				_, missing = webdriver.Find(kind)
			}
			if missing != nil {
				t.Skip(missing)
			}
			home := t.TempDir()
			cmd := exec.CommandContext(testkit.Context(t), os.Args[0], "-test.run=^TestHoldsABrowser$", "-test.v")
			cmd.Env = append(os.Environ(), "ROVE_TEST_HOLDS="+kind, "ROVE_TEST_HOME="+home)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stderr = cmd.Stdout
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var said strings.Builder
			for lines := bufio.NewScanner(out); lines.Scan() && !strings.Contains(lines.Text(), "holds it"); {
				said.WriteString(lines.Text() + "\n")
			}
			below := descendants(cmd.Process.Pid)
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			if len(below) == 0 {
				t.Fatalf("it had no browser: %s", said.String())
			}
			if !testkit.Within(func() bool {
				if gone(below) {
					return true
				}
				_, _ = proc.Sweep(home) // as the next start does
				return gone(below)
			}) {
				t.Errorf("of %d processes some are left: %v", len(below), below)
			}
		})
	}
}

// TestKilledTestsLeaveNothing: a browser that does not end with the tests that started it, as
// Firefox, and their home, are removed by the next tests.
func TestKilledTestsLeaveNothing(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	if _, err := bidi.Find(); err != nil {
		t.Skip(err)
	}
	temp := t.TempDir()
	tests := func(run string) *exec.Cmd {
		cmd := exec.CommandContext(testkit.Context(t), os.Args[0], "-test.run="+run, "-test.v")
		cmd.Env = append(os.Environ(), "TMPDIR="+temp, "ROVE_TEST_HOLDS=firefox", "ROVE_TEST_HOME=")
		return cmd
	}
	cmd := tests("^TestHoldsABrowser$")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan() && !strings.Contains(lines.Text(), "holds it"); {
	}
	below := descendants(cmd.Process.Pid)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if homes, _ := filepath.Glob(filepath.Join(temp, "rove-test*")); len(homes) != 1 || len(below) == 0 {
		t.Fatalf("it had homes %v and processes %v", homes, below)
	}
	if text, err := tests("^$").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if !testkit.Within(func() bool { return gone(below) }) {
		t.Errorf("of %d processes some are left: %v", len(below), below)
	}
}

// gone says that none of some processes is there any more.
func gone(list map[int]string) bool {
	for pid, began := range list {
		if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && startOf(string(b)) == began {
			return false
		}
	}
	return true
}

// descendants are the processes below one, with the moments they began at.
func descendants(of int) map[int]string {
	parents, began := map[int]int{}, map[int]string{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range stats {
		b, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		_, rest, _ := strings.Cut(string(b), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[0] != "Z" {
			parents[pid], _ = strconv.Atoi(fields[1])
			began[pid] = startOf(string(b))
		}
	}
	below := map[int]string{}
	for pid := range parents {
		for p := parents[pid]; p > 1; p = parents[p] {
			if p == of {
				below[pid] = began[pid]
				break
			}
		}
	}
	return below
}

// startOf is when a process began, of what the system says of it; "" where it has ended.
func startOf(stat string) string {
	_, rest, _ := strings.Cut(stat, ") ")
	fields := strings.Fields(rest)
	if len(fields) < 20 || fields[0] == "Z" {
		return ""
	}
	return fields[19]
}
