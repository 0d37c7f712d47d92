package aria

import (
	"errors"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	p, err := Parse("9\thttps://x.org/\tLogin\t800\t600\t0\t10.5\t800\t2000\t1\n"+
		"0\t0\t\theading\tLogin\t\t\tl=1\n"+
		"0\t264448\t1\ttextbox\tEmail\tada\n"+
		"5\t0\t8\tcombobox\tCountry\tGermany\t\tn=12;b=1,-2,3,4;u=https://x.org/?a=1;b=2", "f3e")
	if err != nil {
		t.Fatal(err)
	}
	if h := p.Header; h.Next != 9 || h.URL != "https://x.org/" || h.Title != "Login" || h.ViewportW != 800 ||
		h.ViewportH != 600 || h.ScrollY != 10 || h.PageH != 2000 || !h.More {
		t.Errorf("header %+v", h)
	}
	want := []Node{
		{Role: "heading", Name: "Login", Level: 1},
		{Ref: "f3e1", Role: "textbox", Name: "Email", Value: "ada", State: 264448},
		{
			Depth: 1, Ref: "f3e8", Role: "combobox", Name: "Country", Value: "Germany", Count: 12,
			Box: Box{1, -2, 3, 4}, Nest: 1, Share: 1, URL: "https://x.org/?a=1;b=2",
		},
	}
	if len(p.Nodes) != len(want) {
		t.Fatalf("%d nodes", len(p.Nodes))
	}
	for i := range want {
		if p.Nodes[i] != want[i] {
			t.Errorf("node %d: %+v, want %+v", i, p.Nodes[i], want[i])
		}
	}
}

// What a page may say of itself (aria-level, aria-rowcount) has no bound, and must
// not cost the view, nor the memory.
func TestParseNumbersWithoutBound(t *testing.T) {
	for _, said := range []string{"99999999999999999999", "1e+21", "2147483648", "3.5"} {
		p, err := Parse("2\tu\tt\n0\t0\t1\ttreeitem\tDeep\t\t\tl="+said+";n="+said, "e")
		if err != nil {
			t.Errorf("%s: %v", said, err)
			continue
		}
		tree := Stitch(p, nil)
		for form, text := range map[string]string{"compact": Render(tree, Options{}), "text": Markdown(tree, 0, Options{}).Text} {
			if !strings.Contains(text, "Deep") || len(text) > 200 {
				t.Errorf("%s, %s: %d bytes: %.100q", said, form, len(text), text)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	if _, err := Parse("error\tstale", "e"); !errors.Is(err, ErrStale) {
		t.Errorf("stale: %v", err)
	}
	for answer, want := range map[string]string{
		"":                             "header field 0",
		"error\tno such ref":           "no such ref",
		"<html>":                       "header field 0",
		"1\tu\tt\tx":                   "header field 3",
		"1\tu\tt\nx\t0\t\tlink":        "line 1: depth",
		"1\tu\tt\n0\t-1\t\tlink":       "line 1: state",
		"1\tu\tt\n0\t0\t\tlink\n0\t0":  "line 2: role",
		"1\tu\tt\n0\t0\t\te1 button":   "role",
		"1\tu\tt\n0\t0\tx\tlink":       "ref",
		"1\tu\tt\n0\t0\t1\ta\t\t\t\tl": "extra",
	} {
		if _, err := Parse(answer, "e"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, want %q", answer, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("9\thttps://x.org/\tLogin\t800\n0\t0\t\theading\tLogin\t\t\tl=1\n7\t1\t5\trow\n", "e")
	f.Add("error\tstale", "e")
	f.Add("1\n0\t0\t\trow\n1\t0\t\tcell\ta|b\"\\\n1\t4\t3\tcell\n2\t0\t4\tlink\tx", "f1e")
	f.Fuzz(func(t *testing.T, answer, prefix string) {
		p, err := Parse(answer, prefix)
		if err != nil {
			return
		}
		depth := -1
		for i, n := range p.Nodes {
			if n.Depth < 0 || n.Depth > depth+1 {
				t.Fatalf("node %d at depth %d below %d", i, n.Depth, depth)
			}
			depth = n.Depth
		}
		Render(Stitch(p, nil), Options{})
	})
}
