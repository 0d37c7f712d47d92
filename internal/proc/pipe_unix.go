//go:build unix

package proc

import (
	"os"
	"os/exec"
)

func (e *pipeEnds) prepare() error {
	widen(e.toBrowser)
	widen(e.fromBrowser)
	return nil
}

// attach hands the browser its ends: it reads commands from descriptor 3 and
// writes replies and events to descriptor 4.
func (e *pipeEnds) attach(cmd *exec.Cmd) {
	cmd.ExtraFiles = []*os.File{e.childIn, e.childOut}
}
