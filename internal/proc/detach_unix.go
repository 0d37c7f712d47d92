//go:build unix

package proc

import (
	"os/exec"
	"syscall"
)

// Detach gives a process a session of its own: no terminal's signals reach it, and
// it outlives us.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
