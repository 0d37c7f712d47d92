//go:build unix

package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// A helper process that holds a file, says so, and ends with its input.
func TestHoldHelper(t *testing.T) {
	path := os.Getenv("ROVE_TEST_HOLD")
	if path == "" {
		t.Skip("it is started by another test")
	}
	release, err := Hold(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	fmt.Println("held")
	_, _ = os.Stdin.Read(make([]byte, 1))
}

func TestHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	cmd := exec.Command(os.Args[0], "-test.run=^TestHoldHelper$")
	cmd.Env = append(os.Environ(), "ROVE_TEST_HOLD="+path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	var held *Held
	if _, err := Hold(t.Context(), path); !errors.As(err, &held) || held.Pid != cmd.Process.Pid {
		t.Errorf("what process %d holds: %v", cmd.Process.Pid, err)
	}
	// It goes with its holder, however that ends.
	_ = cmd.Process.Kill()
	_ = in.Close()
	_ = cmd.Wait()
	if !Gone(t.Context(), cmd.Process.Pid, time.Second) {
		t.Error("it is not gone")
	}
	release, err := Hold(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if pid := signed(path); pid != os.Getpid() || Gone(t.Context(), pid, time.Millisecond) {
		t.Errorf("signed by %d", pid)
	}
	// This process is waited for: it may be about to let go.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Hold(ctx, path); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
	time.AfterFunc(10*time.Millisecond, release)
	again, err := Hold(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	again()
	assertEmpty(t, filepath.Dir(path))
}

func TestMemory(t *testing.T) {
	p, err := Start(t.Context(), Spec{Path: "/bin/sh", Args: []string{"-c", "sleep 60 & sleep 60"}})
	if err != nil {
		t.Fatal(err)
	}
	n, err := p.Memory()
	if runtime.GOOS == "linux" {
		if err != nil || n < 100<<10 || n > 1<<30 {
			t.Errorf("a shell has %d bytes: %v", n, err)
		}
	} else if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("err = %v", err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	if n, _ := p.Memory(); n != 0 {
		t.Errorf("%d bytes after its end", n)
	}
}
