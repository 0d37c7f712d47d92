//go:build unix

package proc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(roleEnv); role != "" {
		playRole(role)
		return
	}
	goleak.VerifyTestMain(m)
}

// browserPath is a real browser, or the reason why there is none.
func browserPath(t testing.TB) string {
	t.Helper()
	for _, name := range []string{os.Getenv("ROVE_BROWSER"), "chromium", "google-chrome", "chrome-headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no browser on this machine: install one or set ROVE_BROWSER")
	return ""
}

func browserArgs(profile string) []string {
	return []string{
		"--headless", "--no-sandbox", "--remote-debugging-pipe", "--user-data-dir=" + profile,
		"--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--disable-quic", "--disable-gpu", "--disable-dev-shm-usage",
	}
}

// launch starts a real browser in a new scratch directory.
func launch(ctx context.Context, path, home string) (*Process, *Scratch, error) {
	s, err := NewScratch(home)
	if err != nil {
		return nil, nil, err
	}
	p, err := Start(ctx, Spec{Path: path, Args: browserArgs(s.Path("profile")), Pipe: true, Scratch: s})
	if err != nil {
		_ = s.Remove()
		return nil, nil, err
	}
	return p, s, nil
}

// ask sends one command over the debugging pipe and returns the reply.
func ask(p *Process, command string) (string, error) {
	if _, err := p.ToBrowser.Write([]byte(command + "\x00")); err != nil {
		return "", err
	}
	var msg []byte
	buf := make([]byte, 4096)
	for {
		n, err := p.FromBrowser.Read(buf)
		msg = append(msg, buf[:n]...)
		if i := bytes.IndexByte(msg, 0); i >= 0 {
			return string(msg[:i]), nil
		}
		if err != nil {
			return "", err
		}
	}
}

func awaitDone(t *testing.T, p *Process) {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(15 * time.Second):
		t.Fatalf("process %d did not end", p.Pid())
	}
}

func TestBrowserAnswersAndGoes(t *testing.T) {
	home := t.TempDir()
	p, s, err := launch(t.Context(), browserPath(t), home)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := ask(p, `{"id":1,"method":"Browser.getVersion"}`)
	if err != nil {
		t.Fatalf("%v; the browser says: %s", err, p.Output())
	}
	if !strings.Contains(reply, `"protocolVersion"`) {
		t.Errorf("reply = %s", reply)
	}
	if err := p.Kill(); err != nil {
		t.Error(err)
	}
	if err := p.Kill(); err != nil {
		t.Errorf("second Kill: %v", err)
	}
	if p.Err() == nil {
		t.Error("Err() = nil after a kill")
	}
	assertGone(t, s.Dir, p.Pid())
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
	if err := s.Remove(); err != nil {
		t.Errorf("second Remove: %v", err)
	}
	assertEmpty(t, filepath.Join(home, "run"))
}

func TestBrowserEndsWithThePipe(t *testing.T) {
	p, s, err := launch(t.Context(), browserPath(t), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ask(p, `{"id":1,"method":"Browser.getVersion"}`); err != nil {
		t.Fatalf("%v; the browser says: %s", err, p.Output())
	}
	if err := p.ToBrowser.Close(); err != nil {
		t.Fatal(err)
	}
	awaitDone(t, p)
	assertGone(t, s.Dir, p.Pid())
	if err := errors.Join(p.Kill(), s.Remove()); err != nil {
		t.Error(err)
	}
}

func TestStartErrors(t *testing.T) {
	notExecutable := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(notExecutable, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct{ path, want string }{
		"nothing":        {"", "no executable given"},
		"missing":        {"/no/such/browser", "no such file"},
		"not executable": {notExecutable, "permission denied"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Start(t.Context(), Spec{Path: tc.path, Pipe: true})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("err = %v, want one with %q", err, tc.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx, Spec{Path: "/bin/true"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: err = %v", err)
	}
}

func TestStderrIsKeptAndBounded(t *testing.T) {
	p, err := Start(t.Context(), Spec{Path: "/bin/sh", Args: []string{"-c", `
		i=0; while [ $i -lt 3000 ]; do echo "line $i of many" >&2; i=$((i+1)); done
		echo "said $ANSWER" >&2; exit 7`}, Env: []string{"ANSWER=last"}})
	if err != nil {
		t.Fatal(err)
	}
	awaitDone(t, p)
	var exit *exec.ExitError
	if !errors.As(p.Err(), &exit) || exit.ExitCode() != 7 {
		t.Errorf("Err() = %v, want exit status 7", p.Err())
	}
	if out := p.Output(); !strings.HasSuffix(out, "said last") || len(out) > tailSize {
		t.Errorf("%d bytes kept, ending %q", len(out), out[max(0, len(out)-20):])
	}
}

func TestTail(t *testing.T) {
	var all bytes.Buffer
	kept := new(tail)
	both := io.MultiWriter(&all, kept)
	for i, n := range []int{1, 100, tailSize - 5, 17, tailSize, 3, 3 * tailSize, 40} {
		_, _ = both.Write(bytes.Repeat([]byte{byte('a' + i)}, n))
		want := all.Bytes()[max(0, all.Len()-tailSize):]
		if kept.String() != string(want) {
			t.Fatalf("after write %d the tail differs", i)
		}
	}
}

// The first process ends, its children stay behind and hold the output open:
// they must go as well.
func TestChildrenGoWithTheFirstProcess(t *testing.T) {
	s, err := NewScratch(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p, err := Start(t.Context(), Spec{Path: "/bin/sh", Scratch: s, Args: []string{"-c", `
		trap '' HUP INT TERM
		sleep 300 & sleep 301 & echo started; exit 0`}})
	if err != nil {
		t.Fatal(err)
	}
	awaitDone(t, p)
	assertGone(t, s.Dir, p.Pid())
	if err := errors.Join(p.Kill(), s.Remove()); err != nil {
		t.Error(err)
	}
}
