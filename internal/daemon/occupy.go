package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"rove/internal/proc"
)

// record is daemon.json: whose the place is.
type record struct {
	Pid     int    `json:"pid"`
	Version string `json:"version"`
}

const (
	quickly = 100 * time.Millisecond
	leave   = 25 * time.Second // for a daemon that ends to end its browsers
	killed  = 5 * time.Second  // for a killed one to be gone
)

// occupy takes the place for this process. Whoever holds it has no socket that
// answers: it is ending, or its socket was removed under it, or it hangs. It is
// asked to leave, and made to if it does not.
func (p Place) occupy(ctx context.Context, version string) (vacate func(), err error) {
	if err := p.make(); err != nil {
		return nil, err
	}
	unlock, err := p.lock(ctx, quickly)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		if unlock, err = p.evict(ctx); err != nil {
			return nil, fmt.Errorf("another daemon does not make way: %w", err)
		}
	}
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(record{os.Getpid(), version})
	if err == nil {
		err = os.WriteFile(p.file("json"), data, 0o600)
	}
	if err != nil {
		unlock()
		return nil, err
	}
	return func() {
		_ = os.Remove(p.file("json"))
		unlock()
	}, nil
}

// evict ends the holder of the place, which is locked: its record was written
// under the lock, so that the process it names is the one.
func (p Place) evict(ctx context.Context) (unlock func(), err error) {
	for _, try := range []struct {
		hard  bool
		bound time.Duration
	}{{false, leave}, {true, killed}} {
		if holder := p.holder(); holder > 0 {
			endProcess(holder, try.hard)
		}
		unlock, err = p.lock(ctx, try.bound)
		if err == nil || ctx.Err() != nil {
			break
		}
	}
	return unlock, err
}

// holder is the process that last held the place, or 0.
func (p Place) holder() int {
	var r record
	data, err := os.ReadFile(p.file("json"))
	if err != nil || json.Unmarshal(data, &r) != nil || r.Pid == os.Getpid() {
		return 0
	}
	return r.Pid
}

func (p Place) lock(ctx context.Context, bound time.Duration) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	return proc.Lock(ctx, p.file("lock"))
}
