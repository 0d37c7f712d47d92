package rove_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rove"
	"rove/driver"
	"rove/internal/derive"
)

// TestRecordedDrags records where something was dropped by what it is known by: the ref
// that it had is another thing when the page has one more button.
func TestRecordedDrags(t *testing.T) {
	t.Parallel()
	ctx, s := alone(t)
	var loads atomic.Int32
	var stays atomic.Bool // the card, whatever the page says
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		moves := "event.currentTarget.append(document.getElementById('card'));"
		if stays.Load() {
			moves = ""
		}
		fmt.Fprintf(w, `<!doctype html><title>Lanes</title><p>%s</p><div role="list" aria-label="todo"><div role="listitem" draggable="true" id="card" ondragstart="event.dataTransfer.setData('text/plain','card')">Paint</div></div>
<div role="list" aria-label="done" style="height:100px" ondragover="event.preventDefault()" ondrop="%s document.getElementById('said').textContent='Paint is done'"><h2>Done</h2><button>Clear</button></div><p id="said"></p>`,
			strings.Repeat("<button>More</button>", int(loads.Add(1))), moves)
	}))
	defer server.Close()
	does(t, ctx, s, "go "+server.URL)
	page, err := s.Look(ctx, rove.LookOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ref := regexp.MustCompile(`(e\d+) button "Clear"`).FindStringSubmatch(page.Text())
	if ref == nil {
		t.Fatal(page.Text())
	}
	does(t, ctx, s, "#card|drag|"+ref[1])
	f := derived(t, s)
	last := f.Steps[len(f.Steps)-1]
	if last.Op != "drag" || driver.IsRef(last.Value) || last.Value == "" {
		t.Errorf("it was dropped on %q", last.Value)
	}
	for format, want := range map[string]string{"playwright": ".dragTo(page.locator(", "go": ".DragTo(ctx, f.at("} {
		if text, err := derive.Write(f, format); err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: %v\n%s", format, err, text)
		}
	}
	if r, err := again(t, ctx, f, rove.ReplayOptions{}); err != nil || r.Checked == 0 {
		t.Errorf("%v\n%+v", err, r)
	}
	const place = `"Paint" stands after "Clear"`
	if len(last.Checks) == 0 || last.Checks[0].String() != place {
		t.Errorf("where it stands then is not checked: %v", last.Checks)
	}
	stays.Store(true)
	if _, err := again(t, ctx, f, rove.ReplayOptions{Patience: 500 * time.Millisecond}); err == nil || !strings.Contains(err.Error(), place) {
		t.Errorf("it stayed where it was: %v", err)
	}
}
