package daemon

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rove/internal/bidi"
	"rove/internal/testkit"
	"rove/internal/webdriver"
)

func TestManyClientsStartOneDaemon(t *testing.T) {
	testkit.NeedsBrowser(t)
	u := newUser(t)
	const count = 10
	var wg sync.WaitGroup
	for range count {
		wg.Go(func() {
			if out, err := u.run("eval", "6*7"); err != nil || !strings.HasSuffix(out, "42") { // the first is told that it opened the session
				t.Errorf("%q, %v", out, err)
			}
		})
	}
	wg.Wait()
	if n := u.started(); n != 1 {
		t.Errorf("%d daemons for %d clients that came together, want 1", n, count)
	}
	if n := len(testkit.Browsers(t)); n != 1 {
		t.Errorf("%d browsers, want 1", n)
	}
	if s := u.daemon(); s == nil || len(s.Sessions) != 1 {
		t.Errorf("the daemon says %+v", s)
	}

	// What the daemon costs is told and not judged: the machine decides.
	best := func(args ...string) time.Duration {
		least := time.Hour
		for range 10 {
			begin := time.Now()
			u.must(args...)
			least = min(least, time.Since(begin))
		}
		return least
	}
	t.Logf("rove version %v, rove look through the daemon %v", best("version"), best("look"))
}

func TestKilledDaemon(t *testing.T) {
	testkit.NeedsBrowser(t)
	u := newUser(t)
	site := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page("<h1>Here</h1>")})
	u.must("go", site)
	first := u.daemon()
	browsers := testkit.Browsers(t)
	if len(browsers) != 1 {
		t.Fatalf("browsers %v, want one", browsers)
	}
	runs, _ := filepath.Glob(filepath.Join(os.Getenv("ROVE_HOME"), "run", "*"))

	signal(t, first.Pid, syscall.SIGKILL)
	if out := u.must("go", site); !strings.Contains(out, "Here") {
		t.Errorf("the next command shows %q", out)
	}
	if second := u.daemon(); second == nil || second.Pid == first.Pid {
		t.Errorf("the next daemon is %+v", second)
	}
	testkit.NoBrowsers(t, append(browsers, first.Pid), 10*time.Second)
	testkit.Eventually(t, "what the killed daemon left is gone", func() bool {
		for _, path := range runs {
			if _, err := os.Lstat(path); err == nil {
				return false
			}
		}
		return true
	})
}

// TestKilledDaemonElsewhere: what a daemon that was killed had started, drivers and the
// browsers below them too, is ended and removed by the next one, whatever that drives.
func TestKilledDaemonElsewhere(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	u := newUser(t)
	site := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page("<h1>Here</h1>")})
	var pids []int
	for _, browser := range []string{"firefox", "chromedriver", "geckodriver", ""} {
		args := []string{"go", site}
		if _, no := webdriver.Find(browser); browser == "firefox" {
			_, no = bidi.Find()
			if no != nil {
				t.Log(no)
				continue
			}
		} else if no != nil && browser != "" {
			t.Log(no)
			continue
		}
		if browser != "" {
			args = append(args, "--browser", browser)
		}
		if out := u.must(args...); !strings.Contains(out, "Here") {
			t.Fatalf("%s: %s", browser, out)
		}
		testkit.NoBrowsers(t, pids, 10*time.Second)
		daemon := u.daemon()
		pids = append(testkit.Browsers(t), daemon.Pid)
		if n := len(pids); n != 2 {
			t.Errorf("%s: %d processes are noted, want the daemon and one more", browser, n)
		}
		below, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pids[0]))
		for pid := range strings.FieldsSeq(string(below)) {
			n, _ := strconv.Atoi(pid)
			pids = append(pids, n)
		}
		runs, _ := filepath.Glob(filepath.Join(os.Getenv("ROVE_HOME"), "run", "*", "process.json"))
		if len(runs) != 1 {
			t.Errorf("%s: folders %v, want its own alone", browser, runs)
		}
		if browser != "" {
			signal(t, daemon.Pid, syscall.SIGKILL)
		}
	}
}

// A daemon that is killed under a call says so, and does not do the call twice.
func TestKilledDaemonDuringCall(t *testing.T) {
	testkit.NeedsBrowser(t)
	u := newUser(t)
	u.must("eval", "1")
	cmd := u.command("wait", "60000", "--timeout", "1m")
	var trouble strings.Builder
	cmd.Stderr = &trouble
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the call is at work", func() bool { return busy(u) })
	signal(t, u.daemon().Pid, syscall.SIGKILL)
	if code := exitCode(cmd.Wait()); code != 19 || !strings.Contains(trouble.String(), "ended while the call was at work") {
		t.Errorf("code %d, %q", code, trouble.String())
	}
	u.must("eval", "1")
}

func busy(u *user) bool {
	s := u.daemon()
	return s != nil && len(s.Sessions) > 0 && s.Sessions[0].Busy
}

func TestKilledClient(t *testing.T) {
	testkit.NeedsBrowser(t)
	u := newUser(t)
	u.must("eval", "1")
	cmd := u.command("wait", "60000", "--timeout", "1m")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the call is at work", func() bool { return busy(u) })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	testkit.Eventually(t, "the call of the client that is gone has ended", func() bool { return !busy(u) })
	if out := u.must("eval", "6*7", "--timeout", "10s"); out != "42" {
		t.Error(out)
	}
	if u.started() != 1 {
		t.Error("the daemon did not survive its client")
	}
}

func TestKilledBrowser(t *testing.T) {
	testkit.NeedsBrowser(t)
	u := newUser(t)
	u.must("eval", "1")
	browsers := testkit.Browsers(t)
	if len(browsers) != 1 {
		t.Fatalf("browsers %v, want one", browsers)
	}
	signal(t, browsers[0], syscall.SIGKILL)
	testkit.NoBrowsers(t, browsers, 5*time.Second)
	if out := u.must("look"); !strings.Contains(out, "this is a new session") {
		t.Errorf("the next look does not say that the session is new: %q", out)
	}
	// The same if it was killed a moment before, and nobody noticed yet: what changes
	// nothing is done in a new one, and what may have been done is not done twice.
	for _, tt := range []struct {
		verb  []string
		twice bool
	}{
		{[]string{"look"}, true},
		{[]string{"wait", "1"}, false}, // its condition may be a script
		{[]string{"go", "about:blank"}, true},
		{[]string{"eval", "1"}, false},
		{[]string{"act", "_page", "scroll", "down"}, false},
	} {
		for _, pid := range testkit.Browsers(t) {
			signal(t, pid, syscall.SIGKILL)
		}
		out, err := u.run(tt.verb...)
		if !tt.twice && err != nil {
			if !strings.Contains(err.Error(), "the browser ended unexpectedly; the next call starts a new session") {
				t.Errorf("%v: %v", tt.verb, err)
			}
			out, err = u.run(tt.verb...)
		}
		if err != nil || !strings.Contains(out, "this is a new session") {
			t.Errorf("%v: %q, %v", tt.verb, out, err)
		}
	}
	if u.started() != 1 {
		t.Error("the daemon did not survive its browser")
	}
}

// Whoever is killed, and whenever: the next command works, whatever it is, and at
// the end nothing is left (see newUser). ROVE_TEST_KILLS sets how often.
func TestKilledAtAnyMoment(t *testing.T) {
	testkit.ShellIsEnough(t)
	testkit.NeedsBrowser(t)
	rounds := 4
	if n, err := strconv.Atoi(os.Getenv("ROVE_TEST_KILLS")); err == nil {
		rounds = n
	}
	u := newUser(t)
	site := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page("<h1>Here</h1>")})
	pick := func(all [][]string) []string { return all[rand.N(len(all))] }
	under := [][]string{{"look"}, {"go", site}, {"eval", "1"}, {"wait", "100"}, {"go", site, "--session", "two"}, {"session", "end"}, {"session", "list"}, {"daemon", "stop"}}
	after := [][]string{{"look"}, {"go", site}, {"eval", "1"}, {"wait", "1"}, {"act", "_page", "scroll", "down"}, {"session", "list"}}
	for i := range rounds {
		at := pick(under)
		cmd := u.command(at...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-time.After(rand.N(400 * time.Millisecond))
		what := []string{"daemon", "browser", "client", "daemon and client", "browser and client", "all"}[rand.N(6)]
		var victims []int
		if strings.Contains(what, "daemon") || what == "all" {
			victims = append(victims, u.place.holder())
		}
		if strings.Contains(what, "browser") || what == "all" {
			victims = append(victims, testkit.Browsers(t)...)
		}
		for _, pid := range victims {
			if p, err := os.FindProcess(pid); err == nil && pid > 0 {
				_ = p.Kill() // it may be gone already
			}
		}
		if strings.Contains(what, "client") || what == "all" {
			_ = cmd.Process.Kill()
		}
		_ = cmd.Wait() // it may fail, but it ends
		next := pick(after)
		out, err := u.run(next...)
		if err != nil && strings.Contains(err.Error(), "the browser ended unexpectedly") {
			out, err = u.run(next...) // it was quicker than the news, and says what to do
		}
		if err != nil {
			t.Errorf("round %d, the %s killed under %v: %v: %q, %v", i, what, at, next, out, err)
		}
		if out := u.must("go", site); !strings.Contains(out, "Here") {
			t.Errorf("round %d: %q", i, out)
		}
	}
}

// What is in the way of a start, and what has to be gone after it.
func TestStaleFiles(t *testing.T) {
	cases := map[string]func(t *testing.T, u *user){
		"a dead socket": func(t *testing.T, u *user) {
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: u.place.Socket, Net: "unix"})
			if err != nil {
				t.Fatal(err)
			}
			l.SetUnlinkOnClose(false)
			_ = l.Close()
			for name, text := range map[string]string{"lock": "", "start": "", "json": `{"pid":1,"version":"v0"}`} {
				if err := os.WriteFile(u.place.file(name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		},
		"a file": func(t *testing.T, u *user) {
			if err := os.WriteFile(u.place.Socket, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"a daemon whose socket was removed": func(t *testing.T, u *user) {
			u.touch()
			pid := u.daemon().Pid
			if err := os.Remove(u.place.Socket); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { testkit.NoBrowsers(t, []int{pid}, 5*time.Second) })
		},
	}
	for name, prepare := range cases {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			if err := os.MkdirAll(u.place.Dir, 0o700); err != nil {
				t.Fatal(err)
			}
			prepare(t, u)
			u.touch()
			u.touch()
			if u.daemon() == nil {
				t.Error("no daemon")
			}
		})
	}
}

func TestNewerRoveReplacesAnIdleDaemon(t *testing.T) {
	testkit.NeedsBrowser(t)
	u := newUser(t)
	newer := *u
	newer.program = filepath.Join(t.TempDir(), "rove")
	text, err := os.ReadFile(program)
	if err == nil {
		err = os.WriteFile(newer.program, text, 0o700)
	}
	if err == nil {
		err = os.Chtimes(newer.program, time.Time{}, time.Now().Add(time.Hour))
	}
	if err != nil {
		t.Fatal(err)
	}
	u.must("eval", "window.kept = 1")
	old := u.daemon().Pid
	if out := newer.must("eval", "window.kept"); out != "1" || u.daemon().Pid != old {
		t.Errorf("a daemon with a session was replaced: %q", out)
	}
	u.must("session", "end")
	newer.touch()
	replaced := u.daemon().Pid
	if replaced == old {
		t.Error("an idle daemon of an older rove was not replaced")
	}
	testkit.NoBrowsers(t, []int{old}, 5*time.Second)
	u.touch()
	if u.daemon().Pid != replaced {
		t.Error("an older rove replaced the daemon of a newer one")
	}
}

func TestIdleDaemonEnds(t *testing.T) {
	testkit.NeedsBrowser(t)
	u := newUser(t, "ROVE_IDLE=1500ms")
	u.must("eval", "1")
	pid := u.place.holder()
	browsers := testkit.Browsers(t)
	if pid == 0 {
		t.Fatal("no daemon")
	}
	testkit.NoBrowsers(t, append(browsers, pid), 20*time.Second)
	u.nothingLeft()
	u.touch() // and the next starts another
	if u.started() != 2 {
		t.Errorf("%d daemons, want 2", u.started())
	}
}

func TestBadIdleTimeIsTold(t *testing.T) {
	u := newUser(t, "ROVE_IDLE=soon")
	if _, err := u.run("eval", "1"); exitCode(err) != 19 || !strings.Contains(err.Error(), `ROVE_IDLE is "soon"`) {
		t.Error(err)
	}
}

// The browsers of a daemon can have a limit, past which it opens no more sessions.
func TestMemoryOfTheDaemon(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells what a browser has")
	}
	testkit.NeedsBrowser(t)
	u := newUser(t, "ROVE_MAX_MEMORY=1M")
	u.must("eval", "1") // there is no browser yet that could have too much
	if _, err := u.run("eval", "1", "--session", "two"); exitCode(err) != 21 || !strings.Contains(err.Error(), "1 MiB are allowed") {
		t.Error(err)
	}
	u.must("eval", "1") // goes on
	bad := newUser(t, "ROVE_MAX_MEMORY=much")
	if _, err := bad.run("eval", "1"); exitCode(err) != 19 || !strings.Contains(err.Error(), "ROVE_MAX_MEMORY") {
		t.Error(err)
	}
}

func TestSignalEndsTheDaemon(t *testing.T) {
	testkit.NeedsBrowser(t)
	u := newUser(t)
	u.must("eval", "1")
	pid := u.daemon().Pid
	browsers := testkit.Browsers(t)
	for range 3 { // however often
		signal(t, pid, syscall.SIGTERM)
	}
	testkit.NoBrowsers(t, append(browsers, pid), 10*time.Second)
	u.nothingLeft()
}

func TestFilesAreTheUsersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has access lists, not modes")
	}
	u := newUser(t)
	u.touch()
	for path, want := range map[string]os.FileMode{
		u.place.Dir: 0o700 | os.ModeDir, u.place.Socket: 0o600 | os.ModeSocket, u.place.Log(): 0o600,
		u.place.file("lock"): 0o600, u.place.file("json"): 0o600,
	} {
		info, err := os.Stat(path)
		if err != nil || info.Mode() != want {
			t.Errorf("%s: mode %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
	u.must("daemon", "stop")
	if err := os.Chmod(u.place.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := u.run("eval", "1"); err == nil || !strings.Contains(err.Error(), "belongs to you alone") {
		t.Errorf("a directory that others can read: %v", err)
	}
	if err := os.Chmod(u.place.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
}

// A home whose path is too long for a socket has it elsewhere.
func TestLongHome(t *testing.T) {
	home := filepath.Join(t.TempDir(), strings.Repeat("long/", 20))
	t.Setenv("TMPDIR", t.TempDir())
	u := userAt(t, home)
	if strings.HasPrefix(u.place.Socket, home) {
		t.Fatalf("the socket is %s", u.place.Socket)
	}
	u.touch()
	u.must("daemon", "status")
}
