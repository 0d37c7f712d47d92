package rove

import (
	"context"
	"errors"

	"rove/driver/advice"
)

// inVerbs has an error of the driver, which advises Go programs, advise in verbs.
func inVerbs(err error) error { return in(advice.Verbs, err) }

func in(w advice.Words, err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Advice() == "" {
		return err
	}
	return e.In(w)
}

// inWords is an error's text, its hint in the words of whoever asked.
func inWords(ctx context.Context, err error) string { return in(advice.From(ctx), err).Error() }
