package pwserver

import (
	"testing"

	"rove/driver/backend"
	"rove/internal/wire"
)

// TestBrowserWrites: what no page has written has no values, and its words are told all the same.
func TestBrowserWrites(t *testing.T) {
	var e consoleEntry
	if err := wire.Unmarshal([]byte(`{"type":"warning","text":"Failed to load","args":[],"location":{"url":"http://x.example/a.png"}}`), &e.event); err != nil {
		t.Fatal(err)
	}
	e.args.Store(&[]backend.Value{})
	r, ok := e.Read()
	if !ok || r.Kind != backend.ConsoleMessage || r.Text != "Failed to load" || r.Level != "warn" || r.Place == nil {
		t.Errorf("%+v, %v", r, ok)
	}
}
