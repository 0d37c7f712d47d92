package testkit

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"

	"rove/internal/proc"
)

// aliveName is the file in a home that the tests which have it keep locked.
const aliveName = "alive"

// begin makes a home for tests, which are known to live for as long as end was not called.
func begin() (home string, end func(), err error) {
	if home, err = os.MkdirTemp("", homePrefix); err != nil {
		return "", nil, err
	}
	// It has its name once it is locked: before that others would take the home for left.
	early := filepath.Join(home, "early")
	letGo, err := proc.Hold(context.Background(), early)
	if err == nil {
		err = os.Rename(early, filepath.Join(home, aliveName))
	}
	if err != nil {
		_ = os.RemoveAll(home)
		return "", nil, err
	}
	return home, func() {
		letGo()
		_ = os.RemoveAll(home)
	}, nil
}

const homePrefix = "rove-test"

// sweep ends and removes what tests that were killed have left: browsers and drivers that do
// not end with whoever started them, daemons, and their homes. What belongs to a living one is
// not touched, and of what there is no lock for nobody knows.
func sweep() {
	now, cancel := context.WithCancel(context.Background())
	cancel() // one try
	homes, _ := filepath.Glob(filepath.Join(os.TempDir(), homePrefix+"*", aliveName))
	for _, alive := range homes {
		letGo, err := proc.Hold(now, alive)
		if err != nil {
			continue
		}
		home := filepath.Dir(alive)
		endAll(home)
		_, _ = proc.Sweep(home)
		letGo()
		_ = os.RemoveAll(home)
	}
	// Homes of single tests lie in folders of theirs.
	runs, _ := filepath.Glob(filepath.Join(os.TempDir(), "Test*", "*", "run"))
	for _, run := range runs {
		_, _ = proc.Sweep(filepath.Dir(run))
	}
}

// endAll ends the processes whose home it is, where the system tells: daemons, which hold what
// they have started.
func endAll(home string) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range all {
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(append([]byte{0}, text...), []byte("\x00ROVE_HOME="+home+"\x00")) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil && pid != os.Getpid() {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill()
			}
		}
	}
}
