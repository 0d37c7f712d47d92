package chrome

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// Eval evaluates JavaScript in the frame's main world. A promise is waited for.
// What JSON cannot say (NaN, a bigint) comes as a string, undefined as null.
func (t *Tab) Eval(ctx context.Context, id backend.FrameID, expression string) ([]byte, error) {
	g, err := t.enter(ctx)
	if err != nil {
		return nil, err
	}
	t.Mu.Lock()
	f := t.find(id)
	t.Mu.Unlock()
	if f == nil {
		return nil, fail(backend.KindNavigated, "the frame is gone")
	}
	w, err := t.globalOf(ctx, g, f)
	if err != nil {
		return nil, err
	}
	// Once the first is answered, what keeps the page busy is the script itself.
	pending := t.browser.conn.Start(
		w.session.Command(runtime.CommandEvaluate, heartbeat),
		w.session.Command(runtime.CommandEvaluate, &runtime.EvaluateParams{
			Expression: expression, UniqueContextID: w.unique,
			ReturnByValue: new(true), AwaitPromise: new(true),
			UserGesture: new(true), // what a person at the console may do
		}))
	var r runtime.EvaluateResult
	if err := t.await(ctx, g, pending[1], &r); err != nil && !anypage.ChromiumNoJSON(err) {
		return nil, t.evalFailed(ctx, w, pending[0], err)
	}
	if err := thrown(r.ExceptionDetails); err != nil {
		return nil, err
	}
	return valueOf(r.Result), nil
}

// valueOf is a value as JSON.
func valueOf(r *runtime.RemoteObject) []byte {
	switch {
	case r == nil || r.UnserializableValue == "" && len(r.Value) == 0:
		return []byte("null")
	case r.UnserializableValue != "":
		return unwritten(string(r.UnserializableValue))
	}
	return r.Value
}

// evalFailed says why a script gave nothing. One that does not come to an end is
// stopped, unless it has not even begun.
func (t *Tab) evalFailed(ctx context.Context, w *world, began *cdp.Pending, err error) error {
	if !isDone(began) {
		began.Forget()
		return err
	}
	var known *backend.Error
	busy := errors.As(err, &known) && known.Kind == backend.KindBusy
	if ctx.Err() == nil || known != nil && !busy {
		return err
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		go t.stopAbandonedScript(w)
		return err
	}
	if !busy {
		return &backend.Error{Kind: backend.KindTimeout, Text: "the script's promise to settle", Err: ctx.Err()}
	}
	// Where the script has just ended by itself, it is the next one that is stopped.
	t.browser.conn.Start(w.session.Command(runtime.CommandTerminateExecution, nil), w.session.Command(runtime.CommandEvaluate, heartbeat))
	return &backend.Error{Kind: backend.KindTimeout, Text: "the script to end; it was stopped", Err: ctx.Err()}
}

// stopAbandonedScript stops the script of somebody who does not wait for it any more, if it is
// what keeps the page from answering: nobody else will.
func (t *Tab) stopAbandonedScript(w *world) {
	beat := w.session.Start(runtime.CommandEvaluate, heartbeat)
	select {
	case <-beat.Done():
	case <-t.Done():
	case <-time.After(silence):
		beat.Forget()
		t.browser.conn.Start(w.session.Command(runtime.CommandTerminateExecution, nil))
	}
}

// unwritten is what JSON has no number for: NaN, Infinity and bigints are texts.
func unwritten(number string) []byte {
	if number == "-0" {
		return []byte("0")
	}
	return anypage.Encode(number)
}
