package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"rove/internal/testkit"
)

type shared struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// TestFollow: what is added is shown, also after the log was put aside for a new one.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	write := func(flag int, text string) {
		t.Helper()
		f, err := os.OpenFile(path, flag|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString(text)
		}
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write(os.O_APPEND, "old and long\n")
	ctx, cancel := context.WithCancel(t.Context())
	var out shared
	done := make(chan error, 1)
	go func() { done <- followFile(ctx, path, int64(len("old and long\n")), &out) }()
	shows := func(want string) {
		t.Helper()
		if !testkit.Within(func() bool { return out.String() == want }) {
			t.Fatalf("%q, want %q", out.String(), want)
		}
	}
	write(os.O_APPEND, "one\n")
	shows("one\n")
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	write(os.O_APPEND, "two\n")
	shows("one\ntwo\n")
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
