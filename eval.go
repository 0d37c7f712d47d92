package rove

import (
	"context"
	"fmt"
	"time"
)

// EvalResult is what a script gave.
type EvalResult struct {
	OK bool `json:"ok"`
	// Result is the value as JSON; what JSON cannot say (NaN, a Map, an
	// element) is written as it would be in a console.
	Result string `json:"result"`
	Size   int    `json:"size,omitempty"` // of the whole in bytes, where Result is only its beginning
	text   string
}

// Text is what a model reads.
func (r *EvalResult) Text() string { return r.text }

// EvalLimit is how many bytes of a result are shown.
const EvalLimit = 4096

// Eval runs JavaScript in the page: an expression, statements or a function. A
// promise is awaited.
func (s *Session) Eval(ctx context.Context, js string) (*EvalResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	start := time.Now()
	r, err := s.eval(ctx, js)
	text := ""
	if r != nil {
		text = r.text
	}
	s.record(start, "eval", clip(js, 500), text, nil, err)
	return r, err
}

func (s *Session) eval(ctx context.Context, js string) (*EvalResult, error) {
	value, err := s.driver.Tab().Script(ctx, js)
	if err != nil {
		return nil, err
	}
	r := &EvalResult{OK: true, Result: value}
	if len(value) > EvalLimit {
		r.Size = len(value)
		r.Result = clip(value[:EvalLimit], EvalLimit)
		r.text = fmt.Sprintf("%s\n… the first %d of %d bytes; ask for a part of it", r.Result, EvalLimit, r.Size)
		return r, nil
	}
	r.text = value
	return r, nil
}
