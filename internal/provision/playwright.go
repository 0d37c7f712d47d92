package provision

import (
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"rove/internal/proc"
)

// Playwright is a server that can be started: Node, and playwright-core for it to run.
type Playwright struct {
	Node    string // the executable
	CLI     string // playwright-core's cli.js
	Version string
}

// playwrightPackage is what Playwright's server is called at the registry.
const playwrightPackage = "playwright-core"

// ErrNoPlaywright is in the chain of an error that says what of it is missing.
var ErrNoPlaywright = errors.New("there is no Playwright server to start")

// FindPlaywright finds a Playwright of a minor version such as "1.65": where
// ROVE_PLAYWRIGHT says, or in rove's cache.
func FindPlaywright(req Request, minor string) (Playwright, error) {
	f, err := newFinder(req)
	if err != nil {
		return Playwright{}, err
	}
	node, err := f.node()
	if err != nil {
		return Playwright{}, err
	}
	if dir := f.getenv("ROVE_PLAYWRIGHT"); dir != "" {
		version, err := playwrightVersion(dir)
		switch {
		case err != nil:
			return Playwright{}, fmt.Errorf("%w: ROVE_PLAYWRIGHT names no playwright-core package: %w", ErrNoPlaywright, err)
		case !ofMinor(version, minor):
			return Playwright{}, fmt.Errorf("%w: ROVE_PLAYWRIGHT names version %s, and rove speaks the protocol of %s: npm install playwright-core@%s", ErrNoPlaywright, version, minor, minor)
		}
		return Playwright{Node: node, CLI: filepath.Join(dir, "cli.js"), Version: version}, nil
	}
	found := Playwright{Node: node}
	entries, _ := os.ReadDir(f.playwrights())
	for _, e := range entries {
		dir := filepath.Join(f.playwrights(), e.Name(), "package")
		version, err := playwrightVersion(dir)
		if err == nil && !strings.HasPrefix(e.Name(), ".") && ofMinor(version, minor) && compareVersions(version, found.Version) > 0 {
			found.CLI, found.Version = filepath.Join(dir, "cli.js"), version
		}
	}
	if found.Version == "" {
		return Playwright{}, fmt.Errorf("%w: playwright-core %s is not in rove's cache", ErrNoPlaywright, minor)
	}
	return found, nil
}

func (f *finder) playwrights() string { return filepath.Join(f.home, "playwright") }

func (f *finder) node() (string, error) {
	name := cmp.Or(f.getenv("ROVE_NODE"), "node")
	path, err := f.lookPath(name)
	if err != nil {
		return "", fmt.Errorf("%w: Node 20 or newer is needed to run it: install Node.js (Debian: apt-get install nodejs, macOS: brew install node), or name its executable in ROVE_NODE", ErrNoPlaywright)
	}
	return path, nil
}

func ofMinor(version, minor string) bool {
	return version == minor || strings.HasPrefix(version, minor+".")
}

// playwrightVersion reads the version of the package in a folder.
func playwrightVersion(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", err
	}
	var p struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return "", err
	}
	if p.Name != playwrightPackage {
		return "", fmt.Errorf("the package in %s is %q, not %s", dir, p.Name, playwrightPackage)
	}
	_, err = os.Stat(filepath.Join(dir, "cli.js"))
	return p.Version, err
}

// InstallPlaywright fetches the newest Playwright of a minor version into the cache, from
// the registry that npm is configured for, unless it is there.
func InstallPlaywright(ctx context.Context, req Request, minor string) (Playwright, error) {
	f, err := newFinder(req)
	if err != nil {
		return Playwright{}, err
	}
	node, err := f.node()
	if err != nil {
		return Playwright{}, err
	}
	store := f.playwrights()
	if err := os.MkdirAll(store, 0o700); err != nil {
		return Playwright{}, err
	}
	unlock, err := proc.Lock(ctx, filepath.Join(store, ".lock"))
	if err != nil {
		return Playwright{}, fmt.Errorf("lock the cache: %w", err)
	}
	defer unlock()
	conf := f.npm()
	client, registry := conf.client(f.client), conf.registry("")
	v, err := npmLookup(ctx, client, conf, registry, playwrightPackage, minor)
	if err != nil {
		return Playwright{}, fmt.Errorf("playwright-core %s: %s", minor, reason(err))
	}
	final := filepath.Join(store, v.Version)
	made := Playwright{Node: node, CLI: filepath.Join(final, "package", "cli.js"), Version: v.Version}
	if version, err := playwrightVersion(filepath.Dir(made.CLI)); err == nil && version == v.Version {
		f.report.say("Playwright %s is already there", v.Version)
		return made, nil
	}
	sum, err := npmSum(v)
	if err != nil {
		return Playwright{}, err
	}
	tarball, err := npmTarball(registry, v.Dist.Tarball)
	if err != nil {
		return Playwright{}, err
	}
	f.report.say("Fetching Playwright %s from the npm registry", v.Version)
	partial := filepath.Join(store, ".partial")
	archive, err := f.download(ctx, filepath.Join(partial, v.Version), download{url: tarball, client: client, header: conf.auth(tarball), sums: []checksum{sum}, unpacked: 5})
	if err != nil {
		return Playwright{}, err
	}
	defer func() { _ = archive.Close() }()
	work, err := os.MkdirTemp(store, workPrefix)
	if err != nil {
		return Playwright{}, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := f.unpackPlaywright(ctx, archive, work, node); err != nil {
		return Playwright{}, err
	}
	if err := os.RemoveAll(final); err != nil {
		return Playwright{}, err
	}
	if err := os.Rename(work, final); err != nil {
		return Playwright{}, err
	}
	_ = os.RemoveAll(partial)
	f.report.say("Installed Playwright %s in %s", v.Version, final)
	return made, nil
}

// unpackPlaywright unpacks the package, and runs it once: Node may be too old for it.
func (f *finder) unpackPlaywright(ctx context.Context, archive *os.File, dir, node string) (err error) {
	zr, err := gzip.NewReader(archive)
	if err != nil {
		return err
	}
	u, err := newUnpacker(ctx, dir)
	if err != nil {
		return err
	}
	if err := errors.Join(u.untar(zr), u.close()); err != nil {
		return diskFull(f.playwrights(), fmt.Errorf("unpack: %w", err))
	}
	out, err := exec.CommandContext(ctx, node, filepath.Join(dir, "package", "cli.js"), "--version").CombinedOutput()
	if err != nil {
		return fmt.Errorf("it does not run with %s: %s", node, lastWords(string(out)))
	}
	return nil
}

// RemovePlaywright removes what was fetched of it.
func RemovePlaywright(req Request) (bool, error) {
	f, err := newFinder(req)
	if err != nil {
		return false, err
	}
	if _, err := os.Stat(f.playwrights()); err != nil {
		return false, nil
	}
	return true, os.RemoveAll(f.playwrights())
}
