package network_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"rove/driver/backend"
	"rove/internal/testkit"
	"rove/network"
)

// timed is a browser context whose observer is timed.
type timed struct {
	backend.Observable
	spent  atomic.Int64
	events atomic.Int64
}

func (c *timed) Observe(what backend.Observation, fn func(*backend.Source, backend.Event)) func() {
	return c.Observable.Observe(what, func(s *backend.Source, ev backend.Event) {
		start := time.Now()
		fn(s, ev)
		c.spent.Add(int64(time.Since(start)))
		c.events.Add(1)
	})
}

// TestLoad has a page make many requests: each is told once, and keeping them
// takes less than a tenth of the time the page takes. ROVE_NETWORK_LOAD is how
// many.
func TestLoad(t *testing.T) {
	testkit.ShellIsEnough(t)
	many := 400
	if n, err := strconv.Atoi(os.Getenv("ROVE_NETWORK_LOAD")); err == nil {
		many = n
	}
	v := visit(t, nil)
	v.log.Stop() // to be watched anew, with a clock
	v.log = network.New(network.Limits{})
	c := &timed{Observable: v.BrowserContext().(backend.Observable)}
	v.log.Watch(c)
	t.Cleanup(v.log.Stop)
	v.load("/")
	start := time.Now()
	for from := 0; from < many; from += 400 { // a script has to end some time
		v.js(fmt.Sprintf(`(async () => {
			let next = %d
			const one = async () => { while (next < %d) await (await fetch('/json?n=' + next++, {headers: {'x-some-header': 'a value of some length, as they have'}})).text() }
			await Promise.all([...Array(20)].map(one))
		})().then(() => 1)`, from, min(from+400, many)))
	}
	took := time.Since(start)
	var found network.Found
	testkit.Eventually(t, "all requests are told of", func() bool {
		var err error
		if found, err = v.log.Requests(network.Filter{URL: "/json?n=", Status: "200"}); err != nil {
			t.Fatal(err)
		}
		return found.Matched >= min(many, 5000)
	})
	if found.Matched != min(many, 5000) {
		t.Errorf("%d of %d requests, %d dropped", found.Matched, many, found.Dropped)
	}
	seen := map[string]bool{}
	for _, q := range found.Requests {
		if seen[q.URL] {
			t.Errorf("%s is told twice", q.URL)
		}
		seen[q.URL] = true
		if q.State != network.Done || q.Size == 0 || q.Transferred == 0 || len(q.RequestHeaders) < 8 {
			t.Errorf("incomplete: %s", q.Line())
			break
		}
	}
	spent := time.Duration(c.spent.Load())
	t.Logf("%d requests in %v (%v each), %d events kept in %v (%.1f µs a request, %.2f %%)",
		many, took.Round(time.Millisecond), (took / time.Duration(many)).Round(time.Microsecond), c.events.Load(), spent.Round(time.Microsecond),
		float64(spent.Microseconds())/float64(many), 100*float64(spent)/float64(took))
	if spent > took/10 && os.Getenv("ROVE_NETWORK_LOAD") != "" { // a measurement, for a machine that does nothing else
		t.Errorf("keeping them took %v of %v", spent, took)
	}
	for _, limit := range []int{0, 20} {
		start = time.Now()
		if _, err := v.log.Requests(network.Filter{Limit: limit}); err != nil {
			t.Fatal(err)
		}
		t.Logf("limit %d: read in %v", limit, time.Since(start).Round(time.Microsecond))
	}
	found = network.Found{}
	with := heap()
	v.log.Clear()
	t.Logf("%.1f MiB of memory", float64(with-heap())/(1<<20))
}

// heap is how much memory is in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
