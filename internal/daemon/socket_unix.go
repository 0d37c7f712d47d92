//go:build unix

package daemon

import (
	"context"
	"errors"
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
func checkPeer(conn net.Conn) error {
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return errors.New("the daemon is talked to through a socket")
	}
	raw, err := socket.SyscallConn()
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

// listen makes the socket, which nobody but the user can connect to from the
// moment it is there: its directory is private. One that a killed daemon left is
// in the way.
func listen(path string) (net.Listener, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("the daemon's socket: %w", err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("the daemon's socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("the daemon's socket: %w", err)
	}
	return l, nil
}

// connect connects to the socket.
func connect(ctx context.Context, path string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "unix", path)
}
