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
	budget := t.driver.budget(elementWait)
	deadline := start.Add(budget)
	for {
		var f fact[int]
		err := e.pageWithin(ctx, max(time.Until(deadline), 0), "switchFrame", "fact", map[string]any{"what": "frame"}, &f)
		if errorIs(err, CodeNotFound) {
			return &Error{
				Code: CodeNotFound, Op: op, Err: err,
				Message: fmt.Sprintf("frame not found: %s on %s, waited %s%s", e.name, t.URL(), roughly(time.Since(start)), listFrames(t.tab.Frames())),
				Hint:    "check the locator, or wait for what brings it about",
			}
		}
		if err != nil {
			return err
		}
		for _, frame := range t.tab.Frames() {
			if f.Data != 0 && frame.Owner == f.Data {
				return t.enterFrame(ctx, op, frame, deadline)
			}
		}
		if !time.Now().Before(deadline) {
			return &Error{
				Code: CodeInvalid, Op: op, Hint: "give the locator of an iframe or frame",
				Message: fmt.Sprintf("frame not found: %s is there, but holds no frame on %s, waited %s%s", e.name, t.URL(), roughly(time.Since(start)), listFrames(t.tab.Frames())),
			}
		}
		if err := t.nextEvent(ctx, eventPause/2); err != nil {
			return Explain(op, err)
		}
	}
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
	for {
		var got found
		err := d.patiently(ctx, t, op, deadline, func(ctx context.Context, _ time.Duration) error {
			f, err := t.frameOf(t.frameID())
			if err != nil {
				return err
			}
			return t.ask(ctx, f, "frameList", nil, &got)
		})
		if err != nil {
			return Explain(op, err)
		}
		if index >= 0 && index < len(got.Refs) {
			for _, frame := range t.tab.Frames() {
				if owner := got.Refs[index]; owner != 0 && frame.Owner == owner {
					return t.enterFrame(ctx, op, frame, deadline)
				}
			}
		}
		if index < 0 || !time.Now().Before(deadline) {
			return &Error{
				Code: CodeNotFound, Op: op, Hint: "numbers begin with 0 and count the frames of the current frame",
				Message: fmt.Sprintf("no frame at index: %d on %s, waited %s%s", index, t.URL(), roughly(time.Since(start)), listFrames(t.tab.Frames())),
			}
		}
		if err := t.nextEvent(ctx, eventPause/2); err != nil {
			return Explain(op, err)
		}
	}
}

// enterFrame makes a frame the current one as soon as its document can be used.
func (t *Tab) enterFrame(ctx context.Context, op string, frame backend.Frame, deadline time.Time) error {
	err := t.driver.patiently(ctx, t, op, deadline, func(ctx context.Context, left time.Duration) error {
		f, err := t.frameOf(frame.ID)
		if err != nil {
			return err
		}
		var m met
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
