//go:build unix

package doctor

import (
	"errors"
	"os"
	"strconv"
	"strings"
)

// freeMemory is what Linux says is available, or what the container has left if
// that is less.
func freeMemory() (free uint64, where string, err error) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, "", err
	}
	return least(string(text), readNumber("/sys/fs/cgroup/memory.max"), readNumber("/sys/fs/cgroup/memory.current"))
}

func least(meminfo string, limit, used uint64) (free uint64, where string, err error) {
	for line := range strings.Lines(meminfo) {
		if rest, ok := strings.CutPrefix(line, "MemAvailable:"); ok {
			kib, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err != nil {
				return 0, "", err
			}
			free, where = kib<<10, "on this machine"
		}
	}
	if where == "" {
		return 0, "", errors.New("MemAvailable is not in /proc/meminfo")
	}
	if left := limit - min(used, limit); limit > 0 && left < free {
		free, where = left, "in this container"
	}
	return free, where, nil
}

// readNumber reads a file of one number; 0 is for none, or "max".
func readNumber(path string) uint64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return n
}
