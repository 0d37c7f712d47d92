package daemon

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach keeps the daemon away from the console and its signals.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// There is no signal to ask with.
func endProcess(pid int, hard bool) {
	if p, err := os.FindProcess(pid); err == nil && hard {
		_ = p.Kill()
		_ = p.Release()
	}
}
