package chrome

import (
	"context"
	"errors"
	"fmt"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

func fail(kind backend.Kind, text string) *backend.Error {
	return &backend.Error{Kind: kind, Text: text}
}

// errBrowserGone is the end of the whole browser.
var errBrowserGone = &backend.Error{Kind: backend.KindClosed, Err: backend.ErrGone}

// fault gives an error of the protocol client its kind.
func fault(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, cdp.ErrSessionGone):
		return &backend.Error{Kind: backend.KindNavigated, Text: "the frame's process went away", Err: err}
	case errors.Is(err, cdp.ErrClosed):
		return &backend.Error{Kind: backend.KindClosed, Err: fmt.Errorf("%w: %w", backend.ErrGone, err)}
	}
	if _, ok := errors.AsType[*backend.Error](err); ok {
		return err
	}
	kind := backend.KindProtocol
	if refused, ok := errors.AsType[*cdp.Error](err); ok {
		kind = anypage.ChromiumKind(refused.Message)
	}
	return &backend.Error{Kind: kind, Err: err}
}
