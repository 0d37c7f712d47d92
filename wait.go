package rove

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rove/driver"
	"rove/driver/backend"
)

// WaitResult says that what was waited for came true, and what changed.
type WaitResult struct {
	OK      bool  `json:"ok"`
	Elapsed int64 `json:"elapsed"` // milliseconds
	LookResult
}

// Text is what a model reads.
func (r *WaitResult) Text() string { return r.text }

// WaitTimeout is how long Wait waits when it is not told.
const WaitTimeout = 30 * time.Second

// Wait waits for a condition: a ref to be visible (e5) or to go (!e5), text:…,
// gone:…, url:…, idle, load, request:…,
// download, a number of milliseconds, a locator, or
// a JavaScript expression to become true. A timeout of 0 is WaitTimeout. A wait
// that ends without success still shows the page, beside the error.
func (s *Session) Wait(ctx context.Context, condition string, timeout time.Duration) (*WaitResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if timeout <= 0 {
		timeout = WaitTimeout
	}
	start := s.begin()
	before := s.looks.last()
	if deadline, ok := ctx.Deadline(); ok {
		// There has to be time left to say what the page looks like.
		timeout = min(timeout, max(time.Until(deadline)*3/4, time.Millisecond))
	}
	waiting, cancel := context.WithTimeout(ctx, timeout)
	err := s.waitFor(waiting, strings.TrimSpace(condition))
	cancel()
	r := &WaitResult{OK: err == nil, Elapsed: time.Since(start.at).Milliseconds()}
	late := false
	if err != nil && ctx.Err() == nil {
		var e *Error
		if err = s.held(err); driver.IsBusy(err) {
			// It says enough.
		} else if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &e) && e.Code == CodeTimeout {
			late = true
		}
	}
	act := &ActResult{OK: r.OK, hung: driver.IsBusy(err)}
	s.show(ctx, act, before)
	r.LookResult = act.LookResult
	if err == nil && act.lost != nil {
		err, r.OK = act.lost, false
	}
	if late {
		told := &Error{Code: CodeTimeout, Op: "wait " + condition, Message: fmt.Sprintf("not so after %s", timeout.Round(time.Millisecond)), Hint: "what the page looks like now is below"}
		if before != nil && act.text == "" {
			told.Hint = "the page is as it was last shown; look shows it again"
		} else if before != nil {
			told.Hint = "what changed meanwhile is below"
		}
		err = told
	}
	word := "ok"
	if err != nil {
		word = "failed"
	}
	head := fmt.Sprintf("%s wait %s (%d ms)", word, condition, r.Elapsed)
	if err != nil {
		head += ": " + err.Error()
	}
	r.text = strings.TrimRight(head+"\n"+act.text, "\n")
	s.secrets.view(&r.LookResult)
	err = s.secrets.failure(err)
	s.record(start, "wait", condition, r.text, nil, err)
	return r, err
}

func (s *Session) waitFor(ctx context.Context, condition string) error {
	tab, _, err := s.present(ctx)
	if err != nil {
		return err
	}
	if d := tab.Dialog(); d != nil {
		return &Error{Code: CodeDialog, Op: "wait", Message: fmt.Sprintf("the page shows a %s: %q", d.Type, d.Message), Hint: "answer it first: act _page dialog accept | dismiss"}
	}
	kind, rest, has := strings.Cut(condition, ":")
	rest = strings.TrimSpace(rest)
	switch {
	case condition == "":
		return driver.Invalid("wait", "nothing to wait for: say e5, !e5, text:…, gone:…, url:…, idle, load, request:…, download, milliseconds, or a JavaScript expression")
	case has && rest == "" && (kind == "text" || kind == "gone" || kind == "url" || kind == "request"):
		return driver.Invalid("wait", "%s: needs something after the colon", kind)
	case has && kind == "text":
		return tab.WaitText(ctx, rest, false)
	case has && kind == "gone":
		return tab.WaitText(ctx, rest, true)
	case has && kind == "url":
		if strings.Contains(tab.URL(), rest) {
			return nil
		}
		return tab.WaitEvent(ctx, condition, func(backend.Event) bool { return strings.Contains(tab.URL(), rest) })
	case has && kind == "request":
		return s.waitRequest(ctx, tab, rest)
	case condition == "download":
		return s.waitDownload(ctx)
	case condition == "idle", condition == "load":
		return tab.WaitIdle(ctx)
	case driver.IsRef(condition):
		return tab.WaitElement(ctx, condition, false)
	case strings.HasPrefix(condition, "!") && driver.IsRef(condition[1:]):
		return tab.WaitElement(ctx, condition[1:], true)
	}
	if ms, err := strconv.Atoi(condition); err == nil {
		return pause(ctx, time.Duration(ms)*time.Millisecond)
	}
	if strings.HasPrefix(condition, "{") || strings.HasPrefix(condition, "#") || strings.HasPrefix(condition, "//") {
		return tab.WaitElement(ctx, condition, false)
	}
	if err := s.script(ctx, condition); err != nil {
		return err
	}
	return tab.WaitScript(ctx, condition)
}

// waitRequest waits until a request whose address has a part is answered.
func (s *Session) waitRequest(ctx context.Context, tab *driver.Tab, part string) error {
	wanted := map[string]bool{}
	return tab.WaitEvent(ctx, "request:"+part, func(ev backend.Event) bool {
		switch e := ev.(type) {
		case backend.RequestStarted:
			if strings.Contains(e.URL, part) {
				wanted[e.ID] = true
			}
		case backend.RequestEnded:
			return wanted[e.ID]
		}
		return false
	})
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
