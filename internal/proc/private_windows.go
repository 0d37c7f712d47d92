package proc

import "os/exec"

// command is the process to start. Files are their owner's here already, by the folders that
// they are in.
func command(spec Spec) *exec.Cmd { return exec.Command(spec.Path, spec.Args...) }
