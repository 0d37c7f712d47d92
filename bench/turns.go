package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"rove/bench/site"
	"rove/bench/token"
	"rove/internal/provision"
)

// task is what each program does in a turn: what comes before is not counted.
type task struct {
	name   string
	once   []call // before the first turn
	before []call
	counts []call
	turns  int // of those asked for, one in so many is done
}

// call is a call of a tool.
type call struct {
	tool string
	with map[string]any
}

func step(ref, op, value string) map[string]any {
	s := map[string]any{"ref": ref, "op": op}
	if value != "" {
		s["value"] = value
	}
	return s
}

// tasksOn are the verbs and flows, on the pages of a site.
func tasksOn(base string) []task {
	goTo := func(path string) call { return call{"go", map[string]any{"url": base + path}} }
	change := call{"eval", map[string]any{"js": touch}}
	whole := call{"look", map[string]any{"budget": 0}}
	act := func(steps ...map[string]any) call {
		if len(steps) == 1 {
			return call{"act", steps[0]}
		}
		return call{"act", map[string]any{"steps": steps}}
	}
	small := []call{goTo("/verbs")}
	tasks := []task{
		{"go", nil, nil, []call{goTo("/verbs")}, 1},
		{"click", small, nil, []call{act(step("{button}Click me", "click", ""))}, 1},
		{"input", small, nil, []call{act(step("{input}Text", "input", "twenty characters ok"))}, 1},
		{"eval", small, nil, []call{{"eval", map[string]any{"js": onePlusOne}}}, 1},
	}
	for _, f := range flows {
		var steps []map[string]any
		for _, s := range f.steps {
			steps = append(steps, step(s.Ref, s.Op, s.Value))
		}
		tasks = append(tasks, task{f.name, nil, []call{goTo(f.path)}, []call{act(steps...)}, 3})
	}
	for _, p := range allPages {
		turns := 1
		if p.large {
			turns = 10
		}
		tasks = append(tasks, task{"look: " + p.name, nil, []call{goTo(p.path), change}, []call{whole}, turns})
	}
	return tasks
}

// took is what one turn of a program cost.
type took struct {
	wall, rove, browser time.Duration
}

// inTurns has several programs do the same in turns, each with a browser of its own, and
// prints the least and the median of what each needed. On a busy machine the least says more.
func inTurns(ctx context.Context, o options, programs []string, only string) error {
	b, err := provision.Find(ctx, provision.Request{Want: o.browser, Fetch: true, Progress: os.Stderr})
	if err != nil {
		return err
	}
	srv := site.Serve()
	defer srv.Close()
	var all []*program
	defer func() {
		for _, p := range all {
			_ = p.close() // what it did is known by then
		}
	}()
	for _, path := range programs {
		p, err := startProgram(ctx, path, b.Path)
		if err != nil {
			return err
		}
		all = append(all, p)
	}
	fmt.Print("| what |")
	for _, p := range all {
		fmt.Printf(" %s: wall | rove | browser | tokens |", filepath.Base(p.path))
	}
	fmt.Print("\n|---|", strings.Repeat("---|", 4*len(all)), "\n")
	for _, t := range tasksOn(srv.URL) {
		if only != "" && !strings.Contains(t.name, only) {
			continue
		}
		if err := turns(t, all, o.runs); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	fmt.Print("| memory |")
	for _, p := range all {
		fmt.Printf(" | %.1f MiB | | |", float64(resident(p.cmd.Process.Pid))/(1<<20))
	}
	fmt.Println()
	return nil
}

func turns(t task, all []*program, n int) error {
	n = max(2, n/t.turns)
	costs := make([][]took, len(all))
	tokens := make([]int, len(all))
	for _, p := range all {
		for _, c := range t.once {
			if _, err := p.do(c); err != nil {
				return err
			}
		}
	}
	for i := range n + 1 {
		for k := range all {
			which := (k + i) % len(all)
			p := all[which]
			for _, c := range t.before {
				if _, err := p.do(c); err != nil {
					return err
				}
			}
			rove, browser := p.spent()
			start := time.Now()
			var said []string
			for _, c := range t.counts {
				text, err := p.do(c)
				if err != nil {
					return err
				}
				said = append(said, text)
			}
			c := took{wall: time.Since(start)}
			r2, b2 := p.spent()
			c.rove, c.browser = r2-rove, b2-browser
			if i == 0 {
				continue // warms up
			}
			costs[which] = append(costs[which], c)
			var err error
			if tokens[which], err = token.Count(strings.Join(said, "\n")); err != nil {
				return err
			}
		}
	}
	fmt.Printf("| %s |", t.name)
	for k := range all {
		for _, part := range []func(took) time.Duration{
			func(c took) time.Duration { return c.wall },
			func(c took) time.Duration { return c.rove },
			func(c took) time.Duration { return c.browser },
		} {
			var list []time.Duration
			for _, c := range costs[k] {
				list = append(list, part(c))
			}
			slices.Sort(list)
			fmt.Printf(" %s (%s) |", millis(list[0]), millis(median(list)))
		}
		fmt.Printf(" %s |", count(tokens[k]))
	}
	fmt.Println()
	return nil
}

// program is a rove that serves the tools of an agent over a pipe.
type program struct {
	path  string
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	home  string
	asked int
}

func startProgram(ctx context.Context, path, browser string) (p *program, err error) {
	p = &program{path: path}
	if p.home, err = os.MkdirTemp("", "rove-bench-"); err != nil {
		return nil, err
	}
	p.cmd = exec.CommandContext(ctx, path, "mcp", "--browser", browser)
	p.cmd.Env = append(os.Environ(), "ROVE_HOME="+p.home)
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	hello := map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "rove-bench", "version": "1"}}
	if _, err := p.request("initialize", hello); err != nil {
		return nil, errors.Join(err, p.close())
	}
	_, err = io.WriteString(p.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return p, err
}

// request sends a line and reads its answer. Whatever else the server says is skipped.
func (p *program) request(method string, params any) (json.RawMessage, error) {
	p.asked++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.asked, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var reply struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(line, &reply); err != nil || reply.ID != p.asked {
			continue
		}
		if reply.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, reply.Error)
		}
		return reply.Result, nil
	}
}

// do calls a tool, and gives the text that a model reads.
func (p *program) do(c call) (string, error) {
	body, err := p.request("tools/call", map[string]any{"name": c.tool, "arguments": c.with})
	if err != nil {
		return "", err
	}
	var r struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		IsError bool `json:"isError"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return "", err
	}
	var text strings.Builder
	for _, c := range r.Content {
		text.WriteString(c.Text)
	}
	if r.IsError {
		return "", fmt.Errorf("%s %s: %.500s", filepath.Base(p.path), c.tool, text.String())
	}
	return text.String(), nil
}

func (p *program) close() error {
	return errors.Join(p.in.Close(), p.cmd.Wait(), os.RemoveAll(p.home))
}

// spent is the processor time of rove itself and of the browsers below it. Only Linux tells.
func (p *program) spent() (rove, browser time.Duration) {
	var add func(pid int)
	add = func(pid int) {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/[0-9]*", pid))
		for _, t := range tasks {
			var ns int64
			if b, err := os.ReadFile(t + "/schedstat"); err == nil {
				_, _ = fmt.Sscan(string(b), &ns)
			}
			if pid == p.cmd.Process.Pid {
				rove += time.Duration(ns)
			} else {
				browser += time.Duration(ns)
			}
			b, _ := os.ReadFile(t + "/children")
			for _, child := range strings.Fields(string(b)) {
				if n, err := strconv.Atoi(child); err == nil {
					add(n)
				}
			}
		}
	}
	add(p.cmd.Process.Pid)
	return rove, browser
}

// resident is the memory that a process has in use.
func resident(pid int) int {
	var size, pages int
	if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid)); err == nil {
		_, _ = fmt.Sscan(string(b), &size, &pages)
	}
	return pages * os.Getpagesize()
}
