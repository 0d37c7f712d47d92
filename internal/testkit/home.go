// Package testkit is what tests with a real browser share: a home of their own,
// so that what they leave behind can be seen, and pages to visit.
package testkit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"rove/internal/provision"
)

// Main runs the tests of a package in a home of their own and fails them if a
// goroutine, a browser or a run directory is left. What the tests share is set
// up first and stopped before that is looked at. It gives the exit code. In
// short mode no browser is looked for, and nothing is set up. What tests that were killed
// have left is removed first.
func Main(m *testing.M, shared ...func() (stop func(), err error)) int {
	flag.Parse()
	if testing.Short() {
		return m.Run()
	}
	// The browser is looked for before the home is another, where none is cached.
	found, err := provision.Find(context.Background(), provision.Request{Fetch: true, Progress: os.Stderr})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	sweep()
	home, end, err := begin()
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer end()
	os.Setenv("ROVE_HOME", home)
	os.Setenv("ROVE_BROWSER", found.Path)
	kind = found.Kind
	for _, v := range found.Env { // what a fetched one needs, however it is started
		name, value, _ := strings.Cut(v, "=")
		os.Setenv(name, value)
	}
	if os.Getenv("GORACE") == "" {
		// With the race detector, programs that tests start would sleep for a
		// second before they end.
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}

	var stops []func()
	for _, set := range shared {
		stop, err := set()
		if err != nil {
			fmt.Println(err)
			return 1
		}
		stops = append(stops, stop)
	}
	code := m.Run()
	for _, stop := range stops {
		stop()
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	if err := goleak.Find(); err != nil {
		fmt.Println(err)
		code = 1
	}
	if left, _ := os.ReadDir(filepath.Join(home, "run")); len(left) > 0 {
		fmt.Println("left behind:", left)
		code = 1
	}
	return code
}

// NeedsBrowser steps aside in short mode.
func NeedsBrowser(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
}

// ShellIsEnough steps aside on a full browser where the same run has the test on a
// headless shell: a session costs a third there. It is for tests of what rove does,
// whatever the browser; those that are marked OnEveryBrowser go on.
func ShellIsEnough(t *testing.T) {
	t.Helper()
	if os.Getenv("ROVE_TEST_SHELL") == "" || OnShell() {
		return
	}
	for name := t.Name(); name != "."; name = path.Dir(name) {
		if _, ok := onEveryBrowser.Load(name); ok {
			return
		}
	}
	t.Skip("done on the headless shell of this run: it is about rove, not about the browser")
}

// onEveryBrowser are the names of tests.
var onEveryBrowser sync.Map

// OnEveryBrowser marks a test, or a part of one, of something in which browsers differ:
// input, dialogs, downloads, windows, what a browser tells of failures. It comes first in
// the test.
func OnEveryBrowser(t *testing.T) { onEveryBrowser.Store(t.Name(), true) }

// kind is that of the browser under test.
var kind string

// NeedsWindow steps aside where the browser cannot have one.
func NeedsWindow(t *testing.T) {
	t.Helper()
	NeedsBrowser(t)
	if OnShell() {
		t.Skipf("needs a full browser, for a window: %s is a headless shell", os.Getenv("ROVE_BROWSER"))
	}
}

// FullBrowser is the path of a full browser, also where the test runs on a shell and the
// same run has both: ROVE_TEST_FULL is it then. Without one the test steps aside.
func FullBrowser(t *testing.T) string {
	t.Helper()
	if full := os.Getenv("ROVE_TEST_FULL"); full != "" {
		return full
	}
	NeedsWindow(t)
	return os.Getenv("ROVE_BROWSER")
}

// OnShell says that the browser under test is a headless shell.
func OnShell() bool { return kind == provision.Shell }

// Browsers gives the process ids of the browsers that run in this home.
func Browsers(t testing.TB) []int {
	t.Helper()
	records, err := filepath.Glob(filepath.Join(os.Getenv("ROVE_HOME"), "run", "*", "process.json"))
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, name := range records {
		var record struct{ Pid int }
		text, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) || err == nil && len(text) == 0 {
			continue // it ended just now, or begins
		}
		if err != nil || json.Unmarshal(text, &record) != nil || record.Pid == 0 {
			t.Fatalf("%s: %q, %v", name, text, err)
		}
		if Alive(record.Pid) {
			pids = append(pids, record.Pid)
		}
	}
	return pids
}

// Alive says whether there is a process of that id. One that has ended and that another
// process than this has not reaped yet is gone: an init may take seconds for it. One that
// this process has forgotten to reap is there.
func Alive(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		// What follows the name, which can hold anything, is the state and the parent.
		after := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(after) > 1 && after[0] == "Z" && after[1] != strconv.Itoa(os.Getpid()) {
			return false
		}
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}

// NoBrowsers waits a little until none of the processes is there any more, and
// fails the test if one stays.
func NoBrowsers(t testing.TB, pids []int, wait time.Duration) {
	t.Helper()
	deadline := time.Now().Add(wait)
	for _, pid := range pids {
		if !within(time.Until(deadline), func() bool { return !Alive(pid) }) {
			t.Errorf("process %d is still there", pid)
		}
	}
}

// Serve serves handlers by path on loopback until the test ends, and gives the
// origin.
func Serve(t testing.TB, handlers map[string]http.HandlerFunc) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/favicon.ico", http.NotFound)
	for path, h := range handlers {
		mux.HandleFunc(path, h)
	}
	return ServeHandler(t, mux)
}

// ServeHandler serves until the test ends. A page that is still open may connect
// once more while the server closes, and would have it wait for ever.
func ServeHandler(t testing.TB, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		closed := make(chan struct{})
		go func() {
			server.Close()
			close(closed)
		}()
		for {
			server.CloseClientConnections()
			select {
			case <-closed:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	return server.URL
}

// Page is a handler that answers with HTML.
func Page(html string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, html)
	}
}
