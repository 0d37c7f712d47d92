//go:build unix

package proc

import "os/exec"

// command is the process to start. No call of the system sets what new files may be read by
// for one child alone, so a shell does that and becomes the program.
func command(spec Spec) *exec.Cmd {
	if !spec.Private {
		return exec.Command(spec.Path, spec.Args...)
	}
	return exec.Command("/bin/sh", append([]string{"-c", `umask 077; exec "$0" "$@"`, spec.Path}, spec.Args...)...)
}
