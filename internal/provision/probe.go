package provision

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"rove/internal/proc"
)

// Probe starts the browser once, asks for its version, and ends it. It is the
// proof that the browser runs here.
func Probe(ctx context.Context, b Browser) (version string, err error) { return probe(ctx, "", b) }

func probe(ctx context.Context, home string, b Browser) (version string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	scratch, err := proc.NewScratch(home)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, scratch.Remove()) }()
	args := []string{
		"--headless", "--remote-debugging-pipe", "--user-data-dir=" + scratch.Path("profile"),
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
	}
	if ok, _ := proc.Sandbox(b.Path); !ok {
		args = append(args, "--no-sandbox")
	}
	p, err := proc.Start(ctx, proc.Spec{Path: b.Path, Args: append(args, b.Args...), Env: b.Env, Pipe: true, Scratch: scratch})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, p.Kill()) }()
	stop := context.AfterFunc(ctx, func() { _ = p.Kill() })
	defer stop()

	version, err = askVersion(p)
	if err != nil {
		// The end of the pipe precedes the end of the process by a little, and
		// its last words are what matters.
		_ = p.Kill()
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return "", fmt.Errorf("%s does not run here: %w%s", b.Path, err, lastWords(p.Output()))
	}
	return version, nil
}

func askVersion(p *proc.Process) (string, error) {
	if _, err := io.WriteString(p.ToBrowser, `{"id":1,"method":"Browser.getVersion"}`+"\x00"); err != nil {
		return "", errors.New("it ends at once")
	}
	var answer []byte
	buf := make([]byte, 4096)
	for !bytes.Contains(answer, []byte{0}) {
		n, err := p.FromBrowser.Read(buf)
		if answer = append(answer, buf[:n]...); err != nil {
			return "", errors.New("it ends at once")
		}
		if len(answer) > 1<<20 {
			return "", errors.New("it answers nonsense")
		}
	}
	answer, _, _ = bytes.Cut(answer, []byte{0})
	var reply struct {
		Result struct{ Product string }
	}
	if err := json.Unmarshal(answer, &reply); err != nil {
		return "", fmt.Errorf("it answers nonsense: %w", err)
	}
	_, version, ok := strings.Cut(reply.Result.Product, "/")
	if !ok {
		return "", fmt.Errorf("it calls itself %q", reply.Result.Product)
	}
	return version, nil
}

// lastWords picks the line of a dying browser's output that says why.
func lastWords(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	last := lines[len(lines)-1]
	for _, line := range lines {
		if strings.Contains(line, "error while loading shared libraries") {
			last = line
		}
	}
	if last == "" {
		return ""
	}
	return " (" + strings.TrimSpace(last) + ")"
}
