//go:build unix

package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// killTree kills the group of a process that is known to be ours and waits until
// it is gone.
func killTree(pid int) error {
	target := -pid
	if pgid, err := unix.Getpgid(pid); err != nil || pgid != pid {
		target = pid // not the head of a group: somebody moved it
	}
	if err := unix.Kill(target, unix.SIGKILL); err != nil && !errors.Is(err, unix.ESRCH) {
		return fmt.Errorf("kill process %d: %w", pid, err)
	}
	if g := (&group{id: pid}); target < 0 && !g.waitGone(killWait) {
		return fmt.Errorf("process group %d was killed but is not gone after %v", pid, killWait)
	}
	return nil
}

// killNaming kills every process whose command line or environment names dir.
func killNaming(dir string) (killed int, err error) {
	list, err := processes()
	if err != nil {
		return 0, err
	}
	self := os.Getpid()
	var pids []int
	for _, p := range list {
		if p.zombie || p.pid <= 1 || p.pid == self {
			continue
		}
		// The handle first, the look second: what is killed is what was seen.
		h, err := os.FindProcess(p.pid)
		if err != nil {
			continue
		}
		if names(p.pid, dir) && h.Kill() == nil {
			pids = append(pids, p.pid)
		}
		_ = h.Release()
	}
	return len(pids), retry(context.Background(), killWait, func() (bool, error) {
		for _, pid := range pids {
			if _, err := startTime(pid); err == nil && names(pid, dir) {
				return true, fmt.Errorf("process %d was killed but is not gone", pid)
			}
		}
		return false, nil
	})
}

// namesDir finds a directory in a list of NUL-terminated strings: as a whole
// value, or as the beginning of a path. Run directories have random names, so
// nobody else's can match.
func namesDir(data []byte, dir string) bool {
	for len(data) > 0 {
		i := bytes.Index(data, []byte(dir))
		if i < 0 {
			return false
		}
		data = data[i+len(dir):]
		if len(data) == 0 || data[0] == 0 || data[0] == '/' {
			return true
		}
	}
	return false
}
