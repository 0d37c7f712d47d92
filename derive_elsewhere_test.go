package rove_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rove/feature"
	"rove/internal/demo"
	"rove/internal/derive"
	"rove/internal/testkit/apps"
)

const wantElsewhere = "ROVE_DERIVE"

// TestDerivedScriptsRunElsewhere runs what was derived with what it was written for:
// rove's features, real Karate, Playwright Test, go test. Each must pass on an
// application as it was, and fail on a broken one.
func TestDerivedScriptsRunElsewhere(t *testing.T) {
	if os.Getenv(wantElsewhere) == "" {
		t.Skip("scripts are run by Karate, Playwright and go test in make derive, which sets " + wantElsewhere)
	}
	chrome, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("Karate and Playwright need a Chromium on the PATH")
	}
	app := apps.New()
	app.Shifting = true
	board := apps.NewBoard()
	paper, other := filepath.Join(t.TempDir(), "paper.txt"), filepath.Join(t.TempDir(), "other.txt")
	for _, file := range []string{paper, other} {
		if err := os.WriteFile(file, []byte("words"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		site   http.Handler
		does   func(base string) []string
		breaks func(on bool) // puts the application back, or breaks it
	}{
		{"contacts", app, adds, func(on bool) {
			app.Reset()
			app.Break(map[bool]string{true: "lose"}[on])
		}},
		{"board", board, func(base string) []string {
			return []string{
				"go " + base + "/", "{div}Sweep|drag|#done", "{li}Tea|drag|{li}Cocoa after", "#attach|click", "_page|upload|" + paper, "#more|upload|" + other,
				"#pin|dblclick", "{div}Mend|rightclick", "#archive|click", "{a}Help|click", "_page|tab|2", "{button}Ask|click",
			}
		}, func(on bool) {
			board.Reset()
			board.Break(map[bool]string{true: "lose"}[on])
		}},
		{"frames", app, func(base string) []string {
			return []string{"go " + base + "/frames", "{input}Dish|input|Soup", "{button}Order|click"}
		}, nil},
		{"form", demo.Handler(), func(base string) []string {
			return []string{
				"go " + base + "/form", "#name|input|Ada Lovelace", "#email|input|ada@example.com", "#guests|input|2", "#arrival|input|2026-12-10", "#country|select|Austria",
				"{input}Workshop|click", "#about|input|I write programs.", "#volume|set|70", "form input[type=checkbox]|check", "{button}Register|click",
			}
		}, nil},
		{"todo", demo.Handler(), func(base string) []string {
			return []string{"go " + base + "/todo", "{input}New task|input|Buy milk", "{button}Add|click", "{input}New task|input|Feed the cat", "{input}New task|press|Enter"}
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			elsewhere(t, chrome, c.site, c.does, c.breaks)
		})
	}
}

func elsewhere(t *testing.T, chrome string, site http.Handler, flowOf func(string) []string, breaks func(bool)) {
	ctx, s := alone(t)
	server := httptest.NewServer(site)
	defer server.Close()
	does(t, ctx, s, flowOf(server.URL)...)
	flow := derived(t, s)
	dir := t.TempDir()
	if keep := os.Getenv("ROVE_DERIVE_KEEP"); keep != "" {
		dir = filepath.Join(keep, strings.ReplaceAll(t.Name(), "/", "_"))
	}
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for format, name := range map[string]string{"feature": "contacts.feature", "js": "contacts.js", "playwright": "contacts.spec.ts", "go": "contacts_test.go", "proposal": "contacts.json", "flow": "contacts.flow"} {
		text, err := derive.Write(flow, format)
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		write(name, text)
	}
	write("karate-config.js", `function fn() {
  karate.configure('driver', { type: 'chrome', headless: true, executable: karate.properties['chrome'], addOptions: ['--no-sandbox'], timeout: 10000 });
  karate.configure('retry', { count: 10, interval: 200 });
  return {};
}
`)
	write("calls.feature", "Feature: calls a script\n\nScenario:\n  * driver 'about:blank'\n  * call read('contacts.js')\n")
	write("playwright.config.ts", `export default { testDir: '.', timeout: 20000, expect: { timeout: 3000 }, use: { launchOptions: { executablePath: process.env.CHROME, args: ['--no-sandbox'] } } };
`)
	for name, run := range map[string]func(t *testing.T) error{
		"feature, by rove":   func(t *testing.T) error { return byRove(t, dir, chrome, "contacts.feature") },
		"js, by rove":        func(t *testing.T) error { return byRove(t, dir, chrome, "contacts.js") },
		"feature, by Karate": func(t *testing.T) error { return byKarate(t, dir, chrome, "contacts.feature") },
		"js, by Karate":      func(t *testing.T) error { return byKarate(t, dir, chrome, "calls.feature") },
		"Playwright":         func(t *testing.T) error { return byPlaywright(t, dir, chrome) },
		"go test":            func(t *testing.T) error { return byGo(t, dir) },
	} {
		t.Run(name, func(t *testing.T) {
			if breaks != nil {
				breaks(false)
			}
			if err := run(t); err != nil {
				t.Fatalf("on the application as it was: %v", err)
			}
			if breaks == nil {
				return
			}
			breaks(true)
			if run(t) == nil {
				t.Error("it passes on a broken application")
			}
		})
	}
}

func byRove(t *testing.T, dir, chrome, file string) error {
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	result, err := feature.Run(ctx, feature.Options{Dir: dir, Paths: []string{filepath.Join(dir, file)}, Properties: map[string]string{"chrome": chrome, "password": apps.Password}, Output: "-"})
	if err != nil {
		t.Fatal(err)
	}
	if !result.Ok() {
		return errorf(result)
	}
	return nil
}

type said string

func (s said) Error() string { return string(s) }

func errorf(r *feature.Result) error {
	var b strings.Builder
	b.WriteString(r.Config)
	for _, f := range r.Files {
		if f.Broken != nil {
			b.WriteString(f.Broken.Error + "\n")
		}
		for _, s := range f.Scenarios {
			b.WriteString(s.Error + "\n")
		}
	}
	return said(b.String())
}

func outputOf(cmd *exec.Cmd) error {
	out, err := cmd.CombinedOutput()
	if err != nil {
		return said(err.Error() + "\n" + string(out[max(0, len(out)-4000):]))
	}
	return nil
}

func byKarate(t *testing.T, dir, chrome, file string) error {
	script, _ := filepath.Abs("scripts/fetch-karate.sh")
	library, err := exec.Command(script).Output()
	if err != nil {
		if _, e := os.Stat("/opt/karate/lib"); e != nil {
			t.Skip("there is no Karate here: scripts/fetch-karate.sh says why")
		}
		library = []byte("/opt/karate/lib/*")
	}
	cmd := exec.Command("java", "-Dchrome="+chrome, "-Dpassword="+apps.Password, "-cp", strings.TrimSpace(string(library)), "com.intuit.karate.Main", "-g", dir, file)
	cmd.Dir = dir
	return outputOf(cmd)
}

func byPlaywright(t *testing.T, dir, chrome string) error {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("there is no npm here, which fetches Playwright")
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "@playwright")); err != nil {
		cmd := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefix", dir, "@playwright/test")
		cmd.Env = append(os.Environ(), "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1")
		if err := outputOf(cmd); err != nil {
			t.Skip("Playwright cannot be fetched here: ", err)
		}
	}
	cmd := exec.Command("npx", "playwright", "test", "contacts.spec.ts")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CHROME="+chrome, "PASSWORD="+apps.Password)
	return outputOf(cmd)
}

func byGo(t *testing.T, dir string) error {
	in, err := os.MkdirTemp("testdata", "derived-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(in)
	text, err := os.ReadFile(filepath.Join(dir, "contacts_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(in, "contacts_test.go"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-count=1", "./"+in)
	cmd.Env = append(os.Environ(), "PASSWORD="+apps.Password)
	return outputOf(cmd)
}
