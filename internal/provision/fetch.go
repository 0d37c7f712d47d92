package provision

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"rove/internal/proc"
)

// workPrefix begins the names of directories that are being filled or removed.
const workPrefix = ".work-"

// source is a place to fetch browsers from.
type source interface {
	title() string
	// offer says what the source has for this machine. It fails fast.
	offer(ctx context.Context, kind, version string) (offer, error)
}

// offer is one archive that holds a browser.
type offer struct {
	name    string // of the directory in the cache
	version string
	archive download
	// unpack fills a directory from the archive and says what is in it.
	unpack func(ctx context.Context, archive *os.File, dir string) (manifest, error)
}

// Attempt is a source that was tried and did not give a browser.
type Attempt struct {
	Source string
	Err    error
}

// FetchError says why none of the sources gave a browser.
type FetchError struct {
	Kind     string
	Attempts []Attempt
}

func (e *FetchError) Error() string {
	var reasons []string
	offline := true
	for _, a := range e.Attempts {
		reasons = append(reasons, a.Source+": "+reason(a.Err))
		offline = offline && (isOffline(a.Err) || errors.Is(a.Err, errNotAllowed))
	}
	if offline {
		return "There is no browser here and the network can't be reached: install Chrome or Chromium, or copy one to this machine and set ROVE_BROWSER to its path."
	}
	return fmt.Sprintf("no %s could be fetched (%s); install Chrome or Chromium and set ROVE_BROWSER to its path", title(e.Kind), strings.Join(reasons, "; "))
}

func (e *FetchError) Unwrap() []error {
	errs := []error{ErrNone}
	for _, a := range e.Attempts {
		errs = append(errs, a.Err)
	}
	return errs
}

// isOffline tells a network that isn't there from a server that says no.
func isOffline(err error) bool {
	var dns *net.DNSError
	var op *net.OpError
	var ue *url.Error
	return errors.As(err, &dns) || errors.As(err, &op) && op.Op == "dial" || errors.As(err, &ue) && ue.Timeout()
}

// reason is an error in the words of somebody who waits for a browser.
func reason(err error) string {
	if ue, ok := errors.AsType[*url.Error](err); ok {
		if u, parseErr := url.Parse(ue.URL); parseErr == nil && isOffline(err) {
			return u.Host + " can't be reached"
		}
	}
	return err.Error()
}

// fetch gets a browser of a kind from the first source that has one. With
// anyVersion a cached one will do: somebody else may have just put it there.
func (f *finder) fetch(ctx context.Context, kind string, req Request, anyVersion bool) (Browser, error) {
	if err := os.MkdirAll(f.store(), 0o700); err != nil {
		return Browser{}, fmt.Errorf("no place for a browser: %w", err)
	}
	unlock, err := f.lock(ctx)
	if err != nil {
		return Browser{}, err
	}
	defer unlock()
	if anyVersion {
		if cached := f.cached(kind); len(cached) > 0 {
			return cached[0], nil
		}
	}
	f.discardWork()
	failed := &FetchError{Kind: kind}
	for _, src := range []source{cft{f}, npm{f}} {
		b, err := f.fetchFrom(ctx, src, kind, req.Version)
		if err == nil {
			return b, nil
		}
		if ctx.Err() != nil {
			return Browser{}, ctx.Err()
		}
		if isDiskFull(err) {
			return Browser{}, err // the next source would fare no better
		}
		f.report.say("%s: %s", src.title(), reason(err))
		if b, ok := f.fetchedBefore(src, kind); ok && req.Version == "" && isOffline(err) {
			f.report.say("%s %s is already there", title(kind), b.Version)
			return b, nil // no newer one from elsewhere instead
		}
		failed.Attempts = append(failed.Attempts, Attempt{src.title(), err})
	}
	b, err := f.systemPackage(ctx, req)
	if err == nil {
		return b, nil
	}
	failed.Attempts = append(failed.Attempts, Attempt{"system packages", err})
	return Browser{}, failed
}

// fetchedBefore is the newest cached browser that came from a source.
func (f *finder) fetchedBefore(src source, kind string) (Browser, bool) {
	for _, b := range f.cached(kind) {
		if b.fetchedFrom == src.title() {
			return b, true
		}
	}
	return Browser{}, false
}

// lock keeps other fetches out, of this process and of others. The second one
// waits, and then finds what the first one fetched.
func (f *finder) lock(ctx context.Context) (unlock func(), err error) {
	unlock, err = proc.Lock(ctx, filepath.Join(f.store(), ".lock"))
	if err != nil {
		return nil, fmt.Errorf("lock the browser cache: %w", err)
	}
	return unlock, nil
}

// discardWork removes what interrupted fetches left. The caller holds the lock.
func (f *finder) discardWork() {
	left, _ := filepath.Glob(filepath.Join(f.store(), workPrefix+"*"))
	for _, dir := range left {
		_ = os.RemoveAll(dir)
	}
}

func (f *finder) partials() string { return filepath.Join(f.store(), ".partial") }

func (f *finder) fetchFrom(ctx context.Context, src source, kind, version string) (Browser, error) {
	o, err := src.offer(ctx, kind, version)
	if err != nil {
		return Browser{}, err
	}
	if b, err := f.open(o.name); err == nil {
		f.report.say("%s %s is already there", title(kind), o.version)
		return b, nil
	}
	f.report.say("Fetching %s %s from %s", title(kind), o.version, src.title())
	archive, err := f.download(ctx, filepath.Join(f.partials(), o.name), o.archive)
	if err != nil {
		return Browser{}, err
	}
	defer func() { _ = archive.Close() }()
	b, err := f.install(ctx, src, o, archive)
	if err != nil {
		return Browser{}, err
	}
	_ = archive.Close()
	_ = os.RemoveAll(f.partials())
	f.report.say("Installed %s %s in %s", title(kind), b.Version, filepath.Dir(b.Path))
	return b, nil
}

// install unpacks an archive beside its final place, proves that what came out
// runs, and only then gives it its name.
func (f *finder) install(ctx context.Context, src source, o offer, archive *os.File) (Browser, error) {
	work, err := os.MkdirTemp(f.store(), workPrefix)
	if err != nil {
		return Browser{}, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	f.report.say("Unpacking")
	m, err := o.unpack(ctx, archive, work)
	if err != nil {
		return Browser{}, diskFull(f.store(), fmt.Errorf("unpack: %w", err))
	}
	m.Source = src.title()
	if m.Version, m.Libs, err = f.tryOut(ctx, m, work); err != nil {
		return Browser{}, err
	}
	data, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return Browser{}, err
	}
	if err := os.WriteFile(filepath.Join(work, manifestName), append(data, '\n'), 0o600); err != nil {
		return Browser{}, diskFull(f.store(), err)
	}
	final := filepath.Join(f.store(), o.name)
	if err := os.RemoveAll(final); err != nil { // a broken one: open refused it
		return Browser{}, err
	}
	if err := os.Rename(work, final); err != nil {
		return Browser{}, err
	}
	return f.open(o.name)
}

// tryOut starts a browser once. The libraries that came with it are used only
// if it doesn't run with the system's own.
func (f *finder) tryOut(ctx context.Context, m manifest, dir string) (version, libs string, err error) {
	libs, m.Libs = m.Libs, ""
	version, err = f.probe(ctx, m.browser(dir))
	if err == nil || libs == "" || ctx.Err() != nil {
		return version, "", err
	}
	m.Libs = libs
	version, withLibs := f.probe(ctx, m.browser(dir))
	if withLibs != nil {
		return "", "", err // the first reason is the one about this machine
	}
	return version, libs, nil
}

func title(kind string) string {
	if kind == Shell {
		return "headless shell"
	}
	return "Chrome"
}
