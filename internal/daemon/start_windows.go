package daemon

import "os"

// There is no signal to ask with.
func endProcess(pid int, hard bool) {
	if p, err := os.FindProcess(pid); err == nil && hard {
		_ = p.Kill()
		_ = p.Release()
	}
}
