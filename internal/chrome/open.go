package chrome

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"rove/internal/proc"
)

// OpenOptions say how a browser is opened for a person.
type OpenOptions struct {
	Path     string   // the executable
	Args     []string // more switches
	Profile  string   // its folder, which is kept
	Headless bool     // without a window, for machines that have no screen
	URL      string   // a page to begin with
}

// Opened is a browser that a person has.
type Opened struct {
	Address string // of its websocket
	Pid     int    // 0 for one that was open already
	Profile string
}

// Open starts a browser for a person, with a profile that is kept and debugging on
// a port of its own choosing, which is written into the profile and nowhere else.
// It is no child of ours: it stays when we are gone, until the person closes it.
func Open(ctx context.Context, opts OpenOptions) (*Opened, error) {
	profile, err := filepath.Abs(opts.Profile)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(profile, 0o700); err != nil {
		return nil, err
	}
	if err := noteOpened(profile); err != nil {
		return nil, err
	}
	if address, err := listens(ctx, profile); err == nil {
		return &Opened{Address: address, Profile: profile}, nil
	}
	shown := Options{Path: opts.Path, Headed: !opts.Headless}
	if shown.Headed && !shown.screen() {
		return nil, errors.New("there is no screen to show a window on: DISPLAY and WAYLAND_DISPLAY are not set; --headless opens one without")
	}
	_ = os.Remove(filepath.Join(profile, portFile))
	args := []string{"--user-data-dir=" + profile, "--remote-debugging-port=0", "--no-first-run", "--no-default-browser-check"}
	if opts.Headless {
		args = append(args, "--headless=new")
	}
	if runtime.GOOS == "linux" {
		if ok, _ := proc.Sandbox(opts.Path); !ok {
			args = append(args, "--no-sandbox", "--disable-dev-shm-usage")
		}
	}
	args = append(args, opts.Args...)
	if opts.URL != "" {
		args = append(args, opts.URL)
	}
	cmd := exec.Command(opts.Path, args...)
	proc.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if address, err := listens(ctx, profile); err == nil {
				return &Opened{Address: address, Pid: cmd.Process.Pid, Profile: profile}, nil
			}
		case err := <-ended:
			return nil, fmt.Errorf("%s ended as it started (%v); a browser that has the profile %s open already has no debugging on: close it first", opts.Path, err, profile)
		case <-ctx.Done():
			_ = cmd.Process.Kill()
			return nil, fmt.Errorf("%s did not come up: %w", opts.Path, ctx.Err())
		}
	}
}

// listens gives the address of the browser that has a profile open, if it answers.
func listens(ctx context.Context, profile string) (string, error) {
	port, path, ok := activePort(profile)
	if !ok {
		return "", os.ErrNotExist
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	addresses, err := Running(ctx, port)
	if err != nil {
		return "", err
	}
	if want := "ws://127.0.0.1:" + port + path; addresses[0] != want {
		return "", fmt.Errorf("another browser listens at %s", port)
	}
	return addresses[0], nil
}
