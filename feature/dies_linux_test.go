package feature

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"rove/report"
)

// TestBrowserDiesInTheMiddle: the scenario it dies in fails and says so, the next
// one has another browser.
func TestBrowserDiesInTheMiddle(t *testing.T) {
	t.Parallel()
	var once sync.Once
	r := runUI(t, Options{Paths: []string{"dies.feature"}, Threads: 1, BeforeStep: func(p *Pause) {
		if p.Text != "* def now = 'dead'" {
			return
		}
		once.Do(func() {
			for _, pid := range browsersNamed(t, "--rove-dies-in-the-middle") {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		})
	}})
	list := r.Files[0].Scenarios
	if len(list) != 2 || list[0].Status != report.Failed || list[1].Status != report.Passed {
		for _, s := range list {
			t.Errorf("%s: %s: %s", s.Name, s.Status, s.Error)
		}
		return
	}
	if !regexp.MustCompile(`browser (ended|is gone)|closed`).MatchString(list[0].Error) {
		t.Errorf("line %d: %s", list[0].ErrorLine, list[0].Error)
	}
}

// browsersNamed are the first processes of browsers with an argument.
func browsersNamed(t *testing.T, argument string) []int {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil || !strings.Contains(string(text), argument) || strings.Contains(string(text), "--type=") {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil {
			pids = append(pids, pid)
		}
	}
	if len(pids) == 0 {
		t.Error("there is no browser to kill")
	}
	return pids
}
