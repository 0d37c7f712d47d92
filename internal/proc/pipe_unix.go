//go:build unix

package proc

import (
	"os"
	"os/exec"
)

// pipeEnds are the four ends of a debugging pipe: a browser reads commands from
// descriptor 3 and writes replies and events to descriptor 4.
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
	if e.fromBrowser, e.childOut, err = os.Pipe(); err != nil {
		_ = e.childIn.Close()
		_ = e.toBrowser.Close()
		return nil, err
	}
	widen(e.toBrowser)
	widen(e.fromBrowser)
	return &e, nil
}

func (e *pipeEnds) attach(cmd *exec.Cmd) {
	cmd.ExtraFiles = []*os.File{e.childIn, e.childOut}
}
