package pwserver

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"rove/driver"
	"rove/internal/proc"
	"rove/internal/testkit"
)

func options(t testing.TB, home string) Options {
	p := testkit.Playwright(t, Minor)
	path := cmp.Or(os.Getenv("ROVE_TEST_FULL"), os.Getenv("ROVE_BROWSER"))
	sandbox, _ := proc.Sandbox(path)
	return Options{Node: p.Node, CLI: p.CLI, Path: path, NoSandbox: !sandbox, Home: home}
}

// A server that runs is used by its address, and is there when the browser is closed; one
// of another version is refused in a sentence that says which there are.
func TestServerByAddress(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	opts := options(t, "")
	ctx := testkit.Context(t)
	cmd := exec.CommandContext(ctx, opts.Node, opts.CLI, "run-server", "--port", "0", "--host", "127.0.0.1", "--unsafe")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	opts.URL = strings.TrimSpace(strings.TrimPrefix(line, "Listening on "))
	old := opts
	old.speaks = "1.40"
	if _, err := Connect(ctx, old); !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), "is Playwright "+Minor) {
		t.Errorf("another version: %v", err)
	}
	wrong := opts
	wrong.URL += "elsewhere"
	if _, err := Connect(ctx, wrong); err == nil || !strings.Contains(err.Error(), "is no Playwright server, or its path is another") {
		t.Errorf("another path: %v", err)
	}
	for range 2 { // the second time, to see that the server is still there
		b, err := Connect(ctx, opts)
		if err != nil {
			t.Fatal(err)
		}
		d, err := driver.Open(ctx, b, driver.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.SetURL(ctx, testkit.Pages(t, map[string]string{"/": "<title>There</title>"})); err != nil {
			t.Error(err)
		}
		if title, err := d.Title(ctx); title != "There" {
			t.Error(title, err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestServerEndsWithItsOwner: when whoever started a server is killed, Node ends, and the
// browser with it.
func TestServerEndsWithItsOwner(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	opts := options(t, "")
	cmd := exec.CommandContext(testkit.Context(t), os.Args[0], "-test.run=^TestOwner$")
	cmd.Env = append(os.Environ(), "ROVE_TEST_OWNER="+t.TempDir(), "ROVE_PLAYWRIGHT="+strings.TrimSuffix(opts.CLI, "/cli.js"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := 0
	for lines := bufio.NewScanner(out); pid == 0 && lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "node "); ok {
			pid, _ = strconv.Atoi(text)
		}
	}
	if pid == 0 {
		t.Fatal("the owner did not start a server")
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	testkit.Eventually(t, "Node ends", func() bool { return !testkit.Alive(pid) })
}

// TestOwner is the owner of the test above, in a process of its own.
func TestOwner(t *testing.T) {
	home := os.Getenv("ROVE_TEST_OWNER")
	if home == "" {
		t.Skip("it is a part of TestServerEndsWithItsOwner")
	}
	b, err := Launch(t.Context(), options(t, home))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("node %d\n", b.process.Pid())
	<-testkit.Context(t).Done() // until it is killed
}
