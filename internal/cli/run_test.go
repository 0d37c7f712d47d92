package cli

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestInterruptedRun ends a run as Ctrl-C does: what ran is reported, and the
// program ends with 130.
func TestInterruptedRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "Feature: slow\nScenario: done\n* def x = 1\nScenario: waits\n* karate.pause(120000)\nScenario: never\n* def x = 1\n"
	if err := os.WriteFile(filepath.Join(dir, "slow.feature"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(filepath.Join(program, "rove"), "run", "-T", "1")
	c.Dir = dir
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		told.WriteString(lines.Text() + "\n")
		if strings.HasPrefix(lines.Text(), "passed  slow.feature:2 done") {
			if err := c.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	err = c.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("it ended with %v\n%s", err, told.String())
	}
	if !strings.Contains(told.String(), "not all was run: interrupted") {
		t.Errorf("it told\n%s", told.String())
	}
	report, err := os.ReadFile(filepath.Join(dir, "target", "karate-reports", "slow.xml"))
	if err != nil || !strings.Contains(string(report), "done") {
		t.Errorf("the report: %v\n%s", err, report)
	}
}
