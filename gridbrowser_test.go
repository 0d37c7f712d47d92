package rove_test

import (
	"encoding/json"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"rove"
	"rove/internal/testkit"
	"rove/internal/testkit/person"
)

// playedHub is a grid with one browser, as far as rove sees of one. make grid has a
// real one.
type playedHub struct {
	mu       sync.Mutex
	asked    map[string]any
	released int
	noCDP    bool
}

func (h *playedHub) serve(t *testing.T, browser string) string {
	t.Helper()
	at, err := url.Parse(browser)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL = &url.URL{Scheme: "http", Host: at.Host, Path: at.Path}
		r.Out.Host = at.Host
		r.Out.Header.Del("Authorization")
	}}
	answer := func(w http.ResponseWriter, status int, value any) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"value": value})
	}
	return testkit.ServeHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if name, password, _ := r.BasicAuth(); name != "ada" || password != "p w" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		switch {
		case r.Method == http.MethodPost && r.URL.Path == "/wd/session":
			var body struct {
				Capabilities struct {
					AlwaysMatch map[string]any `json:"alwaysMatch"`
				} `json:"capabilities"`
			}
			_ = json.NewDecoder(r.Body).Decode(&body)
			h.asked = body.Capabilities.AlwaysMatch
			caps := map[string]any{"browserName": h.asked["browserName"], "se:cdp": "ws://only-within:4444/wd/session/abc-1/se/cdp"}
			switch {
			case h.asked["browserName"] == "netscape":
				answer(w, http.StatusInternalServerError, map[string]any{"error": "session not created", "message": "no such browser\nstack"})
				return
			case h.noCDP:
				delete(caps, "se:cdp")
				caps["webSocketUrl"] = "ws://only-within:4444/wd/session/abc-1/se/bidi" // to which this hub has no way
			}
			answer(w, http.StatusOK, map[string]any{"sessionId": "abc-1", "capabilities": caps})
		case r.Method == http.MethodDelete && r.URL.Path == "/wd/session/abc-1":
			h.released++
			answer(w, http.StatusOK, nil)
		case r.URL.Path == "/wd/session/abc-1/se/cdp":
			h.mu.Unlock()
			proxy.ServeHTTP(w, r)
			h.mu.Lock()
		default:
			answer(w, http.StatusNotFound, map[string]any{"error": "unknown command", "message": r.URL.Path})
		}
	}))
}

// TestGridBrowser: a browser is leased, driven by the grid's socket, and released,
// whatever happens.
func TestGridBrowser(t *testing.T) {
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	page := serve(t, `<title>Far</title><button onclick="this.textContent='done'">Go</button>`)
	p := person.Start(t, t.TempDir(), nil, page+"/")
	ctx := testkit.Context(t)
	h := new(playedHub)
	hub := strings.Replace(h.serve(t, p.Address), "http://", "http://ada:p%20w@", 1) + "/wd/"
	s, err := rove.Open(ctx, rove.Options{Grid: hub, Capabilities: map[string]any{"platformName": "linux"}})
	if err != nil {
		t.Fatal(err)
	}
	if h.asked["browserName"] != "chrome" || h.asked["platformName"] != "linux" {
		t.Errorf("asked for %v", h.asked)
	}
	noted, _ := filepath.Glob(filepath.Join(os.Getenv("ROVE_HOME"), "leases", "*.json"))
	if len(noted) != 1 {
		t.Errorf("noted: %q", noted)
	}
	if _, err := s.Go(ctx, page); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx, rove.Step{Ref: "e1", Op: "click"})
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "done")
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	left, _ := filepath.Glob(filepath.Join(os.Getenv("ROVE_HOME"), "leases", "*"))
	if h.released != 1 || len(left) != 0 {
		t.Errorf("released %d times; left %q", h.released, left)
	}

	// What a rove that was killed had is released by the next that comes.
	text, _ := json.Marshal(map[string]string{"grid": hub, "id": "abc-1"})
	if err := os.WriteFile(filepath.Join(os.Getenv("ROVE_HOME"), "leases", "abc-1.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	h.noCDP = true
	_, err = rove.Open(ctx, rove.Options{Grid: hub})
	if rove.CodeOf(err) != rove.CodeClosed || !strings.Contains(err.Error(), "se:cdp") || h.released != 3 {
		t.Errorf("no way to the browser, released %d times: %v", h.released, err)
	}
	for name, tt := range map[string]struct {
		opts rove.Options
		code rove.Code
		says string
	}{
		"password": {rove.Options{Grid: strings.Replace(hub, "p%20w", "x", 1)}, rove.CodeClosed, "another name and password"},
		"browser":  {rove.Options{Grid: hub, Capabilities: map[string]any{"browserName": "netscape"}}, rove.CodeClosed, "session not created: no such browser"},
		"no grid":  {rove.Options{Grid: page}, rove.CodeClosed, "is no grid"},
		"nobody":   {rove.Options{Grid: "127.0.0.1:9"}, rove.CodeClosed, "no grid answers"},
		"limits":   {rove.Options{Grid: hub, Allow: []string{"a.example"}}, rove.CodePolicy, "cannot be held"},
		"two":      {rove.Options{Grid: hub, Profile: "x"}, rove.CodeInvalid, "leave connect and profile out"},
		"name":     {rove.Options{Grid: hub, Browser: "opera"}, rove.CodeInvalid, "no \"opera\""},
		"address":  {rove.Options{Grid: "ftp://x"}, rove.CodeInvalid, "no address of a grid"},
	} {
		_, err := rove.Open(ctx, tt.opts)
		if rove.CodeOf(err) != tt.code || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "p%20w") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
