package driver

import (
	"context"
	"errors"
	"fmt"

	"rove/aria"
	"rove/driver/advice"
	"rove/driver/backend"
)

// SnapshotOptions say what of a page to read. The zero value is all of it.
type SnapshotOptions struct {
	Ref      aria.Ref // only this element and what is in it
	Find     *Pattern // plain text that matches gets a ref
	Viewport bool     // only what is on screen
	Links    bool     // with the URLs of links
	Boxes    bool     // with the place of every element
	Passing  bool     // it is told nobody
	Again    bool     // nor was the one before
}

// Pattern is a JavaScript regular expression.
type Pattern struct {
	Source string `json:"source"`
	Flags  string `json:"flags"`
}

// lookArg is the argument of the page script's look.
type lookArg struct {
	Next     int      `json:"next"`
	Root     int      `json:"root,omitempty"`
	Find     *Pattern `json:"find,omitempty"`
	Viewport bool     `json:"viewport,omitempty"`
	Links    bool     `json:"links,omitempty"`
	Boxes    bool     `json:"boxes,omitempty"`
	Again    bool     `json:"again,omitempty"` // the look before told nobody anything
	Passing  bool     `json:"passing,omitempty"`
	Was      string   `json:"was,omitempty"` // what was told of the document before
}

// snapshotTries bounds how often a page that is replaced while it is read is
// read again; each try sees a newer document.
const snapshotTries = 8

// Snapshot reads the page: all frames at once, in one write and one round trip.
func (t *Tab) Snapshot(ctx context.Context, opts SnapshotOptions) (*aria.Tree, error) {
	ctx, cancel := bounded(ctx, 0, snapshotTimeout)
	defer cancel()
	scanned := false
	for try := 1; ; try++ {
		tree, dirty, err := t.snapshot(ctx, opts, scanned || opts.Again)
		switch {
		case err != nil && try < snapshotTries && replaced(err) && ctx.Err() == nil:
			continue
		case err != nil:
			return nil, Explain("look", err)
		case !dirty || scanned:
			return tree, nil
		}
		// The page grew since its listeners were last asked for: what came may
		// be clickable for no reason a script can see.
		scanned = true
		bound, cancel := context.WithTimeout(ctx, scanTimeout)
		found, err := t.tab.Scan(bound)
		cancel()
		if err != nil && bound.Err() != nil && ctx.Err() == nil {
			return tree, nil // what is there is there, scanned or not
		}
		if err != nil && !replaced(err) {
			return nil, Explain("look", err)
		}
		if !found {
			return tree, nil
		}
	}
}

// snapshot reads the page once. dirty is true when it holds elements that Scan
// has not seen, and again that the last reading was for nobody.
func (t *Tab) snapshot(ctx context.Context, opts SnapshotOptions, again bool) (tree *aria.Tree, dirty bool, err error) {
	frames := t.tab.Frames()
	if len(frames) == 0 {
		return nil, false, &backend.Error{Kind: backend.KindClosed}
	}
	root := 0
	if opts.Ref != "" {
		var id backend.FrameID
		if id, root, err = t.ownerOf(opts.Ref); err != nil {
			return nil, false, err
		}
		if frames = below(frames, id); len(frames) == 0 {
			return nil, false, stale(opts.Ref)
		}
	}

	whole := opts.Ref == "" && !opts.Viewport
	calls := make([]backend.Call, len(frames))
	numbers := make([]int, len(frames))
	for i, f := range frames {
		arg := lookArg{Find: opts.Find, Viewport: opts.Viewport, Links: opts.Links, Boxes: opts.Boxes, Again: again, Passing: opts.Passing}
		numbers[i], arg.Next = t.driver.numbers.frame(t.tab, f)
		if i == 0 {
			arg.Root = root
			arg.Was = t.previousAnswer(f, whole)
		}
		calls[i] = backend.Call{Frame: f.ID, Func: "look", Arg: arg}
	}
	results, err := t.tab.Call(ctx, calls...)
	if err != nil {
		return nil, false, err
	}

	var main aria.Part
	inner := make(map[int]aria.Frame, len(frames)-1)
	for i, r := range results {
		var part aria.Part
		if r.Err == nil {
			part, r.Err = aria.Parse(r.Value, prefix(numbers[i]))
		}
		if r.Err == nil {
			t.driver.numbers.used(numbers[i], part.Next)
			dirty = dirty || part.Dirty
		}
		switch {
		case i > 0 && r.Err != nil:
			inner[frames[i].Owner] = aria.Frame{Err: unreadable(r.Err)}
		case i > 0:
			inner[frames[i].Owner] = aria.Frame{Part: part}
		case errors.Is(r.Err, aria.ErrStale):
			return nil, false, stale(opts.Ref)
		case r.Err != nil:
			return nil, false, r.Err
		default:
			main = part
			if whole && !(&aria.Tree{Nodes: part.Nodes}).Covered() {
				t.lastAnswer.Store(&lastAnswer{url: part.URL, answer: r.Value})
				t.renewed.Store(false)
			}
		}
	}
	tree = aria.Stitch(main, inner)
	if frames[0].Unreachable && Origin(tree.URL) == "" {
		tree.URL = frames[0].URL // and not that of the browser's own page
	}
	return tree, dirty, nil
}

// lastAnswer is what the page script told last of a document.
type lastAnswer struct{ url, answer string }

// mostHeard bounds what is handed on from one document to the next.
const mostHeard = 256 << 10

// previousAnswer is what was told of the document before, for the first look at one of the same
// site: what is the same there keeps its refs.
func (t *Tab) previousAnswer(f backend.Frame, whole bool) string {
	was := t.lastAnswer.Load()
	if !whole || was == nil || !t.renewed.Load() || len(was.answer) > mostHeard || Origin(was.url) != Origin(f.URL) {
		return ""
	}
	return was.answer
}

// ownerOf finds the frame of a ref in this tab.
func (t *Tab) ownerOf(ref aria.Ref) (backend.FrameID, int, error) {
	if !IsRef(string(ref)) {
		return "", 0, &Error{
			Code: CodeInvalid, Message: fmt.Sprintf("%q is not a ref", ref),
			Hint: "refs look like e12, or f3e12 in a frame",
		}
	}
	tab, frame, number, ok := t.driver.numbers.owner(ref)
	switch {
	case !ok && t.driver.numbers.none():
		return "", 0, &Error{
			Code: CodeNotFound, Message: fmt.Sprintf("there is no %s: this session is new and has shown no page yet; refs of one before it are gone, and so are its logins", ref),
			Hint: "go to a page first",
		}
	case !ok:
		return "", 0, (&Error{Code: CodeNotFound, Message: fmt.Sprintf("there is no %s, and never was", ref)}).Advise(advice.SeeRefs)
	}
	if tab != t.tab && gone(tab) {
		return "", 0, (&Error{Code: CodeStale, Message: fmt.Sprintf("%s was in a tab that is closed", ref)}).Advise(advice.SeeNow)
	}
	if tab != t.tab {
		return "", 0, &Error{
			Code: CodeStale, Message: fmt.Sprintf("%s is in another tab", ref),
			Hint: "switch to that tab first",
		}
	}
	return frame, number, nil
}

func stale(ref aria.Ref) error {
	return (&Error{Code: CodeStale, Message: fmt.Sprintf("%s is stale: its element is gone from the page", ref), Err: aria.ErrStale}).Advise(advice.SeeNow)
}

// below keeps the frame id ("" is the main frame) and the frames inside it.
func below(frames []backend.Frame, id backend.FrameID) []backend.Frame {
	if id == "" {
		return frames
	}
	in := map[backend.FrameID]bool{}
	var kept []backend.Frame
	for _, f := range frames { // parents come before children
		if f.ID == id || in[f.Parent] {
			in[f.ID] = true
			kept = append(kept, f)
		}
	}
	return kept
}

// replaced is true where a document went away while it was read.
func replaced(err error) bool {
	var b *backend.Error
	return errors.As(err, &b) && b.Kind == backend.KindNavigated
}

// unreadable says in a few words why a frame could not be read.
func unreadable(err error) string {
	if b, ok := errors.AsType[*backend.Error](err); ok {
		switch b.Kind {
		case backend.KindNavigated:
			return "it was being replaced; look again"
		case backend.KindUnreadable:
			return "the browser lets nobody read it"
		case backend.KindCrashed:
			if b.Why != "" {
				return b.Why
			}
			return "it crashed"
		case backend.KindBusy:
			return "it is busy: a script of it does not come to an end"
		}
	}
	return err.Error()
}
