package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Held says that somebody has what Hold asked for.
type Held struct {
	Pid int // 0 where it is not known
}

func (h *Held) Error() string {
	if h.Pid == 0 {
		return "in use by another process"
	}
	return fmt.Sprintf("in use by pid %d", h.Pid)
}

const (
	holdOwn   = 6 * time.Second // for this process to let go, as it ends another browser
	holdOther = time.Second     // for one that was killed to be gone, or a new one to sign
)

// Hold takes the lock named by a file and signs it, or says who holds it: a
// *Held. It waits a moment for a holder that is about to go, and longer if that
// is this process itself. The lock goes with this process should it die.
func Hold(ctx context.Context, path string) (release func(), err error) {
	var lock *lockFile
	begun := time.Now()
	err = retry(ctx, holdOwn, func() (again bool, err error) {
		if lock, err = tryLock(path); !errors.Is(err, errLocked) {
			return false, err
		}
		held := &Held{Pid: signed(path)}
		return held.Pid == os.Getpid() || time.Since(begun) < holdOther, held
	})
	if err != nil {
		return nil, err
	}
	if err = lock.f.Truncate(0); err == nil {
		_, err = lock.f.WriteAt([]byte(strconv.Itoa(os.Getpid())), 0)
	}
	if err != nil {
		lock.remove()
		return nil, err
	}
	return lock.remove, nil
}

func signed(path string) int {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}

// Gone waits for a process to end, for no longer than bound.
func Gone(ctx context.Context, pid int, bound time.Duration) bool {
	return retry(ctx, bound, func() (bool, error) {
		if _, err := startTime(pid); err != nil {
			return false, nil
		}
		return true, &Held{Pid: pid}
	}) == nil
}
