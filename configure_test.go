package rove_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/driver"
	"rove/internal/testkit"
)

// A driver as a script describes it: with a browser of its own, at one that
// listens, and what cannot be had.
func TestConfigure(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	ctx := testkit.Context(t)
	url := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page("<title>Configured</title>")})
	open := func(options map[string]any) (*driver.Driver, error) {
		c, err := driver.ParseConfig(options)
		if err != nil {
			return nil, err
		}
		return rove.Configure(ctx, c)
	}
	must := func(d *driver.Driver, err error) *driver.Driver {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Quit(context.Background()) })
		return d
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	_ = free.Close()
	before := len(testkit.Browsers(t))

	own := must(open(map[string]any{
		"type": "chrome", "headless": true, "userAgent": "Mine/1.0", "timeout": 12000, "port": port,
		"addOptions": []any{fmt.Sprint("--remote-debugging-port=", port)},
	}))
	if err := own.SetURL(ctx, url); err != nil {
		t.Fatal(err)
	}
	if agent, err := own.Script(ctx, "navigator.userAgent"); err != nil || agent != "Mine/1.0" {
		t.Errorf("user agent %v, %v", agent, err)
	}
	if own.Timeout() != 12*time.Second {
		t.Errorf("timeout %v", own.Timeout())
	}
	started := len(testkit.Browsers(t))
	if started != before+1 {
		t.Fatalf("%d browsers before, %d now", before, started)
	}
	guest := must(open(map[string]any{"host": "127.0.0.1", "port": port, "start": false}))
	if now := len(testkit.Browsers(t)); now != started {
		t.Errorf("a browser was started beside the one that listens: %d, then %d", started, now)
	}
	if err := guest.Quit(ctx); err != nil {
		t.Error(err)
	}
	attached := must(open(map[string]any{"host": "127.0.0.1", "port": port, "start": false, "attach": strings.TrimPrefix(url, "http://")}))
	if title, err := attached.Title(ctx); err != nil || title != "Configured" {
		t.Errorf("the page that is open has the title %q, %v", title, err)
	}
	if err := attached.Quit(ctx); err != nil {
		t.Error(err)
	}
	if !own.Alive(ctx) {
		t.Error("a guest ended its host")
	}
	for _, c := range []struct {
		options map[string]any
		code    driver.Code
		says    string
	}{
		{map[string]any{"port": 1, "start": false}, driver.CodeNavigation, "no browser listens at localhost:1"},
		{map[string]any{"host": "127.0.0.1", "port": port, "attach": "nowhere"}, driver.CodeNotFound, "no page found matching: nowhere"},
		{map[string]any{"executable": "/no/such/browser"}, driver.CodeNotFound, "chrome executable not found: /no/such/browser"},
		{map[string]any{"type": "playwright", "webSocketUrl": "ws://x"}, driver.CodeInvalid, "type playwright takes playwrightUrl"},
		{map[string]any{"type": "playwright", "playwrightUrl": "http://x"}, driver.CodeInvalid, "ws://… or wss://…"},
		{map[string]any{"webDriverUrl": "http://x"}, driver.CodeInvalid, "are for other types"},
		{map[string]any{"headles": true}, driver.CodeInvalid, `there is no option "headles"`},
	} {
		d, err := open(c.options)
		if err == nil {
			_ = d.Quit(ctx)
		}
		if rove.CodeOf(err) != c.code || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v; want %s: %s", c.options, err, c.code, c.says)
		}
	}
}
