package testkit

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Use is what this process and the browsers of its home take. Only Linux tells all of
// it, in /proc.
type Use struct {
	Goroutines, Files, Processes, Left int    // Left are files in run directories, without profiles
	Objects                            uint64 // on the heap: a small thing kept for each call shows here first
	Heap, RSS, Browser                 uint64 // bytes
}

func (u Use) String() string {
	return fmt.Sprintf("%d goroutines, %d open files, %d browser processes, %d temporary files, %d objects, heap %d KiB, rove %d MiB, browser %d MiB",
		u.Goroutines, u.Files, u.Processes, u.Left, u.Objects, u.Heap>>10, u.RSS>>20, u.Browser>>20)
}

// Measure looks after the dust has settled.
func Measure(t testing.TB) Use {
	t.Helper()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	var u Use
	for range 3 { // what ends takes a moment
		<-time.After(200 * time.Millisecond)
		debug.FreeOSMemory()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u.Heap, u.Objects, u.Goroutines = m.HeapAlloc, m.HeapObjects, runtime.NumGoroutine()
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		u.Files = len(open)
	}
	u.RSS = resident("self")
	home := os.Getenv("ROVE_HOME")
	for _, pid := range processes(home) {
		u.Processes++
		u.Browser += resident(pid)
	}
	_ = filepath.WalkDir(filepath.Join(home, "run"), func(path string, _ os.DirEntry, err error) error {
		if err == nil && !strings.Contains(path, "/profile/") {
			u.Left++
		}
		return nil
	})
	return u
}

// processes are those that were started with the home in their arguments.
func processes(home string, words ...string) []string {
	var pids []string
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
each:
	for _, name := range all {
		line, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(line, []byte(home)) {
			continue
		}
		for _, word := range words {
			if !bytes.Contains(line, []byte(word)) {
				continue each
			}
		}
		pids = append(pids, filepath.Base(filepath.Dir(name)))
	}
	return pids
}

// Renderers gives the process ids of the pages of this home's browsers, on Linux.
func Renderers(testing.TB) []int {
	var pids []int
	for _, pid := range processes(os.Getenv("ROVE_HOME"), "--type=renderer") {
		if n, err := strconv.Atoi(pid); err == nil {
			pids = append(pids, n)
		}
	}
	return pids
}

func resident(pid string) uint64 {
	text, err := os.ReadFile("/proc/" + pid + "/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseUint(fields[1], 10, 64)
	return pages * uint64(os.Getpagesize())
}
