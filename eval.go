package rove

import (
	"context"
	"fmt"
	"strings"
)

// EvalResult is what a script gave.
type EvalResult struct {
	OK bool `json:"ok"`
	// Result is the value as JSON; what JSON cannot say (NaN, a Map, an
	// element) is written as it would be in a console.
	Result string `json:"result"`
	// File holds the result where it is too large to show; Result is then its
	// beginning, and Size the whole in bytes.
	File string `json:"file,omitempty"`
	Size int    `json:"size,omitempty"`
	text string
}

// Text is what a model reads.
func (r *EvalResult) Text() string { return r.text }

// EvalLimit is how many bytes of a result are shown; a larger one goes to a
// file, and only its beginning is shown.
const (
	EvalLimit   = 4096
	evalPreview = 1024
)

// Eval runs JavaScript in the page: an expression, statements or a function. A
// promise is awaited.
func (s *Session) Eval(ctx context.Context, js string) (*EvalResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	start := s.begin()
	r, err := s.eval(ctx, js)
	err = s.secrets.failure(err)
	text := ""
	if r != nil {
		text = r.text
	}
	s.record(start, "eval", clip(js, 500), text, nil, err)
	return r, err
}

func (s *Session) eval(ctx context.Context, js string) (*EvalResult, error) {
	tab, _, err := s.present(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.script(ctx, js); err != nil {
		return nil, err
	}
	bound, cancel := s.patient(ctx)
	value, err := tab.Script(bound, js)
	cancel()
	if err != nil {
		return nil, s.held(err)
	}
	value = s.secrets.hide(value)
	r := &EvalResult{OK: true, Result: value}
	if len(value) > EvalLimit {
		saved, err := s.folder.Save(FileResult, "eval.json", []byte(value))
		if err != nil {
			return nil, err
		}
		r.File, r.Size = saved.Path, len(value)
		r.Result = strings.ToValidUTF8(value[:evalPreview], "")
		r.text = fmt.Sprintf("%s…\nthe whole is in %s", oneLine(r.Result), saved)
		return r, nil
	}
	r.text = oneLine(value)
	return r, nil
}
