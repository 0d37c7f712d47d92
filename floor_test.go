package rove_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// What a full view costs beside the least that could be told: a line for each thing to
// click or fill in, and every text once. A drawing's parts do not each have a line.
func TestViewsBesideTheFloor(t *testing.T) {
	testkit.Parallel(t)
	base := testkit.ServeHandler(t, http.FileServer(http.Dir("testdata/pages/floor")))
	walk, err := os.ReadFile("bench/walk.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		page string
		most float64
		says []string
		not  []string
	}{
		{"dashboard", 1.3, []string{"e7…42 36 clickable (bar-area)", "(region: US, FR, DE, IT, ES)", `"Jan Feb Mar`}, []string{"Svgjs", "#"}},
		{"nodes", 1.4, []string{`clickable "Start" with e5…8 draggable (in_1, in_2, out_1, out_2)`, `clickable "Fetch" with e10…13` + "\n", "e49…56 8 clickable"}, []string{"wire"}},
	} {
		t.Run(c.page, func(t *testing.T) {
			t.Parallel()
			ctx, s := open(t)
			if _, err := s.Go(ctx, base+"/"+c.page+".html"); err != nil {
				t.Fatal(err)
			}
			r, err := s.Look(ctx, rove.LookOptions{Budget: new(0)})
			if err != nil {
				t.Fatal(err)
			}
			has(t, r.Tree, c.says...)
			hasNot(t, r.Tree, c.not...)
			floor, err := s.Eval(ctx, "("+string(walk)+")(true)")
			if err != nil {
				t.Fatal(err)
			}
			text, _ := floor.Value.(string)
			if share := float64(rove.Tokens(r.Tree)) / float64(rove.Tokens(text)); text == "" || share > c.most {
				t.Errorf("%.2f of the floor, more than %.2f:\n%s\n---\n%s", share, c.most, r.Tree, text)
			}
			// A part is known by its number, and each has a line in a look into the drawing.
			if c.page == "dashboard" {
				into, err := s.Look(ctx, rove.LookOptions{Ref: "e6"})
				if err != nil {
					t.Fatal(err)
				}
				if n := strings.Count(into.Text(), "clickable ("); n != 36 {
					t.Errorf("%d of 36 shapes:\n%s", n, into.Text())
				}
			}
		})
	}
}
