package proc

import (
	"os"

	"golang.org/x/sys/unix"
)

// widen lets a pipe hold 1 MiB instead of 64 KiB, so that a screenshot crosses
// in a few switches between the two processes. Refused is fine.
func widen(f *os.File) {
	if c, err := f.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) {
			_, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20)
		})
	}
}
