// Package repl is rove by hand: a line is a verb, the answer is what a model
// would read. It runs in this process, with a browser of its own.
//
//	rove> go example.com
//	rove> e3 click
//	rove> e1 input ada@example.com
//	rove> look find=price
//
// On a terminal there are history and completion; from a pipe the lines are
// taken one by one, and a line that fails does not stop those after it.
package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"

	"github.com/peterh/liner"

	"rove"
	"rove/feature"
	"rove/internal/policy"
	"rove/internal/session"
	"rove/internal/tool"
)

// Options shape a REPL.
type Options struct {
	Browser  rove.Options
	URL      string // opened first, if there is one
	In       io.Reader
	Out      io.Writer
	Terminal bool   // In is one, and lines are edited there
	History  string // the file that keeps the lines of a terminal
	Pictures string // the directory for pictures; "" is the current one
}

// Run reads and does lines until the input or ctx ends, or one says quit. The
// error is that of the first line that failed, when the lines came from a pipe.
func Run(ctx context.Context, opts Options) (err error) {
	m := session.NewManager(session.Options{Browser: opts.Browser, Idle: -1})
	defer func() { err = errors.Join(err, m.Close()) }()
	r := &repl{opts: opts, talk: m.Conversation("")}
	r.elements.reset()
	defer func() {
		if r.console != nil {
			err = errors.Join(err, r.console.Close())
		}
	}()
	ctx, stop := r.interruptible(ctx)
	defer stop()

	lines, closeLines := r.pipe, func() {}
	if opts.Terminal {
		editor := newEditor(&r.elements, opts.History)
		lines, closeLines = editor.read, editor.close
		ctx = rove.WithConfirm(ctx, editor.ask)
		fmt.Fprintln(opts.Out, "The verbs are go, look, act, wait and eval; 'e3 click' is short for an act. Also: help, history, quit.")
	}
	defer closeLines()
	m.Warm() // while the first line is being typed

	var failed error
	do := func(line string) {
		if err := r.do(ctx, line); err != nil && failed == nil && !opts.Terminal {
			failed = err
		}
	}
	if opts.URL != "" {
		do("go " + opts.URL)
	}
	for line := range follow(ctx, lines) {
		if line = strings.TrimSpace(line); line == "quit" || line == "exit" {
			break
		}
		do(line)
	}
	return failed
}

// follow gives lines until there are no more, or ctx ends. Reading one can't be
// broken off, so it goes on in the background then.
func follow(ctx context.Context, read func(yield func(string) bool)) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		lines, enough := make(chan string), make(chan struct{})
		next := make(chan struct{}, 1)
		defer close(enough)
		go func() {
			defer close(lines)
			read(func(line string) bool {
				select {
				case lines <- line:
				case <-enough:
					return false
				}
				// The next prompt comes after the answer to this line.
				select {
				case <-next:
					return true
				case <-enough:
					return false
				}
			})
		}()
		for {
			select {
			case line, ok := <-lines:
				if !ok || !yield(line) {
					return
				}
				next <- struct{}{}
			case <-ctx.Done():
				return
			}
		}
	}
}

// pipe reads lines that nobody edits.
func (r *repl) pipe(yield func(string) bool) {
	in := bufio.NewReader(r.opts.In)
	for {
		line, err := in.ReadString('\n')
		if strings.TrimSpace(line) != "" && !yield(line) || err != nil {
			return
		}
	}
}

// repl is one conversation with a person.
type repl struct {
	opts     Options
	talk     *session.Conversation
	elements elements
	pictures int
	console  *feature.Console // once a line was for Karate

	mu     sync.Mutex
	giveUp context.CancelFunc // of the line at work
}

// interruptible has an interrupt end the line at work, or all if there is none.
func (r *repl) interruptible(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	over := make(chan struct{})
	go func() {
		defer close(over)
		for {
			select {
			case <-interrupts:
				r.mu.Lock()
				if r.giveUp != nil {
					r.giveUp()
				} else {
					cancel()
				}
				r.mu.Unlock()
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, func() {
		signal.Stop(interrupts)
		cancel()
		<-over
	}
}

// working sets what an interrupt ends.
func (r *repl) working(giveUp context.CancelFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.giveUp = giveUp
}

// do does one line and prints what came of it.
func (r *repl) do(ctx context.Context, line string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.working(cancel)
	defer r.working(nil)
	if line == "" || strings.HasPrefix(line, "#") {
		return nil
	}
	out, err := r.run(ctx, line)
	if out.Text != "" {
		fmt.Fprintln(r.opts.Out, strings.TrimRight(out.Text, "\n"))
	}
	for _, img := range out.Images {
		name, bad := r.save(img)
		if bad != nil {
			err = errors.Join(err, bad)
			continue
		}
		fmt.Fprintln(r.opts.Out, "saved", name)
	}
	if err != nil && out.Text == "" { // a text tells it as well
		fmt.Fprintln(r.opts.Out, "error:", err)
	}
	return err
}

func (r *repl) run(ctx context.Context, line string) (tool.Output, error) {
	if text, ok := help(line); ok {
		return tool.Output{Text: text}, nil
	}
	if isKarate(line) {
		return r.karate(ctx, line)
	}
	name, input, err := parse(line)
	if err != nil {
		return tool.Output{}, err
	}
	t, err := tool.Find(name)
	if err != nil {
		return tool.Output{}, err
	}
	call, err := t.Prepare(r.talk, input, tool.Defaults{})
	if err != nil {
		return tool.Output{}, err
	}
	out, err := call.Run(ctx)
	r.elements.learn(out)
	return out, err
}

// save writes a picture to a file that is not there yet.
func (r *repl) save(img tool.Image) (string, error) {
	for {
		r.pictures++
		name := filepath.Join(r.opts.Pictures, fmt.Sprintf("rove-%d.%s", r.pictures, strings.TrimPrefix(img.Type, "image/")))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(img.Data)
		return name, errors.Join(err, f.Close())
	}
}

// editor reads lines on a terminal.
type editor struct {
	state   *liner.State
	history string
}

func newEditor(known *elements, history string) *editor {
	e := &editor{liner.NewLiner(), history}
	e.state.SetCtrlCAborts(true)
	e.state.SetTabCompletionStyle(liner.TabPrints)
	e.state.SetCompleter(known.complete)
	if f, err := os.Open(history); err == nil {
		_, _ = e.state.ReadHistory(f)
		_ = f.Close()
	}
	return e
}

func (e *editor) read(yield func(string) bool) {
	for {
		line, err := e.state.Prompt("rove> ")
		if errors.Is(err, liner.ErrPromptAborted) {
			continue
		}
		if err != nil {
			return
		}
		// As in a shell, a line that begins with a space is not kept.
		if strings.TrimSpace(line) != "" && line[0] != ' ' {
			e.state.AppendHistory(line)
		}
		if !yield(line) {
			return
		}
	}
}

// ask asks the person at the terminal, between two lines.
func (e *editor) ask(_ context.Context, q rove.Question) (bool, error) {
	fmt.Println(q.String()) // all of it: a prompt is cut at the terminal's edge
	line, err := e.state.Prompt(policy.HowToAgree(q.Unseen()) + " ")
	if errors.Is(err, liner.ErrPromptAborted) || errors.Is(err, io.EOF) {
		return false, nil
	}
	return q.Agrees(line), err
}

// close gives the terminal back and keeps the history. What was typed can be
// secret, so the file is the user's alone.
func (e *editor) close() {
	_ = e.state.Close()
	if e.history == "" || os.MkdirAll(filepath.Dir(e.history), 0o700) != nil {
		return
	}
	f, err := os.OpenFile(e.history, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	_, _ = e.state.WriteHistory(f)
	_ = f.Close()
}
