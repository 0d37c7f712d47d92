package chrome

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"rove/cdp"
	"rove/driver/backend"
)

const filesGroup = "rove-files"

// SetFiles gives files to the file input that a frame's page script knows by a
// ref number. The browser fires the events a person's choice would.
func (t *Tab) SetFiles(ctx context.Context, id backend.FrameID, ref int, paths []string) error {
	g, err := t.enter(ctx)
	if err != nil {
		return err
	}
	t.mu.Lock()
	f := t.find(id)
	var w *world
	if f != nil {
		w = f.world
	}
	t.mu.Unlock()
	if w == nil {
		return fail(backend.KindNavigated, "the frame is gone")
	}
	p := w.session.Start(runtime.CommandEvaluate, &runtime.EvaluateParams{
		Expression: fmt.Sprintf("rove.element(%d)", ref), UniqueContextID: w.unique, ObjectGroup: filesGroup,
	})
	var a answer
	if err := t.await(ctx, g, p, &a); err != nil {
		return err
	}
	if a.Result.ObjectID == "" {
		return fail(backend.KindNavigated, "the file input is gone")
	}
	defer w.session.Start(runtime.CommandReleaseObjectGroup, &runtime.ReleaseObjectGroupParams{ObjectGroup: filesGroup})
	p = w.session.Start(dom.CommandSetFileInputFiles, &dom.SetFileInputFilesParams{Files: paths, ObjectID: a.Result.ObjectID})
	return t.await(ctx, g, p, nil)
}

// chooserTimeout is how long a click may take to open a file chooser.
const chooserTimeout = 2 * time.Second

// chooser is a file chooser that is expected to open.
type chooser struct {
	paths  []string
	opened chan struct{}
}

// Choose answers the next file chooser with files. done ends that, and says
// whether one opened.
func (t *Tab) Choose(paths []string) (done func() bool) {
	c := &chooser{paths: paths, opened: make(chan struct{})}
	t.mu.Lock()
	t.chooser = c
	links := t.sessions()
	t.mu.Unlock()
	intercept := func(on bool) {
		var cmds []cdp.Command
		for _, s := range links {
			cmds = append(cmds, s.Command(page.CommandSetInterceptFileChooserDialog, &page.SetInterceptFileChooserDialogParams{Enabled: on}))
		}
		t.browser.conn.Start(cmds...)
	}
	intercept(true)
	return func() bool {
		defer intercept(false)
		timer := time.NewTimer(chooserTimeout)
		defer timer.Stop()
		opened := false
		select {
		case <-c.opened:
			opened = true
		case <-t.done:
		case <-timer.C:
		}
		t.mu.Lock()
		t.chooser = nil
		t.mu.Unlock()
		return opened
	}
}

// sessions are those of the page and its out-of-process frames. The lock is held.
func (t *Tab) sessions() []*cdp.Session {
	var list []*cdp.Session
	for _, l := range t.links {
		list = append(list, l.session)
	}
	return list
}

// chooserOpened gives the files to the input that opened the chooser.
func (t *Tab) chooserOpened(s *cdp.Session, ev cdp.Event) {
	var e page.EventFileChooserOpened
	if ev.Decode(&e) != nil || t.chooser == nil {
		return
	}
	c := t.chooser
	t.chooser = nil
	p := s.Start(dom.CommandSetFileInputFiles, &dom.SetFileInputFilesParams{Files: c.paths, BackendNodeID: e.BackendNodeID})
	go func() {
		if p.Wait(t.life, nil) == nil {
			close(c.opened)
		}
	}()
}
