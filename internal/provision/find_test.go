package provision

import (
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// offline is an address where nobody answers.
const offline = "http://127.0.0.1:1"

// testFinder is a machine with an empty home, no browser and no network.
func testFinder(t *testing.T) *finder {
	t.Helper()
	home := t.TempDir()
	return &finder{
		home: home, goos: "linux", goarch: "amd64",
		getenv:     func(string) string { return "" },
		lookPath:   func(name string) (string, error) { return "", &exec.Error{Name: name, Err: exec.ErrNotFound} },
		executable: func(path string) bool { return strings.HasPrefix(path, home) && isExecutable(path) },
		client:     newClient(), index: offline,
		npm:    func() npmrc { return npmrc{"registry": offline} },
		stall:  10 * time.Second,
		free:   func(string) (uint64, error) { return 1 << 40, nil },
		probe:  func(context.Context, Browser) (string, error) { return "1.2.3.4", nil },
		report: newReporter(nil),
	}
}

// putCached puts a browser into the cache by hand.
func putCached(t *testing.T, f *finder, name, kind, version string) string {
	t.Helper()
	dir := filepath.Join(f.store(), name)
	exe := filepath.Join(dir, "exe")
	writeFile(t, exe, "#!/bin/sh\n", 0o700)
	writeFile(t, filepath.Join(dir, manifestName), `{"kind":"`+kind+`","version":"`+version+`","exe":"exe"}`, 0o600)
	return exe
}

func writeFile(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func TestOrder(t *testing.T) {
	// What a machine may have, by the names used below.
	type machine struct{ env, pathShell, pathChrome, place, cacheShell, cacheChrome bool }
	for _, tc := range []struct {
		name string
		has  machine
		req  Request
		want string // which of them, or part of the error
	}{
		{"flag first", machine{env: true, pathChrome: true}, Request{Want: "given"}, "given"},
		{"flag missing", machine{env: true}, Request{Want: "nowhere"}, `error: "nowhere"`},
		{"environment second", machine{env: true, pathShell: true, cacheShell: true}, Request{}, "env"},
		{"a kind asked for beats the environment", machine{env: true, pathChrome: true}, Request{Want: Chrome}, "pathChrome"},
		{"shell preferred on PATH", machine{pathShell: true, pathChrome: true}, Request{}, "pathShell"},
		{"shell preferred in the cache", machine{pathChrome: true, cacheShell: true}, Request{}, "cacheShell"},
		{"system before cache", machine{pathShell: true, cacheShell: true}, Request{}, "pathShell"},
		{"full browser when there is no shell", machine{pathChrome: true}, Request{}, "pathChrome"},
		{"and nothing fetched for it", machine{place: true}, Request{Fetch: true}, "place"},
		{"known place", machine{place: true, cacheChrome: true}, Request{}, "place"},
		{"cache last", machine{cacheChrome: true}, Request{}, "cacheChrome"},
		{"headed passes over shells", machine{pathShell: true, cacheShell: true, cacheChrome: true}, Request{Headed: true}, "cacheChrome"},
		{"headed shell", machine{pathShell: true}, Request{Headed: true, Want: Shell}, "error: window"},
		{"shell asked for", machine{pathChrome: true, cacheShell: true}, Request{Want: Shell}, "cacheShell"},
		{"shell asked for, none there", machine{pathChrome: true}, Request{Want: Shell}, "error: rove browser install shell"},
		{"chrome asked for, none there", machine{cacheShell: true}, Request{Want: Chrome}, "error: rove browser install chrome"},
		{"a name that is none", machine{pathChrome: true}, Request{Want: "chorme"}, "error: neither a browser that rove knows (shell, chrome, edge, firefox"},
		{"nothing there", machine{}, Request{}, "error: rove browser install"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := testFinder(t)
			bin := filepath.Join(f.home, "bin")
			paths := map[string]string{}
			file := func(key, name string) {
				paths[key] = filepath.Join(bin, name)
				writeFile(t, paths[key], "#!/bin/sh\n", 0o700)
			}
			file("given", "given")
			onPATH := map[string]string{"given": paths["given"]}
			if tc.has.env {
				file("env", "from-env")
				onPATH[paths["env"]] = paths["env"]
				f.getenv = func(name string) string { return map[string]string{"ROVE_BROWSER": paths["env"]}[name] }
			}
			if tc.has.pathShell {
				file("pathShell", "chrome-headless-shell")
				onPATH["chrome-headless-shell"] = paths["pathShell"]
			}
			if tc.has.pathChrome {
				file("pathChrome", "chromium")
				onPATH["chromium"] = paths["pathChrome"]
			}
			if tc.has.place {
				paths["place"] = "/opt/google/chrome/chrome"
			}
			if tc.has.cacheShell {
				paths["cacheShell"] = putCached(t, f, "shell-1.0", Shell, "1.0")
			}
			if tc.has.cacheChrome {
				paths["cacheChrome"] = putCached(t, f, "chrome-1.0", Chrome, "1.0")
			}
			inHome := f.executable
			f.executable = func(path string) bool { return inHome(path) || path == paths["place"] }
			f.lookPath = func(name string) (string, error) {
				if p, ok := onPATH[name]; ok {
					return p, nil
				}
				return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
			}
			b, err := f.find(t.Context(), tc.req)
			if part, wantErr := strings.CutPrefix(tc.want, "error: "); wantErr {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("%+v, err = %v; want one with %s", b, err, part)
				}
				return
			}
			if err != nil || b.Path != paths[tc.want] {
				t.Errorf("found %s, %v; want %s", b.Path, err, paths[tc.want])
			}
			if wantShell := strings.HasSuffix(tc.want, "Shell"); (b.Kind == Shell) != wantShell {
				t.Errorf("kind %s", b.Kind)
			}
		})
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	f := testFinder(t)
	_, err := f.find(t.Context(), Request{})
	if !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "ROVE_BROWSER") {
		t.Errorf("err = %v", err)
	}
	_, err = f.find(t.Context(), Request{Fetch: true})
	if !errors.Is(err, ErrNone) || strings.Count(err.Error(), ".") != 1 || !strings.Contains(err.Error(), "ROVE_BROWSER") {
		t.Errorf("offline: %v; want one sentence", err)
	}
	f.getenv = func(string) string { return "/no/such/file" }
	if _, err = f.find(t.Context(), Request{}); err == nil || !strings.Contains(err.Error(), "ROVE_BROWSER") {
		t.Errorf("wrong ROVE_BROWSER: %v", err)
	}
}

func TestKnownPlaces(t *testing.T) {
	env := map[string]string{
		"HOME": "/Users/ann", "ProgramFiles": `C:\Program Files`, "ProgramFiles(x86)": `C:\Program Files (x86)`,
		"LocalAppData": `C:\Users\ann\AppData\Local`,
	}
	for goos, want := range map[string][]string{
		"linux":  {"/opt/google/chrome/chrome", "/usr/bin/chromium", "/opt/microsoft/msedge/msedge", "/opt/brave.com/brave/brave"},
		"darwin": {"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Users/ann/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"},
		"windows": {
			`C:\Program Files\Google\Chrome\Application\chrome.exe`, `C:\Users\ann\AppData\Local\Chromium\Application\chrome.exe`,
			`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`, `C:\Program Files\BraveSoftware\Brave-Browser\Application\brave.exe`,
		},
	} {
		have := "\n" + strings.Join(places(goos, Chrome, func(k string) string { return env[k] }), "\n") + "\n"
		for _, p := range want {
			if !strings.Contains(have, "\n"+p+"\n") {
				t.Errorf("%s: %s is not looked at", goos, p)
			}
		}
	}
}

func TestKindOf(t *testing.T) {
	f := testFinder(t)
	elf := "\x7fELF..."
	full := filepath.Join(f.home, "full", "chrome")
	writeFile(t, full, elf, 0o700)
	writeFile(t, filepath.Join(f.home, "full", "resources.pak"), "", 0o600)
	bare := filepath.Join(f.home, "bare", "chromium")
	writeFile(t, bare, elf, 0o700)
	script := filepath.Join(f.home, "script", "chromium")
	writeFile(t, script, "#!/bin/sh\nexec x\n", 0o700)
	link := filepath.Join(f.home, "link")
	if err := os.Symlink(full, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		full: Chrome, bare: Shell, script: Chrome, link: Chrome,
		"/x/chrome-headless-shell": Shell, `/x/headless_shell`: Shell, "/x/Google Chrome": Chrome,
	} {
		if got := f.kindOf(path); got != want {
			t.Errorf("kindOf(%s) = %s", path, got)
		}
	}
}

func TestSnapScriptIsNoBrowser(t *testing.T) {
	if _, err := os.Stat("/snap/bin/chromium"); err == nil || runtime.GOOS == "windows" {
		t.Skip("this machine has the snap, so the script works")
	}
	path := filepath.Join(t.TempDir(), "chromium-browser")
	writeFile(t, path, "#!/bin/sh\nif ! [ -x /snap/bin/chromium ]; then echo 'install the snap' >&2; exit 1; fi\nexec /snap/bin/chromium \"$@\"\n", 0o700)
	if isExecutable(path) {
		t.Error("taken for a browser")
	}
}

func TestCache(t *testing.T) {
	f := testFinder(t)
	putCached(t, f, "shell-99.1", Shell, "99.1.0.0")
	newest := putCached(t, f, "shell-100.0", Shell, "100.0.0.0")
	putCached(t, f, ".work-x", Shell, "200.0")
	writeFile(t, filepath.Join(f.store(), "shell-300", manifestName), `{"kind":"shell","version":"300","exe":"gone"}`, 0o600)
	writeFile(t, filepath.Join(f.store(), "shell-301", manifestName), `{"kind":"shell","version":"301","exe":"../../evil"}`, 0o600)
	writeFile(t, filepath.Join(f.store(), "shell-302", manifestName), `{`, 0o600)
	list := f.cached(Shell)
	if len(list) != 2 || list[0].Path != newest {
		t.Errorf("cached = %+v; want the newest of two whole ones first", list)
	}
	if b, err := f.explicit(newest, FromFlag); err == nil || b.Path != "" {
		t.Errorf("a path that PATH does not know: %+v", b)
	}
	f.lookPath = func(name string) (string, error) { return name, nil }
	if b, err := f.explicit(newest, FromFlag); err != nil || b.Name != "shell-100.0" || b.Source != FromFlag {
		t.Errorf("explicit = %+v, %v; want the cached one", b, err)
	}

	req := Request{Home: f.home}
	for _, bad := range []string{"none", "..", ".", "../x", ".work-x", "a/b", "/etc"} {
		if _, err := Remove(t.Context(), req, bad); err == nil {
			t.Errorf("Remove(%q) = nil", bad)
		}
	}
	if names, err := Remove(t.Context(), req, "shell-99.1"); err != nil || len(names) != 1 {
		t.Errorf("Remove = %v, %v", names, err)
	}
	if names, err := Remove(t.Context(), req, ""); err != nil || len(names) != 4 {
		t.Errorf("Remove all = %v, %v", names, err)
	}
	if entries, _ := os.ReadDir(f.store()); len(entries) != 0 {
		t.Errorf("left: %v", entries)
	}
}

func TestCompareVersions(t *testing.T) {
	ordered := []string{"", "1", "1.2", "1.10", "99.0.1", "100", "100.0.0.1", "153.0.8010.0"}
	for i, a := range ordered {
		for j, b := range ordered {
			got := compareVersions(a, b)
			if (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("compareVersions(%q, %q) = %d", a, b, got)
			}
		}
	}
}

// The system's package manager is used as root, on Debian-like systems, with
// permission, and not otherwise.
func TestSystemPackage(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("apt-get is played by a shell script")
	}
	for _, tc := range []struct {
		name         string
		root, system bool
		goos, script string
		want         string // part of the error, "" for success
	}{
		{"as it should be", true, true, "linux", "install", ""},
		{"without permission", true, false, "linux", "install", "--system"},
		{"not root", false, true, "linux", "install", "root"},
		{"another system", true, true, "darwin", "install", "apt-get"},
		{"no network", true, true, "linux", "fail", "Could not resolve"},
		{"an empty package", true, true, "linux", "nothing", "no browser"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := testFinder(t)
			f.root, f.goos = tc.root, tc.goos
			browser := filepath.Join(f.home, "usr", "chromium")
			log := filepath.Join(f.home, "apt.log")
			script := map[string]string{
				"install": `[ "$1" = update ] || { printf '#!/bin/sh\n' > ` + browser + `; chmod +x ` + browser + `; }`,
				"fail":    `echo "E: something"; echo "E: Could not resolve 'deb.example'"; exit 100`,
				"nothing": `:`,
			}[tc.script]
			apt := filepath.Join(f.home, "usr", "apt-get")
			writeFile(t, apt, "#!/bin/sh\necho \"$@\" >> "+log+"\n"+script+"\n", 0o700)
			f.lookPath = func(name string) (string, error) {
				path := filepath.Join(f.home, "usr", name)
				_, err := os.Stat(path)
				return path, err
			}
			b, err := f.fetch(t.Context(), Chrome, Request{System: tc.system}, true)
			if tc.want == "" {
				calls, _ := os.ReadFile(log)
				if err != nil || b.Path != browser || !strings.Contains(string(calls), "install -q -y --no-install-recommends chromium") {
					t.Errorf("%+v, %v; apt-get was called with %s", b, err, calls)
				}
				return
			}
			var failed *FetchError
			if !errors.As(err, &failed) {
				t.Fatalf("err = %v", err)
			}
			last := failed.Attempts[len(failed.Attempts)-1]
			if !strings.Contains(last.Err.Error(), tc.want) {
				t.Errorf("err = %v, want %q", last.Err, tc.want)
			}
		})
	}
}

func TestReason(t *testing.T) {
	_, err := http.Get(offline + "/x")
	if got := reason(err); got != "127.0.0.1:1 can't be reached" {
		t.Errorf("reason = %s", got)
	}
}

// A cached browser that is named by its path keeps the libraries and fonts it came
// with, also for somebody with another home: tests have one of their own.
func TestCachedBrowserOfAnotherHome(t *testing.T) {
	theirs, mine := testFinder(t), testFinder(t)
	exe := putCached(t, theirs, "shell-1", Shell, "1")
	writeFile(t, filepath.Join(filepath.Dir(exe), manifestName), `{"kind":"shell","version":"1","exe":"exe","libs":"lib"}`, 0o600)
	mine.lookPath = func(name string) (string, error) { return name, nil }
	mine.executable = isExecutable
	b, err := mine.find(t.Context(), Request{Want: exe})
	if err != nil || b.Kind != Shell || len(b.Env) == 0 || !strings.Contains(b.Env[0], filepath.Join(filepath.Dir(exe), "lib")) {
		t.Errorf("%+v, %v", b, err)
	}
	if b, err = mine.find(t.Context(), Request{Want: "/bin/sh"}); err != nil || b.Env != nil {
		t.Errorf("%+v, %v", b, err)
	}
}
