// Command drivers measures rove's driver beside chromedp and rod: the same
// operations on the same page in the same Chromium, turn by turn, so that a busy
// moment of the machine is everybody's.
//
//	go run . [-n 60] [-browser /usr/bin/chromium] [-only rove,rod]
//
// The raw protocol, with as few messages as an operation can be done with and no
// check of anything, is the floor. rove does what its users get: it waits until
// the element is visible, at rest, enabled and hit, and for the page to react.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

// contender drives one tab of one browser.
type contender interface {
	Open(ctx context.Context, url string) error
	Click(ctx context.Context) error              // the button
	Input(ctx context.Context, text string) error // replaces what the field holds, key by key
	Text(ctx context.Context) (string, error)     // of the paragraph
	All(ctx context.Context) (int, error)         // handles of all list items
	Eval(ctx context.Context, js string) (string, error)
	Close()
}

const (
	typed = "twenty characters...."
	items = 1000
)

const page = `<!doctype html><title>Drivers</title><h1>Drivers</h1>
<button id=b onclick="out.textContent = ++clicks">Press</button><output id=out></output><input id=f><p id=p>A line of text</p><ul>%s</ul>
<script>let clicks = 0, keys = 0; f.addEventListener('keydown', () => keys++)</script>`

func main() {
	n := flag.Int("n", 60, "how often each operation is measured")
	path := flag.String("browser", "", "the browser; found where it is empty")
	only := flag.String("only", "", "of these alone: raw,rove,chromedp,rod")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n, *path, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// operation is one thing that is measured.
type operation struct {
	name string
	do   func(context.Context, contender) error
}

var operations = []operation{
	{"click", func(ctx context.Context, c contender) error { return c.Click(ctx) }},
	{"input of 20 characters", func(ctx context.Context, c contender) error { return c.Input(ctx, typed[:20]) }},
	{"text", func(ctx context.Context, c contender) error {
		text, err := c.Text(ctx)
		if err == nil && text != "A line of text" {
			err = fmt.Errorf("the text is %q", text)
		}
		return err
	}},
	{"locateAll of 1,000", func(ctx context.Context, c contender) error {
		got, err := c.All(ctx)
		if err == nil && got != items {
			err = fmt.Errorf("it found %d", got)
		}
		return err
	}},
}

func run(ctx context.Context, n int, path, only string) error {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, page, strings.Repeat("<li>item</li>", items))
	}))
	defer server.Close()
	names := []string{"raw", "rove", "chromedp", "rod"}
	all := map[string]contender{}
	for _, name := range names {
		if only != "" && !slices.Contains(strings.Split(only, ","), name) {
			continue
		}
		c, err := open(ctx, name, path)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer c.Close()
		if err := c.Open(ctx, server.URL); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all[name] = c
	}
	names = slices.DeleteFunc(names, func(s string) bool { return all[s] == nil })
	took := map[string]map[string][]time.Duration{}
	for _, op := range operations {
		took[op.name] = map[string][]time.Duration{}
		for round := -3; round < n; round++ { // the first few are for warming up
			for i := range names {
				name := names[(i+round+3)%len(names)]
				bound, cancel := context.WithTimeout(ctx, 30*time.Second)
				start := time.Now()
				err := op.do(bound, all[name])
				d := time.Since(start)
				cancel()
				if err != nil {
					return fmt.Errorf("%s, %s: %w", name, op.name, err)
				}
				if round >= 0 {
					took[op.name][name] = append(took[op.name][name], d)
				}
			}
		}
	}
	for _, name := range names { // nobody may have cheated
		for js, want := range map[string]string{"String(clicks)": fmt.Sprint(n + 3), "f.value": typed[:20]} {
			got, err := all[name].Eval(ctx, js)
			if err != nil || got != want {
				return fmt.Errorf("%s: %s is %q, want %q (%v)", name, js, got, want, err)
			}
		}
		if got, err := all[name].Eval(ctx, "String(keys >= 20)"); err != nil || got != "true" && name != "raw" {
			return fmt.Errorf("%s did not type key by key (%v)", name, err)
		}
	}
	table(names, took)
	return nil
}

// table writes the medians, and the quickest, of each.
func table(names []string, took map[string]map[string][]time.Duration) {
	fmt.Printf("| median (quickest), ms |")
	for _, name := range names {
		fmt.Printf(" %s |", name)
	}
	fmt.Printf("\n|---|%s\n", strings.Repeat("---:|", len(names)))
	for _, op := range operations {
		fmt.Printf("| %s |", op.name)
		for _, name := range names {
			list := took[op.name][name]
			slices.SortFunc(list, func(a, b time.Duration) int { return cmp.Compare(a, b) })
			fmt.Printf(" %.2f (%.2f) |", ms(list[len(list)/2]), ms(list[0]))
		}
		fmt.Println()
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
