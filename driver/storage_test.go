package driver_test

import (
	"fmt"
	"strings"
	"testing"

	"rove/driver"
	"rove/driver/backend"
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
