package proc

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Sandbox reports whether the sandbox of the browser at path can start on this
// machine, and if not why, in one sentence. The browser needs --no-sandbox then.
func Sandbox(path string) (ok bool, why string) {
	return sandboxCheck{
		root:    os.Geteuid() == 0,
		sysctl:  readSysctl,
		helper:  hasSetuidHelper,
		profile: hasUsernsProfile,
		clone:   canUnshareUser,
	}.decide(path)
}

// sandboxCheck is what the decision depends on.
type sandboxCheck struct {
	root    bool
	sysctl  func(name string) string  // "" where there is none
	helper  func(browser string) bool // a setuid helper needs no user namespace
	profile func(browser string) bool // AppArmor lets this browser have one
	clone   func() error
}

func (c sandboxCheck) decide(path string) (ok bool, why string) {
	if c.root {
		return false, "Chrome's sandbox does not start for the root user."
	}
	if path != "" && c.helper(path) {
		return true, ""
	}
	if c.sysctl("kernel/unprivileged_userns_clone") == "0" {
		return false, "This system lets only root create user namespaces (kernel.unprivileged_userns_clone is 0), which Chrome's sandbox needs."
	}
	if c.sysctl("user/max_user_namespaces") == "0" {
		return false, "This system has user namespaces turned off (user.max_user_namespaces is 0), which Chrome's sandbox needs."
	}
	if c.sysctl("kernel/apparmor_restrict_unprivileged_userns") == "1" && (path == "" || !c.profile(path)) {
		return false, "AppArmor keeps this browser from creating user namespaces (kernel.apparmor_restrict_unprivileged_userns is 1), which Chrome's sandbox needs."
	}
	if err := c.clone(); err != nil {
		return false, "This container or system does not let Chrome's sandbox create a user namespace (" + withoutPath(err).Error() + ")."
	}
	return true, ""
}

func readSysctl(name string) string {
	data, _ := os.ReadFile("/proc/sys/" + name)
	return strings.TrimSpace(string(data))
}

// hasSetuidHelper looks beside the browser, and where Debian has what the script
// of that name in /usr/bin starts.
func hasSetuidHelper(browser string) bool {
	if real, err := filepath.EvalSymlinks(browser); err == nil {
		browser = real
	}
	for _, dir := range []string{filepath.Dir(browser), filepath.Join("/usr/lib", filepath.Base(browser))} {
		info, err := os.Stat(filepath.Join(dir, "chrome-sandbox"))
		if err != nil || info.Mode()&os.ModeSetuid == 0 {
			continue
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Uid == 0 {
			return true
		}
	}
	return false
}

// hasUsernsProfile looks for an AppArmor profile that grants user namespaces to
// this browser, as the packages of Chrome and its relatives install one.
func hasUsernsProfile(browser string) bool {
	if real, err := filepath.EvalSymlinks(browser); err == nil {
		browser = real
	}
	profiles, _ := filepath.Glob("/etc/apparmor.d/*")
	for _, file := range profiles {
		data, err := os.ReadFile(file)
		if err == nil && bytes.Contains(data, []byte("userns")) && bytes.Contains(data, []byte(filepath.Dir(browser)+"/")) {
			return true
		}
	}
	return false
}

// canUnshareUser does what the sandbox will do: start a process in user, pid and
// network namespaces of its own.
func canUnshareUser() error {
	prog, err := exec.LookPath("true")
	if err != nil {
		return nil // nothing to try it with: let Chrome find out
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, prog)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
	}
	return cmd.Run()
}
