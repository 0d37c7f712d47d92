//go:build unix

package daemon

import (
	"os/exec"
	"syscall"
)

// detach gives the daemon a session of its own: no terminal's signals reach it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

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
