package driver

import (
	"context"
	_ "embed"
	"fmt"

	"rove/driver/backend"
	"rove/internal/wire"
)

// Storage is what a page's origin keeps in the browser, apart from cookies.
type Storage struct {
	Local     map[string]string `json:"local"`
	Session   map[string]string `json:"session"`
	Databases []string          `json:"databases"` // names of IndexedDB
	Caches    []string          `json:"caches"`    // names of Cache Storage
}

//go:embed js/read_storage.js
var readStorage string

// Storage reads what the current frame's origin keeps.
func (d *Driver) Storage(ctx context.Context) (*Storage, error) {
	var s Storage
	if err := d.scriptInto(ctx, "storage", readStorage, &s); err != nil {
		return nil, err
	}
	return &s, nil
}

// SetStorage puts entries into the local and session storage of the current
// frame's origin, beside those that are there.
func (d *Driver) SetStorage(ctx context.Context, local, session map[string]string) error {
	entries, err := wire.Marshal([]map[string]string{local, session})
	if err != nil {
		return Invalid("storage", "%v", err)
	}
	var done bool
	return d.scriptInto(ctx, "storage", fmt.Sprintf(`(([local, session]) => {
	for (const k in local || {}) localStorage.setItem(k, local[k]);
	for (const k in session || {}) sessionStorage.setItem(k, session[k]);
	return true;
})(%s)`, entries), &done)
}

//go:embed js/clear_storage.js
var clearStorage string

// ClearStorage removes all that the current frame's origin keeps, cookies apart.
func (d *Driver) ClearStorage(ctx context.Context) error {
	var done bool
	return d.scriptInto(ctx, "storage", clearStorage, &done)
}

// Clipboard reads the text on the clipboard. The page needs the permission
// clipboard-read; see Emulate.
func (d *Driver) Clipboard(ctx context.Context) (string, error) {
	var text string
	err := d.scriptInto(ctx, "clipboard", "navigator.clipboard.readText()", &text)
	return text, err
}

// SetClipboard puts a text on the clipboard. The page needs the permission
// clipboard-write.
func (d *Driver) SetClipboard(ctx context.Context, text string) error {
	quoted, err := wire.Marshal(text)
	if err != nil {
		return Invalid("clipboard", "%v", err)
	}
	var done bool
	return d.scriptInto(ctx, "clipboard", "navigator.clipboard.writeText("+string(quoted)+").then(() => true)", &done)
}

// scriptInto runs a script of ours in the current frame and reads its value.
func (d *Driver) scriptInto(ctx context.Context, op, js string, out any) error {
	t := d.Tab()
	ctx, cancel := context.WithTimeout(ctx, d.budget(scriptWait))
	defer cancel()
	f, err := t.frameOf(t.frameID())
	if err == nil {
		err = t.evalOn(ctx, backend.Function{Frame: f.ID}, js, scriptOne, out)
	}
	if err != nil {
		return Explain(op, err)
	}
	return nil
}
