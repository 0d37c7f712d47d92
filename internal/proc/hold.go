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
	holdOwn = 6 * time.Second        // for this process to let go, as it ends another browser
	holdNew = 200 * time.Millisecond // for a new holder to sign
)

// Hold takes the lock named by a file and signs it, or says who holds it: a
// *Held. It waits only for this process itself, which may be about to let go. The
// lock goes with this process should it die.
func Hold(ctx context.Context, path string) (release func(), err error) {
	var lock *lockFile
	begun := time.Now()
	err = retry(ctx, holdOwn, func() (again bool, err error) {
		if lock, err = tryLock(path); !errors.Is(err, errLocked) {
			return false, err
		}
		held := &Held{Pid: signed(path)}
		return held.Pid == os.Getpid() || held.Pid == 0 && time.Since(begun) < holdNew, held
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

// Alive says whether a process runs.
func Alive(pid int) bool {
	_, err := startTime(pid)
	return pid > 0 && err == nil
}
