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

// heartbeat is answered by a page as soon as no script of its own is running.
var heartbeat = &runtime.EvaluateParams{Expression: "0"}

// slowAnswer is how long a page may take before it is asked whether it lives.
const slowAnswer = time.Second

// pulse tells a slow page from one that hangs. When a call has waited for a while, a
// heartbeat is sent after it: if that is not answered in time either, a script of the page
// runs without end.
type pulse struct {
	session *cdp.Session
	timer   *time.Timer
	beat    *cdp.Pending
	asked   time.Time
}

// silence is how long a heartbeat must be without an answer to mean something: before
// that it may be on its way, on a busy machine for a good part of a second.
const silence = time.Second

func newPulse(ctx context.Context, s *cdp.Session) *pulse {
	after := slowAnswer
	if deadline, ok := ctx.Deadline(); ok {
		after = min(after, time.Until(deadline)/2)
	}
	return &pulse{session: s, timer: time.NewTimer(after)}
}

func (p *pulse) due() <-chan time.Time { return p.timer.C }

func (p *pulse) take() {
	p.beat, p.asked = p.session.Start(runtime.CommandEvaluate, heartbeat), time.Now()
}

func (p *pulse) stop() {
	p.timer.Stop()
	if p.beat != nil && !isDone(p.beat) {
		p.beat.Forget()
	}
}

// verdict is the error of a wait that the context has ended. Where the time was up
// before the heartbeat could mean something, it is waited for a moment longer: what
// to do about a page depends on whether it answers.
func (p *pulse) verdict(ctx context.Context, g *anypage.Gate) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ctx.Err() // nobody wants to know
	}
	if p.beat == nil {
		p.take()
	}
	select {
	case <-p.beat.Done():
		return ctx.Err()
	case <-g.Shut:
		return ctx.Err()
	case <-time.After(silence - time.Since(p.asked)):
	}
	if isDone(p.beat) {
		return ctx.Err()
	}
	return &backend.Error{Kind: backend.KindBusy, Err: ctx.Err()}
}

func isDone(p *cdp.Pending) bool {
	select {
	case <-p.Done():
		return true
	default:
		return false
	}
}
