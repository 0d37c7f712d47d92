package rove_test

import (
	"context"
	"testing"

	"rove"
	"rove/driver"
	"rove/internal/testkit"
)

func TestConsoleOfASession(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	_, other := open(t)
	url := serve(t, `<script>console.log('first', {a: {b: 1}}); console.warn('second')</script>`)
	if _, err := s.Go(ctx, url); err != nil {
		t.Fatal(err)
	}
	r, err := s.Console().Entries(ctx, rove.ConsoleFilter{Context: "page"})
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "2 entries, newest first\n", " [warn] page at "+url+"/:1:", ": second\n", ": first {a: {b: 1}}")
	if r, err := other.Console().Entries(ctx, rove.ConsoleFilter{}); err != nil || len(r.Entries) != 0 || r.Text() != "the console is empty" {
		t.Errorf("another session has %v, %v", r, err)
	}
	if _, err := s.Console().Entries(ctx, rove.ConsoleFilter{Level: "loud"}); code(err) != rove.CodeInvalid {
		t.Errorf("a level that there is not: %v", err)
	}
	if n := s.Console().Clear(); n != 2 {
		t.Errorf("%d were cleared", n)
	}
}

func TestWatchConsole(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	ctx := testkit.Context(t)
	d, err := rove.Drive(ctx, rove.Options{}, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := d.Quit(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	c, err := rove.WatchConsole(d)
	if err != nil {
		t.Fatal(err)
	}
	url := serve(t, `<script>throw new Error('at once')</script>`)
	if err := d.SetURL(ctx, url); err != nil {
		t.Fatal(err)
	}
	r, err := c.Entries(ctx, rove.ConsoleFilter{Level: "exception"})
	if err != nil || len(r.Entries) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	has(t, r.Text(), "[error exception] page at "+url+"/:1:15: Uncaught Error: at once")
}
