//go:build unix

package proc

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func lockNow(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return errLocked
		}
		return err
	}
}

// remove deletes the file and then gives the lock up, in this order: whoever
// gets the lock afterwards sees that the file is gone.
func (l *lockFile) remove() {
	_ = os.Remove(l.path)
	_ = l.f.Close()
}
