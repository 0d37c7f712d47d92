package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// errLocked says that somebody else holds the lock.
var errLocked = errors.New("locked by another process")

// lockFile is a file that is locked for as long as its holder lives.
type lockFile struct {
	f    *os.File
	path string
}

// tryLock creates the file if need be and locks it, or answers errLocked.
func tryLock(path string) (*lockFile, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lockNow(f); err != nil {
		_ = f.Close()
		if errors.Is(err, errLocked) {
			return nil, err
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	// The file may have been removed by its previous holder between the open
	// and the lock; a lock on a file without a name is worth nothing.
	if !sameFile(f, path) {
		_ = f.Close()
		return nil, errLocked
	}
	return &lockFile{f: f, path: path}, nil
}

func sameFile(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(path)
	return err == nil && os.SameFile(a, b)
}

// release gives the lock up and leaves the file.
func (l *lockFile) release() { _ = l.f.Close() }

// Lock waits until it holds the lock named by a file, or the context ends. The
// lock goes with this process should it die. Two holders exclude each other
// within one process as well.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	for {
		var lock *lockFile
		err := retry(ctx, time.Minute, func() (bool, error) {
			var err error
			lock, err = tryLock(path)
			return errors.Is(err, errLocked), err
		})
		switch {
		case err == nil:
			return lock.remove, nil
		case !errors.Is(err, errLocked):
			return nil, err
		}
	}
}
