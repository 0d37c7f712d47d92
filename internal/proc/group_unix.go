//go:build unix

package proc

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// group is a process group, named by the pid of its first process.
type group struct {
	id int // stays reserved for as long as any process of the group exists

	mu     sync.Mutex
	reaped bool // the id may belong to somebody else from here on
}

func prepareGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func newGroup(p *os.Process) (*group, error) { return &group{id: p.Pid}, nil }

// kill signals every process of the group. The kernel makes a fork that is
// under way start over when a signal is pending, so no child slips through.
func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.reaped {
		_ = unix.Kill(-g.id, unix.SIGKILL)
	}
}

// waitGone waits until no process of the group is left. They are no children of
// ours, so the system tells nobody but init; asking again is the only way.
func (g *group) waitGone(bound time.Duration) bool {
	return retry(context.Background(), bound, func() (bool, error) {
		if groupGone(g.id) {
			return false, nil
		}
		return true, errors.New("still there")
	}) == nil
}

func groupGone(id int) bool {
	if err := unix.Kill(-id, 0); errors.Is(err, unix.ESRCH) {
		return true
	}
	return onlyZombies(id)
}

func isBusy(err error) bool { return errors.Is(err, unix.ETXTBSY) }
