package proc

import "golang.org/x/sys/windows"

// FreeDisk is how many bytes this user can still write in a directory.
func FreeDisk(dir string) (uint64, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	return free, err
}
