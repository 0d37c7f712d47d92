//go:build !linux

package proc

import (
	"errors"
	"time"
)

// Load is what a thread has had and wanted of the processors since it began.
type Load struct{ Ran, Waited time.Duration }

// MainLoad is the load of the first process's main thread, where the system tells.
func (p *Process) MainLoad() (Load, error) { return Load{}, errors.ErrUnsupported }

// MainMemory is how much memory the first process has, where the system tells.
func (p *Process) MainMemory() (int64, error) { return 0, errors.ErrUnsupported }

// Member is a process of the tree.
type Member struct {
	Pid    int
	System time.Duration
}

// Members lists the processes of the tree that were started with an argument,
// where the system tells.
func (p *Process) Members(string) ([]Member, error) { return nil, errors.ErrUnsupported }

// End ends a member at once.
func (p *Process) End(Member) error { return errors.ErrUnsupported }
