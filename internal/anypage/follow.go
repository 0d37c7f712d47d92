package anypage

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"rove/driver/backend"
)

// NavigationWait is the wait for what comes of a navigation.
type NavigationWait struct {
	Page    *Page
	Ctx     context.Context
	Gate    *Gate
	Changed *Signal // whatever is waited for; guarded by the page's lock
}

// Wait waits until ok, which is called with the page's lock held, for no longer than bound
// (0: as long as the context lasts).
func (f *NavigationWait) Wait(bound time.Duration, ok func() bool) error {
	ctx := f.Ctx
	if bound > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, bound)
		defer cancel()
	}
	for {
		f.Page.Mu.Lock()
		done, changed := ok(), f.Changed.Next()
		f.Page.Mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-f.Gate.Shut:
			return f.Gate.Err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// TimedOut is a navigation whose time is up before something was there.
func TimedOut(ctx context.Context, what string) error {
	return &backend.Error{Kind: backend.KindTimeout, Text: what, Err: ctx.Err()}
}

// ErrReplaced is a navigation that another one came before the end of.
var ErrReplaced = backend.Fail(backend.KindNavigation, "another navigation began before this one was done")

const (
	FollowUpTime = time.Second     // for what a browser tells a moment later
	ScanTimeout  = 3 * time.Second // for the scan after a load
)

// ScriptEnded puts the failure of a script that did not come to its end into words.
func ScriptEnded(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return &backend.Error{Kind: backend.KindTimeout, Text: "the script to end", Err: err}
	}
	return err
}

// TabWide tells the failures of a tab from those of a frame.
func TabWide(err error) bool {
	switch backend.KindOf(err) {
	case "", backend.KindDialog, backend.KindClosed, backend.KindCrashed:
		return true
	}
	return false
}

// TabError is the error of the tab as a whole among those of single calls.
func TabError(ctx context.Context, results []backend.Result) error {
	for _, r := range results {
		if r.Err != nil && (ctx.Err() != nil || TabWide(r.Err)) {
			return r.Err
		}
	}
	return nil
}

// consoleErrorLimit is how many characters of an error are told.
const consoleErrorLimit = 500

// AddConsoleError tells of an error that a page made: its first line.
func (n *News) AddConsoleError(text string) {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(text); len(r) > consoleErrorLimit {
		text = string(r[:consoleErrorLimit]) + "…"
	}
	if text != "" {
		n.Add(backend.ConsoleError{Text: text})
	}
}

// Downloaded tells of a file that has come, or failed to, with what is to be said of it.
func (n *News) Downloaded(ended backend.DownloadEnded) {
	if info, err := os.Stat(ended.Path); err == nil && !ended.Failed {
		ended.Size, ended.Type = info.Size(), FileType(ended.Name, ended.Path)
	}
	n.Tell(ended)
}

// MIME is the kind of an answer without what is said beside it.
func MIME(contentType string) string {
	mime, _, _ := strings.Cut(contentType, ";")
	return strings.TrimSpace(mime)
}
