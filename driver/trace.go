package driver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"rove/aria"
	"rove/driver/backend"
	"rove/internal/outlet"
	"rove/internal/wire"
)

// TraceOptions shape a trace.
type TraceOptions struct {
	// Folder is where the trace is written: trace.jsonl, a line for each step,
	// and the pictures. It is made if it is not there; only its owner may read
	// it.
	Folder string
	// NoPictures and NoTrees leave out what makes a trace large and slow.
	NoPictures, NoTrees bool
	// Redact changes texts before they are written: values typed, trees, errors,
	// addresses. What is typed into password fields is never written.
	Redact func(string) string
}

// TraceStep is one call of the driver, and how the page was after it.
type TraceStep struct {
	N       int       `json:"n"` // from 1
	Time    time.Time `json:"time"`
	MS      float64   `json:"ms"` // how many milliseconds it took
	Op      string    `json:"op"` // click, input, wait, go, …
	Target  string    `json:"target,omitempty"`
	Value   string    `json:"value,omitempty"`
	Code    Code      `json:"code,omitempty"` // of the failure
	Error   string    `json:"error,omitempty"`
	URL     string    `json:"url,omitempty"`
	Title   string    `json:"title,omitempty"`
	Dialog  string    `json:"dialog,omitempty"`  // that is open
	Tree    string    `json:"tree,omitempty"`    // the accessibility tree, with refs
	Picture string    `json:"picture,omitempty"` // a file in the trace's folder
}

// Trace is a driver's steps being written down; see StartTrace.
type Trace struct {
	driver *Driver
	opts   TraceOptions

	mu   sync.Mutex
	file *os.File
	n    int
	err  error
}

const (
	traceFile    = "trace.jsonl"
	traceQuality = 60 // of its pictures
)

// StartTrace writes down every step of the driver from now on, with the page's
// tree and a picture after each, until Trace.Stop, or until the driver quits.
// Steps take longer meanwhile. ReadTrace reads it back; TraceStep tells what there
// is.
func (d *Driver) StartTrace(opts TraceOptions) (*Trace, error) {
	const op = "trace"
	if opts.Folder == "" {
		return nil, Invalid(op, "a trace needs a folder")
	}
	d.steps.mu.Lock()
	defer d.steps.mu.Unlock()
	if d.steps.trace != nil {
		return nil, &Error{Code: CodeInvalid, Op: op, Message: "one is being written already, in " + d.steps.trace.opts.Folder, Hint: "stop that first"}
	}
	if err := os.MkdirAll(opts.Folder, 0o700); err != nil {
		return nil, Explain(op, err)
	}
	f, err := os.OpenFile(filepath.Join(opts.Folder, traceFile), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, Explain(op, err)
	}
	d.steps.trace = &Trace{driver: d, opts: opts, file: f}
	return d.steps.trace, nil
}

// Folder is where the trace is.
func (t *Trace) Folder() string { return t.opts.Folder }

// Stop ends the trace. It may be called twice. The error is the first that
// writing met.
func (t *Trace) Stop() error {
	d := t.driver
	d.steps.mu.Lock()
	if d.steps.trace == t {
		d.steps.trace = nil
	}
	d.steps.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file != nil {
		t.err = errors.Join(t.err, t.file.Close())
		t.file = nil
	}
	if t.err != nil {
		return Explain("trace", t.err)
	}
	return nil
}

// add writes a step, and how the page is now.
func (t *Trace) add(ctx context.Context, s TraceStep, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file == nil || t.err != nil {
		return
	}
	t.n++
	s.N = t.n
	if err != nil {
		s.Code, s.Error = CodeOf(err), err.Error()
	}
	t.look(ctx, &s)
	if t.opts.Redact != nil {
		for _, text := range []*string{&s.Op, &s.Target, &s.Value, &s.Error, &s.URL, &s.Title, &s.Dialog, &s.Tree} {
			*text = t.opts.Redact(*text)
		}
	}
	s = outlet.Clean(nil, s) // logins are left out in any case
	line, err := wire.Marshal(s)
	if err == nil {
		_, err = t.file.Write(append(line, '\n'))
	}
	t.err = err
}

// look adds what there is to see of the page. What cannot be had is left out: a
// dialog or a crash leaves little.
func (t *Trace) look(ctx context.Context, s *TraceStep) {
	tab := t.driver.Tab()
	if tab == nil || gone(tab.tab) {
		return
	}
	s.URL = tab.URL()
	if g := tab.Dialog(); g != nil {
		s.Dialog = g.Type + ": " + g.Message
		return
	}
	s.Title, _ = tab.Title(ctx)
	if !t.opts.NoTrees {
		if tree, err := tab.Snapshot(ctx, SnapshotOptions{}); err == nil {
			s.Tree = aria.Render(tree, aria.Options{YAML: true, Bare: true})
		}
	}
	if t.opts.NoPictures {
		return
	}
	picture, err := tab.tab.Screenshot(ctx, backend.ScreenshotOptions{Format: "jpeg", Quality: traceQuality})
	if err != nil {
		return
	}
	name := fmt.Sprintf("%04d.jpg", s.N)
	if os.WriteFile(filepath.Join(t.opts.Folder, name), picture, 0o600) == nil {
		s.Picture = name
	}
}

// traceLine bounds a line of a trace that is read.
const traceLine = 64 << 20

// ReadTrace reads the steps of a trace back from its folder. Of a trace that was
// broken off in the middle of a line, the steps before are given, with the error.
func ReadTrace(folder string) ([]TraceStep, error) {
	f, err := os.Open(filepath.Join(folder, traceFile))
	if err != nil {
		return nil, Invalid("trace", "there is no trace in %s: %v", folder, err)
	}
	defer f.Close()
	return readTrace(f)
}

func readTrace(r io.Reader) ([]TraceStep, error) {
	var list []TraceStep
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, traceLine)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var s TraceStep
		if err := wire.Unmarshal(lines.Bytes(), &s); err != nil {
			return list, Invalid("trace", "step %d cannot be read: %v", len(list)+1, err)
		}
		list = append(list, s)
	}
	if err := lines.Err(); err != nil {
		return list, Invalid("trace", "step %d cannot be read: %v", len(list)+1, err)
	}
	return list, nil
}
