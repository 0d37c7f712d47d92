package proc

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

func lockNow(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errLocked
	}
	return err
}

// remove gives the lock up and deletes the file: an open file can't be deleted
// here, and for the same reason nobody's lock can lose its file.
func (l *lockFile) remove() {
	_ = l.f.Close()
	_ = os.Remove(l.path)
}
