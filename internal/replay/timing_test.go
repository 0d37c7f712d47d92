package replay_test

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rove"
	"rove/internal/derive"
	"rove/internal/replay"
	"rove/internal/testkit"
	"rove/recording"
)

// draft saves by itself a while after something was typed, as editors do. Where it is
// deaf, its button comes to life with the first press, and does not hear that one.
const draft = `<!doctype html><title>Draft</title><h1>Draft</h1>
<label>Title <input id="title"></label><button id="more">More</button><div id="menu" hidden><button id="publish">Publish</button></div><p id="said"></p><ul id="list"></ul>
<script>
const deaf = false;
let later;
title.oninput = () => { clearTimeout(later); later = setTimeout(() => fetch('/autosave', { method: 'POST', body: title.value }), 300); };
const hear = () => { more.onclick = () => { menu.hidden = false; }; };
if (deaf) more.addEventListener('click', () => setTimeout(hear), { once: true }); else hear();
publish.onclick = async () => { clearTimeout(later); await fetch('/publish', { method: 'POST', body: title.value }); said.textContent = title.value + ' is published'; list.innerHTML = '<li draggable="true">' + title.value + ', new <button>Remove</button></li>'; };
</script>`

func drafts(t *testing.T) (base string, deaf *atomic.Bool) {
	deaf = &atomic.Bool{}
	return testkit.ServeHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		page := draft
		if deaf.Load() {
			page = strings.Replace(page, "deaf = false", "deaf = true", 1)
		}
		_, _ = w.Write([]byte(page))
	})), deaf
}

// TestProvePagesWithTimesOfTheirOwn proves a flow on a page that saves by itself while
// another step is done than the last time, and does not hear the first press.
func TestProvePagesWithTimesOfTheirOwn(t *testing.T) {
	s := open(t)
	ctx := testkit.Context(t)
	base, deaf := drafts(t)
	if _, err := s.Go(ctx, base+"/"); err != nil {
		t.Fatal(err)
	}
	for _, act := range []rove.Step{{Ref: "#title", Op: "input", Value: "Winter sale"}, {Ref: "#more", Op: "click"}, {Ref: "#publish", Op: "click"}} {
		if _, err := s.Act(ctx, act); err != nil {
			t.Fatal(err)
		}
	}
	f, err := derive.Flow(s.Recording(), derive.Options{Name: "publish"})
	if err != nil {
		t.Fatal(err)
	}
	// However the times fell when it was recorded, the press is told to have saved.
	f.Steps[1].Saves, f.Steps[1].Checks = nil, nil
	more := &f.Steps[2]
	if more.Saves == nil {
		more.Saves = &recording.Request{Method: "POST", URL: base + "/autosave", Status: 204, Type: "Fetch"}
		more.Checks = append([]recording.Check{{Kind: "status", Text: "POST /autosave"}}, more.Checks...)
	}
	if err := replay.Prove(ctx, f, replay.Options{Runs: 2, Run: replay.Fresh(s), Reset: "true", Missing: time.Second}); err != nil {
		t.Fatal(err)
	}
	if !f.Proof.Proved() || more.Saves != nil || !strings.Contains(strings.Join(f.Proof.Dropped, "\n"), "POST /autosave") {
		t.Errorf("%s\n%q", f.Proof, f.Proof.Dropped)
	}
	last := f.Steps[len(f.Steps)-1]
	item := func(c recording.Check) bool { return c.Role == "listitem" && c.Text == "Winter sale, new" }
	if last.Saves == nil || len(last.Checks) < 3 || !slices.ContainsFunc(last.Checks, item) {
		t.Errorf("what the last step saved is not checked: %+v", last.Checks)
	}

	deaf.Store(true)
	r, err := impatient(replay.Fresh(s))(ctx, f, rove.ReplayOptions{})
	if err != nil || !strings.Contains(strings.Join(r.Trace, "\n"), "once more") {
		t.Errorf("a page that does not hear the first press: %v\n%q", err, r.Trace)
	}
}
