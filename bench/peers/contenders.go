package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// packages are the others, at their newest.
var packages = []string{"@playwright/mcp@latest", "chrome-devtools-mcp@latest", "agent-browser@latest"}

// install builds rove and gets the others.
func install(ctx context.Context, scratch, chromium string) ([]contender, error) {
	rove := filepath.Join(scratch, "rove")
	if err := quietly(ctx, "..", "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", rove, "./cmd/rove"); err != nil {
		return nil, err
	}
	fmt.Fprintln(os.Stderr, "installing the others …")
	if err := os.WriteFile(filepath.Join(scratch, "package.json"), []byte(`{"private":true}`), 0o600); err != nil {
		return nil, err
	}
	if err := quietly(ctx, scratch, "npm", append([]string{"install", "--no-audit", "--no-fund"}, packages...)...); err != nil {
		return nil, err
	}
	modules := filepath.Join(scratch, "node_modules")
	var sandbox []string // as root a browser has none
	if os.Geteuid() == 0 {
		sandbox = []string{"--no-sandbox"}
	}
	home := func() (string, error) { return os.MkdirTemp(scratch, "home-") }
	version := func(name string) string {
		var p struct {
			Version string `json:"version"`
		}
		b, _ := os.ReadFile(filepath.Join(modules, name, "package.json"))
		_ = json.Unmarshal(b, &p)
		return p.Version
	}
	own := strings.TrimPrefix(strings.TrimSpace(output(ctx, rove, "version")), "rove ")

	return []contender{
		{"rove", own, func(ctx context.Context) (browser, error) {
			dir, err := home()
			if err != nil {
				return nil, err
			}
			s, err := serve(ctx, dir, []string{"ROVE_HOME=" + dir}, rove, "mcp", "--browser", chromium)
			return &roveBrowser{s}, err
		}},
		{"Playwright MCP", version("@playwright/mcp"), func(ctx context.Context) (browser, error) {
			dir, err := home()
			if err != nil {
				return nil, err
			}
			args := append([]string{filepath.Join(modules, "@playwright/mcp/cli.js"), "--headless", "--isolated", "--executable-path", chromium}, sandbox...)
			s, err := serve(ctx, dir, nil, "node", args...)
			return &playwright{s}, err
		}},
		{"Chrome DevTools MCP", version("chrome-devtools-mcp"), func(ctx context.Context) (browser, error) {
			dir, err := home()
			if err != nil {
				return nil, err
			}
			args := []string{filepath.Join(modules, "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"), "--headless", "--isolated", "--no-usage-statistics", "--executablePath", chromium}
			for _, a := range sandbox {
				args = append(args, "--chromeArg="+a)
			}
			s, err := serve(ctx, dir, nil, "node", args...)
			return &devtools{s}, err
		}},
		{"agent-browser", version("agent-browser"), func(ctx context.Context) (browser, error) {
			dir, err := home()
			if err != nil {
				return nil, err
			}
			arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
			return &agentBrowser{
				path: filepath.Join(modules, "agent-browser/bin/agent-browser-"+runtime.GOOS+"-"+arch),
				dir:  dir,
				env: append(os.Environ(), "HOME="+dir, "AGENT_BROWSER_SOCKET_DIR="+dir, "AGENT_BROWSER_EXECUTABLE_PATH="+chromium,
					"AGENT_BROWSER_ARGS="+strings.Join(sandbox, ",")),
			}, nil
		}},
	}, nil
}

func quietly(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

func output(ctx context.Context, name string, args ...string) string {
	out, _ := exec.CommandContext(ctx, name, args...).Output()
	return string(out)
}

// roveBrowser is rove mcp.
type roveBrowser struct{ *server }

func (b *roveBrowser) open(ctx context.Context, url string) (exchange, bool, error) {
	x, err := b.call(ctx, "go", map[string]any{"url": url})
	return x, true, err
}

func (b *roveBrowser) look(ctx context.Context) (exchange, error) {
	return b.call(ctx, "look", map[string]any{"budget": 0}) // all of the page, as the others give it
}

func (b *roveBrowser) eval(ctx context.Context, js string) (exchange, error) {
	return b.call(ctx, "eval", map[string]any{"js": js})
}

func (b *roveBrowser) do(ctx context.Context, view string, steps ...step) ([]exchange, error) {
	var list []map[string]any
	for _, s := range steps {
		// What is not on the page yet is named as a person would name it.
		ref, err := refIn(view, `(?m)^\s*(e\d+) ROLE "?NAME`, s)
		if err != nil {
			ref = "{" + map[string]string{"checkbox": "input", "textbox": "input"}[s.role] + "}" + s.name
		}
		op := map[string]string{"fill": "input", "check": "check", "select": "select", "click": "click", "submit": "input"}[s.kind]
		one := map[string]any{"ref": ref, "op": op}
		if s.value != "" {
			one["value"] = s.value
		}
		list = append(list, one)
		if s.kind == "submit" {
			list = append(list, map[string]any{"ref": ref, "op": "press", "value": "Enter"})
		}
	}
	args := map[string]any{"steps": list}
	if len(list) == 1 {
		args = list[0]
	}
	x, err := b.call(ctx, "act", args)
	return []exchange{x}, err
}

// playwright is @playwright/mcp.
type playwright struct{ *server }

const playwrightLine = `(?m)^\s*- ROLE "NAME"[^\n]*\[ref=(\w+)\]`

func (b *playwright) open(ctx context.Context, url string) (exchange, bool, error) {
	x, err := b.call(ctx, "browser_navigate", map[string]any{"url": url})
	return x, false, err // the view is in a file
}

func (b *playwright) look(ctx context.Context) (exchange, error) {
	return b.call(ctx, "browser_snapshot", map[string]any{})
}

func (b *playwright) eval(ctx context.Context, js string) (exchange, error) {
	return b.call(ctx, "browser_evaluate", map[string]any{"function": "() => " + js})
}

func (b *playwright) do(ctx context.Context, view string, steps ...step) ([]exchange, error) {
	var all []exchange
	var fields []map[string]any
	flush := func() error {
		if len(fields) == 0 {
			return nil
		}
		x, err := b.call(ctx, "browser_fill_form", map[string]any{"fields": fields})
		all, fields = append(all, x), nil
		return err
	}
	for _, s := range steps {
		ref, err := refIn(view, playwrightLine, s)
		if err != nil {
			return all, err
		}
		field := func(kind, value string) {
			fields = append(fields, map[string]any{"element": s.name, "target": ref, "name": s.name, "type": kind, "value": value})
		}
		switch s.kind {
		case "fill":
			field("textbox", s.value)
		case "check":
			field("checkbox", "true")
		case "select":
			field("combobox", s.value)
		default:
			if err := flush(); err != nil {
				return all, err
			}
			var x exchange
			if s.kind == "click" {
				x, err = b.call(ctx, "browser_click", map[string]any{"element": s.name, "target": ref})
			} else {
				x, err = b.call(ctx, "browser_type", map[string]any{"element": s.name, "target": ref, "text": s.value, "submit": true})
			}
			if all = append(all, x); err != nil {
				return all, err
			}
		}
	}
	return all, flush()
}

// devtools is chrome-devtools-mcp.
type devtools struct{ *server }

const devtoolsLine = `(?m)^\s*uid=(\w+) ROLE "NAME"`

func (b *devtools) page(args map[string]any) map[string]any {
	args["pageId"] = 1
	return args
}

func (b *devtools) open(ctx context.Context, url string) (exchange, bool, error) {
	x, err := b.call(ctx, "navigate_page", b.page(map[string]any{"url": url}))
	return x, false, err
}

func (b *devtools) look(ctx context.Context) (exchange, error) {
	return b.call(ctx, "take_snapshot", b.page(map[string]any{}))
}

func (b *devtools) eval(ctx context.Context, js string) (exchange, error) {
	return b.call(ctx, "evaluate_script", b.page(map[string]any{"function": "() => " + js}))
}

func (b *devtools) do(ctx context.Context, view string, steps ...step) ([]exchange, error) {
	var all []exchange
	var fields []map[string]any
	call := func(tool string, args map[string]any) error {
		x, err := b.call(ctx, tool, b.page(args))
		all = append(all, x)
		return err
	}
	flush := func() error {
		if len(fields) == 0 {
			return nil
		}
		list := fields
		fields = nil
		return call("fill_form", map[string]any{"elements": list})
	}
	for _, s := range steps {
		ref, err := refIn(view, devtoolsLine, s)
		if err != nil {
			return all, err
		}
		switch s.kind {
		case "fill", "select":
			fields = append(fields, map[string]any{"uid": ref, "value": s.value})
		case "check":
			fields = append(fields, map[string]any{"uid": ref, "value": "true"})
		case "click":
			if err = flush(); err == nil {
				err = call("click", map[string]any{"uid": ref})
			}
		case "submit":
			if err = flush(); err == nil {
				err = call("fill", map[string]any{"uid": ref, "value": s.value})
			}
			if err == nil {
				err = call("press_key", map[string]any{"key": "Enter"})
			}
		}
		if err != nil {
			return all, err
		}
	}
	return all, flush()
}

// agentBrowser is the agent-browser command with its daemon. Its definitions are
// those of its MCP server; its calls are commands, which cost the least.
type agentBrowser struct {
	path, dir string
	env       []string
}

const agentBrowserLine = `(?m)^\s*- ROLE "NAME" \[[^\]\n]*ref=(\w+)\]`

func (b *agentBrowser) definitions() string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s, err := serve(ctx, b.dir, b.env, b.path, "mcp")
	if err != nil {
		return ""
	}
	defer s.close()
	_ = s.list(ctx)
	return s.tools
}

func (b *agentBrowser) command(ctx context.Context, stdin string, args ...string) (exchange, error) {
	cmd := exec.CommandContext(ctx, b.path, args...)
	cmd.Dir, cmd.Env = b.dir, b.env
	cmd.Stdin = strings.NewReader(stdin)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	x := exchange{"agent-browser " + strings.Join(args, " ") + stdin, out.String()}
	if err != nil {
		err = fmt.Errorf("%s: %w: %.500s", args[0], err, x.answered)
	}
	return x, err
}

func (b *agentBrowser) open(ctx context.Context, url string) (exchange, bool, error) {
	x, err := b.command(ctx, "", "open", url)
	return x, false, err
}

func (b *agentBrowser) look(ctx context.Context) (exchange, error) {
	return b.command(ctx, "", "snapshot")
}

func (b *agentBrowser) eval(ctx context.Context, js string) (exchange, error) {
	return b.command(ctx, "", "eval", js)
}

// do sends what only fills in as a batch. What the page reacts to is sent by
// itself: nothing waits for the page in between, and a batch overtakes it.
func (b *agentBrowser) do(ctx context.Context, view string, steps ...step) ([]exchange, error) {
	var all []exchange
	var batch [][]string
	flush := func() error {
		var err error
		for range glances { // what is not ready yet is tried again, as a model would
			var x exchange
			switch len(batch) {
			case 0:
				return nil
			case 1:
				x, err = b.command(ctx, "", batch[0]...)
			default:
				script, _ := json.Marshal(batch) // strings always encode
				x, err = b.command(ctx, string(script), "batch", "--bail")
			}
			if all = append(all, x); err == nil {
				break
			}
		}
		batch = nil
		return err
	}
	for _, s := range steps {
		ref, err := refIn(view, agentBrowserLine, s)
		if err != nil {
			return all, err
		}
		ref = "@" + ref
		switch s.kind {
		case "fill", "select":
			batch = append(batch, []string{s.kind, ref, s.value})
		case "check", "click":
			if err = flush(); err == nil {
				batch = append(batch, []string{s.kind, ref})
				err = flush()
			}
		case "submit":
			batch = append(batch, []string{"fill", ref, s.value})
			if err = flush(); err == nil {
				batch = append(batch, []string{"press", "Enter"})
				err = flush()
			}
		}
		if err != nil {
			return all, err
		}
	}
	return all, flush()
}

func (b *agentBrowser) memory() int {
	total := 0
	files, _ := filepath.Glob(filepath.Join(b.dir, "*.pid"))
	for _, f := range files {
		text, _ := os.ReadFile(f)
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			total += residentOf(pid)
		}
	}
	return total
}

func (b *agentBrowser) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	_, err := b.command(ctx, "", "close", "--all")
	return err
}
