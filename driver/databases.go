package driver

import (
	"context"
	_ "embed"
	"maps"
	"slices"
	"strings"

	"rove/driver/backend"
	"rove/internal/wire"
)

// Databases are the IndexedDB databases of an origin, as files of other tools have
// them: a list of name, version and stores with their indexes and records. What JSON
// cannot say of a record (a Date, a Map, bytes) is in keyEncoded and valueEncoded.
type Databases = []any

var (
	//go:embed js/coding.js
	coding string
	//go:embed js/read_databases.js
	readDatabases string
	//go:embed js/write_databases.js
	writeDatabases string
)

// coded is a script with what it needs to write values down, and to read them again.
func coded(script string) string { return strings.Replace(script, "CODING", coding, 1) }

// Databases reads the IndexedDB databases of origins, whether or not one of their
// pages is open. Those without any are left out. lost says, by origin, what could not
// be read: values that are no data, such as keys that may not leave the browser.
func (d *Driver) Databases(ctx context.Context, origins ...string) (all map[string]Databases, lost map[string][]string, err error) {
	all, lost = make(map[string]Databases), make(map[string][]string)
	err = d.visit(ctx, origins, func(t backend.Tab, origin string) error {
		data, err := t.Eval(ctx, "", coded(readDatabases))
		if err != nil {
			return err
		}
		var r struct {
			Out  Databases `json:"out"`
			Lost []string  `json:"lost"`
		}
		if err := wire.Unmarshal(data, &r); err != nil {
			return err
		}
		if len(r.Lost) > 0 {
			lost[origin] = r.Lost
		}
		if len(r.Out) > 0 {
			all[origin] = r.Out
		}
		return nil
	})
	return all, lost, err
}

// SetDatabases puts records into the databases of origins, which are made where they
// are not there. No page of theirs needs to be open, or is loaded.
func (d *Driver) SetDatabases(ctx context.Context, databases map[string]Databases) error {
	return d.visit(ctx, slices.Sorted(maps.Keys(databases)), func(t backend.Tab, origin string) error {
		list, err := wire.Marshal(databases[origin])
		if err == nil {
			_, err = t.Eval(ctx, "", coded(writeDatabases)+"("+string(list)+")")
		}
		return err
	})
}

// SessionStorage reads the session storage of the tabs that are open, by origin. Of
// two tabs of one origin it is that of the current one, or the one opened last.
func (d *Driver) SessionStorage(ctx context.Context) (map[string]map[string]string, error) {
	all := make(map[string]map[string]string)
	for _, t := range append(d.Tabs(), d.Tab()) {
		origin := Origin(t.URL())
		if origin == "" {
			continue
		}
		data, err := t.tab.Eval(ctx, "", "Object.keys(sessionStorage).map((k) => [k, sessionStorage.getItem(k)])")
		if err != nil {
			return nil, d.failed("storage", err)
		}
		var pairs [][2]string
		if err := wire.Unmarshal(data, &pairs); err != nil || len(pairs) == 0 {
			continue
		}
		all[origin] = make(map[string]string, len(pairs))
		for _, p := range pairs {
			all[origin][p[0]] = p[1]
		}
	}
	return all, nil
}

// SetSessionStorage puts entries into the session storage that the current tab has of
// origins. A tab that shows a page is left where it is: there the entries of other
// origins than the page's are not set, and those are told.
func (d *Driver) SetSessionStorage(ctx context.Context, entries map[string]map[string]string) (left []string, err error) {
	if len(entries) == 0 {
		return nil, nil
	}
	t := d.Tab()
	put := func(b backend.Tab, origin string) error {
		var pairs [][2]string
		for k, v := range entries[origin] {
			pairs = append(pairs, [2]string{k, v})
		}
		data, err := wire.Marshal(pairs)
		if err == nil {
			_, err = b.Eval(ctx, "", "for (const [k, v] of "+string(data)+") sessionStorage.setItem(k, v)")
		}
		return err
	}
	origins := slices.Sorted(maps.Keys(entries))
	if at := Origin(t.URL()); t.URL() != "about:blank" {
		for _, o := range origins {
			if o != at {
				left = append(left, o)
			} else if err := put(t.tab, o); err != nil {
				return nil, d.failed("storage", err)
			}
		}
		return left, nil
	}
	if err := d.visitIn(ctx, t.tab, origins, put); err != nil {
		return nil, err
	}
	if _, err := t.tab.Navigate(ctx, "about:blank", backend.NavigateOptions{}); err != nil {
		return nil, d.failed("storage", err)
	}
	return nil, nil
}
