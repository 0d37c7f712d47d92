package driver_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/testkit"
)

func TestStorage(t *testing.T) {
	p := one(t, "")
	// A secure origin, which Cache Storage and the clipboard ask for.
	p.ok(p.SetURL(p.ctx, strings.Replace(p.url, "127.0.0.1", "localhost", 1)))
	p.ok(p.SetStorage(p.ctx, map[string]string{"a": "1", "b": "é\"\n"}, map[string]string{"s": "2"}))
	p.js("new Promise(ok => { indexedDB.open('db').onsuccess = async e => { e.target.result.close(); await caches.open('cache'); ok(0) } })")
	s, err := p.Storage(p.ctx)
	p.ok(err)
	same(t, "storage", fmt.Sprintf("%q %q %v %v", s.Local, s.Session, s.Databases, s.Caches), `map["a":"1" "b":"é\"\n"] map["s":"2"] [db] [cache]`)
	p.ok(p.ClearStorage(p.ctx))
	s, err = p.Storage(p.ctx)
	p.ok(err)
	same(t, "cleared", *s, driver.Storage{Local: map[string]string{}, Session: map[string]string{}, Databases: []string{}, Caches: []string{}})

	p.ok(p.Emulate(p.ctx, driver.Emulation{Emulation: backend.Emulation{Permissions: []string{"clipboard-read", "clipboard-write"}}}))
	p.ok(p.SetClipboard(p.ctx, "copied “text”"))
	text, err := p.Clipboard(p.ctx)
	p.ok(err)
	same(t, "clipboard", text, "copied “text”")
}

// A cookie that a script has set goes along with the request that follows at once,
// though the browser hears of it in its own time.
func TestCookiesGoAlong(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	ctx := testkit.Context(t)
	url := testkit.Serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
		testkit.Page("<title>"+r.Header.Get("Cookie")+"</title>")(w, r)
	}})
	d, err := driver.Open(ctx, shared, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Quit(ctx)
	visit := func() error { return d.SetURL(ctx, url) }
	if err := visit(); err != nil {
		t.Fatal(err)
	}
	again := func() error {
		_, err := d.Tab().Navigate(ctx, url, driver.NavigateOptions{})
		return err
	}
	for i := range 12 {
		want := fmt.Sprintf("n=%d", i)
		if _, err := d.Script(ctx, fmt.Sprintf("document.cookie = '%s'", want)); err != nil {
			t.Fatal(err)
		}
		leave := []func() error{visit, again, func() error { return d.Refresh(ctx) }}[i%3]
		if err := leave(); err != nil {
			t.Fatal(err)
		}
		if title, err := d.Title(ctx); title != want || err != nil {
			t.Errorf("%d: %q, %v", i, title, err)
		}
	}
}
