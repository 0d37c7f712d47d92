//go:build unix

package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"rove/internal/testkit"
	"rove/internal/testkit/person"
)

// relay relays to a browser and counts who drives it.
func relay(t *testing.T, port string) (string, *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	var n atomic.Int64
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer in.Close()
				out, err := net.Dial("tcp", "127.0.0.1:"+port)
				if err != nil {
					return
				}
				defer out.Close()
				r := bufio.NewReader(in)
				head, err := r.ReadString('\n')
				if err != nil {
					return
				}
				if strings.Contains(head, "/devtools/browser/") {
					n.Add(1)
				}
				_, _ = io.WriteString(out, head)
				go func() {
					_, _ = io.Copy(out, r)
					_ = out.Close()
				}()
				_, _ = io.Copy(in, out)
			}()
		}
	}()
	_, at, _ := net.SplitHostPort(l.Addr().String())
	return at, &n
}

// TestConnectedThroughOneDaemon: agents of several kinds share one connection to a
// person's browser, each with tabs of its own. Whoever is killed leaves the browser
// as it was; what a client of the daemon had open is closed, what the daemon itself
// had when somebody comes next.
func TestConnectedThroughOneDaemon(t *testing.T) {
	t.Parallel()
	origin := testkit.Pages(t, map[string]string{
		"/mine": `<title>Mine</title><h1>Mine</h1>`, "/a": `<title>A</title><h1>Alpha</h1>`, "/b": `<title>B</title><h1>Beta</h1>`, "/c": `<title>C</title><h1>Gamma</h1>`,
	})
	p := person.Start(t, t.TempDir(), nil, origin+"/mine")
	before := p.State(origin + "/mine")
	port, drivers := relay(t, p.Port)
	home, err := os.MkdirTemp("", "rh")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	exe := filepath.Join(program, "rove")
	command := func(args ...string) *exec.Cmd {
		c := exec.Command(exe, args...)
		c.Env = append(os.Environ(), "ROVE_HOME="+home)
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

	said := rove("go", origin+"/a", "--connect", port, "--session", "a")
	if !strings.Contains(said, "Alpha") || !strings.Contains(said, "which a person uses") {
		t.Errorf("the first agent: %s", said)
	}
	// Other rules are another browser to the daemon, but not another connection.
	if said := rove("go", origin+"/b", "--connect", port, "--session", "b", "--caps=-eval"); !strings.Contains(said, "Beta") {
		t.Errorf("the second agent: %s", said)
	}
	third := command("mcp", "--connect", port)
	stdin, err := third.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := third.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := third.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	ask := func(id int, method, params string) string {
		t.Helper()
		fmt.Fprintf(stdin, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
	ask(1, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	_, _ = io.WriteString(stdin, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	if said := ask(2, "tools/call", `{"name":"go","arguments":{"url":"`+origin+`/c"}}`); !strings.Contains(said, "Gamma") {
		t.Errorf("the third agent: %s", said)
	}
	want := []string{origin + "/a", origin + "/b", origin + "/c", origin + "/mine"}
	if got := p.URLs(); !slices.Equal(got, want) {
		t.Errorf("tabs: %q", got)
	}
	if n := drivers.Load(); n != 1 {
		t.Errorf("%d connections to the person's browser", n)
	}

	if err := third.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = third.Wait()
	testkit.Eventually(t, "the killed agent's tab is gone", func() bool { return len(p.Tabs()) == 3 })
	rove("session", "end", "b")
	testkit.Eventually(t, "the ended agent's tab is gone", func() bool { return slices.Equal(p.URLs(), []string{origin + "/a", origin + "/mine"}) })

	killed := func() {
		t.Helper()
		var status struct{ Pid int }
		if err := json.Unmarshal([]byte(rove("daemon", "status", "--json")), &status); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(status.Pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		testkit.Eventually(t, "the daemon is gone", func() bool { return !testkit.Alive(status.Pid) })
	}
	killed()
	if got := p.URLs(); !p.Alive() || !slices.Equal(got, []string{origin + "/a", origin + "/mine"}) {
		t.Errorf("after the daemon was killed: %q", got)
	}
	// Who comes next closes what the dead one had, but nothing that went on since.
	if said := rove("go", origin+"/b", "--connect", port); !strings.Contains(said, "Beta") {
		t.Errorf("once more: %s", said)
	}
	testkit.Eventually(t, "what the killed daemon had is gone", func() bool { return slices.Equal(p.URLs(), []string{origin + "/b", origin + "/mine"}) })
	killed()
	p.Eval(origin+"/b", "location.hash = 'person'", new(string))
	rove("go", origin+"/c", "--connect", port)
	rove("daemon", "stop")
	testkit.Eventually(t, "what the last daemon had is gone", func() bool { return slices.Equal(p.URLs(), []string{origin + "/b#person", origin + "/mine"}) })
	if now := p.State(origin + "/mine"); now != before {
		t.Errorf("the person's tab is\n%s\nand was\n%s", now, before)
	}
	// A session in the person's browser does not become one of rove's own.
	rove("go", origin+"/a", "--connect", port)
	p.Quit()
	out, err := command("look").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "connected to was closed") && !strings.Contains(string(out), "connect: ") {
		t.Errorf("the person's browser is closed: %v\n%s", err, out)
	}
	out, err = command("look").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "connect: ") {
		t.Errorf("the person's browser is still closed: %v\n%s", err, out)
	}
}

// TestBrowserOpen: a browser that was opened for a person is found by auto, told of
// by the doctor, and there when rove has gone.
func TestBrowserOpen(t *testing.T) {
	t.Parallel()
	origin := testkit.Pages(t, map[string]string{"/": `<title>Mine</title><h1>Mine</h1>`})
	full := testkit.FullBrowser(t)
	home, err := os.MkdirTemp("", "rh")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	t.Cleanup(func() {
		stop := exec.Command(filepath.Join(program, "rove"), "daemon", "stop")
		stop.Env = append(os.Environ(), "ROVE_HOME="+home)
		_ = stop.Run()
	})
	rove := func(args ...string) string {
		t.Helper()
		c := exec.Command(filepath.Join(program, "rove"), args...)
		c.Env = append(os.Environ(), "ROVE_HOME="+home)
		var out, errs strings.Builder
		c.Stdout, c.Stderr = &out, &errs
		if err := c.Run(); err != nil {
			t.Fatalf("rove %q: %v\n%s%s", args, err, out.String(), errs.String())
		}
		return out.String()
	}
	var opened struct {
		Address, Profile string
		Pid              int
	}
	if err := json.Unmarshal([]byte(rove("browser", "open", "--headless", "--json", "--browser", full, origin+"/")), &opened); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(opened.Pid, syscall.SIGTERM)
		if !testkit.Within(func() bool { return !testkit.Alive(opened.Pid) }) {
			_ = syscall.Kill(opened.Pid, syscall.SIGKILL)
		}
	})
	if again := rove("browser", "open", "--headless", "--browser", full); !strings.Contains(again, "is open already: "+opened.Address) {
		t.Errorf("once more: %s", again)
	}
	if said := rove("go", origin+"/", "--connect", "auto", "--no-daemon"); !strings.Contains(said, "Mine") {
		t.Errorf("auto: %s", said)
	}
	file := filepath.Join(t.TempDir(), "mine.feature")
	text := "Feature: mine\nScenario: mine\n* configure driver = { type: 'chrome', timezone: 'Asia/Tokyo', colorScheme: 'light' }\n* driver '" + origin + "/'\n" +
		"* match driver.title == 'Mine'\n* match script('navigator.language') == 'de-DE'\n* match script('Intl.DateTimeFormat().resolvedOptions().timeZone') == 'Asia/Tokyo'\n" +
		"* match script('matchMedia(\"(prefers-color-scheme: dark)\").matches') == true\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	rove("run", file, "--connect", "auto", "--locale", "de-DE", "--color-scheme", "dark", "-o", t.TempDir())
	if said := rove("doctor"); !strings.Contains(said, "--connect auto would use "+opened.Address) {
		t.Errorf("doctor: %s", said)
	}
	if !testkit.Alive(opened.Pid) {
		t.Error("the person's browser is gone")
	}
}
