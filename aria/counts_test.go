package aria

import (
	"strconv"
	"strings"
	"testing"
)

// days are elements that count on, with refs from first on.
func days(first, n int, change func(k int, n *Node)) *Tree {
	t := &Tree{}
	for k := range n {
		node := Node{Ref: Ref("e" + strconv.Itoa(first+k)), Role: "clickable", Name: "May " + strconv.Itoa(k+1) + ", 2026", State: Operable}
		if change != nil {
			change(k, &node)
		}
		t.Nodes = append(t.Nodes, node)
	}
	return t
}

func TestWhatCountsOnIsOneLine(t *testing.T) {
	marked := func(k int, n *Node) {
		if k == 9 {
			n.State |= Selected
		}
	}
	for _, c := range []struct {
		name string
		tree *Tree
		want string
	}{
		{"a month", days(3, 31, nil), `e3…33 31 clickable "May 1, 2026" … "May 31, 2026"`},
		{"a day that is chosen", days(1, 20, marked), "e1…9 9 clickable \"May 1, 2026\" … \"May 9, 2026\"\ne10 clickable \"May 10, 2026\" selected\ne11…20 10 clickable \"May 11, 2026\" … \"May 20, 2026\""},
		{"few", days(1, 2, nil), "e1 clickable \"May 1, 2026\"\ne2 clickable \"May 2, 2026\""},
		{"one that is called otherwise", days(1, 9, func(k int, n *Node) {
			if k == 8 {
				n.Name = "June 9, 2026"
			}
		}), "e1…8 8 clickable \"May 1, 2026\" … \"May 8, 2026\"\ne9 clickable \"June 9, 2026\""},
		{"a ref out of turn", days(1, 9, func(k int, n *Node) {
			if k == 8 {
				n.Ref = "e40"
			}
		}), "e1…8 8 clickable \"May 1, 2026\" … \"May 8, 2026\"\ne40 clickable \"May 9, 2026\""},
	} {
		if got := strings.TrimSpace(Render(c.tree, Options{})); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
	// The weeks of two months, in rows.
	weeks := func(change func(k int, n *Node)) *Tree {
		t := &Tree{Nodes: []Node{{Role: "grid"}}}
		for k := range 21 {
			if k%7 == 0 {
				t.Nodes = append(t.Nodes, Node{Role: "row", Depth: 1})
			}
			month, day := "May", 20+k
			if day > 31 {
				month, day = "June", day-31
			}
			n := Node{Ref: Ref("e" + strconv.Itoa(1+k)), Role: "gridcell", Name: strconv.Itoa(day) + " " + month, State: Operable, Depth: 2}
			if change != nil {
				change(k, &n)
			}
			t.Nodes = append(t.Nodes, n)
		}
		return t
	}
	if got, want := strings.TrimSpace(Render(weeks(nil), Options{})), `e1…21 21 gridcell "20 May" … "31 May", "1 June" … "9 June"`; !strings.HasSuffix(got, want) {
		t.Errorf("weeks:\n%s\nwant:\n%s", got, want)
	}
	if got, want := Diff(weeks(nil), weeks(marked)).Render(0), "~ e10 gridcell \"29 May\" +selected\n"; got != want {
		t.Errorf("a day of a week chosen:\n%s\nwant:\n%s", got, want)
	}
	if got := Render(weeks(marked), Options{}); !strings.Contains(got, `e1…7 `) && !strings.Contains(got, `e10 gridcell "29 May" selected`) {
		t.Errorf("a day of a week that is chosen:\n%s", got)
	}
	// What changes of one is told of it, and what goes is only what went.
	if got, want := Diff(days(1, 20, nil), days(1, 20, marked)).Render(0), "~ e10 clickable \"May 10, 2026\" +selected\n"; got != want {
		t.Errorf("chosen:\n%s\nwant:\n%s", got, want)
	}
	gone := days(1, 20, nil)
	gone.Nodes = gone.Nodes[1:]
	if got, want := Diff(days(1, 20, nil), gone).Render(0), "- e1 clickable \"May 1, 2026\"\n"; got != want {
		t.Errorf("gone:\n%s\nwant:\n%s", got, want)
	}
	bars := func(from int) *Tree {
		t := &Tree{}
		for k := from; k <= 6; k++ {
			t.Nodes = append(t.Nodes, Node{Ref: Ref("e" + strconv.Itoa(k)), Role: "clickable", Desc: "bar #" + strconv.Itoa(k), State: Operable})
		}
		return t
	}
	if got, want := Diff(bars(1), bars(2)).Render(0), "- e1 clickable (bar #1)\n"; got != want {
		t.Errorf("a bar went:\n%s\nwant:\n%s", got, want)
	}
	if got, want := Diff(bars(3), bars(1)).Render(0), "+ e1 e2 clickable (bar)\n"; got != want {
		t.Errorf("bars came:\n%s\nwant:\n%s", got, want)
	}
	if got, want := Diff(&Tree{}, days(1, 20, nil)).Render(0), "+ e1…20 20 clickable \"May 1, 2026\" … \"May 20, 2026\"\n"; got != want {
		t.Errorf("came:\n%s\nwant:\n%s", got, want)
	}
}
