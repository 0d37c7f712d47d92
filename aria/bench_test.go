package aria

import (
	"fmt"
	"strings"
	"testing"
)

// pageAnswer is a page script's answer of about n nodes: lists, tables, forms.
func pageAnswer(n int) string {
	var b strings.Builder
	b.WriteString("1\thttps://example.com/\tBench\t1280\t720\t0\t0\t1280\t90000\n")
	op, view := Operable, InView
	for i, lines := 0, 0; lines < n; i++ {
		s := State(0)
		if i < 12 {
			s = view
		}
		fmt.Fprintf(&b, "0\t%d\t\theading\tSection %d of the page\t\t\tl=2\n", s, i)
		fmt.Fprintf(&b, "0\t%d\t%d\tlist\n", s, 100*i+1)
		for k := range 4 {
			fmt.Fprintf(&b, "1\t%d\t\tlistitem\n2\t%d\t%d\tlink\tOpen the settings of project %d\n2\t%d\t\ttext\tUpdated %d days ago by Ann\n",
				s, s|op, 100*i+2+k, k, s|Block, k)
		}
		fmt.Fprintf(&b, "0\t%d\t\trow\n1\t%d\t\tcell\tRow %d\n1\t%d\t\tcell\n2\t%d\t%d\tbutton\tEdit\n1\t%d\t\tcell\t%d euros\n",
			s, s, i, s, s|op, 100*i+20, s, i*13)
		fmt.Fprintf(&b, "0\t%d\t%d\ttextbox\tEmail address %d\tada@example.com\n", s|op|Required, 100*i+21, i)
		lines += 20
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func benchSizes(b *testing.B, f func(b *testing.B, answer string, t *Tree)) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		answer := pageAnswer(n)
		p, err := Parse(answer, "e")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%dk", n/1000), func(b *testing.B) {
			b.ReportAllocs()
			f(b, answer, Stitch(p, nil))
		})
	}
}

func BenchmarkParse(b *testing.B) {
	benchSizes(b, func(b *testing.B, answer string, _ *Tree) {
		b.SetBytes(int64(len(answer)))
		for b.Loop() {
			_, _ = Parse(answer, "e")
		}
	})
}

func BenchmarkRender(b *testing.B) {
	benchSizes(b, func(b *testing.B, _ string, t *Tree) {
		for b.Loop() {
			Render(t, Options{})
		}
	})
}

func BenchmarkFit(b *testing.B) {
	benchSizes(b, func(b *testing.B, _ string, t *Tree) {
		for b.Loop() {
			Fit(t, 1500, Options{})
		}
	})
}

func BenchmarkDiff(b *testing.B) {
	benchSizes(b, func(b *testing.B, _ string, t *Tree) {
		after := &Tree{Nodes: append([]Node(nil), t.Nodes...)}
		after.Nodes[len(after.Nodes)/2].Name = "other"
		for b.Loop() {
			Diff(t, after).Render(800)
		}
	})
}

func BenchmarkInteractive(b *testing.B) {
	benchSizes(b, func(b *testing.B, _ string, t *Tree) {
		for b.Loop() {
			Interactive(t)
		}
	})
}

func BenchmarkMarkdown(b *testing.B) {
	benchSizes(b, func(b *testing.B, _ string, t *Tree) {
		for b.Loop() {
			Markdown(t, 1500, Options{})
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	p, _ := Parse(pageAnswer(10_000), "e")
	s := Render(Stitch(p, nil), Options{})
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Tokens(s)
	}
}
