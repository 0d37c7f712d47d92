package driver_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"rove/aria"
	"rove/driver"
)

// What a view shows can be waited for, wherever it stands.
func TestWaitsSeeWhatViewsShow(t *testing.T) {
	a := open(t, map[string]string{
		"/": `<!doctype html><title>Waits</title><p>Light words</p><p hidden>Kept back</p><div id=host></div><div id=shut></div>
			<input value="typed words" aria-label="A field"><input type=submit value="Buy it"><input type=password value=letmein>
			<textarea placeholder="Write here"></textarea><img alt="A cat" style="width:9px;height:9px"><i aria-label="Ghost" hidden></i>
			<iframe src=THERE/inner></iframe><iframe src=/hidden style="display:none"></iframe><iframe src=/hidden style="visibility:hidden"></iframe>
			<iframe srcdoc="<iframe srcdoc='<p>Deep words</p>'></iframe>"></iframe>
			<script>host.attachShadow({mode: 'open'}).innerHTML = '<style>.red{}</style>Bare words<p>Shadow words</p><p hidden>Dark words</p><span style="display:contents">Con<b>tents</b></span><svg><text y=20>Drawn words</text></svg>';
			shut.attachShadow({mode: 'closed'}).innerHTML = '<button>Closed words</button>'</script>`,
		"/inner":  `<button>Inner words</button><b id=inside>x</b>`,
		"/hidden": `<p>Unseen words</p><b id=unseen>x</b>`,
	})
	ctx, tab := a.ctx, a.Tab()
	if _, err := tab.Snapshot(ctx, driver.SnapshotOptions{}); err != nil {
		t.Fatal(err)
	}
	wait := func(what string, gone bool, within time.Duration) error {
		ctx, cancel := context.WithTimeout(ctx, within)
		defer cancel()
		if strings.HasPrefix(what, "#") {
			return tab.WaitElement(ctx, what, gone)
		}
		return tab.WaitText(ctx, what, gone)
	}
	for what, there := range map[string]bool{
		"light WORDS": true, "bare words": true, "shadow words": true, "contents": true, "drawn words": true, "undefined": false, "closed words": true, "inner words": true, "deep words": true,
		"typed words": true, "a field": true, "buy it": true, "write here": true, "a cat": true, "#inside": true,
		"kept back": false, "dark words": false, ".red": false, "unseen words": false, "letmein": false, "ghost": false, "#unseen": false,
	} {
		if err := wait(what, !there, 10*time.Second); err != nil {
			t.Errorf("%s, gone %v: %v", what, !there, err)
		}
		if err := wait(what, there, 100*time.Millisecond); driver.CodeOf(err) != driver.CodeTimeout {
			t.Errorf("%s, gone %v: %v", what, there, err)
		}
	}
}

// Frames come and go while something is waited for.
func TestWaitsInFrames(t *testing.T) {
	a := open(t, map[string]string{
		"/": `<!doctype html><title>Frames</title><button>Main</button><iframe id=f src=THERE/inner></iframe>`,
		"/inner": `<button>One</button><button id=two>Two</button><button id=three>Three</button>
			<script>onmessage = () => { two.remove(); three.hidden = true; setTimeout(() => document.body.append('Late words'), 400) }</script>`,
		"/next": `<p>Next</p>`,
	})
	ctx, tab := a.ctx, a.Tab()
	tree, err := tab.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ref := func(name string) string {
		t.Helper()
		for _, n := range tree.Nodes {
			if n.Name == name && n.Ref != "" {
				return string(n.Ref)
			}
		}
		t.Fatalf("no %s in %+v", name, tree.Nodes)
		return ""
	}
	one, two, three, button := ref("One"), ref("Two"), ref("Three"), ref("Main")
	a.ok(tab.WaitElement(ctx, three, false))
	a.js("f.contentWindow.postMessage('go', '*')")
	a.ok(tab.WaitElement(ctx, two, true))
	a.ok(tab.WaitElement(ctx, three, true))
	a.ok(tab.WaitText(ctx, "late words", false))

	a.js(`setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="Came later"></iframe>'), 300), 1`)
	a.ok(tab.WaitText(ctx, "came later", false))
	a.js(`setTimeout(() => document.querySelectorAll('iframe').forEach((f) => f.remove()), 300), 1`)
	a.ok(tab.WaitText(ctx, "came later", true))

	stale := func(ref string) {
		t.Helper()
		start := time.Now()
		if err := tab.WaitElement(ctx, ref, false); driver.CodeOf(err) != driver.CodeStale || !errors.Is(err, aria.ErrStale) {
			t.Errorf("%s: %v", ref, err)
		}
		if _, err := tab.Find(ctx, ref, driver.FindOptions{Within: 20 * time.Second}); driver.CodeOf(err) != driver.CodeStale {
			t.Errorf("%s: %v", ref, err)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s: told after %s", ref, took)
		}
		a.ok(tab.WaitElement(ctx, ref, true))
	}
	stale(one)
	a.ok(tab.WaitElement(ctx, button, false))
	a.visit("/next")
	stale(button)
}

// TestWaitBesideHungFrames: frames whose scripts do not end keep nobody from seeing
// what comes to be in the others, however many they are.
func TestWaitBesideHungFrames(t *testing.T) {
	frame := `<iframe src="THERE/hung"></iframe>`
	p := open(t, map[string]string{
		"/":     `<!doctype html><title>x</title>` + frame + frame + frame,
		"/hung": `<!doctype html>hung<script>onmessage = () => { for (;;) {} }</script>`,
	})
	p.js("for (let i = 0; i < 3; i++) frames[i].postMessage('hang', '*'); setTimeout(() => document.body.append('here it is'), 1500)")
	ctx, cancel := context.WithTimeout(p.ctx, 20*time.Second)
	defer cancel()
	p.ok(p.Tab().WaitText(ctx, "here it is", false))
	p.ok(p.Tab().WaitText(ctx, "never there", true))
}
