package driver

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"rove/aria"
	"rove/driver/advice"
	"rove/driver/backend"
)

// FindOptions shape a search for elements. The zero value takes what is there.
type FindOptions struct {
	Visible bool          // only what can be seen
	Within  time.Duration // how long to wait for one; 0 does not wait
}

// findSlice is for how long one frame is watched before the others are asked
// again.
const findSlice = 250 * time.Millisecond

// Find gives the refs of what a locator finds: in the main frame, else in the
// first frame that has any. Where it finds nothing the error has CodeNotFound,
// after a wait CodeTimeout; a locator that makes no sense is an error at once.
func (t *Tab) Find(ctx context.Context, locator string, opts FindOptions) ([]aria.Ref, error) {
	locator = strings.TrimSpace(locator)
	op := "find " + locator
	if locator == "" {
		return nil, Invalid("find", "locator cannot be null or empty")
	}
	start := time.Now()
	var found []aria.Ref
	hidden := false // something was there, but could not be seen
	err := t.retry(ctx, op, earlierDeadline(ctx, opts.Within), func(ctx context.Context, left time.Duration) error {
		for _, f := range t.tab.Frames() {
			refs, unseen, err := t.findIn(ctx, f, locator, opts.Visible)
			var b *backend.Error
			switch {
			case err == nil && len(refs) > 0:
				found = refs
				return nil
			case err == nil:
				hidden = hidden || unseen
			case f.Parent != "" && (errors.As(err, &b) || errorIs(err, CodeInvalid)): // a frame that cannot be read holds nothing
			case replaced(err) || opts.Within > 0 && errorIsKind(err, backend.KindUnreadable):
			default:
				return err
			}
		}
		if ref := aria.Ref(strings.TrimPrefix(locator, "ref:")); IsRef(string(ref)) && !hidden && t.lost(ctx, ref) {
			return stale(ref)
		}
		if left > 0 {
			if err := t.changed(ctx, locator, opts.Visible, min(left, findSlice)); err != nil {
				return err
			}
		} else if err := ctx.Err(); err != nil && opts.Within == 0 {
			return err
		}
		return &notYet{err: errUnmet}
	})
	switch {
	case err == nil:
		return found, nil
	case errors.Is(err, errUnmet):
		return nil, t.unfound(op, locator, hidden, opts, time.Since(start))
	case errors.Is(err, aria.ErrStale):
		return nil, err
	}
	return nil, Explain(op, err)
}

// FindInFrames gives the refs of what a locator finds in the first frame that has
// any, where the main frame has none.
func (t *Tab) FindInFrames(ctx context.Context, locator string) []aria.Ref {
	frames := t.tab.Frames()
	if len(frames) < 2 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	if n, err := t.Count(ctx, locator); err != nil || n > 0 {
		return nil
	}
	for _, f := range frames[1:] {
		if refs, _, err := t.findIn(ctx, f, locator, false); err == nil && len(refs) > 0 {
			return refs
		}
	}
	return nil
}

// unfound says that there is no such element.
func (t *Tab) unfound(op, locator string, hidden bool, opts FindOptions, waited time.Duration) error {
	e := (&Error{Code: CodeNotFound, Op: op, Message: "element not found: " + locator + " on " + t.URL()}).Advise(advice.SeeOrWait)
	if hidden {
		e.Code, e.Message = CodeHidden, locator+" is there, but not visible, on "+t.URL()
	}
	if opts.Within > 0 {
		e.Code = CodeTimeout
		e.Message += ", waited " + roundedDuration(waited)
		e.Hint = "check the locator and the page, or wait longer"
	}
	return e
}

// findIn looks in one frame. unseen says that there were only elements that
// cannot be seen.
func (t *Tab) findIn(ctx context.Context, f backend.Frame, locator string, visible bool) (refs []aria.Ref, unseen bool, err error) {
	if IsRef(strings.TrimPrefix(locator, "ref:")) {
		ref := strings.TrimPrefix(locator, "ref:")
		owner, _, err := t.ownerOf(aria.Ref(ref))
		if err != nil {
			return nil, false, err
		}
		if owner != f.ID && (owner != "" || f.Parent != "") {
			return nil, false, nil
		}
		locator = "ref:" + ref
	}
	path := []step{{By: locator}}
	e := &Element{tab: t, frame: f.ID, path: path, name: locator}
	var paths [][]step
	frame := f
	if e.listed() {
		numbers, err := t.refer(ctx, &spot{frame: f}, path[0])
		if errors.Is(err, errNotThere) {
			return nil, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		for _, n := range numbers {
			paths = append(paths, []step{{Ref: n}})
		}
	} else {
		s, _, err := e.spot(ctx)
		if err != nil {
			return nil, false, err
		}
		frame, paths = s.frame, [][]step{s.path}
	}
	number, _ := t.driver.numbers.frame(t.tab, frame)
	for _, path := range paths {
		var got foundAnswer
		if err := t.ask(ctx, frame, "find", map[string]any{"path": path, "refs": true, "visible": visible}, &got); err != nil {
			return nil, false, err
		}
		unseen = unseen || got.Unseen > 0
		for _, n := range got.Refs {
			refs = append(refs, aria.Ref(prefix(number)+strconv.Itoa(n)))
		}
	}
	return refs, unseen && len(refs) == 0, nil
}

// foundAnswer is the page script's answer to find.
type foundAnswer struct {
	found
	Unseen int `json:"unseen"`
}

// changed waits in the main frame until what a locator finds there may have
// changed, for no longer than within.
func (t *Tab) changed(ctx context.Context, locator string, visible bool, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within+answerTimeout)
	defer cancel()
	want := "exists"
	if visible {
		want = "visible"
	}
	e := &Element{tab: t, path: []step{{By: locator}}, name: locator}
	if strings.HasPrefix(locator, "ref:") || IsRef(locator) || e.listed() {
		return t.nextEvent(ctx, min(within, eventPause))
	}
	f, err := t.frameOf("")
	if err != nil {
		return err
	}
	var m waitAnswer
	err = t.ask(ctx, f, "meet", map[string]any{"want": want, "paths": [][]step{e.path}, "timeout": within.Milliseconds()}, &m)
	var b *backend.Error
	if errors.As(err, &b) && (b.Kind == backend.KindNavigated || b.Kind == backend.KindUnreadable) {
		return t.nextEvent(ctx, min(within, eventPause)) // another document is on its way
	}
	return err
}
