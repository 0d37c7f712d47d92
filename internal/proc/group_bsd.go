//go:build unix && !linux

package proc

import "os/exec"

// wait returns when the first process has ended, and ends the rest with it.
func (g *group) wait(cmd *exec.Cmd) error {
	err := cmd.Wait()
	g.kill() // at once, before the id could be given to anybody else
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reaped = true
	return err
}

func onlyZombies(int) bool { return false }
