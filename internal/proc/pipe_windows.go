package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

func (e *pipeEnds) prepare() error {
	return errors.Join(inheritable(e.childIn), inheritable(e.childOut))
}

func inheritable(f *os.File) error {
	return windows.SetHandleInformation(windows.Handle(f.Fd()),
		windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT)
}

// attach hands the browser its ends. Windows has no descriptor numbers to agree
// on: the browser is told its two handles in a flag.
func (e *pipeEnds) attach(cmd *exec.Cmd) {
	in, out := e.childIn.Fd(), e.childOut.Fd()
	cmd.Args = append(cmd.Args, fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", in, out))
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.AdditionalInheritedHandles = []syscall.Handle{syscall.Handle(in), syscall.Handle(out)}
}
