//go:build unix

package daemon

import (
	"fmt"
	"net"
	"os"
	"syscall"
)

// private says what is wrong with a directory that has to be this user's alone.
func private(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !ok || int(st.Uid) != os.Getuid() || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s has to be a directory that belongs to you alone (mode 0700): mend it, or set ROVE_HOME to another", dir)
	}
	return nil
}

// checkPeer refuses another user at the other end.
func checkPeer(conn *net.UnixConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	uid := -1
	var asked error
	if err := raw.Control(func(fd uintptr) { uid, asked = peer(int(fd)) }); err != nil {
		return err
	}
	if asked != nil {
		return fmt.Errorf("who is at the other end of the daemon's socket: %w", asked)
	}
	if uid != os.Getuid() {
		return fmt.Errorf("the other end of the daemon's socket belongs to user %d", uid)
	}
	return nil
}
