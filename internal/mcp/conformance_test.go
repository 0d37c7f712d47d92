package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rove/internal/testkit"
)

// The protocol's own tools come from npm, with the Node they need where there is
// none. They are held to versions, so that a new one cannot make a good rove fail.
const (
	suitePackage     = "@modelcontextprotocol/conformance@0.1.16"
	inspectorPackage = "@modelcontextprotocol/inspector@2"
	nodeMajor        = 22
)

// wantConformance is the environment variable that has the test take the time it
// needs and fail instead of being skipped, as `make conformance` does.
const wantConformance = "ROVE_CONFORMANCE"

// patienceForNPM bounds what a machine without a registry, or with a slow one, costs.
const patienceForNPM = 60 * time.Second

// generic are the scenarios of the suite that ask nothing of a server but the
// protocol, and whether they are about HTTP. The others want tools, prompts and
// resources of given names, for the testing of SDKs.
var generic = map[string]bool{
	"server-initialize": false, "ping": false, "tools-list": false, "logging-set-level": false, "resources-list": false, "prompts-list": false,
	"server-sse-multiple-streams": true, "server-sse-polling": true, "dns-rebinding-protection": true,
}

// TestConformance holds rove to the conformance suite over HTTP and over standard
// input and output, and has the inspector list and call tools over both.
func TestConformance(t *testing.T) {
	testkit.ShellIsEnough(t)
	testkit.NeedsBrowser(t)
	node, suite, inspector := newNode(t), npm(t, suitePackage), npm(t, inspectorPackage)
	t.Parallel() // the packages come while the other tests run

	t.Run("suite over HTTP", func(t *testing.T) {
		results(t, runs(t, node(t), suite(t), "conformance", "server", "--url", listening(t)+"/mcp", "--suite", "all"), true)
	})
	t.Run("suite over stdio", func(t *testing.T) {
		node, suite, url := node(t), suite(t), overHTTP(t)
		var out strings.Builder
		for name, web := range generic {
			if !web {
				out.WriteString(name + "\n" + runs(t, node, suite, "conformance", "server", "--url", url, "--scenario", name))
			}
		}
		results(t, out.String(), false)
	})
	t.Run("inspector", func(t *testing.T) {
		node, inspector, page := node(t), inspector(t), site(t)
		here := []string{os.Args[0], "mcp", "-e", asProgram + "=1"} // it hands on nothing by itself
		for _, name := range []string{"ROVE_HOME", "ROVE_BROWSER"} {
			if value := os.Getenv(name); value != "" {
				here = append(here, "-e", name+"="+value)
			}
		}
		for name, to := range map[string][]string{"stdio": here, "http": {listening(t) + "/mcp", "--transport", "http"}} {
			for word, asked := range map[string][]string{
				`"look"`:           {"tools/list"},
				`textbox \"City\"`: {"tools/call", "--tool-name", "go", "--tool-arg", "url=" + page},
				`"isError": true`:  {"tools/call", "--tool-name", "act", "--tool-arg", "ref=e99", "--tool-arg", "op=click"},
			} {
				got := runs(t, node, inspector, "mcp-inspector", slices.Concat([]string{"--cli"}, to, []string{"--method"}, asked)...)
				if !strings.Contains(got, word) {
					t.Errorf("%s, %v: no %s in\n%s", name, asked, word, got)
				}
			}
		}
	})
}

// results checks the summary of the suite: one line a scenario if it ran several,
// "Passed: 1/1, 0 failed" if it ran one.
func results(t *testing.T, out string, web bool) {
	t.Helper()
	for name, only := range generic {
		if only && !web {
			continue
		}
		name = regexp.QuoteMeta(name)
		good := regexp.MustCompile(`(?m)^✓ ` + name + `: \d+ passed, 0 failed|^` + name + `\n(?:.*\n)*?Passed: [1-9]\d*/\d+, 0 failed, 0 warnings`)
		if !good.MatchString(out) {
			t.Errorf("%s does not pass", name)
		}
	}
	if t.Failed() {
		t.Log(out)
	}
}

// npm begins to get a package. The function it returns waits for it and gives the
// folder that it is in, or skips the test and says why.
func npm(t *testing.T, name string) func(*testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must := os.Getenv(wantConformance) != ""
	ctx, cancel := t.Context(), context.CancelFunc(func() {})
	if !must {
		ctx, cancel = context.WithTimeout(ctx, patienceForNPM)
	}
	t.Cleanup(cancel)
	got := make(chan error, 1)
	go func() { got <- install(ctx, dir, name) }()
	once := sync.OnceValue(func() error { return <-got })
	return func(t *testing.T) string {
		t.Helper()
		if err := once(); err != nil {
			if must {
				t.Fatal(err)
			}
			t.Skipf("not checked: %v", err)
		}
		return dir
	}
}

func install(ctx context.Context, dir, name string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("npm is not there")
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true}`), 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--loglevel=error", name)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("npm has not brought %s within %v", name, patienceForNPM)
	case err != nil:
		return fmt.Errorf("npm does not bring %s: %v\n%s", name, err, out)
	}
	return nil
}

// newNode finds a Node that is new enough, or begins to get one.
func newNode(t *testing.T) func(*testing.T) string {
	var major int
	version, _ := exec.CommandContext(t.Context(), "node", "--version").Output()
	if _, _ = fmt.Sscanf(string(version), "v%d.", &major); major >= nodeMajor {
		return func(*testing.T) string { return "node" }
	}
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	name := "node-" + runtime.GOOS + "-" + arch
	got := npm(t, fmt.Sprintf("%s@%d", name, nodeMajor))
	return func(t *testing.T) string { return filepath.Join(got(t), "node_modules", name, "bin", "node") }
}

// runs runs a program of a package.
func runs(t *testing.T, node, dir, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, append([]string{filepath.Join(dir, "node_modules", ".bin", program)}, args...)...)
	if filepath.IsAbs(node) { // what it starts in its turn is to have the same
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(node)+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	cmd.WaitDelay = time.Second
	out, _ := cmd.CombinedOutput() // what it says counts: the suite also fails for scenarios that are not ours
	return string(out)
}

// listening starts `rove serve` and gives its address.
func listening(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "serve", "--addr", "127.0.0.1:0", "--tools", "agent")
	cmd.Env = append(os.Environ(), asProgram+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if !ok {
		t.Fatalf("rove serve says %q, %v", line, err)
	}
	return url
}

// overHTTP serves `rove mcp` to a suite that speaks HTTP alone: each initialize
// starts a program, each request is a line of its input, and is answered with the
// line of its output that has the same id.
func overHTTP(t *testing.T) string {
	t.Helper()
	var (
		mu       sync.Mutex
		programs = map[string]*piped{}
	)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		body, _ := io.ReadAll(r.Body)
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal(body, &m)
		mu.Lock()
		id := r.Header.Get("Mcp-Session-Id")
		if m.Method == "initialize" {
			id = fmt.Sprint(len(programs))
			programs[id] = pipe(t)
		}
		p := programs[id]
		mu.Unlock()
		if p == nil {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		answer := p.ask(body, m.ID)
		if answer == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Mcp-Session-Id", id)
		_, _ = w.Write(answer)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// piped is `rove mcp` with what was asked of it.
type piped struct {
	in io.Writer

	mu      sync.Mutex
	waiting map[string]chan []byte // by id
}

func pipe(t *testing.T) *piped {
	cmd := program("--warm=false")
	in, err := cmd.StdinPipe()
	if err == nil {
		var out io.ReadCloser
		if out, err = cmd.StdoutPipe(); err == nil {
			err = cmd.Start()
		}
		p := &piped{in: in, waiting: map[string]chan []byte{}}
		read := make(chan struct{})
		go func() {
			defer close(read)
			p.read(out)
		}()
		t.Cleanup(func() {
			in.Close()
			<-read
			if err := cmd.Wait(); err != nil {
				t.Errorf("rove mcp ended with %v", err)
			}
		})
		if err == nil {
			return p
		}
	}
	t.Error(err)
	return nil
}

func (p *piped) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var m struct{ ID json.RawMessage }
		_ = json.Unmarshal(lines.Bytes(), &m)
		p.mu.Lock()
		if c := p.waiting[string(m.ID)]; c != nil {
			c <- slices.Clone(lines.Bytes())
		}
		p.mu.Unlock()
	}
}

// ask sends a message and gives the answer, or nil to one that has none.
func (p *piped) ask(message []byte, id json.RawMessage) []byte {
	answer := make(chan []byte, 1)
	p.mu.Lock()
	p.waiting[string(id)] = answer
	_, err := p.in.Write(append(message, '\n'))
	p.mu.Unlock()
	if id == nil || err != nil {
		return nil
	}
	select {
	case line := <-answer:
		return line
	case <-time.After(30 * time.Second):
		return nil
	}
}
