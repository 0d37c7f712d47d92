package proc

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// pipeEnds are the four ends of a debugging pipe. Windows has no descriptor
// numbers to agree on: the browser is told its two handles in a flag.
type pipeEnds struct {
	toBrowser, fromBrowser *os.File // ours
	childIn, childOut      *os.File // the browser's
}

func newPipeEnds() (*pipeEnds, error) {
	var e pipeEnds
	var err error
	if e.childIn, e.toBrowser, err = os.Pipe(); err != nil {
		return nil, err
	}
	if e.fromBrowser, e.childOut, err = os.Pipe(); err == nil {
		if err = inheritable(e.childIn); err == nil {
			err = inheritable(e.childOut)
		}
	}
	if err != nil {
		for _, f := range []*os.File{e.childIn, e.toBrowser, e.fromBrowser, e.childOut} {
			if f != nil {
				_ = f.Close()
			}
		}
		return nil, err
	}
	return &e, nil
}

func inheritable(f *os.File) error {
	return windows.SetHandleInformation(windows.Handle(f.Fd()),
		windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT)
}

func (e *pipeEnds) attach(cmd *exec.Cmd) {
	in, out := e.childIn.Fd(), e.childOut.Fd()
	cmd.Args = append(cmd.Args, fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", in, out))
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.AdditionalInheritedHandles = []syscall.Handle{syscall.Handle(in), syscall.Handle(out)}
}
