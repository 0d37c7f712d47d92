package proc

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// scratchEnv names the run directory in the environment of the processes that
// belong to it. The sweep finds them by it.
const scratchEnv = "ROVE_RUN"

// recordName is the file in a run directory that says whose it is.
const recordName = "process.json"

// Home is where rove keeps its cache and state: ROVE_HOME, or by the platform's
// conventions.
func Home() (string, error) {
	if home := os.Getenv("ROVE_HOME"); home != "" {
		return filepath.Abs(home)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place for rove's files (%w): set ROVE_HOME to a directory", err)
	}
	return filepath.Join(cache, "rove"), nil
}

// Scratch is a directory for one run of one browser. It is locked by its owner:
// beside run/ID there is run/ID.lock, created before and removed after it, and
// held locked in between. The lock goes with the owner, however that ends, and a
// directory whose lock can be had belongs to nobody.
type Scratch struct {
	Dir string // absolute

	lock   *lockFile
	remove sync.Once
	err    error
}

// NewScratch makes a run directory under home, readable by the user alone. An
// empty home means [Home]. It sweeps first, so that every start cleans up after
// owners that were killed; that costs a look into one directory when there are
// none, and what can't be swept now is no reason not to start.
func NewScratch(home string) (*Scratch, error) {
	run, err := runDir(home)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(run, 0o700); err != nil {
		return nil, noHome(err)
	}
	_, _ = Sweep(home)
	for range 10 {
		dir := filepath.Join(run, strings.ToLower(rand.Text()[:12]))
		lock, err := tryLock(dir + ".lock")
		if errors.Is(err, errLocked) {
			continue // a sweep came by between creating the file and locking it
		}
		if err != nil {
			return nil, noHome(err)
		}
		if err := os.Mkdir(dir, 0o700); err != nil {
			lock.remove()
			return nil, noHome(err)
		}
		return &Scratch{Dir: dir, lock: lock}, nil
	}
	return nil, fmt.Errorf("proc: run directory: no lock to be had in %s", run)
}

// noHome is a home that can't be written to.
func noHome(err error) error {
	return fmt.Errorf("rove can't keep its files: %w; set ROVE_HOME to a directory that you can write to", err)
}

// Path names a file or directory inside the scratch directory.
func (s *Scratch) Path(elem ...string) string {
	return filepath.Join(append([]string{s.Dir}, elem...)...)
}

// Remove deletes the directory and all in it. The processes that write to it
// should be gone; should one linger, removing is tried again for a while. What
// can't be removed now is left to the next Sweep.
func (s *Scratch) Remove() error {
	s.remove.Do(func() {
		if s.err = removeScratch(s.Dir); s.err != nil {
			s.lock.release()
			return
		}
		s.lock.remove()
	})
	return s.err
}

// temp is the directory for the browser's temporary files, which a killed one
// leaves behind: the run directory, so that they go with it. Chrome makes a
// socket there, for whose path the system has a limit; where the run directory's
// own is too long, there is a short one besides, noted before it is made.
func (s *Scratch) temp() (string, error) {
	const socket, limit = "/org.chromium.Chromium.XXXXXX/SingletonSocket", 104
	if len(s.Dir)+len(socket) < limit {
		return s.Dir, nil
	}
	short := filepath.Join(os.TempDir(), tempPrefix+filepath.Base(s.Dir))
	if err := os.WriteFile(s.Path(tempNote), []byte(short), 0o600); err != nil {
		return "", fmt.Errorf("proc: temporary directory: %w", err)
	}
	if err := os.Mkdir(short, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("proc: temporary directory: %w", err)
	}
	return short, nil
}

const (
	tempNote   = "temp" // the file that names the short temporary directory
	tempPrefix = "rove-"
)

// removeScratch removes a run directory, and its temporary one before that.
func removeScratch(dir string) error {
	note, err := os.ReadFile(filepath.Join(dir, tempNote))
	if short := string(note); err == nil && filepath.Base(short) == tempPrefix+filepath.Base(dir) {
		if err := removeAll(short); err != nil {
			return err
		}
	}
	return removeAll(dir)
}

// owned is what a run directory says about the process it belongs to.
type owned struct {
	Pid     int    `json:"pid"`
	Started string `json:"started"` // tells this process from a later one with the same pid
}

func (s *Scratch) record(p *Process) error {
	started, err := startTime(p.Pid())
	if err != nil {
		return nil // gone already: nothing to find later
	}
	data, err := json.Marshal(owned{Pid: p.Pid(), Started: started})
	if err != nil {
		return err
	}
	if err := os.WriteFile(s.Path(recordName), data, 0o600); err != nil {
		return fmt.Errorf("proc: record the browser: %w", err)
	}
	return nil
}

func runDir(home string) (string, error) {
	if home == "" {
		var err error
		if home, err = Home(); err != nil {
			return "", err
		}
	}
	home, err := filepath.Abs(home)
	if err != nil {
		return "", err
	}
	return filepath.Join(home, "run"), nil
}

// removeAll removes a tree into which somebody may still be writing.
func removeAll(dir string) error {
	err := retry(context.Background(), 5*time.Second, func() (bool, error) {
		err := os.RemoveAll(dir)
		if errors.Is(err, fs.ErrPermission) {
			makeWritable(dir)
		}
		return err != nil, err
	})
	if err != nil {
		return fmt.Errorf("proc: remove %s: %w", dir, err)
	}
	return nil
}

// makeWritable makes the directories of a tree writable, so that it can be removed.
func makeWritable(dir string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
}
