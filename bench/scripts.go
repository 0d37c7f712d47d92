package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rove/bench/site"
	"rove/internal/provision"
)

// scriptsInTurns has several page scripts look at the same pages in turns, each in a
// world of its own, and prints what a look
// took of the page's main thread, the least and the median of its processor time.
// With profile it also says in which functions the time was spent.
func scriptsInTurns(ctx context.Context, o options, files []string, profile bool) error {
	b, err := provision.Find(ctx, provision.Request{Want: o.browser, Fetch: true, Progress: os.Stderr})
	if err != nil {
		return err
	}
	srv := site.Serve()
	defer srv.Close()
	pl, err := start(ctx, b)
	if err != nil {
		return err
	}
	defer pl.close()
	fmt.Print("| look |")
	for _, f := range files {
		fmt.Printf(" %s |", f)
	}
	fmt.Print(" plain walk |\n|---|", strings.Repeat("---|", len(files)+1), "\n")
	for _, p := range o.pages {
		if err := lookInTurns(ctx, pl, p, srv.URL, files, o.runs, profile); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

func lookInTurns(ctx context.Context, pl *plain, p page, base string, files []string, n int, profile bool) error {
	if err := pl.open(ctx, base+p.path); err != nil {
		return err
	}
	if p.large {
		n = max(2, n/10)
	}
	var worlds []int
	for _, f := range append(slices.Clone(files), "") {
		source, err := []byte("0"), error(nil)
		if f != "" {
			source, err = os.ReadFile(f)
		}
		if err != nil {
			return err
		}
		id, err := pl.world(ctx, f+" ")
		if err != nil {
			return err
		}
		if err := pl.run(ctx, id, string(source), nil); err != nil {
			return err
		}
		worlds = append(worlds, id)
	}
	if err := pl.page.Call(ctx, "Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil); err != nil {
		return err
	}
	samples := make([][]time.Duration, len(worlds))
	for i := range n + 1 {
		for k := range worlds {
			which := (k + i) % len(worlds)
			expression := "rove.look({next: 1}).length"
			if which == len(files) {
				expression = walkFloor + ".length"
			}
			if err := pl.run(ctx, worlds[which], touch+"; document.body.offsetHeight", nil); err != nil {
				return err
			}
			before, err := threadTime(ctx, pl.page)
			if err != nil {
				return err
			}
			if err := pl.run(ctx, worlds[which], expression, nil); err != nil {
				return err
			}
			after, err := threadTime(ctx, pl.page)
			if err != nil {
				return err
			}
			if i > 0 {
				samples[which] = append(samples[which], after-before)
			}
		}
	}
	fmt.Printf("| %s |", p.name)
	for _, s := range samples {
		slices.Sort(s)
		fmt.Printf(" %s (%s) |", millis(s[0]), millis(median(s)))
	}
	fmt.Println()
	if profile {
		for k, f := range files {
			fmt.Printf("\n%s on %s, ms a look by function (itself):\n", filepath.Base(filepath.Dir(f)), p.name)
			if err := pl.profile(ctx, worlds[k], n); err != nil {
				return err
			}
		}
	}
	return nil
}

// world makes an isolated world in the page.
func (p *plain) world(ctx context.Context, name string) (int, error) {
	var tree struct {
		FrameTree struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	if err := p.page.Call(ctx, "Page.getFrameTree", nil, &tree); err != nil {
		return 0, err
	}
	var made struct {
		ID int `json:"executionContextId"`
	}
	err := p.page.Call(ctx, "Page.createIsolatedWorld", map[string]any{"frameId": tree.FrameTree.Frame.ID, "worldName": name}, &made)
	return made.ID, err
}

func (p *plain) run(ctx context.Context, world int, expression string, into any) error {
	var reply struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	params := map[string]any{"expression": expression, "contextId": world, "returnByValue": true}
	if err := p.page.Call(ctx, "Runtime.evaluate", params, &reply); err != nil {
		return err
	}
	if reply.Exception != nil {
		return fmt.Errorf("%s %s", reply.Exception.Text, reply.Exception.Exception.Description)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(reply.Result.Value, into)
}

const interval = 50 // µs between samples

// profile prints where the time of n looks went.
func (p *plain) profile(ctx context.Context, world, n int) error {
	if err := p.page.Call(ctx, "Profiler.enable", nil, nil); err != nil {
		return err
	}
	if err := p.page.Call(ctx, "Profiler.setSamplingInterval", map[string]any{"interval": interval}, nil); err != nil {
		return err
	}
	if err := p.page.Call(ctx, "Profiler.start", nil, nil); err != nil {
		return err
	}
	if err := p.run(ctx, world, fmt.Sprintf(`for (let i = 0; i < %d; i++) { %s; rove.look({next: 1}) }`, n, touch), nil); err != nil {
		return err
	}
	var got struct {
		Profile struct {
			Nodes []struct {
				ID        int `json:"id"`
				CallFrame struct {
					Function string `json:"functionName"`
					Line     int    `json:"lineNumber"`
				} `json:"callFrame"`
			} `json:"nodes"`
			Samples []int `json:"samples"`
			Deltas  []int `json:"timeDeltas"`
		} `json:"profile"`
	}
	if err := p.page.Call(ctx, "Profiler.stop", nil, &got); err != nil {
		return err
	}
	names := map[int]string{}
	for _, node := range got.Profile.Nodes {
		names[node.ID] = fmt.Sprintf("%s:%d", node.CallFrame.Function, node.CallFrame.Line)
	}
	self := map[string]int{}
	for i, id := range got.Profile.Samples {
		self[names[id]] += min(got.Profile.Deltas[i], 2*interval) // what is more, it was kept waiting
	}
	list := slices.Collect(maps.Keys(self))
	slices.SortFunc(list, func(a, b string) int { return cmp.Compare(self[b], self[a]) })
	for _, name := range list[:min(35, len(list))] {
		fmt.Printf("%9.3f  %s\n", float64(self[name])/1000/float64(n), name)
	}
	return nil
}
