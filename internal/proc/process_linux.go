package proc

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// process is one line of the process table.
type process struct {
	pid, group int
	zombie     bool
	started    string // ticks since boot
}

// processes lists all that run.
func processes() ([]process, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	var list []process
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if p, err := readProcess(pid); err == nil {
				list = append(list, p)
			}
		}
	}
	return list, nil
}

func readProcess(pid int) (process, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, err
	}
	// The second field is the program's name in parentheses, which can hold
	// anything; what follows the last one is fields 3 and on.
	i := bytes.LastIndexByte(stat, ')')
	if i < 0 {
		return process{}, fmt.Errorf("/proc/%d/stat: no name", pid)
	}
	fields := strings.Fields(string(stat[i+1:]))
	if len(fields) < 20 {
		return process{}, fmt.Errorf("/proc/%d/stat: %d fields", pid, len(fields))
	}
	group, err := strconv.Atoi(fields[2])
	if err != nil {
		return process{}, fmt.Errorf("/proc/%d/stat: group: %w", pid, err)
	}
	return process{pid: pid, group: group, zombie: fields[0] == "Z" || fields[0] == "X", started: fields[19]}, nil
}

// bootID makes a start time unique over restarts of the machine.
var bootID = sync.OnceValue(func() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
})

// startTime tells a process from every other that ever has its pid.
func startTime(pid int) (string, error) {
	p, err := readProcess(pid)
	if err != nil {
		return "", err
	}
	if p.zombie {
		return "", unix.ESRCH
	}
	return bootID() + " " + p.started, nil
}

// names reports whether a process's command line or environment names dir.
func names(pid int, dir string) bool {
	for _, file := range []string{"cmdline", "environ"} {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
		if err == nil && namesDir(data, dir) {
			return true
		}
	}
	return false
}
