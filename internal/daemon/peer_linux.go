package daemon

import "golang.org/x/sys/unix"

// peer is the user at the other end.
func peer(fd int) (uid int, err error) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return -1, err
	}
	return int(cred.Uid), nil
}
