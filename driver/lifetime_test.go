package driver_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"rove/driver"
	"rove/internal/testkit"
)

// sessionTimeout is for the session as a whole: whatever it does then ends, and says
// why, and so does what is asked of it later.
func TestSessionTimeout(t *testing.T) {
	p := one(t, "")
	c, err := driver.ParseConfig(map[string]any{"sessionTimeout": "5m", "timeout": 7000})
	p.ok(err)
	same(t, "options", fmt.Sprint(c.Options.Lifetime, c.Options.Timeouts.Session), "5m0s 7s")

	d, err := driver.Open(p.ctx, shared, driver.Options{Lifetime: time.Hour})
	p.ok(err)
	p.ok(d.SetURL(p.ctx, p.url+"/"))
	waiting := make(chan error, 1)
	go func() {
		_, err := d.WaitFor(p.ctx, "#never", time.Minute)
		waiting <- err
	}()
	d.SetLifetime(300 * time.Millisecond)
	fails(t, <-waiting, driver.CodeTimeout, "the session's time is up: it was to last 300ms as a whole", "sessionTimeout")
	_, err = d.Text(p.ctx, "p")
	fails(t, err, driver.CodeTimeout, "time is up")
	same(t, "terminated", d.IsTerminated(), true)
	_ = d.Quit(p.ctx) // there is nothing left to close

	// One without an end has none, and one that quits has had it.
	d, err = driver.Open(p.ctx, shared, driver.Options{Lifetime: time.Hour})
	p.ok(err)
	d.SetLifetime(0)
	p.ok(d.Quit(p.ctx))
	_, err = d.Text(p.ctx, "p")
	fails(t, err, driver.CodeClosed)
}

// Close ends all there is in the browser, and not only what the driver knows: the page
// hangs up on its server.
func TestCloseEndsThePage(t *testing.T) {
	p := one(t, "")
	came, gone := make(chan struct{}), make(chan struct{})
	url := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Held</title><script>new EventSource('/stream')</script>`),
		"/stream": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, ": here\n\n")
			w.(http.Flusher).Flush()
			close(came)
			<-r.Context().Done()
			close(gone)
		},
	})
	d, err := driver.Open(p.ctx, shared, driver.Options{})
	p.ok(err)
	p.ok(d.SetURL(p.ctx, url))
	bound, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	wait := func(what string, c chan struct{}) {
		t.Helper()
		select {
		case <-c:
		case <-bound.Done():
			t.Fatal(what)
		}
	}
	wait("the page has not asked", came)
	p.ok(d.Close(p.ctx))
	wait("the page is still there", gone)
	same(t, "terminated", d.IsTerminated(), true)
	fails(t, d.SetURL(p.ctx, url), driver.CodeClosed)
	_, err = d.Text(p.ctx, "p")
	fails(t, err, driver.CodeClosed)
}
