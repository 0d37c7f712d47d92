package cli

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"rove/internal/testkit"
	"rove/internal/tool"
)

// program is the directory of rove as it is built for people.
var program string

func TestMain(m *testing.M) {
	var err error
	if program, err = os.MkdirTemp("", "rove-bin"); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	build := exec.Command("go", "build", "-o", program, "rove/cmd/rove")
	build.Stdout, build.Stderr = os.Stdout, os.Stderr
	code := 1
	if err := build.Run(); err == nil {
		code = testkit.Main(m)
	}
	os.RemoveAll(program)
	os.Exit(code)
}

// TestScripts runs command lines as they are typed, with the site below at $SITE.
// A script whose name begins with "browser-" opens a browser. In golden text a
// page's address is written $SITE.
func TestScripts(t *testing.T) {
	browser := os.Getenv("ROVE_BROWSER")
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			home, err := os.MkdirTemp("", "rh")
			if err != nil {
				return err
			}
			e.Defer(func() {
				stop := exec.Command(filepath.Join(program, "rove"), "daemon", "stop")
				stop.Env = e.Vars
				if out, err := stop.CombinedOutput(); err != nil {
					e.T().Log(string(out))
				}
				if left, _ := filepath.Glob(filepath.Join(home, "run", "*")); len(left) > 0 {
					t.Errorf("left behind: %v", left)
				}
				os.RemoveAll(home)
			})
			e.Setenv("PATH", program+string(os.PathListSeparator)+os.Getenv("PATH"))
			e.Setenv("ROVE_HOME", home)
			e.Setenv("ROVE_BROWSER", browser)
			if !testing.Short() {
				e.Setenv("SITE", site(t))
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits, "fill": fill},
		Condition: func(name string) (bool, error) {
			if name == "browser" {
				return !testing.Short(), nil
			}
			return false, fmt.Errorf("no condition %q", name)
		},
	})
}

// exits CODE COMMAND… runs a command that has to end with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var e *exec.ExitError
	if errors.As(err, &e) {
		code = e.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// fill FILE… writes the site's address where $SITE stands in files.
func fill(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		text := strings.ReplaceAll(ts.ReadFile(name), "$SITE", ts.Getenv("SITE"))
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
	}
}

// answer is one of an API.
func answer(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, text)
	}
}

func site(t *testing.T) string {
	return testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Sign in</title><h1>Sign in</h1><form action=/in>
			<label>Email <input name=email type=email></label><label>Times <input name=n type=number></label>
			<label><input type=checkbox name=stay> Stay</label><button>Go on</button></form><a href=/late>Late</a>`),
		"/in": func(w http.ResponseWriter, r *http.Request) {
			testkit.Page("<h1>Welcome "+r.FormValue("email")+"</h1>")(w, r)
		},
		"/late":   testkit.Page(`<title>Late</title><p id=p>soon</p><script>setTimeout(() => p.textContent = "arrived", 50)</script>`),
		"/cookie": testkit.Page(`<title>Cookie</title><p id=p></p><script>p.textContent = "was: " + document.cookie; document.cookie = "a=1"</script>`),
		"/things": testkit.Page(`<title>Things</title><h1>Things</h1><p id=p></p><script>
			fetch("/api/things").then(r => r.json()).then(all => fetch("/api/things/" + all[0].id)).then(r => r.json()).then(one => p.textContent = "first: " + one.title)</script>`),
		"/api/":          http.NotFound,
		"/api/things":    answer(`[{"id":71,"title":"Lamp"},{"id":72,"title":"Chair"}]`),
		"/api/things/71": answer(`{"id":71,"title":"Lamp","price":12.5}`),
		"/upload":        testkit.Page(`<title>Upload</title><input type=file aria-label=File onchange="document.title = this.files[0].name">`),
	})
}

// TestEveryToolHasACommand: each tool is a command, and each of its parameters an
// argument or a flag of it. The help names the verbs, and where the others are.
func TestEveryToolHasACommand(t *testing.T) {
	tools, err := tool.Set("all")
	if err != nil {
		t.Fatal(err)
	}
	for _, tl := range tools {
		if slices.Contains(ownCommands, tl.Name) {
			continue
		}
		c, _, err := newRootCommand(tl.Name).Find([]string{tl.Name})
		if err != nil || c.Name() != tl.Name {
			t.Errorf("there is no command for the tool %s", tl.Name)
			continue
		}
		if c.Example == "" && tl.Set == "agent" || c.Long == "" || c.Short == "" {
			t.Errorf("rove %s has no help worth the name", tl.Name)
		}
		if c.Hidden != (tl.Set != "agent") {
			t.Errorf("rove %s is hidden: %v", tl.Name, c.Hidden)
		}
		if tl.Set != "agent" {
			for _, p := range tl.Parameters() {
				if c.Flags().Lookup(flagName(p.Name)) == nil && !(p.Required && strings.Contains(c.Use, " "+strings.ToUpper(p.Name))) {
					t.Errorf("rove %s can't be told %s", tl.Name, p.Name)
				}
			}
			continue
		}
		var v verb
		for _, each := range verbs {
			if each.tool == tl.Name {
				v = each
			}
		}
		for _, p := range tl.Parameters() {
			flag := p.Name
			if other, ok := v.flags[p.Name]; ok {
				fmt.Sscan(other, &flag)
			}
			if c.Flags().Lookup(flag) == nil && !v.positional(p.Name) {
				t.Errorf("rove %s can't be told %s", tl.Name, p.Name)
			}
		}
	}
}

func TestUploadsAreNamedFromHere(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]string{
		"a.txt":               here + "/a.txt",
		"../a b.txt":          filepath.Dir(here) + "/a b.txt",
		"/tmp/x\nb":           "/tmp/x\n" + here + "/b",
		`["a.txt", "/tmp/x"]`: here + "/a.txt\n/tmp/x",
		"[a].txt":             here + "/[a].txt",
		"":                    "",
	} {
		if got := absolute(value); filepath.ToSlash(got) != filepath.ToSlash(want) {
			t.Errorf("%q is %q, want %q", value, got, want)
		}
	}
}
