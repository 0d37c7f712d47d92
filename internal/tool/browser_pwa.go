package tool

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rove"
)

// browserPWATools are for applications that work without a network.
var browserPWATools = []*Tool{
	rowOf("browser_service_workers", false, "List the service workers of the page's origin: scope, script, state, version, and whether one controls this page. action: update, skip_waiting or unregister one.", serviceWorkers),
	rowOf("browser_set_offline", false, "Take the page, its frames and workers offline, or back online; or slow their network down. Caches and service workers still answer.", setOffline).gentle().local(),
	rowOf("browser_pwa_report", false, "Report on the page as an installable application: manifest and what keeps it from being installed, service workers, Cache Storage, and which URLs work offline.", pwaReport).gentle(),
}

type workersParams struct {
	Action string `json:"action,omitempty" enum:"update,skip_waiting,unregister" about:"what to do before listing: fetch the script again, let the waiting one take over, or unregister"`
	Scope  string `json:"scope,omitempty" about:"of the registration to do it to, as a URL or path; needed where there are several"`
	Where
}

func serviceWorkers(ctx context.Context, c *Context, in workersParams) (Output, error) {
	if in.Scope != "" && in.Action == "" {
		return Output{}, invalid("browser_service_workers", "scope goes with action: update, skip_waiting or unregister")
	}
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	var w *rove.ServiceWorkers
	if in.Action == "" {
		w, err = s.ServiceWorkers(ctx)
	} else {
		w, err = s.ChangeServiceWorker(ctx, in.Action, in.Scope)
	}
	if err != nil {
		return Output{}, err
	}
	return Output{Text: w.Text(), Data: w}, nil
}

type offlineParams struct {
	Offline    *bool         `json:"offline,omitempty" about:"true: nothing reaches the network; false: back to normal"`
	Latency    *Milliseconds `json:"latency,omitempty" jsonschema:"ms" about:"of every request: milliseconds, or a time such as 2s"`
	Throughput *float64      `json:"throughput,omitempty" about:"bytes a second, in each direction"`
	Where
}

// offlineAnswer is how the network is now.
type offlineAnswer struct {
	Offline    bool    `json:"offline"`
	LatencyMS  int64   `json:"latency_ms,omitempty"`
	Throughput float64 `json:"throughput,omitempty"`
}

func setOffline(ctx context.Context, c *Context, in offlineParams) (Output, error) {
	const name = "browser_set_offline"
	var n rove.NetworkConditions
	switch {
	case in.Offline == nil && in.Latency == nil && in.Throughput == nil:
		return Output{}, invalid(name, "give offline (true or false), or latency and throughput for a slow network")
	case in.Offline != nil && *in.Offline && (in.Latency != nil || in.Throughput != nil):
		return Output{}, invalid(name, "offline true goes without latency and throughput: there is no network then")
	}
	if in.Offline != nil {
		n.Offline = *in.Offline
	}
	if in.Latency != nil {
		if n.Latency = time.Duration(*in.Latency); n.Latency < 0 {
			return Output{}, invalid(name, "latency takes a time of 0 or more: milliseconds, or such as \"2s\"")
		}
	}
	if in.Throughput != nil {
		if *in.Throughput <= 0 {
			return Output{}, invalid(name, "throughput takes bytes a second, more than 0; without it the network is as fast as it goes")
		}
		n.Download, n.Upload = *in.Throughput, *in.Throughput
	}
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	if err := s.SetNetwork(ctx, n); err != nil {
		return Output{}, err
	}
	text := "online"
	switch {
	case n.Offline:
		text = "offline: only caches and service workers answer"
	case n != rove.NetworkConditions{}:
		var parts []string
		if n.Latency > 0 {
			parts = append(parts, fmt.Sprintf("%v latency", n.Latency))
		}
		if n.Download > 0 {
			parts = append(parts, fmt.Sprintf("%v bytes a second", n.Download))
		}
		text = "online, slowed down: " + strings.Join(parts, ", ")
	}
	return Output{Text: text, Data: offlineAnswer{n.Offline, n.Latency.Milliseconds(), n.Download}}, nil
}

type reportParams struct {
	URLs []string `json:"urls,omitempty" about:"to try offline; the page's own and its manifest's start_url unless told"`
	Where
}

func pwaReport(ctx context.Context, c *Context, in reportParams) (Output, error) {
	s, err := c.Session(ctx)
	if err != nil {
		return Output{}, err
	}
	r, err := s.PWA(ctx, in.URLs...)
	if err != nil {
		return Output{}, err
	}
	text := r.Text()
	if len(text) <= inlineLimit {
		return Output{Text: text, Data: r}, nil
	}
	file, err := saveWhole(s, "pwa-report.txt", text)
	if err != nil {
		return Output{}, err
	}
	return Output{Text: file.Text(), Data: r}, nil
}
