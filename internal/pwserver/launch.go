package pwserver

import (
	"cmp"
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"rove/internal/anypage"
	"rove/internal/proc"
	"rove/internal/wire"
)

// Minor is the version of Playwright whose protocol is spoken: another minor has another.
const Minor = "1.65"

// Options say which server, and which browser of it.
type Options struct {
	URL       string   // of a server that runs; "" starts one
	Browser   string   // chromium (default), firefox, webkit
	Path      string   // the browser's executable; Playwright's own where it is empty
	Args      []string // more arguments for the browser
	Headed    bool     // with a window
	NoSandbox bool     // without Chromium's sandbox, as root has to
	Node      string   // the executable of Node that runs a server
	CLI       string   // cli.js of the playwright-core that it runs
	Env       []string // of the server, and so of its browser
	Home      string   // where the run directory goes; rove's own when empty

	speaks string // another version than Minor, for tests
}

const startTimeout = 60 * time.Second

//go:embed launch.js
var launchSource string

// Connect connects to a server that runs.
func Connect(ctx context.Context, opts Options) (*Browser, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return connect(ctx, opts)
}

func connect(ctx context.Context, opts Options) (*Browser, error) {
	launch := object{"headless": !opts.Headed, "chromiumSandbox": !opts.NoSandbox}
	if opts.Path != "" {
		launch["executablePath"] = opts.Path
	}
	if len(opts.Args) > 0 {
		launch["args"] = opts.Args
	}
	name := opts.Browser
	if name == "" {
		name = "chromium"
	}
	t, err := wire.Dial(ctx, opts.URL, http.Header{
		"User-Agent": {"Playwright/" + cmp.Or(opts.speaks, Minor) + ".0"}, "X-Playwright-Browser": {name}, "X-Playwright-Launch-Options": {string(anypage.Encode(launch))},
	})
	if err != nil {
		return nil, connectError(opts.URL, err)
	}
	b := newBrowser(t)
	if err := b.start(ctx); err != nil {
		b.conn.close()
		var e *refusal
		if errors.As(err, &e) {
			err = errors.New(strings.TrimSpace(e.text))
		}
		return nil, fmt.Errorf("the Playwright server gave no %s: %w", name, err)
	}
	return b, nil
}

// ErrVersion says that a server speaks the protocol of another version.
var ErrVersion = errors.New("another version of Playwright")

var serverVersion = regexp.MustCompile(`server version: v([0-9.]+)`)

// connectError puts into words why a server did not let us in.
func connectError(address string, err error) error {
	var no *wire.Refused
	if !errors.As(err, &no) {
		return fmt.Errorf("no Playwright server answers at %s: %w", safe(address), err)
	}
	if no.Status != http.StatusPreconditionRequired {
		return fmt.Errorf("at %s is no Playwright server, or its path is another (it answers %d)", safe(address), no.Status)
	}
	found := "of another version"
	if m := serverVersion.FindStringSubmatch(no.Said); m != nil {
		found = m[1]
	}
	return fmt.Errorf("%w: the server at %s is Playwright %s, and rove speaks the protocol of %s", ErrVersion, safe(address), found, Minor)
}

// safe is an address without what may be secret in it.
func safe(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "that address"
	}
	return u.Scheme + "://" + u.Host + u.Path
}

// Launch starts a server with Node and a browser with that. The context bounds the start;
// both live until Close, and no longer than this process.
func Launch(ctx context.Context, opts Options) (_ *Browser, err error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	scratch, err := proc.NewScratch(opts.Home)
	if err != nil {
		return nil, err
	}
	path := "/" + rand.Text() // which nobody else knows
	process, err := proc.Start(ctx, proc.Spec{
		Path: opts.Node, Pipe: true, Scratch: scratch, Env: append([]string{"NODE_OPTIONS="}, opts.Env...),
		Args: []string{"-e", launchSource, opts.CLI, "run-server", "--port", "0", "--host", "127.0.0.1", "--path", path, "--unsafe"},
	})
	if err != nil {
		_ = scratch.Remove()
		return nil, err
	}
	var b *Browser
	if opts.URL, err = listening(ctx, process, path); err == nil {
		b, err = connect(ctx, opts)
	}
	if err != nil {
		said := process.Output()
		_ = process.Kill()
		_ = scratch.Remove()
		if said != "" && opts.URL == "" {
			err = fmt.Errorf("%w; it said:\n%s", err, said)
		}
		return nil, fmt.Errorf("playwright: %w", err)
	}
	b.process, b.scratch = process, scratch
	return b, nil
}

// listening waits until the server has said where it listens.
func listening(ctx context.Context, process *proc.Process, path string) (string, error) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		// The path comes last: what has that is whole.
		for word := range strings.FieldsSeq(process.Output()) {
			if strings.HasPrefix(word, "ws://") && strings.HasSuffix(word, path) {
				return word, nil
			}
		}
		select {
		case <-tick.C:
		case <-process.Done():
			return "", fmt.Errorf("the server ended: %w", process.Err())
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}
