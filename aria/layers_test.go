package aria

import (
	"fmt"
	"testing"
)

// TestStitchPlaces has the boxes and layers of a frame put where they are on the
// screen: the frame's place, and its scale.
func TestStitchPlaces(t *testing.T) {
	main, err := Parse("1\thttp://a/\tA\t1000\t800\t0\t40\t1000\t2000\t0\t0\t1.5\t0,700,1000,100,0;0,0,1000,800,1\n"+
		"0\t0\t1\tiframe\tInner\t\t\tf=7;b=100,200,400,300\n"+
		"0\t0\t2\tbutton\tAccept\t\t\tb=10,710,80,20;o=1", "e")
	if err != nil {
		t.Fatal(err)
	}
	inner, err := Parse("1\thttp://b/\tB\t800\t600\t0\t0\t800\t600\t0\t0\t1.5\t0,500,800,100,0\n"+
		"0\t0\t1\tbutton\tIn\t\t\tb=200,100,60,20\n"+
		"0\t0\t2\tbutton\tFloats\t\t\tb=0,500,60,20;o=1", "f7e")
	if err != nil {
		t.Fatal(err)
	}
	tree := Stitch(main, map[int]Frame{7: {Part: inner}})
	var got string
	for _, n := range tree.Nodes {
		got += fmt.Sprintln(n.Ref, n.Box, n.Layer)
	}
	want := "e1 {100 200 400 300} 0\n" +
		"f7e1 {200 250 30 10} 0\n" +
		"f7e2 {100 450 30 10} 3\n" +
		"e2 {10 710 80 20} 1\n"
	if got != want {
		t.Errorf("nodes:\n%swant\n%s", got, want)
	}
	if s := fmt.Sprint(tree.Screen, tree.PixelRatio, tree.Layers); s != "{0 40 1000 800} 1.5 [{{0 700 1000 100} false} {{0 0 1000 800} true} {{100 450 400 50} false}]" {
		t.Errorf("screen, ratio and layers: %s", s)
	}
	for _, broken := range []string{"1\tu\tt\t1\t1\t0\t0\t1\t1\t0\t0\tx", "1\tu\tt\t1\t1\t0\t0\t1\t1\t0\t0\t1\t1,2", "1\tu\tt\t1\t1\t0\t0\t1\t1\t0\t0\t1\t;"} {
		if _, err := Parse(broken, "e"); err == nil {
			t.Errorf("%q was read", broken)
		}
	}
}
