package bidi

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"rove/driver/backend"
	"rove/internal/proc"
	"rove/internal/wire"
)

// Options say how to start Firefox.
type Options struct {
	Path   string   // the executable; found on the machine where it is empty
	Args   []string // more arguments
	Headed bool     // with a window
	Home   string   // where the run directory with the profile goes; rove's own when empty
}

const (
	startTimeout = 60 * time.Second
	closeTimeout = 5 * time.Second
)

// names are what Firefox is called on a PATH, and places where else it may be.
var (
	names  = []string{"firefox", "firefox-esr"}
	places = []string{
		"/Applications/Firefox.app/Contents/MacOS/firefox", `C:\Program Files\Mozilla Firefox\firefox.exe`,
		"/snap/bin/firefox", "/usr/lib/firefox-esr/firefox-esr",
	}
)

// ErrMissing says that there is no Firefox.
var ErrMissing = errors.New("there is no Firefox on this machine")

// Install is what to do about it.
const Install = "install it (Debian: apt-get install firefox-esr, Ubuntu: snap install firefox, macOS: brew install --cask firefox), or name its executable in ROVE_FIREFOX"

// Find finds Firefox: ROVE_FIREFOX names it, else it is looked for.
func Find() (string, error) {
	if path := os.Getenv("ROVE_FIREFOX"); path != "" {
		if _, err := exec.LookPath(path); err != nil {
			return "", fmt.Errorf("ROVE_FIREFOX: %w", err)
		}
		return path, nil
	}
	for _, name := range append(append([]string(nil), names...), places...) {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrMissing
}

// IsFirefox says of an executable that it is one, by its name.
func IsFirefox(path string) bool {
	return strings.HasPrefix(strings.ToLower(filepath.Base(path)), "firefox")
}

// preferences keep a new profile quiet: no first steps, no updates, no telling of
// anything to anybody. Timers run and windows open as for somebody who looks on; pages are as
// wide as their window and scroll at once, nothing is loaded that no page asked for (site
// icons), and a document of JSON is shown as it is.
//
//go:embed user.js
var preferences string

// unasked are the preferences that are 2 in a Firefox without a window, where nobody could
// answer: a page that asks is told no, as in Chrome, instead of waiting.
var unasked = []string{"permissions.default.geo", "permissions.default.desktop-notification", "permissions.default.camera", "permissions.default.microphone"}

// Launch starts Firefox. The context bounds the start; the browser lives until Close.
func Launch(ctx context.Context, opts Options) (_ *Browser, err error) {
	if opts.Path == "" {
		if opts.Path, err = Find(); err != nil {
			return nil, &backend.Error{Kind: backend.KindUnsupported, Text: err.Error() + "; " + Install, Err: err}
		}
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	scratch, err := proc.NewScratch(opts.Home)
	if err != nil {
		return nil, err
	}
	profile, wishes := scratch.Path("profile"), preferences
	if !opts.Headed {
		for _, name := range unasked {
			wishes += fmt.Sprintf("user_pref(%q, 2);\n", name)
		}
	}
	if err = os.MkdirAll(profile, 0o700); err == nil {
		err = os.WriteFile(filepath.Join(profile, "user.js"), []byte(wishes), 0o600)
	}
	var process *proc.Process
	if err == nil {
		args := []string{"--no-remote", "--new-instance", "--profile", profile, "--remote-debugging-port", "0"}
		if !opts.Headed {
			args = append(args, "--headless")
		}
		process, err = proc.Start(ctx, proc.Spec{
			Path: opts.Path, Args: append(append(args, opts.Args...), "about:blank"), Env: []string{"MOZ_CRASHREPORTER_DISABLE=1"}, Scratch: scratch, Private: true,
		})
	}
	if err != nil {
		_ = scratch.Remove()
		return nil, err
	}
	b, err := begin(ctx, process, scratch, profile)
	if err != nil {
		_ = process.Kill()
		_ = scratch.Remove()
		if said := process.Output(); said != "" {
			err = fmt.Errorf("%w; it said:\n%s", err, said)
		}
		return nil, fmt.Errorf("firefox: %s did not start: %w", opts.Path, err)
	}
	return b, nil
}

// begin connects to a browser that was just started.
func begin(ctx context.Context, process *proc.Process, scratch *proc.Scratch, profile string) (*Browser, error) {
	address, err := listening(ctx, process, filepath.Join(profile, "WebDriverBiDiServer.json"))
	if err != nil {
		return nil, err
	}
	return Connect(ctx, Attachment{
		Name: "firefox", Socket: address, NewSession: true, Memory: process.Memory, Folder: scratch.Dir,
		End: func(quit func() <-chan struct{}) error {
			timer := time.NewTimer(closeTimeout)
			defer timer.Stop()
			asked := quit()
			for range 2 {
				select {
				case <-asked:
					asked = nil
					continue
				case <-process.Done():
				case <-timer.C:
				}
				break
			}
			return errors.Join(process.Kill(), scratch.Remove())
		},
	})
}

// listening waits until the browser has written where it listens.
func listening(ctx context.Context, process *proc.Process, file string) (string, error) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		var at struct {
			Host string `json:"ws_host"`
			Port int    `json:"ws_port"`
		}
		if text, err := os.ReadFile(file); err == nil && wire.Unmarshal(text, &at) == nil && at.Port > 0 {
			return fmt.Sprintf("ws://%s:%d/session", at.Host, at.Port), nil
		}
		select {
		case <-tick.C:
		case <-process.Done():
			return "", fmt.Errorf("it ended: %w", process.Err())
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}
