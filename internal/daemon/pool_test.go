package daemon

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
)

// The log is for whoever looks for a fault, and may be shown around.
func TestLogHasNoSecrets(t *testing.T) {
	testkit.NeedsBrowser(t)
	var log bytes.Buffer
	site := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page("<input>")})
	p := newPool(Config{Idle: time.Minute, Log: slog.New(slog.NewTextHandler(&log, nil))})
	for _, call := range []Request{
		{Tool: "go", Input: []byte(`{"url":"` + site + `/?token=hunter2"}`)},
		{Tool: "act", Input: []byte(`{"ref":"e1","op":"input","value":"hunter2"}`)},
		{Tool: "eval", Input: []byte(`{"js":"throw 'hunter2'"}`)},
		{Tool: "look", Input: []byte(`{"hunter2":1}`)},
	} {
		p.call(t.Context(), &call)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
	if n := strings.Count(log.String(), "msg=call"); n != 4 || strings.Contains(log.String(), "hunter2") {
		t.Errorf("%d calls are in the log:\n%s", n, log.String())
	}
	a := p.call(t.Context(), &Request{Tool: "look"})
	if a.Error == nil || a.Error.Code != rove.CodeClosed {
		t.Errorf("a call after the end: %+v", a.Error)
	}
}

// Sessions that are started differently are in browsers of their own, and names
// do not pile up.
func TestKindsOfBrowsers(t *testing.T) {
	testkit.NeedsBrowser(t)
	p := newPool(Config{Idle: time.Minute, Log: slog.New(slog.DiscardHandler)})
	defer p.close()
	width := func(name string, l Launch) string {
		t.Helper()
		a := p.call(t.Context(), &Request{Session: name, Launch: l, Tool: "eval", Input: []byte(`{"js":"innerWidth"}`)})
		if a.Error != nil {
			return a.Error.Message
		}
		return a.Text
	}
	small := Launch{Width: 500, Height: 400, Insisted: []string{"viewport"}}
	for _, tt := range []struct {
		name   string
		launch Launch
		want   string
	}{
		{"a", Launch{}, "1280"},
		{"b", small, "500"},
		{"b", Launch{}, "500"},
		{"a", small, "it runs already, at another size"},
	} {
		if got := width(tt.name, tt.launch); !strings.HasSuffix(got, tt.want) { // the first in each is told that it has no page
			t.Errorf("session %s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if len(p.kinds) != 2 || len(p.list()) != 2 {
		t.Errorf("%d kinds, sessions %v", len(p.kinds), p.list())
	}
	if a := p.end("b"); a.Error != nil {
		t.Error(a.Error)
	}
	if got := width("b", Launch{}); !strings.HasSuffix(got, "1280") {
		t.Errorf("a session that was ended comes back as it was: %q", got)
	}
	if len(p.kinds) != 1 {
		t.Errorf("%d kinds, though all are alike now", len(p.kinds))
	}
}

func TestEndedNamesAreForgotten(t *testing.T) {
	p := newPool(Config{Idle: time.Minute, Log: slog.New(slog.DiscardHandler)})
	defer p.close()
	for i := range 3 * mostNames {
		p.call(t.Context(), &Request{Session: strings.Repeat("x", 1+i%50) + string(rune('a'+i%26)) + time.Duration(i).String(), Tool: "look", Input: []byte(`{"colour":1}`)})
	}
	if n := len(p.named); n > mostNames {
		t.Errorf("%d names are remembered", n)
	}
}
