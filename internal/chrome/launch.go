package chrome

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/proc"
	"rove/internal/wire"
)

// Options say how to start a browser. Only Path is needed.
type Options struct {
	Path   string   // the executable
	Kind   Kind     // how it is to be started; by its name when empty
	Args   []string // more switches
	Env    []string // "NAME=value", on top of this process's environment
	Headed bool     // with a window
	// Home is where the run directory with the profile goes; rove's own home
	// when empty. The profile is empty at the start and removed at the end.
	Home string
	// Profile is a directory that is used as the profile instead, and kept. Such
	// a browser has one context at a time, held to Policy if there is one.
	Profile string
	// Policy is that of the contexts to come. What can only be held back in the whole
	// browser is: datagrams, and what goes out after the network service died.
	Policy backend.Policy
	// Limited says that contexts will come with policies of their own, which each
	// bring their own way out. What can only be held back in the whole browser is,
	// and what has lost its context's way out has none: see nowhere.
	Limited bool
	// Viewport is that of the first context; see backend.ContextOptions.
	Viewport backend.Viewport
	// Timeout bounds the start; 30 seconds when zero.
	Timeout time.Duration

	keepPages bool    // the back/forward cache stays on; for tests
	bounds    *bounds // of what pages may do to the browser, when not the usual; for tests
}

func (o *Options) kind() Kind {
	if o.Kind == KindAuto {
		return kindOf(o.Path)
	}
	return o.Kind
}

// screen says whether there is one to show a window on, as far as one can tell.
func (o *Options) screen() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return true
	}
	for _, v := range slices.Concat(os.Environ(), o.Env) {
		if name, value, _ := strings.Cut(v, "="); value != "" && (name == "DISPLAY" || name == "WAYLAND_DISPLAY") {
			return true
		}
	}
	return false
}

// hasNoLanguage says that the environment names no language, as in most containers.
func (o *Options) hasNoLanguage() bool {
	set := map[string]string{}
	for _, v := range slices.Concat(os.Environ(), o.Env) {
		name, value, _ := strings.Cut(v, "=")
		set[name] = value
	}
	language, _, _ := strings.Cut(cmp.Or(set["LC_ALL"], set["LC_MESSAGES"], set["LANG"]), ".")
	return language == "" || language == "C" || language == "POSIX"
}

func (o *Options) viewport() backend.Viewport { return anypage.Viewport(o.Viewport) }

const (
	startTimeout = 30 * time.Second
	closeTimeout = 5 * time.Second  // for a browser asked to end, before it is killed
	keepTimeout  = 20 * time.Second // for one that has a profile to write
)

// Launch starts a browser. The context bounds the start; the browser then lives
// until Close.
func Launch(ctx context.Context, opts Options) (*Browser, error) {
	if opts.Path == "" {
		return nil, errors.New("chrome: no executable given")
	}
	if opts.Headed && !opts.screen() {
		return nil, errors.New("chrome: there is no screen to show a window on: DISPLAY and WAYLAND_DISPLAY are not set; leave headed out, or begin with xvfb-run")
	}
	if opts.Timeout <= 0 {
		opts.Timeout = startTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, opts.Timeout)
	defer cancel()

	scratch, err := proc.NewScratch(opts.Home)
	if err != nil {
		return nil, err
	}
	profile, release := scratch.Path("profile"), func() {}
	var way *egress
	if opts.Profile != "" {
		profile = opts.Profile
		release, err = holdProfile(ctx, profile)
	}
	if opts.Limited {
		opts.Policy = nowhere{}
	}
	if err == nil && opts.Policy != nil && opts.Policy.Limits() {
		// The whole browser's, and not a context's: when the browser's network
		// service dies and another takes its place, that knows nothing of the
		// proxies that contexts were given.
		if way, err = newEgress(opts.Policy); err == nil {
			opts.Args = append(slices.Clone(opts.Args), "--proxy-server="+way.address(), "--proxy-bypass-list=<-loopback>")
		} else {
			release()
		}
	}
	if err != nil {
		_ = scratch.Remove()
		return nil, err
	}
	var process *proc.Process
	if err = writePreferences(profile, opts.Headed || opts.Profile != ""); err == nil {
		process, err = proc.Start(ctx, proc.Spec{
			Path:    opts.Path,
			Args:    opts.arguments(profile),
			Env:     opts.Env,
			Pipe:    true,
			Scratch: scratch,
		})
	}
	if err != nil {
		way.close()
		release()
		_ = scratch.Remove()
		return nil, err
	}
	b := newBrowser(cdp.New(wire.NewPipe(process.FromBrowser, process.ToBrowser)))
	b.process, b.scratch, b.kept, b.release = process, scratch, opts.Profile != "", release
	if opts.bounds != nil {
		b.bounds = *opts.bounds
	}
	b.unwatched = !opts.Headed
	b.startup = newContext(b, "", anypage.Viewport(opts.Viewport))
	b.startup.egress = way
	if way != nil {
		b.startup.policy.Store(&opts.Policy) // before there is a page
	}
	b.startup.awaitsSpare = true
	if err := b.start(ctx); err != nil {
		err = startError(ctx, opts, process, err)
		_ = process.Kill() // there is no use in asking
		_ = b.Close()
		return nil, err
	}
	return b, nil
}

// startError says why a browser did not start, with its own last words.
func startError(ctx context.Context, opts Options, process *proc.Process, err error) error {
	// A browser that gave up closes the pipe a little before it is gone.
	if ctx.Err() == nil {
		select {
		case <-process.Done():
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
	what := fmt.Sprintf("chrome: %s did not start", opts.Path)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		what += fmt.Sprintf(" within %v", opts.Timeout)
	case process.Err() != nil:
		err = process.Err()
	}
	if said := process.Output(); said != "" {
		return fmt.Errorf("%s: %w; it said:\n%s", what, err, said)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// Connect joins a running browser at its websocket address. Close then leaves
// the browser running, without the contexts that were opened through it. through is what
// watches over the connection.
func Connect(ctx context.Context, url string, through ...func(wire.Transport) wire.Transport) (*Browser, error) {
	transport, err := wire.Dial(ctx, url, nil)
	if err != nil {
		return nil, fmt.Errorf("chrome: connect to %s: %w", url, err)
	}
	for _, wrap := range through {
		transport = wrap(transport)
	}
	b := newBrowser(cdp.New(transport))
	b.startup = newContext(b, "", backend.Viewport{})
	if err := b.start(ctx); err != nil {
		_ = b.Close()
		return nil, fmt.Errorf("chrome: connect to %s: %w", url, err)
	}
	return b, nil
}
