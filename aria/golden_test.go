package aria

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the golden files anew")

// stateNames lets golden files name states instead of adding up bits.
var stateNames = map[string]State{
	"checked": Checked, "mixed": Mixed, "disabled": Disabled, "expanded": Expanded, "collapsed": Collapsed,
	"selected": Selected, "pressed": Pressed, "active": Active, "required": Required, "invalid": Invalid,
	"readonly": Readonly, "current": Current, "multiple": Multiple, "masked": Masked, "modal": Modal,
	"view": InView, "scroll": Scrollable, "editable": Editable, "op": Operable, "block": Block, "pre": Pre,
	"drag": Draggable, "file": FileInput, "drawn": Drawn,
}

// answer turns a golden file's page into a page script's answer: fields are
// divided by " / ", states are words.
func answer(t testing.TB, src string) string {
	t.Helper()
	lines := strings.Split(strings.TrimRight(src, "\n"), "\n")
	for i, line := range lines {
		fields := strings.Split(line, " / ")
		for k := range fields {
			fields[k] = strings.TrimSpace(fields[k])
			if fields[k] == "." {
				fields[k] = ""
			}
		}
		if i > 0 {
			fields[0] = strconv.Itoa(len(line) - len(strings.TrimLeft(line, " ")))
			var s State
			for _, w := range strings.Fields(strings.TrimSpace(strings.Split(line, " / ")[0])) {
				bit, ok := stateNames[w]
				if !ok && w != "." {
					t.Fatalf("no state %q in %q", w, line)
				}
				s |= bit
			}
			fields = append([]string{fields[0], fmt.Sprint(uint32(s))}, fields[1:]...)
		}
		lines[i] = strings.ReplaceAll(strings.Join(fields, "\t"), `\n`, "\u2028")
	}
	return strings.Join(lines, "\n")
}

// load reads the page "NAME" of a golden file, its frames "NAME.f2" stitched in.
func load(t testing.TB, files map[string]string, name string) *Tree {
	t.Helper()
	main, err := Parse(answer(t, files[name]), "e")
	if err != nil {
		t.Fatal(err)
	}
	frames := map[int]Frame{}
	for f, src := range files {
		if no, ok := strings.CutPrefix(f, name+".f"); ok {
			n, _ := strconv.Atoi(no)
			if why, bad := strings.CutPrefix(strings.TrimSpace(src), "error "); bad {
				frames[n] = Frame{Err: why}
				continue
			}
			p, err := Parse(answer(t, src), "f"+no+"e")
			if err != nil {
				t.Fatal(err)
			}
			frames[n] = Frame{Part: p}
		}
	}
	return Stitch(main, frames)
}

// TestGolden runs the files of testdata. Besides pages, a file holds what they
// read as: "compact", "yaml", "fit 120", "find PATTERN", "text", "interactive",
// "can", "brief 80" and "can brief" (a page one came to), "arrival"
// (at page2 from page), "delta" (from page to page2), "delta 40".
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, f := range ar.Files {
				files[f.Name] = string(f.Data)
			}
			page := load(t, files, "page")
			for i, f := range ar.Files {
				if f.Name == "page" || f.Name == "page2" || strings.Contains(f.Name, ".f") {
					continue
				}
				got := golden(t, page, files, f.Name)
				if *update {
					ar.Files[i].Data = []byte(got)
				} else if d := cmp.Diff(string(f.Data), got); d != "" {
					t.Errorf("%s (-want +got):\n%s", f.Name, d)
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func golden(t *testing.T, page *Tree, files map[string]string, name string) string {
	t.Helper()
	verb, arg, _ := strings.Cut(name, " ")
	n, _ := strconv.Atoi(arg)
	within := func(v View) string {
		if n > 0 && (v.Tokens > n || Tokens(v.Text) != v.Tokens) {
			t.Errorf("%s: %d tokens, counted %d", name, v.Tokens, Tokens(v.Text))
		}
		return v.Text
	}
	switch verb {
	case "compact":
		return Render(page, Options{})
	case "yaml":
		return within(Fit(page, n, Options{YAML: true}))
	case "fit":
		return within(Fit(page, n, Options{}))
	case "text":
		return within(Markdown(page, n, Options{}))
	case "find":
		p, err := ParsePattern(arg)
		if err != nil {
			return err.Error() + "\n"
		}
		return Find(page, p, 0, Options{}).Text
	case "interactive":
		return Render(Interactive(page), Options{})
	case "can":
		return Can(page, "", map[string]bool{}, Options{Brief: arg == "brief"})
	case "brief":
		return within(Fit(page, n, Options{Brief: true}))
	case "arrival":
		return within(Fit(load(t, files, "page2"), n, Options{Brief: true, Before: page}))
	case "delta":
		out := Diff(page, load(t, files, "page2")).Render(n)
		if n > 0 && Tokens(out) > n {
			t.Errorf("%s: %d tokens", name, Tokens(out))
		}
		return out
	}
	t.Fatalf("what is %q?", name)
	return ""
}
