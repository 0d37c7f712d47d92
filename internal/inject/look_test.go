package inject_test

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rove/aria"
	"rove/driver/backend"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what look gives into the golden files")

var pages = filepath.Join("..", "..", "testdata", "pages", "look")

// TestLook holds the whole answer for pages that each show one side of a view.
func TestLook(t *testing.T) {
	tab, open := openPages(t)
	paths, err := filepath.Glob(filepath.Join(pages, "*.html"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no pages in ", pages, err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".html")
		t.Run(name, func(t *testing.T) {
			open(t, name)
			got := readable(t, look(t, tab, nil))
			golden := filepath.Join(pages, name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRefsLast proves that a node keeps its number, that a number is not given
// twice, and that the host's count is respected.
func TestRefsLast(t *testing.T) {
	tab, open := openPages(t)
	open(t, "widgets")
	first := look(t, tab, map[string]any{"next": 100})
	if again := look(t, tab, map[string]any{"next": 5}); again != first {
		t.Error("a second look gave another answer:\n", cmp.Diff(first, again))
	}
	if !strings.Contains(first, "\t100\tlink\tHome") {
		t.Fatal("the first ref is not the one asked for:\n", first)
	}
	eval(t, tab, `(() => {
		const home = document.querySelector('a[aria-current]');
		document.body.append(home); // moved, and still the same
		document.querySelector('[role=toolbar]').innerHTML = '<button>new</button>';
	})()`)
	after := look(t, tab, nil)
	if !strings.Contains(after, "\t100\tlink\tHome") {
		t.Error("a moved link lost its ref:\n", after)
	}
	next, _, _ := strings.Cut(first, "\t")
	if !strings.Contains(after, "\t"+next+"\tbutton\tnew") {
		t.Errorf("the new button is not %s:\n%s", next, after)
	}
	eval(t, tab, `document.querySelector('a[aria-current]').remove()`)
	if got := look(t, tab, map[string]any{"root": 100}); got != "error\tstale" {
		t.Errorf("look at a removed element gave %q", got)
	}
}

// TestLookOptions goes through the options one by one.
// TestARefIsOnOneLine looks at all pages, and at each part of them.
func TestARefIsOnOneLine(t *testing.T) {
	tab, open := openPages(t)
	paths, err := filepath.Glob(filepath.Join(pages, "*.html"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no pages in ", pages, err)
	}
	refs := func(t *testing.T, opts map[string]any) (list []int) {
		answer := look(t, tab, opts)
		for l := range strings.Lines(answer) {
			f := strings.Split(strings.TrimSpace(l), "\t")
			if len(f) < 4 || f[2] == "" || len(f) > 8 { // the first line has more
				continue
			}
			n, err := strconv.Atoi(f[2])
			if err != nil {
				t.Fatalf("%q is no ref", f[2])
			}
			if slices.Contains(list, n) {
				t.Errorf("%v: %d is there twice in\n%s", opts, n, answer)
			}
			list = append(list, n)
		}
		return list
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".html")
		t.Run(name, func(t *testing.T) {
			open(t, name)
			all := refs(t, nil)
			refs(t, map[string]any{"find": map[string]string{"source": "[a-z]", "flags": "i"}})
			for _, n := range all[:min(len(all), 40)] {
				refs(t, map[string]any{"root": n})
			}
		})
	}
}

func TestLookOptions(t *testing.T) {
	tab, open := openPages(t)
	refOf := func(t *testing.T, answer, line string) int {
		for l := range strings.Lines(answer) {
			if f := strings.Split(strings.TrimSpace(l), "\t"); len(f) > 4 && f[3]+" "+f[4] == line {
				n, err := strconv.Atoi(f[2])
				if err != nil {
					t.Fatalf("%q has no ref", line)
				}
				return n
			}
		}
		t.Fatalf("no %q in\n%s", line, answer)
		return 0
	}
	t.Run("root lists the options of a select", func(t *testing.T) {
		open(t, "form")
		n := refOf(t, look(t, tab, nil), "combobox Country")
		got := readable(t, look(t, tab, map[string]any{"root": n}))
		for _, want := range []string{`option "Germany" ="de"`, `option "France" ="fr" [Selected`, `option "Italy" [`} {
			if !strings.Contains(got, want) {
				t.Errorf("no %s in\n%s", want, got)
			}
		}
		if strings.Contains(got, "Colours") {
			t.Errorf("more than the subtree:\n%s", got)
		}
	})
	t.Run("root gives refs to plain text", func(t *testing.T) {
		open(t, "containers")
		n := 0
		for l := range strings.Lines(look(t, tab, nil)) {
			if f := strings.Split(l, "\t"); len(f) > 3 && strings.TrimSpace(f[3]) == "list" && f[2] != "" {
				n, _ = strconv.Atoi(f[2])
			}
		}
		got := look(t, tab, map[string]any{"root": n})
		refOf(t, got, "text Entry 3")
	})
	t.Run("find", func(t *testing.T) {
		open(t, "text")
		got := look(t, tab, map[string]any{"find": map[string]string{"source": "DEEP but", "flags": "i"}})
		refOf(t, got, "text Deep but one")
		if strings.Contains(got, "\ttext\tUp\t") {
			t.Error("a text that does not match has a ref")
		}
	})
	t.Run("viewport", func(t *testing.T) {
		open(t, "containers")
		got := look(t, tab, map[string]any{"viewport": true})
		for want, in := range map[string]bool{"Item 0": true, "Fixed": true, "Clipped but there": true, "Far below": false, "Far button": false, "Beyond the clip": false, "Below": false} {
			if strings.Contains(got, "\t"+want) != in {
				t.Errorf("%q: on screen should be %v:\n%s", want, in, got)
			}
		}
	})
	t.Run("links and boxes", func(t *testing.T) {
		open(t, "text")
		got := look(t, tab, map[string]any{"links": true, "boxes": true})
		tree, err := aria.Parse(got, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range tree.Nodes {
			if n.Role == "link" && n.Name == "a link" {
				if !strings.HasSuffix(n.URL, "/a") || n.Box.W < 10 || n.Box.H < 5 {
					t.Errorf("the link is %+v", n)
				}
				return
			}
		}
		t.Error("no link in\n", got)
	})
	t.Run("bad input", func(t *testing.T) {
		open(t, "text")
		if got := look(t, tab, map[string]any{"find": map[string]string{"source": "("}}); !strings.HasPrefix(got, "error\t") {
			t.Error("a broken expression gave ", got)
		}
		if got := look(t, tab, map[string]any{"root": 987654}); got != "error\tstale" {
			t.Error("a ref never given gave ", got)
		}
	})
}

// TestHostilePages walks pages that are made to break a walk.
func TestHostilePages(t *testing.T) {
	tab, open := openPages(t)
	for name, script := range map[string]string{
		"deep":      `for (let i = 0, at = document.body; i < 1500; i++) at = at.appendChild(document.createElement('div')); document.body.insertAdjacentHTML('beforeend', '<button>Reached</button>')`,
		"clobbered": `document.body.innerHTML = '<form name=title></form><form name=activeElement></form><img name=documentElement><form name=body>' + ['parentNode', 'tagName', 'attributes', 'hasAttribute', 'matches', 'getBoundingClientRect', 'checkVisibility', 'shadowRoot', 'parentElement', 'childElementCount', 'ownerDocument', 'getRootNode', 'isConnected', 'textContent', 'id', 'className', 'style'].map(n => '<input name=' + n + '>').join('') + '<button>Reached</button></form>'`,
		"patched":   `Element.prototype.getAttribute = () => { throw 1 }; Object.defineProperty(Node.prototype, 'firstChild', {get: () => null}); window.rove = {look: () => 'wrong'}; document.body.innerHTML = '<button>Reached</button>'`,
		"no body":   `document.documentElement.remove(); document.append(document.createElement('button')); document.documentElement.append('Reached')`,
	} {
		t.Run(name, func(t *testing.T) {
			open(t, "ariamodal")
			eval(t, tab, "(() => {"+script+"})()")
			if got := look(t, tab, nil); !strings.Contains(got, "Reached") {
				t.Errorf("%.2000s", got)
			}
		})
	}
}

func openPages(t *testing.T) (backend.Tab, func(t *testing.T, name string)) {
	server := httptest.NewServer(http.FileServer(http.Dir(pages)))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	tab := emptyTab(t, ctx)
	return tab, func(t *testing.T, name string) {
		if _, err := tab.Navigate(ctx, server.URL+"/"+name+".html", backend.NavigateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

func eval(t *testing.T, tab backend.Tab, js string) {
	if _, err := tab.Eval(t.Context(), "", js); err != nil {
		t.Fatal(err)
	}
}

func look(t *testing.T, tab backend.Tab, opts map[string]any) string {
	if opts == nil {
		opts = map[string]any{}
	}
	results, err := tab.Call(t.Context(), backend.Call{Frame: tab.Frames()[0].ID, Func: "look", Arg: opts})
	if err == nil {
		err = results[0].Err
	}
	if err != nil {
		t.Fatal(err)
	}
	return results[0].Value
}

var stateNames = strings.Fields(`Checked Mixed Disabled Expanded Collapsed Selected Pressed Active Required Invalid Readonly Current
	Multiple HasPopup HasValue Masked Placeholder Modal InView Scrollable Editable Operable Block Pre Draggable FileInput Offscreen Drawn Hovers Floats Unwritten`)

// readable writes an answer for people: a line a node, states by name. What
// depends on the fonts of the machine is left out.
func readable(t *testing.T, answer string) string {
	lines := strings.Split(answer, "\n")
	if len(strings.Split(lines[0], "\t")) != 11 {
		t.Fatalf("not an answer: %.500s", answer)
	}
	var b strings.Builder
	for _, line := range lines[1:] {
		f := append(strings.Split(line, "\t"), make([]string, 8)...)
		level, _, _ := strings.Cut(f[0], ",")
		depth, err := strconv.Atoi(level)
		state, err2 := strconv.ParseUint(f[1], 10, 32)
		if err != nil || err2 != nil {
			t.Fatalf("not a node: %q", line)
		}
		b.WriteString(strings.Repeat("  ", depth))
		if f[2] != "" {
			fmt.Fprintf(&b, "e%s ", f[2])
		}
		b.WriteString(f[3])
		for i, format := range []string{" %q", " =%q", " (%s)"} {
			if f[4+i] != "" {
				fmt.Fprintf(&b, format, f[4+i])
			}
		}
		var states []string
		for i, name := range stateNames {
			if state&(1<<i) != 0 && name != "HasValue" && name != "InView" {
				states = append(states, name)
			}
		}
		if len(states) > 0 {
			fmt.Fprintf(&b, " [%s]", strings.Join(states, " "))
		}
		if strings.HasPrefix(f[7], "f=") && f[7] != "f=0" {
			f[7] = "f" // frames are numbered as they come
		}
		if f[7] != "" {
			fmt.Fprintf(&b, " {%s}", f[7])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
