package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	"rove"
	"rove/bench/site"
	"rove/cdp"
	"rove/internal/inside"
	"rove/internal/provision"
)

// cost is what one turn took.
type cost struct {
	wall time.Duration
	cpu  time.Duration // of this process, and of the page's main thread
}

// recordingCost has the same verbs done with the recorder and without, in turns, and
// prints medians: what recording costs.
func recordingCost(ctx context.Context, o options, turns int) error {
	b, err := provision.Find(ctx, provision.Request{Want: o.browser, Fetch: true, Progress: os.Stderr})
	if err != nil {
		return err
	}
	srv := site.Serve()
	defer srv.Close()
	s, err := rove.Open(ctx, rove.Options{Browser: b.Path})
	if err != nil {
		return err
	}
	defer s.Close()
	_, page, err := raw(s)
	if err != nil {
		return err
	}
	if err := page.Call(ctx, "Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil); err != nil {
		return err
	}
	fmt.Printf("%d turns each\n\n| verb | wall without | with | more | processor without | with | more |\n|---|---|---|---|---|---|---|\n", turns)
	for _, c := range []struct{ what, path, role, op, value string }{
		{"click, small page", "/verbs", "button", "click", ""},
		{"input, small page", "/verbs", "textbox", "input", "twenty characters ok"},
		{"input, form", "/form", "textbox", "input", "Ada Lovelace"},
		{"input, list", "/todo", "textbox", "input", "Buy milk"},
	} {
		view, err := s.Go(ctx, srv.URL+c.path)
		if err != nil {
			return err
		}
		ref := refOf(view.Text(), c.role)
		if ref == "" {
			return fmt.Errorf("%s: no %s in:\n%s", c.what, c.role, view.Text())
		}
		var got [2][]cost
		for i := range 2*turns + 4 {
			inside.Of(s).Unrecorded(i%2 == 0)
			before, err := spent(ctx, page)
			if err != nil {
				return err
			}
			start := time.Now()
			if _, err := s.Act(ctx, rove.Step{Ref: ref, Op: c.op, Value: c.value}); err != nil {
				return fmt.Errorf("%s: %w", c.what, err)
			}
			wall := time.Since(start)
			after, err := spent(ctx, page)
			if err != nil {
				return err
			}
			if i >= 4 { // the first ones warm up
				got[i%2] = append(got[i%2], cost{wall, after - before})
			}
		}
		of := func(list []cost, part func(cost) time.Duration) time.Duration {
			all := make([]time.Duration, len(list))
			for i, c := range list {
				all[i] = part(c)
			}
			slices.Sort(all)
			return median(all)
		}
		wall, cpu := func(c cost) time.Duration { return c.wall }, func(c cost) time.Duration { return c.cpu }
		more := func(part func(cost) time.Duration) string {
			return fmt.Sprintf("%+.1f %%", 100*(float64(of(got[1], part))/float64(of(got[0], part))-1))
		}
		ms := func(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d.Microseconds())/1000) }
		fmt.Printf("| %s | %s | %s | %s | %s | %s | %s |\n", c.what, ms(of(got[0], wall)), ms(of(got[1], wall)), more(wall), ms(of(got[0], cpu)), ms(of(got[1], cpu)), more(cpu))
	}
	return nil
}

// spent is the processor time of this process and of the page's main thread.
func spent(ctx context.Context, page *cdp.Session) (time.Duration, error) {
	total, err := threadTime(ctx, page)
	if err != nil {
		return 0, err
	}
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return 0, err
	}
	return total + time.Duration(use.Utime.Nano()+use.Stime.Nano()), nil
}

// threadTime is the processor time of the page's main thread, once Performance is enabled.
func threadTime(ctx context.Context, page *cdp.Session) (total time.Duration, err error) {
	var reply struct {
		Metrics []struct {
			Name  string  `json:"name"`
			Value float64 `json:"value"`
		} `json:"metrics"`
	}
	if err := page.Call(ctx, "Performance.getMetrics", nil, &reply); err != nil {
		return 0, err
	}
	for _, m := range reply.Metrics {
		if m.Name == "TaskDuration" {
			total = time.Duration(m.Value * float64(time.Second))
		}
	}
	return total, nil
}
