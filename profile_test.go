package rove_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
)

func TestProfileIsKept(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.Parallel(t)
	ctx := t.Context()
	url, _ := members(t)
	profile := filepath.Join(t.TempDir(), "made", "profile")
	// The first time without rules, then with: the profile's own context is held
	// to them.
	for i, allow := range [][]string{nil, {strings.TrimPrefix(url, "http://")}, nil} {
		s, err := rove.Open(ctx, rove.Options{Profile: profile, Allow: allow})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		page, err := s.Go(ctx, url)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			has(t, page.Text(), "Hello a stranger", "cart: null")
		} else {
			has(t, page.Text(), "Hello ada-s3cret", "cart: 3 “pears”")
		}
		if _, err := s.Go(ctx, url+"/login"); err != nil {
			t.Fatal(err)
		}
		if allow != nil {
			if _, err := s.Go(ctx, strings.Replace(url, "127.0.0.1", "localhost", 1)); rove.CodeOf(err) != rove.CodePolicy {
				t.Errorf("an origin that is not allowed, with a profile: %v", err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(profile, "rove.lock")); !os.IsNotExist(err) {
		t.Errorf("the lock was left: %v", err)
	}
}

func TestProfileInUse(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.Parallel(t)
	ctx := t.Context()
	profile := t.TempDir()
	b, err := rove.Launch(ctx, rove.Options{Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	// One session at a time.
	s, err := b.Open(ctx, rove.Viewport{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Open(ctx, rove.Viewport{}); err == nil || !strings.Contains(err.Error(), "one session at a time") {
		t.Errorf("a second session: %v", err)
	}
	// Another browser is refused, and does no harm to this one.
	_, err = rove.Launch(ctx, rove.Options{Profile: profile})
	if rove.CodeOf(err) != rove.CodePolicy || !strings.Contains(err.Error(), "profile in use by pid "+strconv.Itoa(os.Getpid())) {
		t.Errorf("a profile in use: %v", err)
	}
	if _, err := s.Eval(ctx, "1"); err != nil {
		t.Error(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}

	file := filepath.Join(profile, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := rove.Launch(ctx, rove.Options{Profile: file}); err == nil {
		t.Error("a file was taken for a profile")
	}
}

// A browser that somebody else has started in the profile is not disturbed.
func TestProfileOfAnotherBrowser(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.Parallel(t)
	if runtime.GOOS == "windows" {
		t.Skip("there the browser locks its profile by other means")
	}
	profile := t.TempDir()
	sleep := exec.Command("sleep", "60")
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sleep.Process.Kill(); _ = sleep.Wait() }()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	pid := strconv.Itoa(sleep.Process.Pid)
	if err := os.Symlink(host+"-"+pid, filepath.Join(profile, "SingletonLock")); err != nil {
		t.Fatal(err)
	}
	_, err = rove.Launch(t.Context(), rove.Options{Profile: profile})
	if err == nil || !strings.Contains(err.Error(), "profile in use by pid "+pid) {
		t.Errorf("a profile in use: %v", err)
	}
}
