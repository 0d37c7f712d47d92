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

// namesDir finds a run directory, or what is in it, in a command line or
// environment (NUL-terminated strings), in the two forms that rove itself puts
// there. Somebody who merely reads a file in it has no such entry.
func namesDir(data []byte, dir string) bool {
	for _, entry := range bytes.Split(data, []byte{0}) {
		for _, form := range []string{scratchEnv + "=", "--user-data-dir="} {
			rest, ok := bytes.CutPrefix(entry, []byte(form+dir))
			if ok && (len(rest) == 0 || rest[0] == '/') {
				return true
			}
		}
	}
	return false
}
