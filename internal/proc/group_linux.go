package proc

import (
	"errors"
	"os/exec"
	"slices"

	"golang.org/x/sys/unix"
)

// wait returns when the first process has ended, and ends the rest with it.
func (g *group) wait(cmd *exec.Cmd) error {
	// Until it is reaped its pid, and so the group's id, can't be given to
	// anybody else: the signal in between hits the right ones.
	for {
		err := unix.Waitid(unix.P_PID, g.id, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	g.kill()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reaped = true
	return cmd.Wait()
}

// onlyZombies reports whether all that is left of a group are entries nobody
// has reaped. In a container without an init they stay for ever.
func onlyZombies(id int) bool {
	procs, err := processes()
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(procs, func(p process) bool { return p.group == id && !p.zombie })
}
