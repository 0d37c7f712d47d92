package doctor

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"rove/internal/proc"
	"rove/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

func result(t *testing.T, r Report, name string) Result {
	t.Helper()
	for _, c := range r.Checks {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no check %q", name)
	return Result{}
}

func TestHealthyMachine(t *testing.T) {
	testkit.NeedsBrowser(t)
	report := new(Doctor).Examine(t.Context(), "v1")
	if !report.OK {
		t.Errorf("something is bad:\n%s", report.Text())
	}
	if r := result(t, report, "start"); strings.Count(r.Found, ".") != 3 {
		t.Errorf("the browser's version is not told: %q", r.Found)
	}
	if os.Geteuid() == 0 && runtime.GOOS == "linux" {
		if r := result(t, report, "sandbox"); r.State != Warn || !strings.Contains(r.Mend, "ordinary user") {
			t.Errorf("root's sandbox: %+v", r)
		}
	}
	for _, c := range report.Checks {
		if c.Found == "" || c.State != OK && c.Mend == "" {
			t.Errorf("%s does not say what was found and how to mend it: %+v", c.Name, c)
		}
	}
}

func TestWhatIsWrongIsToldWithHowToMendIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		prepare func(t *testing.T, d *Doctor)
		mend    string
	}{
		{"browser", func(t *testing.T, _ *Doctor) { t.Setenv("ROVE_BROWSER", "/no/such/browser") }, "ROVE_BROWSER"},
		{"start", func(t *testing.T, _ *Doctor) { t.Setenv("ROVE_BROWSER", executable(t, "#!/bin/sh\nexit 1\n")) }, "rove browser install"},
		{"home", func(_ *testing.T, d *Doctor) { d.Home = filepath.Join(file, "home") }, "ROVE_HOME"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && tt.name == "start" {
				t.Skip("the browser is played by a shell script")
			}
			var d Doctor
			tt.prepare(t, &d)
			report := d.Examine(t.Context(), "v1")
			r := result(t, report, tt.name)
			if report.OK || r.State != Bad || !strings.Contains(r.Mend, tt.mend) {
				t.Errorf("ok %v, %+v", report.OK, r)
			}
			if text := report.Text(); !strings.Contains(text, "BAD   "+tt.name) || !strings.Contains(text, "to mend: ") {
				t.Errorf("the report does not show it:\n%s", text)
			}
		})
	}
}

func executable(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// A directory that a killed run left is cleared away, and told of; one that is
// in use is not touched.
// TestOneFaultIsToldOnce: a home that can't be written to is no fault of the
// browser, which is not tried then.
func TestOneFaultIsToldOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	report := (&Doctor{Home: filepath.Join(file, "home")}).Examine(t.Context(), "v1")
	if r := result(t, report, "leftovers"); r.State != OK {
		t.Errorf("leftovers: %+v", r)
	}
	if r := result(t, report, "start"); strings.Contains(r.Mend, "libraries") || strings.Contains(r.Found, "mkdir") {
		t.Errorf("start: %+v", r)
	}
}

func TestLeftovers(t *testing.T) {
	home := t.TempDir()
	left := filepath.Join(home, "run", "abc")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	used, err := proc.NewScratch(home)
	if err != nil {
		t.Fatal(err)
	}
	defer used.Remove()
	if err := os.MkdirAll(left, 0o700); err != nil { // NewScratch has swept
		t.Fatal(err)
	}
	r := leftovers(t.Context(), &Doctor{Home: home})
	if r.State != OK || !strings.Contains(r.Fixed, "removed 1 directories") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(used.Dir); err != nil {
		t.Error(err)
	}
	if r := leftovers(t.Context(), &Doctor{Home: home}); r.Fixed != "" {
		t.Errorf("a second look finds %+v", r)
	}
}

func TestMoreChecksAndJSON(t *testing.T) {
	t.Setenv("ROVE_BROWSER", "/no/such/browser")
	d := Doctor{More: []Check{{"mine", func(context.Context, *Doctor) Result { return Result{State: Warn, Found: "so so", Mend: "rest"} }}}}
	report := d.Examine(t.Context(), "v1")
	if r := result(t, report, "mine"); r.Mend != "rest" {
		t.Errorf("%+v", r)
	}
	text, err := json.Marshal(report)
	if err != nil || !strings.Contains(string(text), `{"name":"mine","state":"warn","found":"so so","mend":"rest"}`) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestGrades(t *testing.T) {
	for _, tt := range []struct {
		free uint64
		want State
	}{{0, Bad}, {leastDisk - 1, Bad}, {leastDisk, Warn}, {goodDisk - 1, Warn}, {goodDisk, OK}} {
		if r := grade(tt.free, leastDisk, goodDisk, "free", "mend"); r.State != tt.want || (r.Mend == "") != (tt.want == OK) {
			t.Errorf("%d: %+v", tt.free, r)
		}
	}
	for n, want := range map[uint64]string{5 << 20: "5 MiB", 3 << 29: "1.5 GiB", 40 << 30: "40 GiB"} {
		if got := size(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
