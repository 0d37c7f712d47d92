package doctor

import (
	"errors"

	"golang.org/x/sys/windows"
)

func freeDisk(dir string) (uint64, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	return free, err
}

func freeMemory() (free uint64, where string, err error) { return 0, "", errors.ErrUnsupported }
