package provision

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"rove/internal/proc"
)

// cftServer plays Chrome for Testing's host.
type cftServer struct {
	*httptest.Server
	platform string
	archive  []byte
	etag     string
	sum      string                                                   // X-Goog-Hash; right unless set
	serve    func(n int, w http.ResponseWriter, r *http.Request) bool // before the normal way; false to go on

	mu     sync.Mutex
	ranges []string // the Range header of each request for the zip file
}

func newCftServer(t *testing.T, files map[string]string) *cftServer {
	t.Helper()
	s := &cftServer{platform: "linux64", archive: makeZip(t, files), etag: `"first"`}
	mux := http.NewServeMux()
	release := func(version string) map[string]any {
		list := []map[string]string{{"platform": s.platform, "url": s.URL + "/shell.zip"}}
		return map[string]any{"version": version, "downloads": map[string]any{"chrome": list, "chrome-headless-shell": list}}
	}
	mux.HandleFunc("/last-known-good-versions-with-downloads.json", func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"channels": map[string]any{"Stable": release("131.0.6778.85"), "Beta": release("132.0.1.1")}})
	})
	mux.HandleFunc("/known-good-versions-with-downloads.json", func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"versions": []any{release("99.0.1.1"), release("130.0.2.9"), release("130.0.2.10"), release("131.0.0.1")}})
	})
	mux.HandleFunc("/shell.zip", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.ranges = append(s.ranges, r.Header.Get("Range"))
		n := len(s.ranges)
		s.mu.Unlock()
		if s.etag != "" {
			w.Header().Set("ETag", s.etag)
		}
		sum := s.sum
		if sum == "" {
			digest, crc := md5.Sum(s.archive), newCRC32C()
			_, _ = crc.Write(s.archive)
			sum = "crc32c=" + base64.StdEncoding.EncodeToString(crc.Sum(nil)) + ", md5=" + base64.StdEncoding.EncodeToString(digest[:])
		}
		w.Header().Set("X-Goog-Hash", sum)
		if s.serve != nil && s.serve(n, w, r) {
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.archive))
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func (s *cftServer) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.ranges...)
}

const cftShell = "chrome-headless-shell-linux64/chrome-headless-shell"

// makeZip makes a zip file; a name that ends in a "->" holds a link's target.
func makeZip(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var buf bytes.Buffer
	zw := zip.NewWriter(&buf)
	for name, content := range files {
		name, link := strings.CutSuffix(name, "->")
		h := &zip.FileHeader{Name: name, Method: zip.Store}
		h.SetMode(0o755)
		if link {
			h.SetMode(os.ModeSymlink | 0o777)
		}
		w, err := zw.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func shellZip() map[string]string {
	return map[string]string{
		cftShell: "#!/bin/sh\n" + strings.Repeat("# a large file\n", 20_000),
		"chrome-headless-shell-linux64/headless_lib_data.pak": "data",
	}
}

// half sends the head of the file as if it were all, and breaks off.
func half(s *cftServer, w http.ResponseWriter) {
	w.Header().Set("Content-Length", fmt.Sprint(len(s.archive)))
	_, _ = w.Write(s.archive[:len(s.archive)/2])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func onlyWork(t *testing.T, f *finder) {
	t.Helper()
	entries, _ := os.ReadDir(f.store())
	for _, e := range entries {
		if e.Name() != ".partial" {
			t.Errorf("left in the cache: %s", e.Name())
		}
	}
}

func TestChromeForTesting(t *testing.T) {
	for _, tc := range []struct {
		name  string
		setup func(*cftServer, *finder)
		req   Request
		want  string   // part of the error, "" for success
		asked []string // the Range of each request for the file
	}{
		{name: "plain", asked: []string{""}},
		{name: "a version", req: Request{Version: "130"}, asked: []string{""}},
		{name: "no such version", req: Request{Version: "7"}, want: "no version 7"},
		{
			name:  "no etag and no checksum",
			setup: func(s *cftServer, f *finder) { s.etag, s.sum = "", "none" },
			asked: []string{""},
		},
		{
			name:  "wrong checksum",
			setup: func(s *cftServer, f *finder) { s.sum = "md5=" + base64.StdEncoding.EncodeToString(make([]byte, 16)) },
			want:  "checksum", asked: []string{""},
		},
		{
			name:  "wrong crc32c",
			setup: func(s *cftServer, f *finder) { s.sum = "crc32c=AAAAAA==" },
			want:  "checksum", asked: []string{""},
		},
		{
			name: "damaged zip without a checksum",
			setup: func(s *cftServer, f *finder) {
				s.sum = "none"
				s.archive = bytes.Replace(s.archive, []byte("a large file"), []byte("a lArge file"), 1)
			},
			want: "checksum", asked: []string{""},
		},
		{
			name:  "not a zip",
			setup: func(s *cftServer, f *finder) { s.archive = []byte("<html>Sign in to the hotel's network</html>") },
			want:  "zip", asked: []string{""},
		},
		{
			name: "connection breaks once",
			setup: func(s *cftServer, f *finder) {
				s.serve = func(n int, w http.ResponseWriter, r *http.Request) bool {
					if n == 1 {
						half(s, w)
					}
					return false
				}
			},
			asked: []string{"", "bytes=HALF-"},
		},
		{
			name: "file changes in between",
			setup: func(s *cftServer, f *finder) {
				s.serve = func(n int, w http.ResponseWriter, r *http.Request) bool {
					if n == 1 {
						half(s, w)
					}
					w.Header().Set("ETag", `"second"`)
					return false
				}
			},
			asked: []string{"", "bytes=HALF-"},
		},
		{
			name: "server without ranges",
			setup: func(s *cftServer, f *finder) {
				s.serve = func(n int, w http.ResponseWriter, r *http.Request) bool {
					if n == 1 {
						half(s, w)
					}
					_, _ = w.Write(s.archive)
					return true
				}
			},
			asked: []string{"", "bytes=HALF-"},
		},
		{
			name: "truncated for ever",
			setup: func(s *cftServer, f *finder) {
				s.serve = func(n int, w http.ResponseWriter, r *http.Request) bool {
					half(s, w)
					return true
				}
			},
			want: "EOF",
		},
		{
			name: "stalls",
			setup: func(s *cftServer, f *finder) {
				f.stall = 50 * time.Millisecond
				s.serve = func(n int, w http.ResponseWriter, r *http.Request) bool {
					if n > 1 {
						<-r.Context().Done()
						return true
					}
					w.Header().Set("Content-Length", fmt.Sprint(len(s.archive)))
					_, _ = w.Write(s.archive[:100])
					_ = http.NewResponseController(w).Flush()
					<-r.Context().Done()
					return true
				}
			},
			want: "stopped sending",
		},
		{
			name: "slow but steady",
			setup: func(s *cftServer, f *finder) {
				f.stall = time.Second
				s.serve = func(n int, w http.ResponseWriter, r *http.Request) bool {
					w.Header().Set("Content-Length", fmt.Sprint(len(s.archive)))
					tick := time.NewTicker(50 * time.Millisecond)
					defer tick.Stop()
					for part := range 30 {
						<-tick.C
						from, to := part*len(s.archive)/30, (part+1)*len(s.archive)/30
						_, _ = w.Write(s.archive[from:to])
						_ = http.NewResponseController(w).Flush()
					}
					return true
				}
			},
			asked: []string{""},
		},
		{
			name: "file not found",
			setup: func(s *cftServer, f *finder) {
				s.serve = func(n int, w http.ResponseWriter, r *http.Request) bool {
					http.NotFound(w, r)
					return true
				}
			},
			want: "404", asked: []string{""},
		},
		{name: "no index", setup: func(s *cftServer, f *finder) { f.index += "/elsewhere" }, want: "404"},
		{name: "nothing for the platform", setup: func(s *cftServer, f *finder) { s.platform = "win64" }, want: "no chrome-headless-shell 131.0.6778.85 for linux/amd64"},
		{name: "unknown platform", setup: func(s *cftServer, f *finder) { f.goos = "plan9" }, want: "nothing for plan9/amd64"},
		{name: "no host", setup: func(s *cftServer, f *finder) { f.index = offline }, want: "refused"},
		{
			name:  "disk too small",
			setup: func(s *cftServer, f *finder) { f.free = func(string) (uint64, error) { return 5000, nil } },
			want:  "not enough space", asked: []string{""},
		},
		{
			name: "it does not run here",
			setup: func(s *cftServer, f *finder) {
				f.probe = func(context.Context, Browser) (string, error) { return "", errors.New("libnss3.so is missing") }
			},
			want: "libnss3.so", asked: []string{""},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newCftServer(t, shellZip())
			f := testFinder(t)
			f.index = s.URL
			if tc.setup != nil {
				tc.setup(s, f)
			}
			if err := os.MkdirAll(f.store(), 0o700); err != nil {
				t.Fatal(err)
			}
			b, err := f.fetchFrom(t.Context(), cft{f}, Shell, tc.req.Version)
			if tc.want != "" {
				if err == nil || !strings.Contains(err.Error(), tc.want) {
					t.Errorf("err = %v, want one with %q", err, tc.want)
				}
				onlyWork(t, f)
			} else {
				wantVersion := map[string]string{"": "131.0.6778.85", "130": "130.0.2.10"}[tc.req.Version]
				if err != nil || b.Name != "shell-"+wantVersion || b.Kind != Shell || b.Version != "1.2.3.4" {
					t.Fatalf("%+v, %v", b, err)
				}
				if got, _ := os.ReadFile(b.Path); string(got) != shellZip()[cftShell] {
					t.Error("the executable differs from what was sent")
				}
				if _, err := os.Stat(f.partials()); err == nil {
					t.Error("the archive was kept")
				}
			}
			if tc.asked != nil {
				want := strings.ReplaceAll(strings.Join(tc.asked, "|"), "HALF", fmt.Sprint(len(s.archive)/2))
				if got := strings.Join(s.requests(), "|"); got != want {
					t.Errorf("asked for %q, want %q", got, want)
				}
			}
		})
	}
}

// A download that was broken off is gone on with by the next run.
func TestResumeInAnotherRun(t *testing.T) {
	s := newCftServer(t, shellZip())
	s.serve = func(n int, w http.ResponseWriter, r *http.Request) bool {
		switch n {
		case 1:
			half(s, w)
		case 2:
			http.Error(w, "later", http.StatusServiceUnavailable)
			return true
		}
		return false
	}
	f := testFinder(t)
	f.index = s.URL
	if _, err := f.fetch(t.Context(), Shell, Request{}, true); err == nil {
		t.Fatal("no error from a broken server")
	}
	if _, err := f.fetch(t.Context(), Shell, Request{}, true); err != nil {
		t.Fatal(err)
	}
	from := fmt.Sprintf("bytes=%d-", len(s.archive)/2)
	if got, want := fmt.Sprint(s.requests()), fmt.Sprint([]string{"", from, from}); got != want {
		t.Errorf("asked for %s, want %s", got, want)
	}
}

func TestNeverFetchedTwice(t *testing.T) {
	s := newCftServer(t, shellZip())
	f := testFinder(t)
	f.index = s.URL
	var out bytes.Buffer
	var inUse atomic.Int32
	f.probe = func(context.Context, Browser) (string, error) {
		if inUse.Add(1) != 1 {
			t.Error("two at once")
		}
		defer inUse.Add(-1)
		return "1.2.3.4", nil
	}
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			if b, err := f.find(t.Context(), Request{Fetch: true}); err != nil || b.Kind != Shell {
				t.Errorf("%+v, %v", b, err)
			}
		})
	}
	wg.Wait()
	f.report = newReporter(&out)
	if _, err := f.fetch(t.Context(), Shell, Request{}, false); err != nil {
		t.Error(err)
	}
	if !strings.Contains(out.String(), "already there") {
		t.Errorf("said %q", out.String())
	}
	f.index = offline
	if b, err := f.fetch(t.Context(), Shell, Request{}, false); err != nil || b.Name != "shell-131.0.6778.85" {
		t.Errorf("offline: %+v, %v", b, err)
	}
	if got := len(s.requests()); got != 1 {
		t.Errorf("fetched %d times", got)
	}
}

// A fetch that was killed leaves a directory; the next one clears it away.
func TestLeftoversOfAKilledFetch(t *testing.T) {
	s := newCftServer(t, shellZip())
	f := testFinder(t)
	f.index = s.URL
	left := filepath.Join(f.store(), workPrefix+"123", "half-a-browser")
	writeFile(t, left, "half", 0o600)
	if _, err := f.find(t.Context(), Request{Fetch: true}); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(f.store()); len(entries) != 1 {
		t.Errorf("in the cache: %v; want the browser alone", entries)
	}
}

func TestWaitingForAnotherFetchEnds(t *testing.T) {
	f := testFinder(t)
	if err := os.MkdirAll(f.store(), 0o700); err != nil {
		t.Fatal(err)
	}
	unlock, err := f.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := f.find(ctx, Request{Fetch: true}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
}

func TestDiskErrors(t *testing.T) {
	s := newCftServer(t, shellZip())
	f := testFinder(t)
	f.index = s.URL
	f.free = func(string) (uint64, error) { return 5000, nil }
	_, err := f.find(t.Context(), Request{Fetch: true})
	if err == nil || !isDiskFull(err) || !strings.Contains(err.Error(), "ROVE_HOME") {
		t.Errorf("err = %v", err)
	}
	full := fmt.Errorf("unpack: %w", &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC})
	if runtime.GOOS != "windows" && !isDiskFull(diskFull("/d", full)) {
		t.Error("ENOSPC is not understood")
	}
	if other := errors.New("other"); !errors.Is(diskFull("/d", other), other) || isDiskFull(other) {
		t.Error("another error is taken for a full disk")
	}
}

func TestEvilZip(t *testing.T) {
	s := newCftServer(t, map[string]string{cftShell: "#!/bin/sh\n", "../../../evil": "evil"})
	f := testFinder(t)
	f.index = s.URL
	_, err := f.find(t.Context(), Request{Fetch: true})
	if err == nil || !strings.Contains(err.Error(), "outside") {
		t.Errorf("err = %v", err)
	}
	onlyWork(t, f)
	if found, _ := filepath.Glob(filepath.Join(f.home, "evil")); found != nil {
		t.Error("a file was written outside")
	}
}

// The whole way with a browser that really starts.
func TestChromeForTestingStarts(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this machine to play the one that is fetched")
	}
	s := newCftServer(t, map[string]string{cftShell: "#!/bin/sh\nexec " + browser + " \"$@\"\n"})
	f := testFinder(t)
	f.index = s.URL
	f.probe = func(ctx context.Context, b Browser) (string, error) { return probe(ctx, f.home, b) }
	b, err := f.find(t.Context(), Request{Fetch: true})
	if err != nil || strings.Count(b.Version, ".") != 3 {
		t.Errorf("%+v, %v", b, err)
	}
	if left, _ := os.ReadDir(filepath.Join(f.home, "run")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if swept, err := proc.Sweep(f.home); err != nil || swept != (proc.Swept{}) {
		t.Errorf("Sweep = %+v, %v", swept, err)
	}
}

func TestProbeFailures(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("browsers are played by shell scripts")
	}
	home := t.TempDir()
	for name, tc := range map[string]struct{ script, want string }{
		"ends at once":      {"echo 'chrome: error while loading shared libraries: libnss3.so: none' >&2; echo more >&2; exit 127", "libnss3.so"},
		"says nothing":      {"exit 0", "ends at once"},
		"nonsense":          {`printf 'hello\0' >&4; read x <&3; cat <&3 >/dev/null`, "nonsense"},
		"no browser at all": {`printf '{"id":1,"result":{"product":"cat"}}\0' >&4; cat <&3 >/dev/null`, `"cat"`},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "browser")
			writeFile(t, path, "#!/bin/sh\n"+tc.script+"\n", 0o700)
			_, err := probe(t.Context(), home, Browser{Path: path})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("err = %v, want %q", err, tc.want)
			}
		})
	}
	t.Run("hangs", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "browser")
		writeFile(t, path, "#!/bin/sh\ntrap '' TERM HUP\nsleep 300\n", 0o700)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := probe(ctx, home, Browser{Path: path}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("err = %v", err)
		}
	})
	if left, _ := os.ReadDir(filepath.Join(home, "run")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
