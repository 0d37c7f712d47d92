package provision

import (
	"errors"
	"fmt"
	"os"
)

// diskError says that a disk has too little room, and what to do.
type diskError struct {
	dir  string
	need int64  // 0 when the disk filled up unforeseen
	free uint64 // with need
}

func (e *diskError) Error() string {
	if e.need == 0 {
		return fmt.Sprintf("the disk of %s is full: free some space, or set ROVE_HOME to a directory on another disk", e.dir)
	}
	return fmt.Sprintf("not enough space in %s: %s needed, %s free; free some, or set ROVE_HOME to a directory on another disk",
		e.dir, size(e.need), size(int64(e.free)))
}

func isDiskFull(err error) bool {
	var de *diskError
	return errors.As(err, &de)
}

// diskFull turns the system's word for a full disk into ours.
func diskFull(dir string, err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) && isNoSpace(pe.Err) || isNoSpace(err) {
		return &diskError{dir: dir}
	}
	return err
}

func (f *finder) checkSpace(need int64) error {
	free, err := f.free(f.store())
	if err != nil {
		return nil // not known: the write will tell
	}
	if need > 0 && free < uint64(need) {
		return &diskError{dir: f.store(), need: need, free: free}
	}
	return nil
}
