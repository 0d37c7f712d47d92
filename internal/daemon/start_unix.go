//go:build unix

package daemon

import "syscall"

func endProcess(pid int, hard bool) {
	if pid <= 1 {
		return
	}
	sig := syscall.SIGTERM
	if hard {
		sig = syscall.SIGKILL
	}
	_ = syscall.Kill(pid, sig)
}
