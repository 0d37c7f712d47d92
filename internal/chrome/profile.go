package chrome

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"rove/internal/proc"
)

// A profile that is kept is for one browser at a time, and in it for one context
// at a time: the one the browser starts with, as no other keeps anything.

// holdProfile makes sure of a profile directory, and that nobody else uses it.
func holdProfile(ctx context.Context, dir string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("profile %s: %w", dir, err)
	}
	release, err = proc.Hold(ctx, filepath.Join(dir, "rove.lock"))
	if err == nil {
		// That of a rove that was killed is about to end by itself.
		if pid := profileOwner(dir); pid != 0 && !proc.Gone(ctx, pid, orphanTimeout) {
			release()
			err = &proc.Held{Pid: pid}
		}
	}
	var held *proc.Held
	switch {
	case errors.As(err, &held):
		return nil, fmt.Errorf("profile %w: %s", held, dir)
	case err != nil:
		return nil, fmt.Errorf("profile %s: %w", dir, err)
	}
	return release, nil
}

// orphanTimeout is how long a browser without its rove may take to end.
const orphanTimeout = 3 * time.Second

// profileOwner is the browser that says it runs in a profile; 0 is none. Started
// there, another would only open a window of that one.
func profileOwner(dir string) int {
	// host-pid, on systems with symbolic links
	link, err := os.Readlink(filepath.Join(dir, "SingletonLock"))
	if err != nil {
		return 0
	}
	i := strings.LastIndexByte(link, '-')
	pid, err := strconv.Atoi(link[i+1:])
	if host, _ := os.Hostname(); err != nil || i < 0 || link[:i] != host {
		return 0
	}
	return pid
}

// preferences are what no flag says. The viewer for PDFs draws them where nothing
// can read them: they are files, which are kept. And a page that asks for a screen to
// show has the browser ask which, where nobody may be there to say.
const preferences = `{"plugins":{"always_open_pdf_externally":true},"hardware":{"screen_capture_enabled":%t}}`

// writePreferences gives a profile that is new its preferences.
func writePreferences(profile string, screens bool) error {
	dir := filepath.Join(profile, "Default")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(dir, "Preferences"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, preferences, screens)
	return errors.Join(err, file.Close())
}
