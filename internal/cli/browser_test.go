package cli

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// rovecmd runs a command line in this process.
func rovecmd(args ...string) (code int, stdout, stderr string) {
	var out, errOut bytes.Buffer
	code = Main(args, strings.NewReader(""), &out, &errOut)
	return code, out.String(), errOut.String()
}

func TestBrowserCommandLines(t *testing.T) {
	home := t.TempDir()
	t.Setenv("ROVE_HOME", home)
	mine := filepath.Join(t.TempDir(), "my-browser")
	if err := os.WriteFile(mine, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ROVE_BROWSER", mine)
	for _, tc := range []struct {
		args string
		code int
		want string // in what is printed, to either
	}{
		{"browser", 0, "rove browser install"},
		{"browser --help", 0, "ROVE_BROWSER"},
		{"browser install --help", 0, "--system"},
		{"browser path --help", 0, "fetches nothing"},
		{"browser remove --help", 0, "--all"},
		{"browser dance", 2, `no command "dance"`},
		{"browser path", 0, mine},
		{"browser path extra", 2, "no arguments"},
		{"browser path --browser /no/such/file", 1, "/no/such/file"},
		{"browser path --browser shell --headed", 1, "window"},
		{"browser list", 0, "* chrome"},
		{"browser list", 0, mine},
		{"browser list --json", 0, `"source": "env"`},
		{"browser list extra", 2, "no arguments"},
		{"browser install firefox", 2, "apt-get install firefox-esr"},
		{"browser install shell chrome", 2, "one kind"},
		{"browser install --colour", 2, "unknown flag"},
		{"browser remove", 2, "either a name"},
		{"browser remove a b", 2, "either a name"},
		{"browser remove a --all", 2, "either a name"},
		{"browser remove nothing", 1, "the cache is empty"},
		{"browser remove --all", 0, "the cache is empty"},
	} {
		code, out, errOut := rovecmd(strings.Fields(tc.args)...)
		if code != tc.code || !strings.Contains(out+errOut, tc.want) {
			t.Errorf("rove %s: code %d, want %d; printed %q %q, want %q", tc.args, code, tc.code, out, errOut, tc.want)
		}
	}
	if code, _, _ := rovecmd("browser", "remove", ""); code != 2 {
		t.Errorf(`remove "": code %d`, code)
	}
}

// The life of a cached browser: installed, found, listed, removed. The host it
// comes from is a server of this test, and the browser a script that answers
// what a browser is asked first.
func TestBrowserInstallListRemove(t *testing.T) {
	platform, ok := map[string]string{"linux/amd64": "linux64", "linux/arm64": "linux-arm64"}[runtime.GOOS+"/"+runtime.GOARCH]
	if !ok {
		t.Skip("the browser is played by a shell script of Linux")
	}
	const version = "131.0.6778.85"
	var archive bytes.Buffer
	zw := zip.NewWriter(&archive)
	header := &zip.FileHeader{Name: "chrome-headless-shell-" + platform + "/chrome-headless-shell"}
	header.SetMode(0o755)
	w, err := zw.CreateHeader(header)
	if err != nil {
		t.Fatal(err)
	}
	script := `#!/bin/sh
printf '{"id":1,"result":{"product":"HeadlessChrome/` + version + `"}}\0' >&4
cat <&3 >/dev/null
`
	if _, err := w.Write([]byte(script)); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	fetched := 0
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	mux.HandleFunc("/last-known-good-versions-with-downloads.json", func(w http.ResponseWriter, r *http.Request) {
		files := []map[string]string{{"platform": platform, "url": server.URL + "/shell.zip"}}
		_ = json.NewEncoder(w).Encode(map[string]any{"channels": map[string]any{"Stable": map[string]any{
			"version": version, "downloads": map[string]any{"chrome-headless-shell": files},
		}}})
	})
	mux.HandleFunc("/shell.zip", func(w http.ResponseWriter, r *http.Request) {
		fetched++
		_, _ = w.Write(archive.Bytes())
	})

	t.Setenv("ROVE_HOME", t.TempDir())
	t.Setenv("ROVE_BROWSER", "")
	steps := []struct{ args, want string }{
		{"browser install --mirror " + server.URL, "Installed headless shell " + version},
		{"browser install shell --mirror " + server.URL, "already there"},
		{"browser path --browser shell", "/shell-" + version + "/chrome-headless-shell"},
		{"browser list", "shell-" + version},
		{"browser list --json", `"version": "` + version + `"`},
		{"browser remove shell-" + version, "removed shell-" + version},
		{"browser remove --all", "the cache is empty"},
	}
	for _, step := range steps {
		code, out, errOut := rovecmd(strings.Fields(step.args)...)
		if code != 0 || !strings.Contains(out+errOut, step.want) {
			t.Errorf("rove %s: code %d, printed %q %q, want %q", step.args, code, out, errOut, step.want)
		}
	}
	if fetched != 1 {
		t.Errorf("fetched %d times", fetched)
	}
	left, _ := filepath.Glob(filepath.Join(os.Getenv("ROVE_HOME"), "*", "*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
