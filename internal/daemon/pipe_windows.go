package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// On Windows the daemon is talked to through a named pipe. Its security descriptor
// lets nobody but its owner open it, and no other machine; a client makes sure that
// the process at its other end is its own user's, for anybody can make a pipe of a
// name that is not taken.

// private needs no look at modes: the directory is in the user's profile, whose
// access list keeps others out, and the pipe has its own.
func private(string) error { return nil }

// pipeName is the pipe that stands for the path of a socket.
func pipeName(path string) string {
	return `\\.\pipe\rove-` + strings.Map(func(r rune) rune {
		if strings.ContainsRune(`\/:`, r) {
			return '-'
		}
		return r
	}, filepath.Clean(path))
}

// owner is the security identifier of whom a process belongs to.
func owner(process windows.Handle) (string, error) {
	var token windows.Token
	if err := windows.OpenProcessToken(process, windows.TOKEN_QUERY, &token); err != nil {
		return "", err
	}
	defer token.Close()
	u, err := token.GetTokenUser()
	if err != nil {
		return "", err
	}
	return u.User.Sid.String(), nil
}

// pipe is one end of a connection.
type pipe struct {
	*os.File
	name   pipeAddr
	server bool
}

type pipeAddr string

func (a pipeAddr) Network() string { return "pipe" }
func (a pipeAddr) String() string  { return string(a) }

func (p *pipe) LocalAddr() net.Addr  { return p.name }
func (p *pipe) RemoteAddr() net.Addr { return p.name }

// pipes is a listener. A pipe is waiting for a client at all times.
type pipes struct {
	name     string
	security *windows.SecurityAttributes

	mu      sync.Mutex
	waiting windows.Handle
	closed  bool
}

// listen makes the pipe, which nobody but the user can open.
func listen(path string) (net.Listener, error) {
	sid, err := owner(windows.CurrentProcess())
	if err != nil {
		return nil, fmt.Errorf("the daemon's pipe: %w", err)
	}
	descriptor, err := windows.SecurityDescriptorFromString("O:" + sid + "D:P(A;;GA;;;" + sid + ")")
	if err != nil {
		return nil, fmt.Errorf("the daemon's pipe: %w", err)
	}
	l := &pipes{name: pipeName(path), security: &windows.SecurityAttributes{SecurityDescriptor: descriptor}}
	l.security.Length = uint32(unsafe.Sizeof(*l.security))
	// The first of its name, or somebody else's pipe would be joined.
	if l.waiting, err = l.make(windows.FILE_FLAG_FIRST_PIPE_INSTANCE); err != nil {
		return nil, fmt.Errorf("the daemon's pipe: %w", err)
	}
	return l, nil
}

const pipeBuffer = 64 << 10

func (l *pipes) make(flags uint32) (windows.Handle, error) {
	name, err := windows.UTF16PtrFromString(l.name)
	if err != nil {
		return windows.InvalidHandle, err
	}
	return windows.CreateNamedPipe(name, windows.PIPE_ACCESS_DUPLEX|windows.FILE_FLAG_OVERLAPPED|flags,
		windows.PIPE_TYPE_BYTE|windows.PIPE_REJECT_REMOTE_CLIENTS, windows.PIPE_UNLIMITED_INSTANCES, pipeBuffer, pipeBuffer, 0, l.security)
}

// Accept implements net.Listener.
func (l *pipes) Accept() (net.Conn, error) {
	l.mu.Lock()
	handle, closed := l.waiting, l.closed
	l.mu.Unlock()
	if closed {
		return nil, net.ErrClosed
	}
	err := accept(handle)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		_ = windows.CloseHandle(handle)
		return nil, net.ErrClosed
	}
	if err != nil {
		return nil, err
	}
	if l.waiting, err = l.make(0); err != nil {
		_ = windows.CloseHandle(handle)
		l.closed = true
		return nil, err
	}
	return &pipe{os.NewFile(uintptr(handle), l.name), pipeAddr(l.name), true}, nil
}

// accept waits for a client.
func accept(handle windows.Handle) error {
	event, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(event)
	over := windows.Overlapped{HEvent: event}
	err = windows.ConnectNamedPipe(handle, &over)
	if errors.Is(err, windows.ERROR_IO_PENDING) {
		var n uint32
		err = windows.GetOverlappedResult(handle, &over, &n, true)
	}
	if errors.Is(err, windows.ERROR_PIPE_CONNECTED) { // it was quicker
		return nil
	}
	return err
}

// Close implements net.Listener.
func (l *pipes) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	return windows.CancelIoEx(l.waiting, nil) // Accept closes it
}

// Addr implements net.Listener.
func (l *pipes) Addr() net.Addr { return pipeAddr(l.name) }

// taken is how long to wait before a pipe whose every instance is taken is tried
// again.
const taken = 5 * time.Millisecond

// connect opens the pipe.
func connect(ctx context.Context, path string) (net.Conn, error) {
	text := pipeName(path)
	name, err := windows.UTF16PtrFromString(text)
	if err != nil {
		return nil, err
	}
	for {
		// The server may learn who this is, and not act as them.
		handle, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING,
			windows.FILE_FLAG_OVERLAPPED|windows.SECURITY_SQOS_PRESENT|windows.SECURITY_IDENTIFICATION, 0)
		if err == nil {
			return &pipe{os.NewFile(uintptr(handle), text), pipeAddr(text), false}, nil
		}
		if !errors.Is(err, windows.ERROR_PIPE_BUSY) {
			return nil, err
		}
		select {
		case <-time.After(taken):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// checkPeer refuses another user at the other end. That nobody else comes in is
// the security descriptor's; that the server is one's own is asked.
func checkPeer(conn net.Conn) error {
	p, ok := conn.(*pipe)
	if !ok {
		return errors.New("the daemon is talked to through a pipe")
	}
	ask := windows.GetNamedPipeServerProcessId
	if p.server {
		ask = windows.GetNamedPipeClientProcessId
	}
	raw, err := p.SyscallConn()
	if err != nil {
		return err
	}
	var pid uint32
	var asked error
	if err := raw.Control(func(fd uintptr) { asked = ask(windows.Handle(fd), &pid) }); err != nil {
		return err
	}
	if asked != nil {
		return fmt.Errorf("who is at the other end of the daemon's pipe: %w", asked)
	}
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return fmt.Errorf("who is at the other end of the daemon's pipe: %w", err)
	}
	defer windows.CloseHandle(process)
	other, err := owner(process)
	if err != nil {
		return err
	}
	own, err := owner(windows.CurrentProcess())
	if err != nil {
		return err
	}
	if own != other {
		return fmt.Errorf("the other end of the daemon's pipe belongs to user %s", other)
	}
	return nil
}
