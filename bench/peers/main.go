// Command peers measures rove beside other browsers for agents: the same pages,
// the same flows, the same Chromium, taking turns, in one run. The others are
// installed from the npm registry when it runs; nothing of them is kept here.
//
//	make bench-peers
//
// It writes peers.md, peers.json and peers.svg to bench/results. Compare the
// columns of one run, not the figures of two.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"time"

	"rove/bench/site"
	"rove/internal/provision"
)

type options struct {
	runs   int
	starts int
	only   string
	large  bool
	out    string
	from   string
}

func main() {
	var o options
	flag.IntVar(&o.runs, "n", 9, "runs of each look and act")
	flag.IntVar(&o.starts, "starts", 3, "cold starts")
	flag.StringVar(&o.only, "only", "", "these contenders alone, with commas between them")
	flag.BoolVar(&o.large, "large", true, "the page of 100,000 elements too, which takes minutes")
	flag.StringVar(&o.out, "out", "results", "the folder for table, data and chart")
	flag.StringVar(&o.from, "from", "", "write table and chart anew from the peers.json of an earlier run, and measure nothing")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.from != "" {
		rep, err := load(o.from)
		if err != nil {
			return err
		}
		return rep.save(o.out)
	}
	if o.runs < 1 || o.starts < 1 {
		return errors.New("-n and -starts must be at least 1")
	}
	scratch, err := os.MkdirTemp("", "rove-peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	// The full browser: the others cannot do with less, and all are to have the same.
	b, err := provision.Find(ctx, provision.Request{Want: provision.Chrome, Fetch: true, Progress: os.Stderr})
	if err != nil {
		return err
	}
	all, err := install(ctx, scratch, b.Path)
	if err != nil {
		return err
	}
	contenders := all[:0]
	for _, c := range all {
		if o.only == "" || strings.Contains(","+o.only+",", ","+c.name+",") {
			contenders = append(contenders, c)
		}
	}
	if len(contenders) == 0 {
		return fmt.Errorf("-only %s leaves nobody", o.only)
	}
	srv := site.Serve()
	defer srv.Close()

	rep := &report{Browser: strings.TrimSpace(output(ctx, b.Path, "--version")), CPUs: runtime.NumCPU(), When: time.Now().UTC()}
	for _, c := range contenders {
		rep.Contenders = append(rep.Contenders, contenderName{c.name, c.version})
	}
	m := &match{ctx: ctx, opts: o, base: srv.URL, report: rep}
	if err := m.play(contenders); err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	fmt.Print(rep.markdown())
	return rep.save(o.out)
}
