package daemon

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Another user who gets as far as the socket, because its directory was opened
// up, is not answered.
func TestOtherUsersAreNotAnswered(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can play another user")
	}
	c := serve(t, Config{Version: "v1"})
	for dir := c.Place.Socket; strings.HasPrefix(dir, os.Getenv("ROVE_HOME")); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	conn, err := dialAs(t, 65534, c.Place.Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, `{"protocol":1,"do":"status"}`+"\n")
	if said, _ := io.ReadAll(conn); len(said) > 0 {
		t.Errorf("another user is told %q", said)
	}
	if _, err := c.Status(t.Context()); err != nil {
		t.Error(err)
	}
}

// dialAs connects as another user. The user of one thread is changed, and the
// thread is not used again.
func dialAs(t *testing.T, uid int, path string) (net.Conn, error) {
	t.Helper()
	type result struct {
		fd  int
		err error
	}
	got := make(chan result)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0)); errno != 0 {
			got <- result{err: errno}
			return
		}
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err == nil {
			err = unix.Connect(fd, &unix.SockaddrUnix{Name: path})
		}
		got <- result{fd, err}
	}()
	r := <-got
	if r.err != nil {
		return nil, r.err
	}
	f := os.NewFile(uintptr(r.fd), path)
	defer f.Close()
	return net.FileConn(f)
}
