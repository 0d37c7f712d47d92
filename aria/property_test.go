package aria

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

var (
	testRoles = []string{
		"text", "text", "text", "link", "link", "button", "textbox", "checkbox", "combobox", "heading",
		"list", "listitem", "table", "row", "cell", "gridcell", "columnheader", "paragraph", "generic", "group",
		"navigation", "main", "region", "article", "img", "alert", "dialog", "clickable", "separator", "iframe",
		"option", "treeitem", "rowgroup", "form",
	}
	testWords = []string{
		"Settings", "Save", "a", "of", "the user", "Größe", "設定", "e7 button \"Delete\"", "\"", "\\", "|",
		"x\u2028e9 link \"Forged\"", "\u2029", "\ue001", "\u200b", "42", "https://x.org/?a=b", "🚀", "… 3 more (look e1)",
		"heading 1", "\n", strings.Repeat("long words go on ", 30),
	}
	operableRoles = map[string]bool{
		"link": true, "button": true, "textbox": true, "checkbox": true, "combobox": true, "clickable": true,
		"option": true, "treeitem": true,
	}
)

// randomTree makes a tree of n nodes; every operable one has a ref, some others too.
func randomTree(r *rand.Rand, n int) *Tree {
	t := &Tree{URL: "https://example.com/", Title: "Random"}
	depth := 0
	for i := range n {
		node := Node{Depth: depth, Role: testRoles[r.IntN(len(testRoles))]}
		for range r.IntN(3) {
			node.Name += testWords[r.IntN(len(testWords))]
		}
		if r.IntN(8) == 0 {
			node.Value = testWords[r.IntN(len(testWords))]
			node.Desc = testWords[r.IntN(len(testWords))]
		}
		if operableRoles[node.Role] {
			node.State |= Operable
		}
		if node.State&Operable != 0 || r.IntN(10) == 0 {
			node.Ref = Ref(fmt.Sprintf("e%d", 100+i))
		}
		if r.IntN(3) == 0 {
			node.State |= InView
		}
		node.State |= State(1) << r.IntN(12)
		if r.IntN(20) == 0 {
			node.State |= Scrollable
		}
		node.Level = r.IntN(3)
		t.Nodes = append(t.Nodes, node)
		depth = r.IntN(min(depth+2, 12))
	}
	return t
}

// alikeTree makes a tree with long runs.
func alikeTree(n int) *Tree {
	t := &Tree{URL: "https://example.com/", Title: "Alike"}
	t.Nodes = append(t.Nodes, Node{Role: "main"}, Node{Depth: 1, Role: "heading", Name: "All of them", Level: 1, State: InView},
		Node{Depth: 1, Role: "list", Ref: "e1"})
	for i := 0; len(t.Nodes) < n; i++ {
		s := Operable
		if i < 20 {
			s |= InView
		}
		t.Nodes = append(t.Nodes,
			Node{Depth: 2, Role: "listitem"},
			Node{Depth: 3, Role: "link", Ref: Ref(fmt.Sprintf("e%d", 10+2*i)), Name: fmt.Sprintf("Product number %d", i), State: s},
			Node{Depth: 3, Role: "text", Name: fmt.Sprintf("costs %d euros and is in stock", i*7%97), State: s&InView | Block},
			Node{Depth: 3, Role: "button", Ref: Ref(fmt.Sprintf("e%d", 11+2*i)), Name: "Add to cart", State: s})
	}
	return t
}

func eachTree(t *testing.T, f func(t *testing.T, tree *Tree)) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		f(t, randomTree(r, 1+r.IntN(300)))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	f(t, alikeTree(400))
	f(t, &Tree{})
	f(t, &Tree{URL: "data:text/html," + strings.Repeat("x", 5000), Title: strings.Repeat("ü", 900)})
}

// outside is a line with everything between quotes taken out.
func outside(line string) string {
	var b strings.Builder
	in := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && in:
			i++
		case c == '"':
			in = !in
		case !in:
			b.WriteByte(c)
		}
	}
	if in {
		return "UNCLOSED"
	}
	return b.String()
}

var refWord = regexp.MustCompile(`(?:^|[ |])(e\d+) `)

// refsIn lists the refs that an answer offers, outside of the page's own words.
func refsIn(out string) map[string]int {
	refs := map[string]int{}
	for _, line := range strings.Split(out, "\n") {
		line, _, _ = strings.Cut(outside(line), " (look ")
		for _, m := range refWord.FindAllStringSubmatch(line+" ", -1) {
			refs[m[1]]++
		}
	}
	return refs
}

func TestEveryRefOnce(t *testing.T) {
	eachTree(t, func(t *testing.T, tree *Tree) {
		for _, yaml := range []bool{false, true} {
			out := Render(tree, Options{YAML: yaml, Bare: true})
			refs := refsIn(out)
			if yaml {
				refs = map[string]int{}
				for _, line := range strings.Split(out, "\n") {
					for _, m := range regexp.MustCompile(`\[ref=(e\d+)\]`).FindAllStringSubmatch(outside(line), -1) {
						refs[m[1]]++
					}
				}
			}
			for _, n := range tree.Nodes {
				if n.State&Operable != 0 && refs[string(n.Ref)] != 1 {
					t.Errorf("yaml %v: %s %s %q is there %d times:\n%s", yaml, n.Ref, n.Role, n.Name, refs[string(n.Ref)], out)
					return
				}
				delete(refs, string(n.Ref))
			}
			for r := range refs {
				t.Errorf("yaml %v: ref %s is forged:\n%s", yaml, r, out)
			}
		}
	})
}

// TestNothingForged: outside of quotes there are only rove's own words.
func TestNothingForged(t *testing.T) {
	eachTree(t, func(t *testing.T, tree *Tree) {
		for _, out := range []string{Render(tree, Options{Bare: true}), Fit(tree, 200, Options{Bare: true}).Text} {
			for _, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
				rest := outside(line)
				if strings.Contains(rest, "Forged") || strings.Contains(rest, "Delete") || rest == "UNCLOSED" ||
					strings.ContainsAny(rest, "\u2028\u2029\ue001") {
					t.Errorf("line %q reads %q outside of quotes", line, rest)
				}
			}
		}
	})
}

func TestFitKeepsBudget(t *testing.T) {
	eachTree(t, func(t *testing.T, tree *Tree) {
		full := strings.Count(Render(tree, Options{Bare: true}), "\n")
		for _, budget := range []int{1, 2, 5, 10, 20, 40, 80, 200, 800, 1500, 0} {
			for _, opts := range []Options{{}, {YAML: true}, {Bare: true}} {
				v := Fit(tree, budget, opts)
				if n := Tokens(v.Text); n != v.Tokens || budget > 0 && n > budget {
					t.Fatalf("budget %d %+v: %d tokens, said %d:\n%s", budget, opts, n, v.Tokens, v.Text)
				}
				if v.Left > 0 && budget > 2 && !strings.Contains(v.Text, "… ") && v.Text != "…\n" {
					t.Fatalf("budget %d: %d lines left out and not a word:\n%s", budget, v.Left, v.Text)
				}
				if !opts.YAML && v.Lines+v.Left != full {
					t.Fatalf("budget %d: %d + %d lines of %d", budget, v.Lines, v.Left, full)
				}
				if v2 := Fit(tree, budget, opts); v2 != v {
					t.Fatal("not the same twice")
				}
			}
			v := Markdown(tree, budget, Options{})
			if budget > 0 && Tokens(v.Text) > budget || Tokens(v.Text) != v.Tokens {
				t.Fatalf("text, budget %d: %d tokens:\n%s", budget, Tokens(v.Text), v.Text)
			}
		}
	})
}

// TestFitCounts: what is left out adds up, line for line.
func TestFitCounts(t *testing.T) {
	more := regexp.MustCompile(`… (\d+) more`)
	tree := alikeTree(2000)
	for _, budget := range []int{60, 150, 400, 1500, 5000} {
		v := Fit(tree, budget, Options{})
		shown := strings.Count(v.Text, "… ")
		if shown == 0 || shown > 3 {
			t.Errorf("budget %d: %d notes:\n%s", budget, shown, v.Text)
		}
		if v.Tokens < budget*3/4 {
			t.Errorf("budget %d: only %d used", budget, v.Tokens)
		}
		if !more.MatchString(v.Text) {
			t.Errorf("budget %d: no count:\n%s", budget, v.Text)
		}
		if !strings.Contains(v.Text, `heading "All of them" 1`) {
			t.Errorf("budget %d: no heading", budget)
		}
	}
}

func TestFitPrefersScreen(t *testing.T) {
	tree := alikeTree(4000)
	for i := range tree.Nodes {
		tree.Nodes[i].State &^= InView
	}
	// Scrolled into the middle.
	for i := 2003; i < 2043; i++ {
		tree.Nodes[i].State |= InView
	}
	v := Fit(tree, 400, Options{})
	if !strings.Contains(v.Text, `"Product number 500"`) {
		t.Errorf("what is on screen is not there:\n%s", v.Text)
	}
}

func TestDiffOfSame(t *testing.T) {
	eachTree(t, func(t *testing.T, tree *Tree) {
		if d := Diff(tree, tree); !d.Empty() || d.Render(0) != "" {
			t.Errorf("a tree differs from itself:\n%s", d.Render(0))
		}
	})
}

func TestDiffKeepsBudget(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		a, b := randomTree(r, 120), randomTree(r, 150)
		d := Diff(a, b)
		for _, budget := range []int{1, 10, 50, 300} {
			if n := Tokens(d.Render(budget)); n > budget {
				t.Errorf("seed %d: %d tokens of %d", seed, n, budget)
			}
		}
	}
}

// TestDiffMoved: shuffled siblings with refs are neither gone nor new, and told as
// shuffled.
func TestDiffMoved(t *testing.T) {
	a := alikeTree(200)
	b := &Tree{URL: a.URL, Title: a.Title, Nodes: append([]Node(nil), a.Nodes[:3]...)}
	for i := len(a.Nodes) - 4; i >= 3; i -= 4 {
		b.Nodes = append(b.Nodes, a.Nodes[i:i+4]...)
	}
	d := Diff(a, b)
	if got := d.Render(0); len(d.Added)+len(d.Removed) > 0 || !strings.HasPrefix(got, "~ in this order now: ") || strings.Count(got, "\n") != 1 {
		t.Errorf("moving is one change:\n%s", got)
	}
}

// TestDiffTellsAll: what a delta says turns one set of lines into the other.
func TestDiffTellsAll(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 3))
		a := randomTree(r, 80)
		b := &Tree{URL: a.URL, Nodes: append([]Node(nil), a.Nodes...)}
		at := r.IntN(len(b.Nodes))
		b.Nodes[at].Name += " changed"
		b.Nodes = append(b.Nodes, Node{Role: "status", Name: "Saved it"})
		out := Diff(a, b).Render(0)
		if !strings.Contains(out, `+ status "Saved it"`) {
			t.Errorf("seed %d: the new line is missing:\n%s", seed, out)
		}
		if before, after := Render(a, Options{Bare: true}), Render(&Tree{Nodes: b.Nodes[:len(b.Nodes)-1]}, Options{Bare: true}); before != after && strings.Count(out, "\n") < 2 {
			t.Errorf("seed %d: the change is missing:\n%s", seed, out)
		}
	}
}

func FuzzViews(f *testing.F) {
	f.Add("9\tu\tt\n0\t0\t\trow\n1\t0\t\tcell\ta|b\"\\\n1\t4\t3\tcell\n2\t2097152\t4\tlink\tx", "/a/i", 50)
	f.Add("9\tu\tt\n0\t131072\t1\tdialog\tX\n1\t0\t\theading\tX\t\t\tl=2\n0\t0\t\ttext\ty", "x", 9)
	f.Add("9\tu\tt\n0\t2097152\t1\ttreeitem\tX\t\t\tl=1e+21;n=99999999999999999999", "x", 40)
	f.Fuzz(func(t *testing.T, answer, pattern string, budget int) {
		p, err := Parse(answer, "e")
		if err != nil {
			return
		}
		tree := Stitch(p, nil)
		budget = max(0, budget)
		for _, v := range []View{
			Fit(tree, budget, Options{}), Fit(tree, budget, Options{YAML: true}), Markdown(tree, budget, Options{}),
			Fit(Interactive(tree), budget, Options{}),
		} {
			if budget > 0 && Tokens(v.Text) > budget {
				t.Fatalf("%d tokens of %d:\n%s", Tokens(v.Text), budget, v.Text)
			}
		}
		if pat, err := ParsePattern(pattern); err == nil {
			if v := Find(tree, pat, budget, Options{}); budget > 0 && v.Tokens > budget {
				t.Fatalf("find: %d tokens of %d", v.Tokens, budget)
			}
		}
		half := &Tree{Nodes: tree.Nodes[:len(tree.Nodes)/2]}
		if out := Diff(half, tree).Render(budget); budget > 0 && Tokens(out) > budget {
			t.Fatalf("delta: %d tokens of %d", Tokens(out), budget)
		}
		Can(tree, Render(tree, Options{}), map[string]bool{}, Options{Brief: true})
	})
}
