package feature

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"rove/internal/data"
	"rove/internal/script"
)

// Other programs.
func init() {
	addKarate(map[string]karateFunc{
		"exec": kExec, "fork": kFork, "waitForPort": kWaitForPort, "waitForHttp": kWaitForHTTP, "stop": kStop,
	}, nil)
}

// command is what exec and fork are asked to run.
type command struct {
	args     []string
	dir      string
	env      []string
	shell    bool
	start    bool
	joined   bool // standard error goes to the same place
	out, err *script.Func
}

func (c *karateCall) command() (*command, error) {
	cmd := &command{start: true, joined: true, dir: c.s.suite.dir}
	v := c.arg(0)
	switch d := v.Export().(type) {
	case string:
		cmd.args = words(d)
	case []any:
		for _, a := range d {
			cmd.args = append(cmd.args, data.Text(a))
		}
	case *data.Object:
		if list, ok := d.Get("args"); ok {
			items, _ := list.([]any)
			for _, a := range items {
				cmd.args = append(cmd.args, data.Text(a))
			}
		} else if line, ok := d.Get("line"); ok {
			cmd.args = words(data.Text(line))
		}
		if dir, ok := d.Get("workingDir"); ok && dir != nil {
			cmd.dir = c.s.suite.absolute(data.Text(dir))
		}
		if env, ok := d.Get("env"); ok {
			if o, ok := env.(*data.Object); ok {
				for name, value := range o.All() {
					cmd.env = append(cmd.env, name+"="+data.Text(value))
				}
			}
		}
		set := func(name string, b *bool) {
			if x, ok := d.Get(name); ok {
				*b, _ = x.(bool)
			}
		}
		set("useShell", &cmd.shell)
		set("start", &cmd.start)
		set("redirectErrorStream", &cmd.joined)
		cmd.out, cmd.err = v.Get("listener").Func(), v.Get("errorListener").Func()
	}
	if len(cmd.args) == 0 {
		return nil, c.wrong("'line' or 'args' is required")
	}
	if cmd.shell {
		cmd.args = []string{"sh", "-c", strings.Join(cmd.args, " ")}
		if os.PathSeparator == '\\' {
			cmd.args = append([]string{"cmd", "/c"}, cmd.args[2:]...)
		}
	}
	return cmd, nil
}

// execute runs a command line to its end.
func execute(ctx context.Context, dir, line string) error {
	args := words(line)
	if len(args) == 0 {
		return nil
	}
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Dir, c.WaitDelay = dir, 5*time.Second
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %.200s", line, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// words parts a line at white space; quotes keep it.
func words(line string) []string {
	var list []string
	var b strings.Builder
	quote, open := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				b.WriteRune(r)
			}
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if b.Len() > 0 || open {
				list = append(list, b.String())
				b.Reset()
				open = false
			}
		default:
			b.WriteRune(r)
		}
	}
	if b.Len() > 0 || open {
		list = append(list, b.String())
	}
	return list
}

func kExec(c *karateCall) (any, error) {
	cmd, err := c.command()
	if err != nil {
		return nil, err
	}
	p := &process{s: c.s, cmd: cmd}
	if err := p.run(c.ctx); err != nil {
		return nil, c.wrong("%v", err)
	}
	if err := p.wait(c.ctx, 0); err != nil {
		return nil, err
	}
	return strings.TrimRight(p.output(), "\n"), nil
}

func kFork(c *karateCall) (any, error) {
	cmd, err := c.command()
	if err != nil {
		return nil, err
	}
	p := &process{s: c.s, cmd: cmd}
	if cmd.start {
		if err := p.run(context.WithoutCancel(c.ctx)); err != nil {
			return nil, c.wrong("%v", err)
		}
	}
	c.s.onClose(func() { p.kill() })
	return p, nil
}

// process is a program that runs beside the scenario.
type process struct {
	s    *scenario
	cmd  *command
	proc *exec.Cmd
	done chan struct{}

	mu       sync.Mutex
	out, err strings.Builder
}

func (p *process) run(ctx context.Context) error {
	p.proc = exec.CommandContext(ctx, p.cmd.args[0], p.cmd.args[1:]...)
	p.proc.Dir = p.cmd.dir
	p.proc.Env = append(os.Environ(), p.cmd.env...)
	p.proc.WaitDelay = 5 * time.Second
	out, err := p.proc.StdoutPipe()
	if err != nil {
		return err
	}
	wrong, err := p.proc.StderrPipe()
	if err != nil {
		return err
	}
	if err := p.proc.Start(); err != nil {
		return err
	}
	p.done = make(chan struct{})
	var readers sync.WaitGroup
	other, listener := &p.err, p.cmd.err
	if p.cmd.joined {
		other, listener = &p.out, p.cmd.out
	}
	readers.Go(func() { p.read(ctx, out, &p.out, p.cmd.out) })
	readers.Go(func() { p.read(ctx, wrong, other, listener) })
	go func() {
		readers.Wait()
		_ = p.proc.Wait()
		close(p.done)
	}()
	return nil
}

// read takes lines, and hands them to a listener whenever scripts may run.
func (p *process) read(ctx context.Context, in io.Reader, to *strings.Builder, listener *script.Func) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		p.mu.Lock()
		to.WriteString(lines.Text() + "\n")
		p.mu.Unlock()
		if listener == nil {
			continue
		}
		rt := listener.Runtime()
		rt.Lock()
		_, err := listener.Do(ctx, lines.Text())
		rt.Unlock()
		if err != nil {
			p.mu.Lock()
			to.WriteString("listener failed: " + err.Error() + "\n")
			p.mu.Unlock()
			listener = nil
		}
	}
}

func (p *process) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

// wait waits for the end; 0 is without a limit of its own.
func (p *process) wait(ctx context.Context, limit time.Duration) (err error) {
	if p.done == nil {
		return errors.New("the process was not started")
	}
	p.s.root.rt.Outside(func() {
		var late <-chan time.Time
		if limit > 0 {
			timer := time.NewTimer(limit)
			defer timer.Stop()
			late = timer.C
		}
		select {
		case <-p.done:
		case <-late:
			err = fmt.Errorf("the process did not end within %s", limit)
		case <-ctx.Done():
			p.kill()
			err = errInterrupted(ctx)
		}
	})
	return err
}

func (p *process) kill() {
	if p.proc == nil || p.proc.Process == nil {
		return
	}
	select {
	case <-p.done:
	default:
		_ = p.proc.Process.Kill()
	}
}

func (p *process) exitCode() any {
	select {
	case <-p.done:
		return int64(p.proc.ProcessState.ExitCode())
	default:
		return int64(-1)
	}
}

func (p *process) alive() bool {
	if p.done == nil {
		return false
	}
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

func (p *process) Member(name string) (any, bool) {
	method := func(f func(ctx context.Context, args []script.Value) (any, error)) (any, bool) {
		return script.Function(f), true
	}
	switch name {
	case "sysOut", "stdOut":
		return p.output(), true
	case "sysErr", "stdErr":
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.err.String(), true
	case "exitCode":
		return p.exitCode(), true
	case "alive":
		return p.alive(), true
	case "pid":
		if p.proc == nil || p.proc.Process == nil {
			return int64(-1), true
		}
		return int64(p.proc.Process.Pid), true
	case "start":
		return method(func(ctx context.Context, _ []script.Value) (any, error) {
			return p, p.run(context.WithoutCancel(ctx))
		})
	case "waitSync":
		return method(func(ctx context.Context, args []script.Value) (any, error) {
			limit := time.Duration(0)
			if len(args) > 0 {
				if ms, ok := args[0].Export().(int64); ok {
					limit = time.Duration(ms) * time.Millisecond
				}
			}
			if err := p.wait(ctx, limit); err != nil {
				return nil, err
			}
			return p.exitCode(), nil
		})
	case "waitUntil":
		return method(func(ctx context.Context, args []script.Value) (any, error) {
			for {
				if len(args) > 0 && args[0].Func() != nil {
					for line := range strings.Lines(p.output()) {
						ok, err := args[0].Func().Do(ctx, strings.TrimRight(line, "\n"))
						if err != nil {
							return nil, err
						}
						if ok.Truthy() {
							return true, nil
						}
					}
				}
				if !p.alive() {
					return false, nil
				}
				if err := p.s.sleep(ctx, 50*time.Millisecond); err != nil {
					return nil, err
				}
			}
		})
	case "close", "destroy", "stop":
		return method(func(context.Context, []script.Value) (any, error) {
			p.kill()
			return undefined, nil
		})
	}
	return nil, false
}

func (p *process) Members() []string { return nil }

// poll tries until it works, at most 30 times, a second apart.
func (s *scenario) poll(ctx context.Context, try func() bool) (bool, error) {
	for range 30 {
		var ok bool
		s.root.rt.Outside(func() { ok = try() })
		if ok {
			return true, nil
		}
		if err := s.sleep(ctx, time.Second); err != nil {
			return false, err
		}
	}
	return false, nil
}

func kWaitForPort(c *karateCall) (any, error) {
	host, err := c.text(0)
	if err != nil {
		return nil, err
	}
	port, err := c.number(1)
	if err != nil {
		return nil, err
	}
	return c.s.poll(c.ctx, func() bool {
		d := net.Dialer{Timeout: 2 * time.Second}
		conn, err := d.DialContext(c.ctx, "tcp", net.JoinHostPort(host, fmt.Sprint(int(port))))
		if err != nil {
			return false
		}
		_ = conn.Close()
		return true
	})
}

func kWaitForHTTP(c *karateCall) (any, error) {
	url, err := c.text(0)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Timeout: 5 * time.Second}
	return c.s.poll(c.ctx, func() bool {
		req, err := http.NewRequestWithContext(c.ctx, http.MethodGet, url, nil)
		if err != nil {
			return false
		}
		resp, err := client.Do(req)
		if err != nil {
			return false
		}
		_ = resp.Body.Close()
		return resp.StatusCode < 500
	})
}

// kStop waits until somebody connects to a port: to look at a browser meanwhile.
func kStop(c *karateCall) (any, error) {
	port, err := c.number(0)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", int(port)))
	if err != nil {
		return nil, c.wrong("%v", err)
	}
	c.s.print(fmt.Sprintf("*** waiting for a connection to http://localhost:%d to go on", int(port)))
	c.s.root.rt.Outside(func() {
		stop := context.AfterFunc(c.ctx, func() { _ = l.Close() })
		defer stop()
		if conn, err := l.Accept(); err == nil {
			_ = conn.Close()
		}
		_ = l.Close()
	})
	return undefined, nil
}
