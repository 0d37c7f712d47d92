//go:build unix

package proc

import "golang.org/x/sys/unix"

// FreeDisk is how many bytes this user can still write in a directory.
func FreeDisk(dir string) (uint64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return st.Bavail * uint64(st.Bsize), nil
}
