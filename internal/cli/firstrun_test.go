package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rove/internal/testkit"
)

// The two commands of the README, in their order, on a machine without a browser: the
// demo fetches a headless shell, and the tests run on it.
func TestDemoThenTest(t *testing.T) {
	testkit.ShellIsEnough(t)
	testkit.NeedsBrowser(t)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the tests are run by a script for bash")
	}
	testkit.Parallel(t)
	home := t.TempDir()
	run := func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir = filepath.Join("..", "..")
		// Whatever browsers there are, none is to be found but what the demo fetches.
		cmd.Env = append(os.Environ(), "ROVE_HOME="+home, "ROVE_BROWSER=shell")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := run(filepath.Join(program, "rove"), "demo")
	if err != nil && strings.Contains(out, "can't be reached") {
		t.Skipf("no browser can be fetched from here: %s", out)
	}
	if err != nil || !strings.Contains(out, "Installed headless shell") {
		t.Fatalf("rove demo: %v\n%s", err, out)
	}
	out, err = run(bash, filepath.Join("scripts", "test.sh"), "./pwa", "-count=1", "-run", "TestManifestAudit")
	if err != nil || strings.Contains(out, "no tests to run") || !strings.Contains(out, "test: on a headless shell, "+home) || !strings.Contains(out, "passed") {
		t.Errorf("scripts/test.sh: %v\n%s", err, out)
	}
}
