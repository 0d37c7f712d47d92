//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rove/internal/bidi"
	"rove/internal/testkit"
)

// TestGrid: verbs and features through a real Selenium Grid, whose jars are in
// ROVE_GRID_JARS, by each of the ways that a grid offers: se:cdp, BiDi, WebDriver alone.
// Nothing is left on it, also after a kill.
func TestGrid(t *testing.T) {
	jars := os.Getenv("ROVE_GRID_JARS")
	if jars == "" {
		t.Skip("needs a Selenium Grid: make grid")
	}
	testkit.NeedsWindow(t)
	driver, err := exec.LookPath("chromedriver")
	if err != nil {
		t.Skip("needs chromedriver for the grid's node")
	}
	origin := testkit.Pages(t, map[string]string{"/": `<title>Far</title><button onclick="this.textContent='done'">Go</button>`})
	dir, err := os.MkdirTemp("", "rg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	config := "[node]\ndetect-drivers = false\nmax-sessions = 4\noverride-max-sessions = true\n" + driverOf("Chrome", driver, map[string]any{"browserName": "chrome", "goog:chromeOptions": map[string]any{
		"binary": os.Getenv("ROVE_BROWSER"), "args": []string{"--no-sandbox", "--disable-dev-shm-usage"},
	}})
	firefox, _ := bidi.Find()
	gecko, err := exec.LookPath("geckodriver")
	if err != nil || firefox == "" {
		t.Log("without Firefox: that needs one, and geckodriver (cargo install geckodriver)")
	} else {
		config += driverOf("Firefox", gecko, map[string]any{"browserName": "firefox", "moz:firefoxOptions": map[string]any{"binary": firefox}})
	}
	if err := os.WriteFile(filepath.Join(dir, "c.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	hub := l.Addr().String()
	_ = l.Close()
	_, port, _ := net.SplitHostPort(hub)
	java := exec.Command("java", "-Xmx300m", "-cp", filepath.Join(jars, "*"), "org.openqa.selenium.grid.Main",
		"standalone", "--host", "127.0.0.1", "--port", port, "--config", filepath.Join(dir, "c.toml"), "--selenium-manager", "false")
	java.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := java.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-java.Process.Pid, syscall.SIGKILL)
		_ = java.Wait()
	})
	status := func() string {
		resp, err := http.Get("http://" + hub + "/status")
		if err != nil {
			return ""
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return string(text)
	}
	testkit.Eventually(t, "the grid is up", func() bool { return strings.Contains(status(), `"ready": true`) })
	command := func(args ...string) *exec.Cmd {
		c := exec.Command(filepath.Join(program, "rove"), args...)
		c.Env = append(os.Environ(), "ROVE_HOME="+filepath.Join(dir, "home"))
		return c
	}
	rove := func(args ...string) string {
		t.Helper()
		out, err := command(args...).CombinedOutput()
		if err != nil {
			t.Fatalf("rove %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	t.Cleanup(func() { _ = command("daemon", "stop").Run() })
	sessions := func() int { return strings.Count(status(), `"sessionId"`) }

	// killed: a verb, and the end of the daemon that did it. The browser stays on the grid.
	killed := func(args ...string) {
		t.Helper()
		if said := rove(append([]string{"go", origin + "/", "--grid", hub}, args...)...); !strings.Contains(said, `e1 button "Go"`) {
			t.Errorf("go: %s", said)
		}
		if said := rove("act", "e1", "click"); !strings.Contains(said, "done") {
			t.Errorf("act: %s", said)
		}
		var daemon struct{ Pid int }
		if err := json.Unmarshal([]byte(rove("daemon", "status", "--json")), &daemon); err != nil {
			t.Fatal(err)
		}
		_ = syscall.Kill(daemon.Pid, syscall.SIGKILL)
		testkit.Eventually(t, "the daemon is gone", func() bool { return !testkit.Alive(daemon.Pid) })
		if n := sessions(); n != 1 {
			t.Errorf("%d sessions after a kill", n)
		}
	}
	// run runs a feature, some of it at once; the one before was killed, and nothing of it
	// or of this one is left.
	run := func(config, steps string, args ...string) (string, error) {
		t.Helper()
		feature := "Feature: f\nScenario Outline: <n>\n* configure driver = " + config + "\n* driver '" + origin + "/'\n* click('button')\n* match text('button') == 'done'\n" + steps + "Examples:\n| n |\n| 1 |\n| 2 |\n| 3 |\n| 4 |\n"
		file := filepath.Join(dir, "f.feature")
		if err := os.WriteFile(file, []byte(feature), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := command(append([]string{"run", file, "--grid", hub, "-o", filepath.Join(dir, "out")}, args...)...).CombinedOutput()
		testkit.Eventually(t, "nothing is left on the grid", func() bool { return sessions() == 0 })
		return string(out), err
	}
	passes := func(said string, err error) {
		t.Helper()
		if err != nil || !strings.Contains(said, "4 passed") {
			t.Errorf("run: %v\n%s", err, said)
		}
	}
	const mocked = "* driver.intercept({ patterns: ['*/none'], handler: function(r){ return { status: 200, body: 'mocked' } } })\n* match script(\"fetch('/none').then(r => r.text())\") == 'mocked'\n"

	killed()
	passes(run("{ type: 'chrome' }", mocked, "-T", "4"))
	passes(run("{ type: 'chromedriver', capabilities: { 'se:cdpEnabled': false, webSocketUrl: true } }", mocked, "-T", "2"))
	// As many at once as there are slots, and more scenarios than that: each session is a lease.
	classic := "{ type: 'chromedriver', capabilities: { 'se:cdpEnabled': false } }"
	passes(run(classic, "", "-T", "2"))
	if said, err := run(classic, mocked); err == nil || !strings.Contains(said, "on grid (classic)") {
		t.Errorf("what WebDriver alone cannot do: %v\n%s", err, said)
	}
	if strings.Contains(config, "Firefox") {
		killed("--browser", "firefox")
		passes(run("{ type: 'chrome' }", mocked+"* match script('navigator.userAgent') contains 'Firefox'\n", "--browser", "firefox", "-T", "2"))
	}

	rove("go", origin+"/", "--grid", hub)
	_ = syscall.Kill(-java.Process.Pid, syscall.SIGKILL)
	out, err := command("look").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "grid") {
		t.Errorf("the node died: %v\n%s", err, out)
	}
}

// driverOf is the part of a grid's configuration that is about a browser.
func driverOf(name, driver string, stereotype map[string]any) string {
	text, _ := json.Marshal(stereotype)
	quoted, _ := json.Marshal(string(text))
	return fmt.Sprintf("[[node.driver-configuration]]\ndisplay-name = %q\nmax-sessions = 2\nwebdriver-executable = %q\nstereotype = %s\n", name, driver, quoted)
}
