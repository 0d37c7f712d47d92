package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"rove"
	"rove/internal/provision"
)

// coldStarts measures, for every browser on the machine, how long it takes from
// nothing to the first view of a small page, beside the browser's own start.
func coldStarts(ctx context.Context, o options, url string) ([]row, error) {
	if o.starts == 0 {
		return nil, nil
	}
	found, err := browsers(ctx, o)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, b := range found {
		fmt.Fprintf(os.Stderr, "start of %s …\n", b.Path)
		own := row{Page: "start of a " + b.Kind, What: "browser's start to first evaluate"}
		bare := row{Page: own.Page, What: "browser's start to first page loaded"}
		ours := row{Page: own.Page, What: "**rove's start to first view**"}
		var ownTimes, bareTimes, ourTimes []time.Duration
		for i := range o.starts + 1 { // the first one warms up the file cache
			a, page, err := ownStart(ctx, b, url)
			if err != nil {
				return nil, err
			}
			r, err := roveStart(ctx, b, url)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				ownTimes, bareTimes, ourTimes = append(ownTimes, a), append(bareTimes, page), append(ourTimes, r)
			}
		}
		own.time(ownTimes)
		bare.time(bareTimes)
		ours.time(ourTimes)
		ours.Note = fmt.Sprintf("%.2f × the browser's own start, %.2f × its first page", ours.over(own), ours.over(bare))
		rows = append(rows, own, bare, ours)
	}
	return rows, nil
}

// browsers lists those to start: the one asked for, or one of each kind on the
// machine.
func browsers(ctx context.Context, o options) ([]provision.Browser, error) {
	if o.browser != "" {
		b, err := provision.Find(ctx, provision.Request{Want: o.browser})
		return []provision.Browser{b}, err
	}
	all, err := provision.List(provision.Request{})
	if err != nil {
		return nil, err
	}
	var found []provision.Browser
	for _, kind := range []string{provision.Shell, provision.Chrome} {
		if i := slices.IndexFunc(all, func(b provision.Browser) bool { return b.Kind == kind }); i >= 0 {
			found = append(found, all[i])
		}
	}
	return found, nil
}

// ownStart is the time from starting the browser to a first answer of its blank
// page, and to the load event of the first page it is sent to.
func ownStart(ctx context.Context, b provision.Browser, url string) (answer, page time.Duration, err error) {
	begin := time.Now()
	p, err := start(ctx, b)
	if err != nil {
		return 0, 0, err
	}
	_, err = evaluate[int](ctx, p.page, onePlusOne)
	answer = time.Since(begin)
	if err == nil {
		err = p.open(ctx, url)
	}
	page = time.Since(begin)
	return answer, page, errors.Join(err, p.close())
}

// roveStart is the time from opening a session to the first view of a page.
func roveStart(ctx context.Context, b provision.Browser, url string) (time.Duration, error) {
	begin := time.Now()
	s, err := rove.Open(ctx, rove.Options{Browser: b.Path})
	if err != nil {
		return 0, err
	}
	view, err := s.Go(ctx, url)
	if err == nil && !strings.Contains(view.Text(), "Password") {
		err = fmt.Errorf("the first view lacks the page:\n%s", view.Text())
	}
	took := time.Since(begin)
	return took, errors.Join(err, s.Close())
}

// memoryInUse has a process of its own look at pages and tell its memory, since
// this one holds tables of tokens.
func memoryInUse(ctx context.Context, o options, base string) ([]row, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(os.Stderr, "memory …")
	child := exec.CommandContext(ctx, self, "-memory", base, "-browser", o.browser)
	child.Stderr = os.Stderr
	// An interrupt lets the child close its browser.
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
	child.WaitDelay = 10 * time.Second
	out, err := child.Output()
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	var one, all int
	if _, err := fmt.Sscan(string(out), &one, &all); err != nil {
		return nil, fmt.Errorf("memory: %w in %q", err, out)
	}
	return []row{
		{Page: "memory of rove's process", What: "after one page", Bytes: one},
		{Page: "memory of rove's process", What: "after all demo pages and 10k", Bytes: all},
	}, nil
}

// childMemory is what the process of memoryInUse does.
func childMemory(ctx context.Context, o options, base string) error {
	s, err := rove.Open(ctx, rove.Options{Browser: o.browser})
	if err != nil {
		return err
	}
	defer s.Close()
	for i, p := range append([]page{{path: "/login"}}, o.pages...) {
		if p.large {
			continue
		}
		if _, err := s.Go(ctx, base+p.path); err != nil {
			return err
		}
		if _, err := s.Look(ctx, everything); err != nil {
			return err
		}
		if i == 0 {
			if err := printMemory(); err != nil {
				return err
			}
		}
	}
	return printMemory()
}

func printMemory() error {
	_, err := fmt.Println(residentMemory())
	return err
}

// residentMemory is the memory this process has in use; where the system does
// not tell, what Go has asked it for.
func residentMemory() int {
	var size, pages int
	if b, err := os.ReadFile("/proc/self/statm"); err == nil {
		if _, err := fmt.Sscan(string(b), &size, &pages); err == nil {
			return pages * os.Getpagesize()
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.Sys)
}

// over is how many times as long as another row this one takes.
func (r row) over(other row) float64 { return float64(r.Median) / float64(other.Median) }
