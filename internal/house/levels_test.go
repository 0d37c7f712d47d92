package house

import (
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// levels says who may import whom: a package only imports packages of a lower
// level. "." is the root package, rove. A package that is not here fails the
// test: give it the lowest level from which it can see what it needs.
var levels = [...][]string{
	11: {"cmd/rove"},
	10: {"internal/cli"}, // the door that opens the others
	9:  {"internal/repl", "internal/daemon", "internal/mcp", "internal/httpapi", "internal/viewer"},
	8:  {"internal/tool"},
	7:  {"record"},
	6:  {"internal/session", "internal/replay", "proposal", "feature"},
	5:  {".", "perceive"},
	4:  {"internal/launch", "internal/savedstate"},
	3: {
		"internal/derive", "driver", "console", "network", "pwa", "internal/match",
		"internal/script", "internal/mock", "report", "internal/image", "internal/demo", "internal/doctor", "internal/apitest", "internal/hub", "internal/grid",
	},
	2: {"recording", "internal/chrome", "internal/bidi", "internal/webdriver", "internal/pwserver", "internal/provision", "internal/har", "internal/httpx", "internal/jsonpath"},
	1: {"internal/anypage", "internal/inside", "cdp"},
	0: {"driver/backend", "internal/ownfile", "driver/advice", "aria", "internal/wire", "internal/proc", "internal/inject", "internal/outlet", "internal/policy", "internal/spell", "internal/strict", "internal/data", "internal/gherkin"},
}

const doors = 9

// support are packages that only tests import, and the tests of the house
// itself. They may import anything; nothing that ships may import them.
var support = []string{"internal/house", "internal/testkit", "internal/testkit/drive", "internal/testkit/person", "internal/testkit/api", "internal/testkit/apps", "internal/soak", "driver/backend/backendtest"}

// backends are never imported by driver: rove.Open and internal/session choose
// one and hand it over, so that the driver can be had without any.
var backends = []string{"internal/chrome", "internal/bidi", "internal/webdriver", "internal/pwserver"}

func levelOf(dir string) (int, bool) {
	for level, dirs := range levels {
		if slices.Contains(dirs, dir) {
			return level, true
		}
	}
	return 0, false
}

func TestImportsGoDownwards(t *testing.T) {
	unknown := map[string]bool{}
	for _, f := range goFiles(t) {
		// Tests may look anywhere: Go itself keeps them from going in
		// circles.
		if f.test || f.bench() || buildTool(f) || slices.Contains(support, f.dir) {
			continue
		}
		from, ok := levelOf(f.dir)
		if !ok {
			if !unknown[f.dir] {
				t.Errorf("package %s has no level: add it to levels in internal/house/levels_test.go and to docs/ARCHITECTURE.md", f.dir)
			}
			unknown[f.dir] = true
			continue
		}
		for _, imp := range f.imports {
			dir, ours := house(imp)
			if !ours {
				continue
			}
			if slices.Contains(support, dir) {
				t.Errorf("%s: imports %s, which is for tests alone", f.path, dir)
				continue
			}
			to, ok := levelOf(dir)
			if !ok {
				continue // told above, for the package itself
			}
			switch {
			case from == doors && to == doors:
				t.Errorf("%s: imports %s: doors never import each other; what they share belongs in internal/tool or below", f.path, dir)
			case to >= from:
				t.Errorf("%s: level %d imports %s of level %d: imports go downwards", f.path, from, dir, to)
			case f.dir == "driver" && slices.Contains(backends, dir):
				t.Errorf("%s: imports %s: driver imports no backend, it is handed one", f.path, dir)
			}
		}
	}
}

// protocols are packages and modules of one browser's protocol, and speakers are the
// packages above the backends that may import them. All else is told by backends in
// the words of driver/backend, and so it works with every browser.
var (
	protocols = []string{"rove/cdp", "rove/internal/chrome", "rove/internal/bidi", "github.com/chromedp/cdproto"}
	speakers  = map[string]string{
		".":               "connects drivers to a Chrome that runs already",
		"internal/launch": "chooses a backend",
		"pwa":             "inspects what only Chrome tells of applications",
		"internal/hub":    "shares one connection to a Chrome",
		"internal/daemon": "shares one connection to a Chrome",
		"internal/cli":    "finds the browsers that run already",
		"internal/doctor": "looks for the browsers and drivers that are installed",
	}
)

func TestProtocolsStayBelow(t *testing.T) {
	for _, f := range goFiles(t) {
		level, ok := levelOf(f.dir)
		if f.test || f.bench() || !ok || level < 3 || speakers[f.dir] != "" {
			continue
		}
		for _, imp := range f.imports {
			for _, p := range protocols {
				if imp == p || strings.HasPrefix(imp, p+"/") {
					t.Errorf("%s: imports %s: what a protocol tells comes through driver/backend", f.path, imp)
				}
			}
		}
	}
}

func TestLevelsNamePackagesOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, dirs := range append(levels[:], support) {
		for _, dir := range dirs {
			if seen[dir] {
				t.Errorf("%s is in the table twice", dir)
			}
			seen[dir] = true
		}
	}
}

// TestArchitectureShowsTheLevels holds the table that people read to the one
// above: every package that is there stands in docs/ARCHITECTURE.md, at its level.
func TestArchitectureShowsTheLevels(t *testing.T) {
	shown := map[string]int{}
	above := len(levels)
	for _, m := range levelLine.FindAllStringSubmatch(read(t, "docs/ARCHITECTURE.md"), -1) {
		level, _ := strconv.Atoi(m[1])
		if level >= above {
			t.Errorf("docs/ARCHITECTURE.md has level %d below level %d: each stands there once, the highest first", level, above)
		}
		above = level
		for _, name := range strings.Fields(m[2]) {
			if name == module {
				name = "."
			}
			if _, twice := shown[name]; twice {
				t.Errorf("docs/ARCHITECTURE.md shows the level of %s twice", name)
			}
			want, ok := levelOf(name)
			switch {
			case !ok && (strings.Contains(name, "/") || name == "."):
				t.Errorf("docs/ARCHITECTURE.md gives %s level %d; it has none here", name, level)
			case ok && want != level:
				t.Errorf("docs/ARCHITECTURE.md gives %s level %d; here it has %d", name, level, want)
			}
			shown[name] = level
		}
	}
	for _, f := range goFiles(t) {
		if _, ok := levelOf(f.dir); !ok || f.test {
			continue
		}
		if _, ok := shown[f.dir]; !ok {
			t.Errorf("docs/ARCHITECTURE.md does not show the level of %s", f.dir)
			shown[f.dir] = 0
		}
	}
}

// levelLine is a line of that table: a level and packages, with white space
// between them.
var levelLine = regexp.MustCompile(`(?m)^(\d+)  (\S.*)$`)

// weight says what a package must not pull in, not even through others: whoever
// imports it pays for it in size, start-up and licences to read.
var weight = []struct {
	pkg    string
	never  []string // import paths; with a slash at the end, all below it
	reason string
}{
	{"rove/driver", []string{
		"github.com/dop251/goja", "github.com/modelcontextprotocol/", "github.com/spf13/cobra",
		"rove/internal/chrome", "rove/internal/bidi", "rove/internal/webdriver", "rove/internal/pwserver",
	}, "a program that drives a browser wants neither a JavaScript engine nor a server nor a command line"},
	{"rove", []string{"github.com/dop251/goja"}, "an agent's browser wants no JavaScript engine"},
	{"rove/aria", []string{"net", "net/http", "os/exec", "rove/"}, "aria is pure: no input or output, no browser"},
	{"rove/cmd/rove", []string{
		"github.com/evanw/esbuild/", "github.com/tiktoken-go/", "testing", "honnef.co/", "mvdan.cc/", "golang.org/x/tools/",
	}, "build and test tools stay out of the program"},
}

func TestPackagesStayLight(t *testing.T) {
	for _, w := range weight {
		dir, _ := house(w.pkg)
		if !slices.ContainsFunc(goFiles(t), func(f *file) bool { return f.dir == dir && !f.test }) {
			continue // not there yet; its rule waits for it
		}
		cmd := exec.Command("go", "list", "-deps", "./"+dir)
		cmd.Dir = root
		var trouble strings.Builder
		cmd.Stderr = &trouble
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("go list -deps ./%s: %v\n%s", dir, err, trouble.String())
			continue
		}
		for dep := range strings.FieldsSeq(string(out)) {
			if dep == w.pkg {
				continue
			}
			for _, never := range w.never {
				if dep == never || strings.HasSuffix(never, "/") && strings.HasPrefix(dep, never) {
					t.Errorf("%s pulls in %s: %s", w.pkg, dep, w.reason)
				}
			}
		}
	}
}

// TestDoorsTellWhatSessionsTell: what a session tells is without secrets; what its driver
// tells is not. Tools may use it, since all their answers pass one exit.
func TestDoorsTellWhatSessionsTell(t *testing.T) {
	for _, f := range goFiles(t) {
		level, ok := levelOf(f.dir)
		if !ok || f.test || level < 5 || f.dir == "internal/tool" || f.dir == "feature" {
			continue
		}
		for n, line := range strings.Split(string(f.text), "\n") {
			if strings.Contains(line, ".Driver().") {
				t.Errorf("%s:%d: ask the session, whose answers pass the exit: %s", f.path, n+1, strings.TrimSpace(line))
			}
		}
	}
}
