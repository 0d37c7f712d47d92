package driver

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rove/driver/backend"
)

// frameID is the tab's current frame.
func (t *Tab) frameID() backend.FrameID {
	t.driver.mu.Lock()
	defer t.driver.mu.Unlock()
	return t.frame
}

func (t *Tab) setFrame(id backend.FrameID) {
	t.driver.mu.Lock()
	defer t.driver.mu.Unlock()
	t.frame = id
}

// Frame is a frame of the current tab.
type Frame struct {
	Name string
	URL  string
	Main bool
}

// CurrentFrame is the frame that locators and scripts are for.
func (d *Driver) CurrentFrame() (Frame, error) {
	t := d.Tab()
	f, err := t.frameOf(t.frameID())
	if err != nil {
		return Frame{}, Explain("frame", err)
	}
	return Frame{Name: f.Name, URL: f.URL, Main: f.Parent == ""}, nil
}

// ParentFrame is the index that means the frame around the current one.
const ParentFrame = -1

// SwitchFrame makes a frame inside the current one the current frame: the one
// whose element a locator finds. "" is the main frame of the tab.
func (d *Driver) SwitchFrame(ctx context.Context, locator string) error {
	t := d.Tab()
	if locator == "" {
		t.setFrame("")
		return nil
	}
	return d.Locate(locator).SwitchFrame(ctx)
}

// SwitchFrame makes the frame in this element the current one.
func (e *Element) SwitchFrame(ctx context.Context) (err error) {
	t := e.tab
	ctx, noted := t.driver.begin(ctx, "switchFrame", e.name, "")
	defer func() { err = noted.end(err) }()
	op := "switchFrame " + e.name
	start := time.Now()
	deadline := start.Add(t.driver.budget(elementWait))
	lost := func(code Code, message, hint string, err error) error {
		return &Error{Code: code, Op: op, Hint: hint, Err: err, Message: fmt.Sprintf("frame not found: %s on %s, waited %s%s", message, t.URL(), roundedDuration(time.Since(start)), listFrames(t.tab.Frames()))}
	}
	var frame backend.Frame
	err = t.retry(ctx, op, deadline, func(ctx context.Context, left time.Duration) error {
		var f fact[int]
		if err := e.pageWithin(ctx, left, "switchFrame", "fact", map[string]any{"what": "frame"}, &f); err != nil {
			return err
		}
		var ok bool
		if frame, ok = t.owned(f.Data); !ok {
			return &notYet{errNotThere, eventPause / 2}
		}
		return nil
	})
	switch {
	case err == nil:
		return t.enterFrame(ctx, op, frame, deadline)
	case errorIs(err, CodeNotFound):
		return lost(CodeNotFound, e.name, "check the locator, or wait for what brings it about", err)
	case errors.Is(err, errNotThere):
		return lost(CodeInvalid, e.name+" is there, but holds no frame", "give the locator of an iframe or frame", nil)
	}
	return Explain(op, err)
}

// owned is the frame in an element, by the element's number.
func (t *Tab) owned(owner int) (backend.Frame, bool) {
	for _, f := range t.tab.Frames() {
		if owner != 0 && f.Owner == owner {
			return f, true
		}
	}
	return backend.Frame{}, false
}

// SwitchFrameAt makes a frame inside the current one the current frame, by its
// number, from 0, in the order of the page. ParentFrame goes outwards.
func (d *Driver) SwitchFrameAt(ctx context.Context, index int) (err error) {
	ctx, noted := d.begin(ctx, "switchFrame", strconv.Itoa(index), "")
	defer func() { err = noted.end(err) }()
	t := d.Tab()
	op := fmt.Sprintf("switchFrame %d", index)
	if index == ParentFrame {
		f, err := t.frameOf(t.frameID())
		if err != nil {
			t.setFrame("")
			return nil
		}
		t.setFrame(f.Parent)
		return nil
	}
	start := time.Now()
	deadline := start.Add(d.budget(elementWait))
	var frame backend.Frame
	err = t.retry(ctx, op, deadline, func(ctx context.Context, _ time.Duration) error {
		f, err := t.frameOf(t.frameID())
		if err != nil {
			return err
		}
		if index < 0 {
			return errNotThere
		}
		var got found
		if err := t.ask(ctx, f, "frameList", nil, &got); err != nil {
			return err
		}
		ok := false
		if index < len(got.Refs) {
			frame, ok = t.owned(got.Refs[index])
		}
		if !ok {
			return &notYet{errNotThere, eventPause / 2}
		}
		return nil
	})
	switch {
	case err == nil:
		return t.enterFrame(ctx, op, frame, deadline)
	case errors.Is(err, errNotThere):
		return &Error{
			Code: CodeNotFound, Op: op, Hint: "numbers begin with 0 and count the frames of the current frame",
			Message: fmt.Sprintf("no frame at index: %d on %s, waited %s%s", index, t.URL(), roundedDuration(time.Since(start)), listFrames(t.tab.Frames())),
		}
	}
	return Explain(op, err)
}

// enterFrame makes a frame the current one as soon as its document can be used.
func (t *Tab) enterFrame(ctx context.Context, op string, frame backend.Frame, deadline time.Time) error {
	err := t.retry(ctx, op, deadline, func(ctx context.Context, left time.Duration) error {
		f, err := t.frameOf(frame.ID)
		if err != nil {
			return err
		}
		var m waitAnswer
		return t.ask(ctx, f, "meet", map[string]any{"want": "ready", "text": "parsed", "timeout": left.Milliseconds()}, &m)
	})
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return Explain(op, err)
	}
	t.setFrame(frame.ID)
	return nil
}

// listFrames says which frames there are.
func listFrames(frames []backend.Frame) string {
	if len(frames) < 2 {
		return "; the page has no frames"
	}
	const most = 10
	var list []string
	for i, f := range frames[1:] {
		if i == most {
			list = append(list, fmt.Sprintf("and %d more", len(frames)-1-most))
			break
		}
		text := f.URL
		if f.Name != "" {
			text = f.Name + " " + text
		}
		list = append(list, text)
	}
	return "; there are " + strings.Join(list, ", ")
}

// FrameURL is the address of the frame that a ref or locator belongs to.
func (t *Tab) FrameURL(target string) (string, error) {
	frame, _, _, err := t.target(target, target)
	if err != nil {
		return "", err
	}
	return frame.URL, nil
}

// FrameURLs are the addresses of the tab's documents, the page's own first.
func (t *Tab) FrameURLs() []string {
	var urls []string
	for _, f := range t.tab.Frames() {
		urls = append(urls, t.documentURL(f, ""))
	}
	return urls
}

// frameOf is a frame of the tab as it is now; "" is the main frame.
func (t *Tab) frameOf(id backend.FrameID) (backend.Frame, error) {
	frames := t.tab.Frames()
	if len(frames) == 0 {
		return backend.Frame{}, &backend.Error{Kind: backend.KindClosed}
	}
	if id == "" {
		return frames[0], nil
	}
	for _, f := range frames {
		if f.ID == id {
			return f, nil
		}
	}
	return backend.Frame{}, &Error{
		Code: CodeNotFound, Message: "frame not found: the one that was switched to is gone" + listFrames(frames),
		Hint: "switch to another, or to the main frame",
	}
}
