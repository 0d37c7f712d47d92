package gherkin

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what is found into the tables")

// TestFiles holds features and what is read from them: after each file stands one
// named "read" with all that the parser found, by line and column.
func TestFiles(t *testing.T) {
	t.Parallel()
	const path = "testdata/files.txtar"
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(ar.Files); i += 2 {
		src, want := ar.Files[i], string(ar.Files[i+1].Data)
		got := show(src.Name, src.Data)
		if got != want && !*update {
			t.Errorf("%s\n got\n%s\nwant\n%s", src.Name, got, want)
		}
		ar.Files[i+1].Data = []byte(got)
		// The same with the line ends of Windows, and a byte order mark.
		windows := "\ufeff" + strings.ReplaceAll(string(src.Data), "\n", "\r\n")
		if other := show(src.Name, []byte(windows)); other != got {
			t.Errorf("%s differs with other line ends:\n%s\nand\n%s", src.Name, other, got)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func show(path string, src []byte) string {
	f, err := Parse(path, src)
	if err != nil {
		return err.Error() + "\n"
	}
	var out strings.Builder
	tags := func(tags []Tag) string {
		s := ""
		for _, t := range tags {
			s += fmt.Sprintf(" @%s(%d:%d)", t.Text, t.Line, t.Column)
		}
		return s
	}
	table := func(t *Table) {
		for _, r := range t.Rows {
			fmt.Fprintf(&out, "      %d: %q\n", r.Line, r.Cells)
		}
	}
	steps := func(steps []*Step) {
		for _, s := range steps {
			fmt.Fprintf(&out, "    %d:%d-%d %s %d:%q\n", s.Line, s.Column, s.EndLine, s.Keyword, s.TextColumn, s.Text)
			if d := s.DocString; d != nil {
				fmt.Fprintf(&out, "      %d: %s %q\n", d.Line, d.ContentType, d.Text)
			}
			if s.Table != nil {
				table(s.Table)
			}
		}
	}
	fmt.Fprintf(&out, "%d feature %q %q%s\n", f.Line, f.Name, f.Description, tags(f.Tags))
	if b := f.Background; b != nil {
		fmt.Fprintf(&out, "  %d background %q %q\n", b.Line, b.Name, b.Description)
		steps(b.Steps)
	}
	for _, s := range f.Scenarios {
		fmt.Fprintf(&out, "  %d scenario %q %q outline:%v%s\n", s.Line, s.Name, s.Description, s.Outline, tags(s.Tags))
		steps(s.Steps)
		for _, e := range s.Examples {
			fmt.Fprintf(&out, "    %d examples %q %q%s\n", e.Line, e.Name, e.Description, tags(e.Tags))
			table(e.Table)
		}
	}
	for _, c := range f.Comments {
		fmt.Fprintf(&out, "  %d:%d %s\n", c.Line, c.Column, c.Text)
	}
	return out.String()
}

func FuzzParse(f *testing.F) {
	f.Add("@a\nFeature: x\nScenario Outline: y\n* a\n\"\"\"\nb\n\"\"\"\n|c|\nExamples:\n|d|\n|e|\n")
	f.Add("Feature:\nBackground:\nGiven x\n| a \\| |\n#c\nScenario:\n")
	f.Fuzz(func(t *testing.T, src string) {
		feature, err := Parse("x.feature", []byte(src))
		lines := strings.Count(src, "\n") + 1
		if err != nil {
			bad := err.(*Error)
			if bad.Line < 1 || bad.Line > lines || bad.Column < 1 || bad.Message == "" || bad.Expected == "" {
				t.Errorf("%q: %+v", src, bad)
			}
			return
		}
		last := feature.Line
		check := func(steps []*Step) {
			for _, s := range steps {
				if s.Line <= last || s.EndLine < s.Line || s.EndLine > lines || s.Text == "" {
					t.Errorf("%q: step %+v behind line %d", src, s, last)
				}
				last = s.EndLine
			}
		}
		if feature.Background != nil {
			check(feature.Background.Steps)
		}
		for _, s := range feature.Scenarios {
			check(s.Steps)
			if s.Outline != (len(s.Examples) > 0) {
				t.Errorf("%q: %+v", src, s)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	var src strings.Builder
	src.WriteString("Feature: many\n")
	for i := range 100 {
		fmt.Fprintf(&src, "\n  @tag%d\n  Scenario: number %d\n    * def a = %d\n    * match a == %d\n    * table t\n      | a | b |\n      | 1 | 2 |\n", i, i, i, i)
	}
	text := []byte(src.String())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse("x.feature", text); err != nil {
			b.Fatal(err)
		}
	}
}
