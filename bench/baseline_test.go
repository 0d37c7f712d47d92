package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"rove/bench/site"
	"rove/internal/provision"
)

func testBrowser(t *testing.T) provision.Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	b, err := provision.Find(t.Context(), provision.Request{Fetch: true})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func openPlain(t *testing.T) (context.Context, *plain, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	srv := site.Serve()
	t.Cleanup(srv.Close)
	p, err := start(ctx, testBrowser(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.close(); err != nil {
			t.Error(err)
		}
	})
	return ctx, p, srv.URL
}

// The floor is only a floor if it is right: nothing hidden in it, nothing that
// can be used or read missing, nothing twice.
func TestWalk(t *testing.T) {
	ctx, p, base := openPlain(t)
	if err := p.open(ctx, base+"/login"); err != nil {
		t.Fatal(err)
	}
	got, err := evaluate[string](ctx, p.page, walkFloor)
	if err != nil {
		t.Fatal(err)
	}
	_, form, _ := strings.Cut(got, `link "Board"`+"\n")
	const want = `Sign in
e12 textbox "Email"
e13 textbox "Password"
e14 checkbox "Stay signed in"
e15 button "Sign in"
Try ada@example.com with the password analytical .`
	if form != want {
		t.Errorf("the login page:\n%s\n\nwant:\n%s", form, want)
	}

	if err := p.open(ctx, base+"/generated/1000"); err != nil {
		t.Fatal(err)
	}
	n, err := evaluate[int](ctx, p.page, elements)
	if err != nil || n < 1000 || n > 1200 {
		t.Errorf("%d elements, %v; want 1000 and a few", n, err)
	}
	lines, err := evaluate[string](ctx, p.page, walkLines)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := evaluate[int](ctx, p.page, `[...document.querySelectorAll('a,button,input,select,textarea,summary,[onclick],[tabindex]')]
		.filter((e) => e.checkVisibility({visibilityProperty: true})).length`)
	if err != nil || strings.Count(lines, "\n")+1 != seen {
		t.Errorf("%d lines for %d visible controls, %v", strings.Count(lines, "\n")+1, seen, err)
	}
	floor, err := evaluate[string](ctx, p.page, walkFloor)
	if err != nil || len(floor) <= len(lines) {
		t.Errorf("with text %d bytes, without %d, %v", len(floor), len(lines), err)
	}
}

func TestAXTree(t *testing.T) {
	b := testBrowser(t)
	srv := site.Serve()
	defer srv.Close()
	r, err := axTree(t.Context(), b, page{name: "login"}, srv.URL+"/login", 2)
	if err != nil || r.Runs != 2 || r.Bytes < 1000 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Both cold starts reach a page.
func TestStarts(t *testing.T) {
	b := testBrowser(t)
	srv := site.Serve()
	defer srv.Close()
	if answer, page, err := ownStart(t.Context(), b, srv.URL+"/login"); err != nil || answer <= 0 || page <= answer {
		t.Errorf("the browser's own: %v, %v, %v", answer, page, err)
	}
	if took, err := roveStart(t.Context(), b, srv.URL+"/login"); err != nil || took <= 0 {
		t.Errorf("rove's: %v, %v", took, err)
	}
}
