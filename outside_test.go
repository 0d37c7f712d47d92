package rove_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// TestPoolFromOutside: a program of another module has a pool on a browser that runs
// elsewhere, each driver as it was asked for and in a context of its own; the browser
// goes on when the pool is shut down.
func TestPoolFromOutside(t *testing.T) {
	ctx, _, _ := launch(t, rove.Options{Args: []string{"--remote-debugging-port=0"}})
	var port, path string
	testkit.Eventually(t, "the browser listens", func() bool {
		found, _ := filepath.Glob(filepath.Join(os.Getenv("ROVE_HOME"), "run", "*", "*", "DevToolsActivePort"))
		if len(found) == 0 {
			return false
		}
		text, _ := os.ReadFile(found[0])
		port, path, _ = strings.Cut(strings.TrimSpace(string(text)), "\n")
		return path != ""
	})
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	copied := func(from, to string) {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(outside, to), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	copied("testdata/outside/main.go", "main.go")
	copied("go.sum", "go.sum")
	// The same versions as here, so that nothing is fetched.
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(mod), "module rove", "module outside", 1) + "\nrequire rove v0.0.0\n\nreplace rove => " + here + "\n"
	if err := os.WriteFile(filepath.Join(outside, "go.mod"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	url := serve(t, `<title>Far</title>`)
	run := exec.CommandContext(ctx, "go", "run", "-mod=mod", ".", "ws://127.0.0.1:"+port+path, url)
	run.Dir = outside
	run.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	got, err := run.CombinedOutput()
	if err != nil || string(got) != `500 ""` {
		t.Errorf("the program says %q, %v", got, err)
	}
	if again, err := rove.Remote(ctx, "ws://127.0.0.1:"+port+path); err != nil {
		t.Errorf("the browser is gone with the pool: %v", err)
	} else {
		_ = again.Close()
	}
}
