package proc

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// Detach keeps a process away from the console and its signals.
func Detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
