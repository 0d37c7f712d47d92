package driver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rove/driver/backend"
	"rove/internal/wire"
)

// ConfineUploads has check asked about every file before a page gets it. It
// answers with the path to use, links resolved, or with the reason against it.
// It is called before the driver is used.
func (d *Driver) ConfineUploads(check func(path string) (string, error)) { d.uploads = check }

// files reads the paths of an upload and holds them to what is allowed.
func (d *Driver) files(op, value string) ([]string, error) {
	paths, err := paths(value)
	if err != nil {
		return nil, Invalid(op, "%v", err)
	}
	for i, path := range paths {
		if d.uploads != nil {
			// Before anything is said of the file: whether it is there is nobody's
			// business.
			if paths[i], err = d.uploads(path); err != nil {
				return nil, refused(op, err)
			}
			continue
		}
		if paths[i], err = file(path); err != nil {
			return nil, Invalid(op, "%v", err)
		}
	}
	return paths, nil
}

// refused is the error for what the session's policy does not allow.
func refused(op string, err error) error {
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	return &Error{Code: CodePolicy, Op: op, Message: err.Error(), Hint: PolicyHint, Err: err}
}

// paths reads the paths of an upload: one, several on lines of their own, or a
// JSON array.
func paths(value string) ([]string, error) {
	var paths []string
	if strings.HasPrefix(value, "[") && wire.Unmarshal([]byte(value), &paths) == nil {
	} else {
		for line := range strings.Lines(value) {
			if line = strings.TrimSpace(line); line != "" {
				paths = append(paths, line)
			}
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("upload needs the path of a file")
	}
	return paths, nil
}

// file finds a file.
func file(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(abs)
	switch {
	case err != nil:
		return "", fmt.Errorf("there is no file %s; give the path of one on this machine", path)
	case info.IsDir():
		return "", fmt.Errorf("%s is a folder, not a file", path)
	}
	return abs, nil
}

// upload gives files to a file input, hidden ones too, or to the chooser that a
// click opens.
func (a *action) upload() error {
	paths, err := a.tab.driver.files(a.op, a.Value)
	if err != nil {
		return err
	}
	v, err := a.prepare("here", nil)
	if err != nil {
		return err
	}
	if v.Disabled {
		return a.refusal(&verdict{plain: plain{Code: "disabled"}, scriptElement: v.scriptElement})
	}
	if ask := a.tab.driver.onTrigger; ask != nil && a.Name != "upload" { // by another name
		node := ElementInfo{Ref: a.refOf(v.Ref), Role: v.Role, Name: v.Name}
		_, err := ask(a.ctx, Trigger{Op: "upload", Target: a.target, Value: a.Value, URL: a.tab.documentURL(a.frame, ""), Nodes: []ElementInfo{node}})
		if err != nil {
			return err
		}
	}
	if v.Tag == "input" && v.Type == "file" {
		ctx, cancel := context.WithTimeout(a.ctx, answerTimeout)
		defer cancel()
		if err := a.tab.tab.SetFiles(ctx, a.frame.ID, v.Ref, paths); err != nil {
			return err
		}
		err := a.uploaded()
		a.compare()
		return err
	}
	// Something else opens a chooser when clicked.
	if err := a.click(); err != nil {
		return err
	}
	c := a.chooser()
	switch {
	case c == nil:
		return a.dropFiles(v, paths)
	case c.Declined:
		return &Error{
			Code: CodeUnsupported, Op: a.op, Message: a.describe(v.scriptElement) + " asks by a script, and such a file chooser cannot be answered",
			Hint: "use the ref of a file input, if the page has one",
		}
	}
	if err := a.answerChooser(c, a.origin(a.frame.ID), paths); err != nil {
		return err
	}
	a.answered = true
	return a.uploaded()
}

// chooserTime is how long a chooser may take to open after the click: pages ask for one a
// moment later, and it is not the page's process that tells of it.
const chooserTime = 500 * time.Millisecond

// chooser is the file chooser that a click opened; nil where none comes.
func (a *action) chooser() *backend.Chooser {
	ctx, cancel := context.WithTimeout(a.ctx, chooserTime)
	defer cancel()
	a.watch.until(ctx, a.tab.tab.Done(), nil, func() bool { return a.watch.chooser != nil || a.watch.dialog != nil || a.watch.commits > 0 })
	return a.watch.choosing()
}

// answerChooser gives files to the chooser that is open, if it is one of a document
// of the origin in which something was done: another may open one as well, at that moment.
func (a *action) answerChooser(c *backend.Chooser, origin string, paths []string) error {
	if c.Frame != "" && c.Frame != a.frame.ID && c.Frame != a.inner {
		if of := a.origin(c.Frame); of == "" || of == "null" || of != origin {
			f, _ := a.tab.frameByID(c.Frame)
			return &Error{
				Code: CodePolicy, Op: a.op, Message: "the file chooser that opened is not that of the page that was used, but of " + frameWords(f) + ": it was given no file",
				Hint: "use the ref of a file input",
			}
		}
	}
	ctx, cancel := context.WithTimeout(a.ctx, answerTimeout)
	defer cancel()
	return a.tab.tab.AnswerChooser(ctx, paths)
}

// origin is that of the document of a frame; "" where it cannot be told.
func (a *action) origin(of backend.FrameID) string {
	f, ok := a.tab.frameByID(of)
	if !ok {
		return ""
	}
	v, err := a.tab.call(a.ctx, f, "focusedOn", prepareArg{})
	if err != nil {
		return ""
	}
	return v.Origin
}

// sendingTime is how long a page may take to read and prepare files before it sends them.
const sendingTime = 400 * time.Millisecond

// uploaded waits for what a page makes of files that it got. One that does something with
// them at once is likely to send them, when it has read them.
func (a *action) uploaded() error {
	if err := a.settle(); err != nil || a.effect.Changes == 0 || a.watch.stopped() {
		return err
	}
	ctx, cancel := context.WithTimeout(a.ctx, sendingTime)
	defer cancel()
	sends := func() bool {
		return slices.ContainsFunc(a.watch.order, func(r *Request) bool { return r.byScript() || r.Method != http.MethodGet })
	}
	a.watch.until(ctx, a.tab.tab.Done(), nil, func() bool { return sends() || len(a.watch.pending) > 0 || a.watch.dialog != nil || a.watch.crashed })
	if ctx.Err() != nil {
		return nil
	}
	return a.settle()
}

// dropFiles drops files on an element, where a click has opened no chooser. One that
// does not want them is left alone: the browser would open them in its place.
func (a *action) dropFiles(v *verdict, paths []string) error {
	what := a.describe(v.scriptElement)
	no := func(why string) error {
		return &Error{Code: CodeInvalid, Op: a.op, Message: what + " " + why, Hint: "use the ref of the file input, or of what files are dropped on"}
	}
	tab, ok := a.tab.tab.(backend.FileDropper)
	if !ok || a.effect.URL != "" || a.effect.Navigated {
		return no("was clicked, but no file chooser opened")
	}
	p, err := a.point(nil)
	if err != nil {
		return err
	}
	if _, err := a.tab.call(a.ctx, a.frame, "zone", prepareArg{Key: "begin"}); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(a.ctx, dragTimeout)
	defer cancel()
	took := false
	err = tab.DropFiles(ctx, p, paths, func(ctx context.Context) (bool, error) {
		v, err := a.tab.call(ctx, a.frame, "zone", prepareArg{})
		took = err == nil && v.Checked != nil && *v.Checked
		return took, err
	})
	if err != nil && !replaced(err) {
		return err
	}
	if !took {
		return no("was clicked, but no file chooser opened, and it takes no files that are dropped on it")
	}
	a.effect.Changes = 0
	if seen, err := a.taken(); err != nil {
		return err
	} else if !seen {
		return no("took the files that were dropped on it, but the page made nothing of them that is seen")
	}
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = filepath.Base(path)
	}
	a.effect.Value = &Change{To: strings.Join(names, ", ")}
	return nil
}

// readingTime is how long a page may take to read files that were dropped on it.
const readingTime = 3 * time.Second

// taken waits until something is seen of files that a page has got: it reads them first.
func (a *action) taken() (bool, error) {
	for end := time.Now().Add(readingTime); ; {
		if err := a.settle(); err != nil {
			return false, err
		}
		seen := *a.effect
		if a.watch.fill(&seen, a.url); seen.Seen() {
			return true, nil
		}
		if time.Now().After(end) || a.ctx.Err() != nil {
			return false, nil
		}
		v, err := a.settleFrame(end, "sign")
		if err != nil {
			return replaced(err), nil
		}
		a.effect.Changes += v.Changes
	}
}
