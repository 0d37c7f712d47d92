package daemon

import (
	"bytes"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"rove/internal/testkit"
	"rove/internal/testkit/apps"
	"rove/recording"
)

// heard runs a command and gives both of what it printed.
func (u *user) heard(args ...string) (out, trouble string) {
	u.t.Helper()
	cmd := u.command(args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err != nil {
		u.t.Fatalf("rove %s: %v\n%s\n%s", strings.Join(args, " "), err, text, said.Bytes())
	}
	return string(text), said.String()
}

func (u *user) adds(base, session string) {
	u.t.Helper()
	u.must("go", base+"/login", "--session", session)
	u.must("act", "{input}Email", "input", apps.User, "then", "{input}Password", "input", apps.Password, "then", "{button}Sign in", "click", "--session", session)
	u.must("act", "{button}Add contact", "click", "--session", session)
	u.must("act", "{input}Name", "input", "Ada Lovelace", "then", "{input}Email address", "input", "countess@example.com", "then",
		"{input}I have asked them", "check", "then", "{button}Save", "click", "--session", session)
}

// ended waits until the session is gone, and what it did is kept.
func (u *user) ended(session string) *Kept {
	u.t.Helper()
	var k *Kept
	testkit.Eventually(u.t, "what was done is kept", func() bool {
		k = LatestKept(session)
		return k != nil
	})
	return k
}

// TestEndedSessionIsKept: what was done in a session that was idle too long can be shown,
// and made a script and API tests of, by the name of the session; a new session of that
// name stands for itself.
func TestEndedSessionIsKept(t *testing.T) {
	testkit.NeedsBrowser(t)
	u := newUser(t, "ROVE_IDLE=4s")
	app := apps.New()
	server := httptest.NewServer(app)
	defer server.Close()
	u.adds(server.URL, "work")
	k := u.ended("work")
	if files, _ := os.ReadDir(filepath.Dir(k.File)); runtime.GOOS != "windows" {
		for _, f := range files {
			if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, want it its owner's alone", f.Name(), info.Mode())
			}
		}
	}
	for _, file := range []string{k.File, k.Traffic} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{apps.Password, strings.ReplaceAll(apps.Password, " ", "+")} {
			if bytes.Contains(text, []byte(secret)) {
				t.Errorf("%s has %q in it", file, secret)
			}
		}
	}

	ended := `session "work" ended at `
	out, said := u.heard("recording", "show", "--session", "work")
	if !strings.Contains(out, `act click button "Save"`) || !strings.HasPrefix(said, ended) || !strings.Contains(said, "after 4s without a call") || strings.Count(said, "\n") != 1 {
		t.Errorf("%s\n%s", said, out)
	}
	if out, _ := u.heard("recording", "list"); !strings.HasPrefix(out, "work ") || !strings.Contains(out, k.File) {
		t.Error(out)
	}
	reset := "curl -s -X POST " + server.URL + "/reset"
	out, said = u.heard("derive", "script", "--session", "work", "--reset", reset, "--prove", "1", "--param", "password="+apps.Password)
	if !strings.HasPrefix(said, ended) || !strings.Contains(out, "proved: passed 1 of 1") {
		t.Errorf("%s\n%s", said, out)
	}
	if s := u.daemon(); s != nil && len(s.Sessions) > 0 {
		t.Errorf("the proof left %+v", s.Sessions)
	}
	out, said = u.heard("derive", "api", "--session", "work", "--format", "openapi")
	if !strings.HasPrefix(said, ended) || !strings.Contains(out, "/api/contacts") {
		t.Errorf("%s\n%s", said, out)
	}
	saved := filepath.Join(t.TempDir(), "saved.jsonl")
	u.must("session", "save", "work", saved, "--recording")
	if data, err := os.ReadFile(saved); err != nil || !strings.Contains(string(data), `"ended"`) {
		t.Errorf("%v: %.200s", err, data)
	}

	u.must("eval", "1", "--session", "work")
	if out, said := u.heard("recording", "show", "--session", "work"); strings.Contains(said, "ended at") || strings.Contains(out, "Save") {
		t.Errorf("the session that ended stands for the new one:\n%s\n%s", said, out)
	}
}

// TestKilledBrowserKeepsWhatWasDone: what was done is kept when the browser dies, too, and
// not when the session is ended on purpose; the next call is told.
func TestKilledBrowserKeepsWhatWasDone(t *testing.T) {
	testkit.NeedsBrowser(t)
	u := newUser(t)
	app := apps.New()
	server := httptest.NewServer(app)
	defer server.Close()
	u.adds(server.URL, "purpose")
	u.must("session", "end", "purpose")
	u.adds(server.URL, "work")
	before := testkit.Browsers(t)
	for _, pid := range before {
		signal(t, pid, syscall.SIGKILL)
	}
	k := u.ended("work")
	if k.Traffic == "" {
		t.Error("its traffic is not kept")
	}
	if out := u.must("eval", "1", "--session", "work"); !strings.Contains(out, "rove recording list") {
		t.Errorf("%q does not say that what was done is kept", out)
	}
	if LatestKept("purpose") != nil {
		t.Error("what was done in a session that was ended on purpose is kept")
	}
}

// TestKeptIsBounded: by count, size and age.
func TestKeptIsBounded(t *testing.T) {
	t.Setenv("ROVE_HOME", t.TempDir())
	dir, err := keptDir()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	keep := func(name string, ago time.Duration, size int) {
		rec := recording.Recording{Header: recording.Header{Session: name, Ended: time.Now().Add(-ago), Why: "it was idle"}}
		var b strings.Builder
		if err := rec.Write(&b); err != nil {
			t.Fatal(err)
		}
		base := filepath.Join(dir, fileName(name))
		err := errors.Join(os.WriteFile(base+".jsonl", []byte(b.String()), 0o600), os.WriteFile(base+".har", make([]byte, size), 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range mostKept + 5 {
		keep(fmt.Sprint("s", i), time.Duration(i)*time.Minute, 10)
	}
	keep("old", 8*24*time.Hour, 10)
	pruneKept()
	list, _ := KeptRecordings()
	files, _ := os.ReadDir(dir)
	if len(list) != mostKept || len(files) != 2*mostKept || list[0].Session != "s0" {
		t.Errorf("%d are kept, in %d files", len(list), len(files))
	}
	keep("s3", 3*time.Minute, mostKeptAll)
	pruneKept()
	if list, _ := KeptRecordings(); len(list) != 3 {
		t.Errorf("%d are kept, of which one is too large", len(list))
	}
	if LatestKept("s1") == nil || LatestKept("s") != nil {
		t.Error("a recording is not found by the whole name of its session")
	}
}

func TestFileNamesOfSessions(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, name := range []string{"default", "Default", "../../etc/passwd", "a/b", "ab", `C:\x`, "", strings.Repeat("é", 50), strings.Repeat("a", 100), strings.Repeat("a", 99), "con."} {
		file := fileName(name)
		if seen[file] || len(file) > 60 || strings.ContainsAny(file, `/\.:`) {
			t.Errorf("%q is %q", name, file)
		}
		seen[file] = true
	}
}
