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

// between is a browser whose tabs give their calls to a function first, which may answer
// in their place, and their input to another, which may add some.
type (
	between struct {
		backend.Browser
		first func(ctx context.Context, tab backend.Tab, call backend.Call) error
		input func(ctx context.Context, tab backend.Tab, events []backend.Input) error // nil: nothing
	}
	betweenContext struct {
		backend.Context
		b *between
	}
	betweenTab struct {
		backend.Tab
		b *between
	}
)

func (b between) NewContext(ctx context.Context, opts backend.ContextOptions) (backend.Context, error) {
	c, err := b.Browser.NewContext(ctx, opts)
	return betweenContext{c, &b}, err
}

func (c betweenContext) NewTab(ctx context.Context) (backend.Tab, error) {
	t, err := c.Context.NewTab(ctx)
	return betweenTab{t, c.b}, err
}

func (t betweenTab) Call(ctx context.Context, calls ...backend.Call) ([]backend.Result, error) {
	if err := t.b.first(ctx, t.Tab, calls[0]); err != nil {
		return nil, err
	}
	return t.Tab.Call(ctx, calls...)
}

func (t betweenTab) Input(ctx context.Context, events ...backend.Input) error {
	if t.b.input != nil {
		if err := t.b.input(ctx, t.Tab, events); err != nil {
			return err
		}
	}
	return t.Tab.Input(ctx, events...)
}

// late is a machine that has much to do: a page that has just come does not say in time
// that it is at rest.
func late(ctx context.Context, tab backend.Tab, call backend.Call) error {
	if call.Func == "settle" && strings.HasSuffix(tab.Frames()[0].URL, "/second") {
		<-ctx.Done()
		return ctx.Err()
	}
	return nil
}

// TestDoneThoughLate: a click that led to another page is done, and so is going there by
// the history, though that page comes late, and says too late that it has come to rest.
func TestDoneThoughLate(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	ctx := testkit.Context(t)
	d, err := driver.Open(ctx, between{Browser: shared, first: late}, driver.Options{})
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

// A page that is busy for longer than answers usually take is asked for as long as elements
// are waited for: on a machine with much to do, pages are.
func TestBusyPagesAreAsked(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	ctx := testkit.Context(t)
	const long = 30 * time.Second
	var had time.Duration // for the last answer
	d, err := driver.Open(ctx, between{Browser: shared, first: func(ctx context.Context, _ backend.Tab, call backend.Call) error {
		if end, ok := ctx.Deadline(); ok && call.Func == "find" {
			had = time.Until(end)
		}
		return nil
	}}, driver.Options{Timeouts: driver.Timeouts{Session: long}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Quit(ctx)
	if err := d.SetURL(ctx, testkit.Pages(t, map[string]string{"/": `<button>A</button><button>B</button>`})); err != nil {
		t.Fatal(err)
	}
	for what, ask := range map[string]func() (any, error){
		"exists": func() (any, error) { return d.Exists(ctx, "button") },
		"all":    func() (any, error) { all, err := d.LocateAll(ctx, "button"); return len(all), err },
	} {
		had = 0
		got, err := ask()
		if err != nil {
			t.Fatal(err)
		}
		same(t, what, got, map[string]any{"exists": true, "all": 2}[what])
		if had < long*2/3 {
			t.Errorf("%s: the page had %v to answer", what, had)
		}
	}
}

// TestPressesThatComeLate: a frame that is handed a press of an earlier try late, or one of
// somebody else, has not taken the press that the button got; and a second press that a
// frame got is told, and not made up for with two more.
func TestPressesThatComeLate(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.Parallel(t)
	testkit.OnEveryBrowser(t)
	ctx := testkit.Context(t)
	stray := false
	d, err := driver.Open(ctx, between{
		Browser: shared,
		first:   func(context.Context, backend.Tab, backend.Call) error { return nil },
		input: func(ctx context.Context, tab backend.Tab, events []backend.Input) error {
			if len(events) < 3 || !stray {
				return nil
			}
			var late []backend.Input
			for _, kind := range []backend.MouseKind{backend.MouseMove, backend.MouseDown, backend.MouseUp} {
				late = append(late, backend.Mouse{Kind: kind, X: 50, Y: 250, Button: backend.LeftButton, Clicks: 1})
			}
			return tab.Input(ctx, late...)
		},
	}, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Quit(ctx)
	const frame = "position:absolute;left:0;top:200px;width:100px;height:100px;border:0"
	url := testkit.Pages(t, map[string]string{
		"/": `<button id=b style="position:absolute;left:0;top:0;width:100px;height:50px" onpointerdown="presses++" onclick="clicks++">B</button>
			<iframe id=f src="THERE/in" style="` + frame + `"></iframe><script>window.presses = window.clicks = 0; addEventListener('message', () => stolen = true)</script>`,
		"/in": `<script>onpointerdown = () => top.postMessage(1, '*')</script>`,
	})
	for _, op := range []string{"click", "dblclick", "rightclick"} {
		if err := d.SetURL(ctx, url); err != nil {
			t.Fatal(err)
		}
		stray = true
		_, err = d.Tab().Do(ctx, driver.At("#b"), driver.Op{Name: op})
		stray = false
		if err != nil {
			t.Errorf("%s: %v", op, err)
		}
		want := map[string]string{"click": "1,1", "dblclick": "2,2", "rightclick": "1,0"}[op]
		got, err := d.Script(ctx, "[presses, clicks].join()")
		same(t, op+": presses and clicks", fmt.Sprintf("%v, %v", got, err), want+", <nil>")
	}
	if err := d.SetURL(ctx, url); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Script(ctx, "b.addEventListener('click', () => f.style.top = 0)"); err != nil {
		t.Fatal(err)
	}
	_, err = d.Tab().Do(ctx, driver.At("#b"), driver.Op{Name: "dblclick"})
	same(t, "a frame got the second press", driver.CodeOf(err), driver.CodeCovered)
	got, err := d.Script(ctx, "presses")
	same(t, "presses", fmt.Sprintf("%v, %v", got, err), "1, <nil>")
}
