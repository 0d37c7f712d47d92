package chrome

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rove/cdp"
	"rove/driver/backend"
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
	var known *backend.Error
	if errors.As(err, &known) {
		return err
	}
	kind := backend.KindProtocol
	var refused *cdp.Error
	if errors.As(err, &refused) {
		kind = kindOfRefusal(refused.Message)
	}
	return &backend.Error{Kind: kind, Err: err}
}

// kindOfRefusal reads the browser's own words, which is all there is to tell
// its refusals apart.
func kindOfRefusal(message string) backend.Kind {
	for _, w := range refusals {
		if strings.Contains(message, w.words) {
			return w.kind
		}
	}
	return backend.KindProtocol
}

var refusals = []struct {
	words string
	kind  backend.Kind
}{
	{"uniqueContextId not found", backend.KindNavigated},
	{"Cannot find context with specified id", backend.KindNavigated},
	{"Execution context was destroyed", backend.KindNavigated},
	{"Inspected target navigated or closed", backend.KindNavigated},
	{"Cannot find default execution context", backend.KindNavigated},
	{"Promise was collected", backend.KindNavigated},
	{"No frame for given id found", backend.KindNavigated},
	{"Frame with the given id was not found", backend.KindNavigated},
	{"Target crashed", backend.KindCrashed},
	{"Target closed", backend.KindClosed},
	{"Session with given id not found", backend.KindClosed},
	{"No target with given id", backend.KindClosed},
	{"Failed to find browser context", backend.KindClosed},
	{"Not attached to an active page", backend.KindClosed},
	{"wasn't found", backend.KindUnsupported}, // "'Domain.method' wasn't found"
	{"not supported", backend.KindUnsupported},
}
