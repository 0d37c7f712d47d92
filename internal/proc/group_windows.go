package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a job object. It ends its processes when the last handle to it
// closes, and so also when this process dies.
type group struct {
	mu  sync.Mutex
	job windows.Handle // 0 once closed
}

func prepareGroup(*exec.Cmd) {}

func newGroup(p *os.Process) (*group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("create job object: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = assign(job, p.Pid)
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return nil, err
	}
	return &group{job: job}, nil
}

func assign(job windows.Handle, pid int) error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return fmt.Errorf("open process %d: %w", pid, err)
	}
	defer func() { _ = windows.CloseHandle(h) }()
	if err := windows.AssignProcessToJobObject(job, h); err != nil {
		return fmt.Errorf("assign process %d to job: %w", pid, err)
	}
	return nil
}

func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	}
}

// wait returns when the first process has ended, and ends the rest with it.
func (g *group) wait(cmd *exec.Cmd) error {
	err := cmd.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = windows.TerminateJobObject(g.job, 1)
	_ = windows.CloseHandle(g.job)
	g.job = 0
	return err
}

// waitGone has nothing to wait for: a terminated job has no running process.
func (g *group) waitGone(time.Duration) bool { return true }

func isBusy(err error) bool { return errors.Is(err, windows.ERROR_SHARING_VIOLATION) }
