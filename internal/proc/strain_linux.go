package proc

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Load is what a thread has had and wanted of the processors since it began.
type Load struct {
	Ran    time.Duration // it ran
	Waited time.Duration // it could have run, and there was no processor free
}

// MainLoad is the load of the first process's main thread. It costs one small
// read.
func (p *Process) MainLoad() (Load, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/schedstat", p.Pid()))
	if err != nil {
		return Load{}, err
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return Load{}, fmt.Errorf("schedstat: %q", data)
	}
	ran, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return Load{}, err
	}
	waited, err := strconv.ParseInt(fields[1], 10, 64)
	return Load{time.Duration(ran), time.Duration(waited)}, err
}

// MainMemory is how much memory the first process has, in bytes. It costs one small
// read.
func (p *Process) MainMemory() (int64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.Pid()))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0, fmt.Errorf("statm: %q", data)
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// Member is a process of the tree.
type Member struct {
	Pid     int
	System  time.Duration // processor time it has spent in the kernel: on talking to others, mostly
	started string
}

// tick is the unit of times in /proc, a hundredth of a second on every Linux.
const tick = 10 * time.Millisecond

// Members lists the processes of the tree that were started with an argument.
func (p *Process) Members(argument string) ([]Member, error) {
	all, err := processes()
	if err != nil {
		return nil, err
	}
	var list []Member
	for _, one := range all {
		if one.group != p.group.id || one.zombie {
			continue
		}
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", one.pid))
		// A process that a zygote made has its arguments in one piece.
		if err != nil || !bytes.Contains(line, []byte(argument)) {
			continue
		}
		m := Member{Pid: one.pid, started: one.started}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", one.pid))
		if err != nil {
			continue // gone
		}
		if fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])); len(fields) > 12 {
			ticks, _ := strconv.ParseInt(fields[12], 10, 64)
			m.System = time.Duration(ticks) * tick
		}
		list = append(list, m)
	}
	return list, nil
}

// End ends a member at once, if it is still the one it was.
func (p *Process) End(m Member) error {
	now, err := readProcess(m.Pid)
	if err != nil {
		return err
	}
	if now.started != m.started || now.group != p.group.id {
		return unix.ESRCH
	}
	return unix.Kill(m.Pid, unix.SIGKILL)
}
