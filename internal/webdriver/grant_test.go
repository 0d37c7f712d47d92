package webdriver

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rove/driver/backend"
)

// TestEndlessScriptsAreGivenUp: a driver is told how long a script of somebody else may run,
// and is held no longer by one that works without end.
func TestEndlessScriptsAreGivenUp(t *testing.T) {
	var mu sync.Mutex
	var granted []float64
	driver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := `null`
		switch path := strings.TrimPrefix(r.URL.Path, "/session/s"); path {
		case "/window":
			answer = `"w"`
		case "/window/handles":
			answer = `["w"]`
		case "/timeouts":
			var v map[string]float64
			_ = json.NewDecoder(r.Body).Decode(&v)
			mu.Lock()
			granted = append(granted, v["script"]/1000)
			mu.Unlock()
		case "/execute/async":
			answer = `{"json":"1","state":{"url":"about:blank","document":"d","ready":"complete"}}`
		}
		_, _ = w.Write([]byte(`{"value":` + answer + `}`))
	}))
	defer driver.Close()
	at, err := url.Parse(driver.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := Adopt(NewRemote(at), "s", "grid", "chrome", "1", func(context.Context) error { return nil })
	b := NewBrowser(s, nil)
	defer b.Close()
	c := newContext(b, s, backend.ContextOptions{})
	if err := c.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	tab := newTab(c, "w")
	for _, after := range []time.Duration{5 * time.Second, 5 * time.Second, time.Second, 0, time.Hour} {
		ctx, cancel := t.Context(), context.CancelFunc(func() {})
		if after > 0 {
			ctx, cancel = context.WithTimeout(ctx, after)
		}
		if _, err := tab.Eval(ctx, "", "1"); err != nil {
			t.Error(err)
		}
		cancel()
	}
	all := scriptTimeout.Seconds()
	want := []float64{all, 7, 3, all} // no command where it is so already
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(granted, want) {
		t.Errorf("scripts were granted %v seconds, want %v", granted, want)
	}
}
