package daemon

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"rove/internal/proc"
	"rove/internal/session"
)

// Run is the program that Client starts: it serves, and tells on out, which it
// then closes, that clients can connect or why they never will.
func Run(ctx context.Context, version string, out io.WriteCloser, log io.Writer) error {
	place, err := Locate()
	// Callers say which browser they want; that the first had this set does not
	// concern the others.
	_ = os.Unsetenv("ROVE_BROWSER")
	var idle time.Duration
	if text := os.Getenv("ROVE_IDLE"); text != "" && err == nil {
		if idle, err = time.ParseDuration(text); err != nil || idle <= 0 {
			err = fmt.Errorf("ROVE_IDLE is %q: write a time such as 30m", text)
		}
	}
	var memory int64
	if text := os.Getenv("ROVE_MAX_MEMORY"); text != "" && err == nil {
		if memory, err = session.ParseSize(text); err != nil {
			err = fmt.Errorf("ROVE_MAX_MEMORY: %w", err)
		}
	}
	if err == nil {
		err = Serve(ctx, Config{
			Place: place, Version: version, Idle: idle, MaxMemory: memory,
			Log: slog.New(slog.NewTextHandler(log, nil)),
			Ready: func() {
				_, _ = io.WriteString(out, ready)
				_ = out.Close()
				// What a killed daemon has left is cleared away behind the
				// back of the first call.
				go func() {
					_, _ = proc.Sweep("")
					pruneKept()
				}()
			},
		})
	}
	if err != nil {
		fmt.Fprintln(out, err)
	}
	return err
}
