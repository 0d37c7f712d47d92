package rove

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rove/driver"
	"rove/driver/advice"
	"rove/internal/wire"
)

// EvalResult is what a script gave.
type EvalResult struct {
	OK bool `json:"ok"`
	// Result is the value as JSON; what JSON cannot say (NaN, a Map, an
	// element) is written as it would be in a console.
	Result string `json:"-"`
	// Value is the same for programs: JSON where it is, a string where not.
	Value any    `json:"result"`
	Type  string `json:"type"` // of the value: undefined, number, string, array, element, …
	// File holds the result where it is too large to show; Result is then its
	// beginning, and Size the whole in bytes.
	File string `json:"file,omitempty"`
	Size int    `json:"size,omitempty"`
	// Actions are the page's operations: what the script did to its elements, a look
	// tells.
	Actions Actions `json:"actions"`
	text    string
}

// Text is what a model reads.
func (r *EvalResult) Text() string { return r.text }

// EvalLimit is how many bytes of a result are shown; a larger one goes to a
// file, and only its beginning is shown.
const (
	EvalLimit   = 4096
	evalPreview = 1024
)

// EvalOptions shape the running of a script. The zero value awaits promises and
// calls functions.
type EvalOptions = driver.ScriptOptions

// Eval runs JavaScript in the page: an expression, statements or a function. A
// promise is awaited.
func (s *Session) Eval(ctx context.Context, js string) (*EvalResult, error) {
	r, err := s.EvalWith(ctx, js, EvalOptions{})
	if e, ok := errors.AsType[*Error](err); ok && e.Code == CodeInvalid && len(e.Log) > 0 {
		brief := *e // the line is enough
		brief.Log = nil
		err = &brief
	}
	return r, err
}

// EvalWith does the same as the options say. The error of a script that threw has
// its stack as log.
func (s *Session) EvalWith(ctx context.Context, js string, opts EvalOptions) (*EvalResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := verb(s, "eval", clip(s.out.Text(js), 500), func() (*EvalResult, error) { return s.eval(ctx, js, opts) })
	if r != nil {
		r.Value = r.Result
		var value any
		if r.File == "" && wire.Unmarshal([]byte(r.Result), &value) == nil {
			r.Value = value
		}
	}
	return r, err
}

func (s *Session) eval(ctx context.Context, js string, opts EvalOptions) (*EvalResult, error) {
	tab, _, err := s.currentTab(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.script(ctx, js); err != nil {
		return nil, err
	}
	bound, cancel := s.boundedWait(ctx)
	value, err := tab.ScriptWith(bound, js, opts)
	cancel()
	if err != nil {
		if e, ok := errors.AsType[*Error](err); ok && e.Code == CodeInvalid && e.Hint == "" {
			told := *e
			told.Advise(advice.MendScript)
			err = &told
		}
		return nil, s.held(err)
	}
	value.Text = s.out.Text(value.Text)
	r := &EvalResult{OK: true, Result: value.Text, Type: value.Type}
	if len(r.Result) > EvalLimit {
		saved, err := s.folder.Save(FileResult, "eval.json", []byte(r.Result))
		if err != nil {
			return nil, err
		}
		r.File, r.Size = saved.Path, len(r.Result)
		r.Result = strings.ToValidUTF8(r.Result[:evalPreview], "")
		r.text = fmt.Sprintf("%s…\nthe whole is in %s", oneLine(r.Result), saved)
		return r, nil
	}
	r.text = oneLine(r.Result)
	return r, nil
}
