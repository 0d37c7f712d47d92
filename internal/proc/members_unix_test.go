//go:build unix

package proc

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// members lists the living processes of a group, and those that name dir.
func members(dir string, pgid int) (found []string) {
	list, err := processes()
	if err != nil {
		return []string{err.Error()}
	}
	for _, p := range list {
		if !p.zombie && (p.group == pgid || names(p.pid, dir)) {
			found = append(found, fmt.Sprintf("pid %d of group %d", p.pid, p.group))
		}
	}
	return found
}

func stopGroup(pgid int) { _ = unix.Kill(-pgid, unix.SIGSTOP) }
