package rove

import (
	"context"
	"errors"
	"strings"
)

// What a session advises ("act _page dialog accept | dismiss", "look again") is in
// the words of the verbs. A door whose tools go by other names puts it into its own,
// where it is said: what pages say is never touched.

// The driver advises Go programmers and names its methods. inVerbs says the same in
// verbs; see TestAdviceIsInVerbs.

// stopIt is what can be done about a page that does not answer.
const stopIt = "wait for it, or stop it: act _page refresh, or go elsewhere"

var verbs = strings.NewReplacer(
	"Driver.Dialog, or Driver.OnDialog for all to come", "act _page dialog accept | dismiss | TEXT",
	"wait for it, or stop it: Driver.Refresh, or Driver.SetURL to go elsewhere", stopIt,
)

// inVerbs puts what an error of the driver advises into verbs.
func inVerbs(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	hint := verbs.Replace(e.Hint)
	if hint == e.Hint {
		return err
	}
	told := *e
	told.Hint = hint
	return &told
}

// words put advice into the terms of whoever gets it; nil leaves it as it is.
type words func(advice string) string

type wording struct{}

// WithWords has the calls of a context put what they advise into other words than
// those of the verbs. Errors keep theirs: whoever gets one has its Hint.
func WithWords(ctx context.Context, put func(advice string) string) context.Context {
	return context.WithValue(ctx, wording{}, words(put))
}

func wordsOf(ctx context.Context) words {
	w, _ := ctx.Value(wording{}).(words)
	return w
}

// tell is an error's text, its hint in those words.
func (w words) tell(err error) string {
	var e *Error
	if w == nil || !errors.As(err, &e) {
		return err.Error()
	}
	told := *e
	told.Hint = w(e.Hint)
	return told.Error()
}

func (w words) say(advice string) string {
	if w == nil {
		return advice
	}
	return w(advice)
}
