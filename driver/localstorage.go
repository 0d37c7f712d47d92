package driver

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"rove/driver/backend"
	"rove/internal/wire"
)

// Origin is the web origin of a URL; "" for a URL whose pages have no storage of
// their own, such as about:blank.
func Origin(page string) string {
	u, err := url.Parse(page)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// LocalStorage reads the local storage of origins, whether or not one of their
// pages is open. Those without any are left out.
func (d *Driver) LocalStorage(ctx context.Context, origins ...string) (map[string]map[string]string, error) {
	all := make(map[string]map[string]string)
	err := d.visit(ctx, origins, func(t backend.Tab, origin string) error {
		// Pairs, since an object cannot have an entry __proto__.
		data, err := t.Eval(ctx, "", "Object.keys(localStorage).map((k) => [k, localStorage.getItem(k)])")
		if err != nil {
			return err
		}
		var pairs [][2]string
		if err := wire.Unmarshal(data, &pairs); err != nil || len(pairs) == 0 {
			return err
		}
		all[origin] = make(map[string]string, len(pairs))
		for _, p := range pairs {
			all[origin][p[0]] = p[1]
		}
		return nil
	})
	return all, err
}

// SetLocalStorage puts entries into the local storage of origins, beside those
// that are there. No page of theirs needs to be open, or is loaded.
func (d *Driver) SetLocalStorage(ctx context.Context, entries map[string]map[string]string) error {
	return d.visit(ctx, slices.Sorted(maps.Keys(entries)), func(t backend.Tab, origin string) error {
		var pairs [][2]string
		for _, k := range slices.Sorted(maps.Keys(entries[origin])) {
			pairs = append(pairs, [2]string{k, entries[origin][k]})
		}
		data, err := wire.Marshal(pairs)
		if err != nil {
			return err
		}
		_, err = t.Eval(ctx, "", fmt.Sprintf("for (const [k, v] of %s) localStorage.setItem(k, v)", data))
		return err
	})
}

// visit calls fn with a tab of its own at an empty page of every origin. The page
// is answered here: its server is not asked, and no script of its runs.
func (d *Driver) visit(ctx context.Context, origins []string, fn func(t backend.Tab, origin string) error) (err error) {
	return d.visitIn(ctx, nil, origins, fn)
}

// visitIn is visit in a tab that is there; nil is one of its own.
func (d *Driver) visitIn(ctx context.Context, t backend.Tab, origins []string, fn func(t backend.Tab, origin string) error) (err error) {
	if len(origins) == 0 {
		return nil
	}
	path := "/rove-" + rand.Text()
	for _, o := range origins {
		if Origin(o) != o {
			return Invalid("storage", "%q is no origin such as https://example.com", o)
		}
	}
	route, err := d.Intercept(ctx, Intercept{
		Patterns: []string{"*" + path},
		Mock: &backend.RouteResponse{
			Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}}, Body: []byte("<!doctype html>"),
		},
	})
	if err != nil {
		return err
	}
	// What was begun is taken back even if the caller has given up.
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), letGo)
	defer cancel()
	defer func() {
		if e := route.Stop(after); err == nil {
			err = e
		}
	}()
	if t == nil {
		if t, err = d.browser.NewTab(ctx); err != nil {
			return Explain("storage", err)
		}
		defer func() {
			if e := t.Close(after); err == nil && e != nil {
				err = Explain("storage", e)
			}
		}()
	}
	for _, o := range origins {
		nav, err := t.Navigate(ctx, o+path, backend.NavigateOptions{})
		if err == nil && Origin(nav.URL) != o {
			err = fmt.Errorf("it leads to %s", Origin(nav.URL))
		}
		if err == nil {
			err = fn(t, o)
		}
		if err != nil {
			e := Explain("storage", err)
			if known, ok := e.(*Error); ok {
				known.Message = o + ": " + known.Message
			}
			return e
		}
	}
	return nil
}
