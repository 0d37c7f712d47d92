//go:build unix

package proc

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestManyLaunches launches and closes browsers, and kills every fourth at a
// random moment: its owner, the browser itself, or one of its processes. In the
// end no process and no directory is left. ROVE_STRESS=200 does 200 launches.
func TestManyLaunches(t *testing.T) {
	browser := browserPath(t)
	count := 12
	if s := os.Getenv("ROVE_STRESS"); s != "" {
		var err error
		if count, err = strconv.Atoi(s); err != nil {
			t.Fatalf("ROVE_STRESS=%s: %v", s, err)
		}
	} else if testing.Short() {
		count = 4
	}
	home := t.TempDir()
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := range jobs {
				if err := oneLaunch(t.Context(), i, browser, home); err != nil {
					t.Errorf("launch %d: %v", i, err)
				}
			}
		})
	}
	for i := range count {
		jobs <- i
	}
	close(jobs)
	wg.Wait()

	swept, err := Sweep(home)
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d launches; the sweep ended %d processes and removed %d directories", count, swept.Processes, swept.Dirs)
	for _, m := range members(filepath.Join(home, "run"), -1) {
		t.Errorf("left running: %s", m)
	}
	assertEmpty(t, filepath.Join(home, "run"))
}

func oneLaunch(ctx context.Context, i int, browser, home string) error {
	moment := time.NewTimer(rand.N(500 * time.Millisecond))
	defer moment.Stop()
	if i%8 == 3 {
		return killOwnerAt(moment.C, browser, home)
	}
	p, s, err := launch(ctx, browser, home)
	if err != nil {
		return err
	}
	if i%8 == 7 {
		<-moment.C
		victim := p.Pid()
		if i%16 == 7 { // or one of its children
			list, _ := processes()
			for _, c := range list {
				if c.group == p.Pid() {
					victim = c.pid
				}
			}
		}
		_ = unix.Kill(victim, unix.SIGKILL)
	} else if _, err := ask(p, `{"id":1,"method":"Browser.getVersion"}`); err != nil {
		err = fmt.Errorf("%w; the browser says: %s", err, p.Output())
		return errors.Join(err, p.Kill(), s.Remove())
	}
	if err := errors.Join(p.Kill(), s.Remove()); err != nil {
		return err
	}
	if left := members(s.Dir, p.Pid()); len(left) > 0 {
		return fmt.Errorf("left running after Kill: %v", left)
	}
	if _, err := os.Stat(s.Dir); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s is still there: %v", s.Dir, err)
	}
	return nil
}

// killOwnerAt is kill -9 of an owner that may be anywhere in its launch.
func killOwnerAt(moment <-chan time.Time, browser, home string) error {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleEnv+"=wait", "ROVE_TEST_BROWSER="+browser, "ROVE_TEST_HOME="+home)
	if err := cmd.Start(); err != nil {
		return err
	}
	<-moment
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return nil
}
