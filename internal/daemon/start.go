package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"rove/internal/proc"
)

const (
	// ready is what a daemon says on its standard output when it can be
	// connected to; anything else is why it can't.
	ready = "ready\n"
	// startTime bounds the start of a daemon, and the wait for another's.
	startTime = 40 * time.Second
	// logLimit is the size at which a start puts the log aside.
	logLimit = 1 << 20
)

// start starts a daemon unless one came up meanwhile, and returns when it can be
// connected to. Of clients that come together one does it, and the others wait.
func (c *Client) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if err := c.Place.make(); err != nil {
		return err
	}
	unlock, err := proc.Lock(ctx, c.Place.file("start"))
	if err != nil {
		return fmt.Errorf("the daemon's directory: %w", err)
	}
	defer unlock()
	if conn, err := c.dial(ctx); err == nil {
		return conn.Close()
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := c.Place.openLog()
	if err != nil {
		return err
	}
	defer log.Close()
	says, saysTo, err := os.Pipe()
	if err != nil {
		return err
	}
	defer says.Close()
	cmd := exec.Command(exe, "daemon", "run")
	cmd.Dir = c.Place.Dir // keeps no other directory in use
	if home, err := proc.Home(); err == nil && os.Getenv("ROVE_HOME") != "" {
		cmd.Env = append(os.Environ(), "ROVE_HOME="+home) // seen from here
	}
	cmd.Stdout, cmd.Stderr = saysTo, log
	proc.Detach(cmd)
	err = cmd.Start()
	_ = saysTo.Close()
	if err != nil {
		return fmt.Errorf("the daemon does not start: %w", err)
	}
	// It outlives this process; should it end before, nobody waits for it.
	go func() { _ = cmd.Wait() }()
	stop := context.AfterFunc(ctx, func() { _ = says.Close() })
	defer stop()
	said, err := io.ReadAll(says)
	switch {
	case string(said) == ready:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("the daemon did not come up in %v; see %s", startTime, c.Place.Log())
	case len(said) > 0:
		return fmt.Errorf("the daemon does not start: %s", bytes.TrimSpace(said))
	case err != nil:
		return err
	}
	return fmt.Errorf("the daemon ended as it started; see %s", c.Place.Log())
}

// openLog opens the log for a new daemon. A long one is put aside first.
func (p Place) openLog() (*os.File, error) {
	if info, err := os.Stat(p.Log()); err == nil && info.Size() > logLimit {
		if err := os.Rename(p.Log(), p.Log()+".old"); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	return os.OpenFile(p.Log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}
