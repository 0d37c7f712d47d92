package provision

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// errNotAllowed says why the package manager was left alone.
var errNotAllowed = errors.New("used only when permitted with --system")

// systemPackage installs Chromium with the system's package manager: as root, on
// a Debian-like system, and only with permission.
func (f *finder) systemPackage(ctx context.Context, req Request) (Browser, error) {
	if !req.System {
		return Browser{}, errNotAllowed
	}
	apt, err := f.lookPath("apt-get")
	if f.goos != "linux" || err != nil {
		return Browser{}, errors.New("only on systems with apt-get")
	}
	if !f.root {
		return Browser{}, errors.New("only root may install packages")
	}
	f.report.say("Installing chromium with apt-get")
	for _, args := range [][]string{
		{"update", "-q"},
		{"install", "-q", "-y", "--no-install-recommends", "chromium"},
	} {
		if err := runTool(ctx, apt, args...); err != nil {
			return Browser{}, err
		}
	}
	for _, b := range f.installed(Chrome) {
		if b.Version, err = f.probe(ctx, b); err == nil {
			f.report.say("Installed Chromium %s in %s", b.Version, b.Path)
			return b, nil
		}
	}
	if err != nil {
		return Browser{}, fmt.Errorf("the package chromium was installed, but does not run: %w", err)
	}
	return Browser{}, errors.New("the package chromium holds no browser here")
}

// runTool runs a command of the system. It is asked to stop, not killed, when
// the context ends: a package database must not be left half written.
func runTool(ctx context.Context, path string, args ...string) error {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 30 * time.Second
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return fmt.Errorf("apt-get %s: %w: %s", args[0], err, lines[len(lines)-1])
}
