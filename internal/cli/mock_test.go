package cli

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMockCommand serves a feature, tells its address and each request, and ends
// with Ctrl-C.
func TestMockCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "Feature:\nScenario: pathMatches('/hello/{name}')\n* def response = greeting + ' ' + pathParams.name\n* def responseStatus = 201\n"
	if err := os.WriteFile(filepath.Join(dir, "hello.feature"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(filepath.Join(program, "rove"), "mock", "-m", "hello.feature", "--prefix", "/api", "-D", "greeting=Hi")
	c.Dir = dir
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Process.Kill()
	told := bufio.NewScanner(out)
	if !told.Scan() {
		t.Fatal("it told nothing")
	}
	site, ok := strings.CutPrefix(told.Text(), "the mock listens at ")
	if !ok || !strings.HasSuffix(site, "/api") {
		t.Fatal(told.Text())
	}
	for path, want := range map[string]string{"/hello/Ada": "Hi Ada", "/else": ""} {
		a, err := http.Get(site + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(a.Body)
		a.Body.Close()
		if string(body) != want {
			t.Errorf("%s: %d %q", path, a.StatusCode, body)
		}
		line := regexp.MustCompile(`^GET /api/(hello/Ada 201|else 404) \d+ ms$`)
		if !told.Scan() || !line.MatchString(told.Text()) {
			t.Errorf("told %q", told.Text())
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for told.Scan() {
		t.Errorf("told %q", told.Text())
	}
	if err := c.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}
