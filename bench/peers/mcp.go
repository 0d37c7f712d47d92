package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// server is an MCP server at the other end of a pipe.
type server struct {
	session *mcp.ClientSession
	process *exec.Cmd
	tools   string
}

// serve starts a server in a folder of its own.
func serve(ctx context.Context, dir string, env []string, path string, args ...string) (*server, error) {
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	client := mcp.NewClient(&mcp.Implementation{Name: "rove-bench", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: 10 * time.Second}, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &server{session: session, process: cmd}, nil
}

// list asks for the tools, as every client does at the start.
func (s *server) list(ctx context.Context) error {
	r, err := s.session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	type definition struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		InputSchema any    `json:"inputSchema"`
	}
	list := make([]definition, len(r.Tools))
	for i, t := range r.Tools {
		list[i] = definition{t.Name, t.Description, t.InputSchema}
	}
	b, err := json.Marshal(list)
	s.tools = string(b)
	return err
}

func (s *server) definitions() string { return s.tools }

// call calls a tool. What a tool says failed is an error here: the flows are
// made not to fail.
func (s *server) call(ctx context.Context, tool string, args map[string]any) (exchange, error) {
	asked, err := json.Marshal(map[string]any{"name": tool, "arguments": args})
	if err != nil {
		return exchange{}, err
	}
	r, err := s.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return exchange{}, fmt.Errorf("%s: %w", tool, err)
	}
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	x := exchange{string(asked), b.String()}
	if r.IsError {
		return x, fmt.Errorf("%s: %.500s", tool, x.answered)
	}
	return x, nil
}

func (s *server) memory() int  { return residentOf(s.process.Process.Pid) }
func (s *server) close() error { return s.session.Close() }

// residentOf adds up the memory of a process and those it started, except for
// browsers. Only Linux tells.
func residentOf(root int) int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range stats {
		b, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		_, rest, ok := strings.Cut(string(b), ") ")
		fields := strings.Fields(rest)
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if !ok || err != nil || len(fields) < 2 {
			continue
		}
		parent, err := strconv.Atoi(fields[1])
		if err == nil {
			children[parent] = append(children[parent], pid)
		}
	}
	total := 0
	var add func(pid int)
	add = func(pid int) {
		exe, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
		if strings.Contains(strings.ToLower(filepath.Base(exe)), "chrom") && !strings.Contains(exe, "node") {
			return
		}
		var size, pages int
		if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid)); err == nil {
			if _, err := fmt.Sscan(string(b), &size, &pages); err == nil {
				total += pages * os.Getpagesize()
			}
		}
		for _, c := range children[pid] {
			add(c)
		}
	}
	add(root)
	return total
}
