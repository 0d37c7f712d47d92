package driver_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/testkit"
)

// late is a browser on a machine that has much to do: a page that has just come does not
// say in time that it is at rest.
type (
	late        struct{ backend.Browser }
	lateContext struct{ backend.Context }
	lateTab     struct{ backend.Tab }
)

func (b late) NewContext(ctx context.Context, opts backend.ContextOptions) (backend.Context, error) {
	c, err := b.Browser.NewContext(ctx, opts)
	return lateContext{c}, err
}

func (c lateContext) NewTab(ctx context.Context) (backend.Tab, error) {
	t, err := c.Context.NewTab(ctx)
	return lateTab{t}, err
}

func (t lateTab) Call(ctx context.Context, calls ...backend.Call) ([]backend.Result, error) {
	if calls[0].Func == "settle" && strings.HasSuffix(t.Frames()[0].URL, "/second") {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return t.Tab.Call(ctx, calls...)
}

// TestDoneThoughLate: a click that led to another page is done, and so is going there by
// the history, though that page comes late, and says too late that it has come to rest.
func TestDoneThoughLate(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.Parallel(t)
	ctx := testkit.Context(t)
	d, err := driver.Open(ctx, late{shared}, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Quit(ctx)
	const patience = 300 * time.Millisecond
	url := testkit.ServeHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Cache-Control", "no-store")
		if r.URL.Path != "/second" {
			fmt.Fprint(w, `<a id=next href="/second">Next</a>`)
			return
		}
		select {
		case <-time.After(patience + 100*time.Millisecond):
		case <-r.Context().Done():
		}
		fmt.Fprint(w, "<title>Second</title>")
	}))
	if err := d.SetURL(ctx, url); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		target driver.Target
		op     string
		busy   bool
	}{{driver.At("#next"), "click", true}, {driver.WholePage, "refresh", true}, {driver.WholePage, "back", false}, {driver.WholePage, "forward", true}} {
		op := driver.Op{Name: step.op}
		if step.busy {
			op.Settle = patience
		}
		effect, err := d.Tab().Do(ctx, step.target, op)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "still at it after "+step.op, effect.Busy, step.busy)
	}
	same(t, "url", d.URL(), url+"/second")
}
