package driver

import (
	"testing"

	"rove/aria"
	"rove/driver/backend"
)

// aTab stands for a tab where only its identity matters.
type aTab struct {
	backend.Tab
	name string
}

func TestNumbersNeverRepeatOverTabsAndFrames(t *testing.T) {
	var n numbers
	a, b := &aTab{name: "a"}, &aTab{name: "b"}
	main := backend.Frame{ID: "m"}
	child := backend.Frame{ID: "c", Parent: "m"}

	if f, next := n.frame(a, main); f != 0 || next != 1 {
		t.Fatalf("first main frame: %d, %d", f, next)
	}
	n.used(0, 10)
	if f, next := n.frame(b, main); f != 0 || next != 10 {
		t.Fatalf("the second tab goes on counting: got %d, %d", f, next)
	}
	n.used(0, 15)
	n.frame(a, main)
	n.used(0, 20)
	if f, next := n.frame(a, child); f != 1 || next != 1 {
		t.Fatalf("child frame: %d, %d", f, next)
	}
	n.used(1, 4)
	if f, _ := n.frame(b, child); f != 2 {
		t.Fatalf("the same id in another tab is another frame: got f%d", f)
	}

	for _, c := range []struct {
		ref   aria.Ref
		tab   backend.Tab
		frame backend.FrameID
		num   int
	}{{"e1", a, "", 1}, {"e9", a, "", 9}, {"e10", b, "", 10}, {"e14", b, "", 14}, {"e15", a, "", 15}, {"f1e3", a, "c", 3}} {
		tab, frame, num, ok := n.owner(c.ref)
		if !ok || tab != c.tab || frame != c.frame || num != c.num {
			t.Errorf("owner(%s) = %v, %q, %d, %v", c.ref, tab, frame, num, ok)
		}
	}
	for _, ref := range []aria.Ref{"e20", "f1e4", "f2e1", "f3e1", "e0", "e01", "x1", "", "f0e1", "fe1", "e-1", "e+1", "e99999999999999999999"} {
		if _, _, _, ok := n.owner(ref); ok {
			t.Errorf("owner(%q) was never given out", ref)
		}
	}
}
