package proc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Swept says what a Sweep found and ended.
type Swept struct {
	Dirs      int // run directories removed
	Processes int // process trees and processes killed
}

// Sweep ends what owners that died have left under home: their browsers, if
// those did not end by themselves, and their run directories. What belongs to a
// living owner is not touched. An empty home means [Home].
//
// A process is killed only if it is known to be the one: by pid and start time
// as recorded, or because its command line has the run directory as its profile,
// or its environment as its own.
func Sweep(home string) (Swept, error) {
	var swept Swept
	run, err := runDir(home)
	if err != nil {
		return swept, err
	}
	entries, err := os.ReadDir(run)
	if errors.Is(err, fs.ErrNotExist) {
		return swept, nil
	}
	if err != nil {
		return swept, fmt.Errorf("proc: sweep: %w", err)
	}
	seen := make(map[string]bool)
	var errs []error
	for _, e := range entries {
		dir := filepath.Join(run, strings.TrimSuffix(e.Name(), ".lock"))
		if seen[dir] {
			continue
		}
		seen[dir] = true
		if err := sweepOne(dir, &swept); err != nil {
			errs = append(errs, err)
		}
	}
	return swept, errors.Join(errs...)
}

func sweepOne(dir string, swept *Swept) error {
	lock, err := tryLock(dir + ".lock")
	if errors.Is(err, errLocked) {
		return nil // its owner lives
	}
	if err != nil {
		return fmt.Errorf("proc: sweep: %w", err)
	}
	n, err := endOwned(dir)
	swept.Processes += n
	if err != nil {
		lock.release()
		return fmt.Errorf("proc: sweep: %w", err)
	}
	if _, err := os.Lstat(dir); err == nil {
		if err := removeScratch(dir); err != nil {
			lock.release()
			return err
		}
		swept.Dirs++
	}
	lock.remove()
	return nil
}

// endOwned kills the processes that belong to a run directory.
func endOwned(dir string) (killed int, err error) {
	if rec, ok := readRecord(dir); ok {
		if started, err := startTime(rec.Pid); err == nil && started == rec.Started {
			if err := killTree(rec.Pid); err != nil {
				return killed, err
			}
			killed++
		}
	}
	// An owner can die between starting a browser and recording it, and a
	// descendant can leave its group: their command line or environment still
	// says where they belong.
	n, err := killNaming(dir)
	return killed + n, err
}

func readRecord(dir string) (owned, bool) {
	var rec owned
	data, err := os.ReadFile(filepath.Join(dir, recordName))
	if err != nil || json.Unmarshal(data, &rec) != nil || rec.Pid <= 1 || rec.Started == "" {
		return owned{}, false
	}
	return rec, true
}
