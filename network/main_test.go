package network_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/chrome"
	"rove/internal/policy"
	"rove/internal/testkit"
	"rove/internal/testkit/drive"
	"rove/network"
)

// shared is the browser of all tests; each has a context in it.
var shared backend.Browser

func TestMain(m *testing.M) {
	os.Exit(testkit.Main(m, testkit.Share(&shared, drive.Launch)))
}

// visitor is somebody at a browser whose network is watched.
type visitor struct {
	*testing.T
	*driver.Driver
	ctx  context.Context
	site site
	log  *network.Log
	seen int // up to this number requests were looked at
}

func visit(t *testing.T, rules *policy.Policy) *visitor {
	t.Helper()
	testkit.NeedsBrowser(t)
	testkit.Parallel(t)
	ctx := testkit.Context(t)
	opts := backend.ContextOptions{}
	v := &visitor{T: t, ctx: ctx, site: newSite(t), log: network.New(network.Limits{})}
	if rules != nil {
		opts.Policy = rules
		v.log.Refuses = rules.URL
	}
	c, err := shared.NewContext(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	v.log.Watch(c.(*chrome.Context))
	t.Cleanup(v.log.Stop)
	if v.Driver, err = driver.New(ctx, c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := v.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return v
}

// load goes to a page of the site.
func (v *visitor) load(path string) {
	v.Helper()
	if err := v.SetURL(v.ctx, v.site.here+path); err != nil {
		v.Fatal(err)
	}
}

// js runs a script and waits for its promise. HERE and its like are origins.
func (v *visitor) js(script string) any {
	v.Helper()
	got, err := v.Script(v.ctx, v.names(false).Replace(script))
	if err != nil {
		v.Fatal(err)
	}
	return got
}

// names puts addresses in for their names, or the other way round.
func (v *visitor) names(back bool) *strings.Replacer {
	var list []string
	for name, origin := range map[string]string{"HERE": v.site.here, "THERE": v.site.there, "SECURE": v.site.tls, "CLOSED": v.site.refused} {
		if back {
			list = append(list, origin, name, "ws"+origin[4:], "ws:"+name)
		} else {
			list = append(list, name, origin)
		}
	}
	return strings.NewReplacer(list...)
}

// short is a request in few words, without what is different each time.
func (v *visitor) short(q *network.Request) string {
	status := fmt.Sprint(q.Status)
	if q.State != network.Done {
		status = q.State
	}
	s := fmt.Sprintf("%s %s %s %s", q.Method, status, q.Type, v.names(true).Replace(q.URL))
	if q.Source != "" && q.Source != network.FromNetwork {
		s += " from " + q.Source
		if q.Served != "" {
			s += ": " + q.Served
		}
	}
	if q.Context != "page" {
		s += " in " + q.Context
	}
	if q.Failure != nil {
		s += " " + q.Failure.Kind
	}
	return s
}

// wants waits until the requests since the last time are these, in any order,
// and gives them.
func (v *visitor) wants(want ...string) []network.Request {
	v.Helper()
	slices.Sort(want)
	var found network.Found
	var got []string
	last := v.seen
	so := testkit.Within(func() bool {
		var err error
		if found, err = v.log.Requests(network.Filter{After: v.seen}); err != nil {
			v.Fatal(err)
		}
		got = nil
		for i := range found.Requests {
			got = append(got, v.short(&found.Requests[i]))
			last = found.Requests[i].Number
		}
		slices.Sort(got)
		return slices.Equal(got, want)
	})
	if !so {
		v.Fatalf("requests (-want +got)\n%s", cmp.Diff(want, got))
	}
	v.seen = last
	return found.Requests
}
