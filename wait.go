package rove

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rove/driver"
	"rove/driver/advice"
	"rove/driver/backend"
)

// WaitResult says that what was waited for came true, and what changed.
type WaitResult struct {
	OK      bool  `json:"ok"`
	Elapsed int64 `json:"elapsed"` // milliseconds
	// Error and Code say why it failed, where it did.
	Error string `json:"error,omitempty"`
	Code  Code   `json:"code,omitempty"`
	Hint  string `json:"hint,omitempty"`
	LookResult
}

// Text is what a model reads.
func (r *WaitResult) Text() string { return r.text }

// WaitTimeout is how long Wait waits when it is not told.
const WaitTimeout = 30 * time.Second

// leastWait is how long Wait waits at least: the page has to say whether it is so.
const leastWait = 200 * time.Millisecond

// Wait waits for a condition: a ref to be visible (e5) or to go (!e5), text:…,
// gone:…, url:…, idle, load, request:…, download, a number of milliseconds, a
// locator, or a JavaScript expression to become true. A timeout of 0 is
// WaitTimeout. A wait that ends without success still shows the page, beside the
// error.
func (s *Session) Wait(ctx context.Context, condition string, timeout time.Duration) (*WaitResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if timeout <= 0 {
		timeout = WaitTimeout
	}
	timeout = max(timeout, leastWait)
	start := s.begin()
	before := s.looks.last()
	if deadline, ok := ctx.Deadline(); ok {
		// There has to be time left to say what the page looks like.
		timeout = min(timeout, max(time.Until(deadline)*3/4, time.Millisecond))
	}
	waiting, cancel := context.WithTimeout(ctx, timeout)
	err := inVerbs(s.waitFor(waiting, strings.TrimSpace(condition)))
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
			told.Advise(advice.AsBefore)
		} else if before != nil {
			told.Hint = "what changed meanwhile is below"
		}
		err = told
	}
	word := "ok"
	if err != nil {
		word = "failed"
	}
	err = s.failed(err)
	head := fmt.Sprintf("%s wait %s (%d ms)", word, oneLine(condition), r.Elapsed)
	if err != nil {
		head += ": " + inWords(ctx, err)
	}
	r.text = strings.TrimRight(head+"\n"+act.text, "\n")
	if err != nil {
		f := failureOf(ctx, Step{}, err)
		r.Error, r.Code, r.Hint = f.Message, f.Code, f.Hint
	}
	cleanResult(s.out, r)
	s.record(start, "wait", condition, r.text, nil, err)
	return r, err
}

// waitWithin waits as a step of an act.
func (s *Session) waitWithin(ctx context.Context, condition string, timeout time.Duration) error {
	bound, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := inVerbs(s.waitFor(bound, strings.TrimSpace(condition)))
	if err != nil && ctx.Err() == nil && bound.Err() != nil {
		return &Error{Code: CodeTimeout, Op: "wait " + condition, Message: fmt.Sprintf("not so after %s", timeout), Hint: "what changed meanwhile is below"}
	}
	return err
}

func (s *Session) waitFor(ctx context.Context, condition string) error {
	tab, _, err := s.currentTab(ctx)
	if err != nil {
		return err
	}
	if d := tab.Dialog(); d != nil {
		return (&Error{Code: CodeDialog, Op: "wait", Message: fmt.Sprintf("the page shows a dialog (%s %q)", d.Type, d.Message)}).Advise(advice.AnswerAlert)
	}
	c, err := parseCondition(condition)
	if err != nil {
		return err
	}
	switch c.kind {
	case "text":
		return tab.WaitText(ctx, c.what, false)
	case "gone":
		return tab.WaitText(ctx, c.what, true)
	case "url":
		if strings.Contains(tab.URL(), c.what) {
			return nil
		}
		return tab.WaitEvent(ctx, condition, func(backend.Event) bool { return strings.Contains(tab.URL(), c.what) })
	case "request":
		return s.waitRequest(ctx, tab, c.what)
	case "download":
		return s.waitDownload(ctx)
	case "idle", "load":
		return tab.WaitIdle(ctx)
	case "element":
		return tab.WaitElement(ctx, c.what, false)
	case "no element":
		return tab.WaitElement(ctx, c.what, true)
	case "time":
		return pause(ctx, c.time)
	}
	if err := s.script(ctx, c.what); err != nil {
		return err
	}
	return tab.WaitScript(ctx, c.what)
}

// condition is what is waited for.
type condition struct {
	kind string // text, gone, url, request, download, idle, load, element, no element, time or script
	what string
	time time.Duration
}

func parseCondition(text string) (condition, error) {
	kind, rest, has := strings.Cut(text, ":")
	rest = strings.TrimSpace(rest)
	prefixed := has && (kind == "text" || kind == "gone" || kind == "url" || kind == "request")
	switch {
	case text == "":
		return condition{}, driver.Invalid("wait", "nothing to wait for: say e5, !e5, text:…, gone:…, url:…, idle, load, request:…, download, milliseconds, or a JavaScript expression")
	case prefixed && rest == "":
		return condition{}, driver.Invalid("wait", "%s: needs something after the colon", kind)
	case prefixed:
		return condition{kind: kind, what: rest}, nil
	case text == "download", text == "idle", text == "load":
		return condition{kind: text}, nil
	case driver.IsRef(text):
		return condition{kind: "element", what: text}, nil
	case strings.HasPrefix(text, "!") && driver.IsRef(text[1:]):
		return condition{kind: "no element", what: text[1:]}, nil
	case len(text) > 2 && text[0] == '"' && text[len(text)-1] == '"':
		return condition{kind: "text", what: strings.TrimSpace(text[1 : len(text)-1])}, nil
	case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "//"), isSelector(text):
		return condition{kind: "element", what: text}, nil
	case strings.HasPrefix(text, "!//"), strings.HasPrefix(text, "!") && isSelector(text[1:]): // no expression begins so
		return condition{kind: "no element", what: text[1:]}, nil
	}
	if strings.Trim(text, "0123456789") == "" {
		const most = 24 * time.Hour // more than any wait, and less than overflows
		ms, err := strconv.ParseInt(text, 10, 64)
		if err != nil || ms > most.Milliseconds() {
			ms = most.Milliseconds()
		}
		return condition{kind: "time", time: time.Duration(ms) * time.Millisecond}, nil
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return condition{}, driver.Invalid("wait", "%v is no time to wait: say a whole number of milliseconds, 0 or more", n)
	}
	return condition{kind: "script", what: text}, nil
}

// isSelector says whether a condition begins like a selector of an id or a class,
// which no expression does.
func isSelector(text string) bool {
	return len(text) > 1 && (text[0] == '#' || text[0] == '.') && !strings.ContainsRune("0123456789.", rune(text[1]))
}

// waitRequest waits until a request whose address has a part is answered.
func (s *Session) waitRequest(ctx context.Context, tab *driver.Tab, part string) error {
	lookPlan := map[string]bool{}
	return tab.WaitEvent(ctx, "request:"+part, func(ev backend.Event) bool {
		switch e := ev.(type) {
		case backend.RequestStarted:
			if strings.Contains(e.URL, part) {
				lookPlan[e.ID] = true
			}
		case backend.RequestEnded:
			return lookPlan[e.ID]
		}
		return false
	})
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
