package chrome

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"rove/cdp"
	"rove/driver/backend"
)

// SetFiles gives files to the file input that a frame's page script knows by a
// ref number. The browser fires the events a person's choice would.
func (t *Tab) SetFiles(ctx context.Context, id backend.FrameID, ref int, paths []string) error {
	g, err := t.enter(ctx)
	if err != nil {
		return err
	}
	t.Mu.Lock()
	f := t.find(id)
	var w *world
	if f != nil {
		w = f.world
	}
	t.Mu.Unlock()
	if w == nil {
		return fail(backend.KindNavigated, "the frame is gone")
	}
	group := t.objects()
	defer group.release(w.session)
	p := w.session.Start(runtime.CommandEvaluate, &runtime.EvaluateParams{
		Expression: fmt.Sprintf("rove.element(%d)", ref), UniqueContextID: w.unique, ObjectGroup: string(group),
	})
	var a answer
	if err := t.await(ctx, g, p, &a); err != nil {
		return err
	}
	if a.Result.ObjectID == "" {
		return fail(backend.KindNavigated, "the file input is gone")
	}
	p = w.session.Start(dom.CommandSetFileInputFiles, &dom.SetFileInputFilesParams{Files: paths, ObjectID: a.Result.ObjectID})
	return t.await(ctx, g, p, nil)
}

// chooserOpened notes a file chooser that the page has opened. Nobody sees it: the page
// goes on, and waits for files until it is left. The lock is held.
func (t *Tab) chooserOpened(s *cdp.Session, ev cdp.Event) {
	var e page.EventFileChooserOpened
	if ev.Decode(&e) != nil {
		return
	}
	var give func(context.Context, []string) error
	if e.BackendNodeID != 0 { // else no field of the page takes the files
		give = func(ctx context.Context, paths []string) error {
			g, err := t.enter(ctx)
			if err != nil {
				return err
			}
			p := s.Start(dom.CommandSetFileInputFiles, &dom.SetFileInputFilesParams{Files: paths, BackendNodeID: e.BackendNodeID})
			return t.await(ctx, g, p, nil)
		}
	}
	t.ChooserOpened(backend.Chooser{Multiple: e.Mode == page.FileChooserOpenedModeSelectMultiple, Frame: backend.FrameID(e.FrameID)}, give)
}
