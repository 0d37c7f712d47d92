package replay_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rove"
	"rove/internal/derive"
	"rove/internal/replay"
	"rove/internal/testkit"
	"rove/recording"
)

// TestProveTextInParts proves that something was saved by a link whose words stand in boxes
// beside each other: what is read as two words is one in the markup.
func TestProveTextInParts(t *testing.T) {
	s := open(t)
	ctx := testkit.Context(t)
	var mu sync.Mutex
	var names []string
	base := testkit.ServeHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.Method == http.MethodPost {
			name, _ := io.ReadAll(r.Body)
			names = append(names, string(name))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		var list strings.Builder
		for _, name := range names {
			fmt.Fprintf(&list, `<a href="#a" style="display:flex"><div>%s</div><div style="margin-left:9px">12.00</div></a>`, name)
		}
		fmt.Fprintf(w, `<!doctype html><title>Accounts</title><label>Name <input id=name></label><button onclick="fetch('/', {method: 'POST', body: document.querySelector('input').value}).then(() => location.reload())">Add</button>%s`, list.String())
	}))
	if _, err := s.Go(ctx, base+"/"); err != nil {
		t.Fatal(err)
	}
	for _, act := range []rove.Step{{Ref: "#name", Op: "input", Value: "Checking"}, {Ref: "{button}Add", Op: "click"}} {
		if _, err := s.Act(ctx, act); err != nil {
			t.Fatal(err)
		}
	}
	f, err := derive.Flow(s.Recording(), derive.Options{Name: "accounts"})
	if err != nil {
		t.Fatal(err)
	}
	fresh := impatient(replay.Fresh(s))
	run := func(ctx replayContext, f *recording.Flow, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
		mu.Lock()
		names = nil
		mu.Unlock()
		return fresh(ctx, f, opts)
	}
	if err := replay.Prove(ctx, f, replay.Options{Runs: 1, Run: run, Reset: "true", Missing: time.Second}); err != nil {
		t.Fatal(err)
	}
	last := f.Steps[len(f.Steps)-1].Checks
	said := func(c recording.Check) bool { return c.Text == "Checking 12.00" }
	if !f.Proof.Proved() || !slices.ContainsFunc(last, said) {
		t.Errorf("%s\n%q\n%+v", f.Proof, f.Proof.Dropped, f.Steps)
	}
}
