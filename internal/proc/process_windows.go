package proc

import (
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/windows"
)

// startTime tells a process from every other that ever has its pid.
func startTime(pid int) (string, error) {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return "", err
	}
	defer func() { _ = windows.CloseHandle(h) }()
	var code uint32
	if err := windows.GetExitCodeProcess(h, &code); err != nil {
		return "", err
	}
	if code != uint32(windows.STATUS_PENDING) {
		return "", errors.New("the process has ended")
	}
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(h, &created, &exited, &kernel, &user); err != nil {
		return "", err
	}
	return fmt.Sprint(created.Nanoseconds()), nil
}

// killTree kills a process that is known to be ours. Its descendants went with
// the job object when the owner died.
func killTree(pid int) error {
	h, err := windows.OpenProcess(windows.PROCESS_TERMINATE|windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return nil // gone
	}
	defer func() { _ = windows.CloseHandle(h) }()
	if err := windows.TerminateProcess(h, 1); err != nil {
		return fmt.Errorf("kill process %d: %w", pid, err)
	}
	_, err = windows.WaitForSingleObject(h, uint32(killWait/time.Millisecond))
	return err
}

// killNaming finds nobody: the job object took all of them.
func killNaming(string) (int, error) { return 0, nil }
