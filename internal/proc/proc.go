// Package proc starts and ends process trees, and leaves nothing behind.
//
// A browser is a tree of processes and a directory full of files. Three things
// together see to it that neither outlives its owner:
//
//   - The pipe. A browser started with [Spec.Pipe] is spoken to over a pair of
//     pipes, and ends by itself when the owner's ends close, however the owner
//     died.
//   - The group. The tree lives in a process group of its own (a job object on
//     Windows), and [Process.Kill] ends the group, not the one process.
//   - The sweep. Profile directories live in a [Scratch], which is locked for as
//     long as its owner lives; [Sweep] ends and removes what belongs to nobody
//     any more.
//
// Linux's parent-death signal is not used: it follows the thread that forked
// rather than the process, and kills browsers at random.
package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// killWait bounds how long Kill waits for a killed tree to be gone. A killed
// process is gone within milliseconds unless the kernel itself holds it.
const killWait = 10 * time.Second

// Spec says what to start.
type Spec struct {
	Path string   // the executable
	Args []string // its arguments, without the program's name
	Env  []string // "NAME=value", on top of this process's own environment
	Dir  string   // working directory; the current one when empty

	// Pipe gives the process the two ends of a debugging pipe, as Chrome's
	// --remote-debugging-pipe expects them. The flag itself is among Args.
	Pipe bool

	// Private has files that it writes be its owner's alone, whatever the rest of the
	// machine does: browsers write downloads for everybody.
	Private bool

	// Scratch, when set, learns which process it belongs to, so that a Sweep
	// can end it should this process die first.
	Scratch *Scratch
}

// Process is a running process and all of its descendants.
type Process struct {
	// ToBrowser and FromBrowser are this side's ends of the debugging pipe, nil
	// without Spec.Pipe. Closing ToBrowser asks a browser to end.
	ToBrowser   io.WriteCloser
	FromBrowser io.ReadCloser

	cmd    *exec.Cmd
	group  *group
	output *tail
	done   chan struct{}

	killOnce sync.Once
	err      error // written before done is closed
}

// Start starts a process tree. The context bounds the start alone: the tree
// lives until it ends by itself or Kill is called.
func Start(ctx context.Context, spec Spec) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if spec.Path == "" {
		return nil, errors.New("proc: no executable given")
	}
	if _, err := exec.LookPath(spec.Path); spec.Private && err != nil {
		return nil, fmt.Errorf("proc: start %s: %w", spec.Path, withoutPath(err))
	}
	p := &Process{done: make(chan struct{}), output: new(tail)}
	var opened files
	defer opened.closeAll()

	env := append(os.Environ(), spec.Env...)
	if spec.Scratch != nil {
		tmp, err := spec.Scratch.temp()
		if err != nil {
			return nil, err
		}
		env = append(env, scratchEnv+"="+spec.Scratch.Dir, "TMPDIR="+tmp)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("proc: %w", err)
	}
	opened.add(outR, outW)

	var ends *pipeEnds
	if spec.Pipe {
		if ends, err = newPipeEnds(); err != nil {
			return nil, fmt.Errorf("proc: debugging pipe: %w", err)
		}
		opened.add(ends.toBrowser, ends.fromBrowser, ends.childIn, ends.childOut)
	}

	// An executable that was just unpacked can be "busy": some other goroutine
	// forked while it was open for writing, and that child has yet to exec.
	err = retry(ctx, time.Second, func() (again bool, err error) {
		p.cmd = command(spec)
		p.cmd.Env, p.cmd.Dir = env, spec.Dir
		p.cmd.Stdout, p.cmd.Stderr = outW, outW
		prepareGroup(p.cmd)
		if ends != nil {
			ends.attach(p.cmd)
		}
		err = p.cmd.Start()
		return isBusy(err), err
	})
	if err != nil {
		return nil, fmt.Errorf("proc: start %s: %w", spec.Path, withoutPath(err))
	}
	if p.group, err = newGroup(p.cmd.Process); err != nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		return nil, fmt.Errorf("proc: start %s: %w", spec.Path, err)
	}
	if ends != nil {
		p.ToBrowser, p.FromBrowser = ends.toBrowser, ends.fromBrowser
		opened.keep(ends.toBrowser, ends.fromBrowser)
	}
	opened.keep(outR)
	go p.watch(outR)

	if spec.Scratch != nil {
		if err := spec.Scratch.record(p); err != nil {
			_ = p.Kill()
			return nil, err
		}
	}
	return p, nil
}

// watch reads the output, and follows the tree to its end.
func (p *Process) watch(out *os.File) {
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(p.output, out)
	}()
	p.err = p.group.wait(p.cmd)
	p.group.waitGone(killWait)

	// All writers are gone now, unless a descendant left the group.
	select {
	case <-read:
	case <-time.After(time.Second):
	}
	_ = out.Close()
	<-read
	close(p.done)
}

// Pid is the process id of the tree's first process.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Done is closed when the whole tree is gone.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err says how the first process ended: nil before Done and after exit code 0.
func (p *Process) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// Output is the end of what the tree has written to its standard output and
// error, for use in an error message.
func (p *Process) Output() string { return strings.TrimSpace(p.output.String()) }

// Kill ends the whole tree, returns when it is gone, and closes the pipe. It may
// be called more than once and at any time; call it as well when the tree has
// ended by itself.
func (p *Process) Kill() error {
	p.group.kill()
	bound := time.NewTimer(killWait + 2*time.Second)
	defer bound.Stop()
	select {
	case <-p.done:
	case <-bound.C:
		return fmt.Errorf("proc: process %d was killed but is not gone after %v", p.Pid(), killWait)
	}
	p.killOnce.Do(func() {
		if p.ToBrowser != nil {
			_ = p.ToBrowser.Close()
			_ = p.FromBrowser.Close()
		}
	})
	return nil
}

// retry calls fn until it is content, waiting a little longer each time, for no
// longer than bound. It is for what the system gives no event for.
func retry(ctx context.Context, bound time.Duration, fn func() (again bool, err error)) error {
	deadline := time.NewTimer(bound)
	defer deadline.Stop()
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		again, err := fn()
		if !again {
			return err
		}
		pause := time.NewTimer(wait)
		select {
		case <-pause.C:
		case <-deadline.C:
			pause.Stop()
			return err
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		}
	}
}

// withoutPath drops the wrapping that repeats the path.
func withoutPath(err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return pe.Err
	}
	if ee, ok := errors.AsType[*exec.Error](err); ok {
		return ee.Err
	}
	return err
}

// files closes what a start opened and did not hand on.
type files []*os.File

func (fs *files) add(f ...*os.File) { *fs = append(*fs, f...) }

func (fs *files) keep(kept ...*os.File) {
	*fs = slices.DeleteFunc(*fs, func(f *os.File) bool { return slices.Contains(kept, f) })
}

func (fs *files) closeAll() {
	for _, f := range *fs {
		_ = f.Close()
	}
}
