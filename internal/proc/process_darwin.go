package proc

import (
	"fmt"

	"golang.org/x/sys/unix"
)

const stateZombie = 5 // SZOMB in <sys/proc.h>

// process is one line of the process table.
type process struct {
	pid, group int
	zombie     bool
}

// processes lists all that run.
func processes() ([]process, error) {
	infos, err := unix.SysctlKinfoProcSlice("kern.proc.uid", unix.Geteuid())
	if err != nil {
		return nil, err
	}
	list := make([]process, len(infos))
	for i, k := range infos {
		list[i] = process{
			pid:    int(k.Proc.P_pid),
			group:  int(k.Eproc.Pgid),
			zombie: k.Proc.P_stat == stateZombie,
		}
	}
	return list, nil
}

// startTime tells a process from every other that ever has its pid.
func startTime(pid int) (string, error) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return "", err
	}
	if k.Proc.P_stat == stateZombie || int(k.Proc.P_pid) != pid {
		return "", unix.ESRCH
	}
	return fmt.Sprintf("%d.%06d", k.Proc.P_starttime.Sec, k.Proc.P_starttime.Usec), nil
}

// names reports whether a process's command line or environment names dir.
func names(pid int, dir string) bool {
	data, err := unix.SysctlRaw("kern.procargs2", pid)
	return err == nil && namesDir(data, dir)
}
