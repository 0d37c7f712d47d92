package driver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"rove/aria"
	"rove/driver/backend"
)

// patience is how much of what an action caused it waits for. A navigation is
// always waited for.
type patience int

const (
	untilRest     patience = iota // all of it: requests, animations, changes
	untilAnswered                 // requests, and what the page makes of them and of the action
	untilChosen                   // the same, of what a page may not care for
	untilFrame                    // a frame
	untilReaction                 // a reaction: something changed, or a frame has gone by
)

// followed is the patience of an action that another follows. Nobody waits for a
// field that is filled in; what is pressed or chosen may have its effect when the
// server has answered, and the next action is to find it so.
func (a *Op) followed() patience {
	switch a.Name {
	case "input", "type":
		if strings.ContainsAny(a.Value, "\r\n") { // Enter
			return untilAnswered
		}
		return untilReaction
	case "clear", "focus", "hover", "scroll", "set":
		return untilReaction
	case "check", "uncheck", "select":
		return untilChosen
	}
	return untilAnswered
}

// requests says whether requests are waited for.
func (p patience) requests() bool { return p <= untilChosen }

// page is how the page script knows it.
func (p patience) page() string {
	switch p {
	case untilRest:
		return "rest"
	case untilAnswered:
		return "handled"
	case untilChosen:
		return "chosen"
	case untilFrame:
		return "frame"
	default:
		return "reaction"
	}
}

// strayed is the error for keys that did not come where they were to, and notes what
// took the focus.
func (a *action) strayed(v *verdict) error {
	if v.Astray == nil {
		return nil
	}
	by := a.describe(v.Astray.By)
	if !v.Astray.Left {
		a.lostTo, a.lostInside = by, v.Astray.By.Role != "iframe"
	}
	if v.Astray.Keys > 0 || v.Astray.Heard < a.sent {
		return a.astray(v.Astray.Keys, by)
	}
	return nil
}

// hungPatience is how long a frame is waited for that may hang, or lie beside one
// that does.
const hungPatience = time.Second

// seen asks what the action's frame has seen of a press or of keys that somebody is not
// done with. It is another frame that hangs, where this one answers.
func (a *action) seen() error {
	if len(a.tab.tab.Frames()) < 2 {
		return nil
	}
	ctx, cancel := context.WithTimeout(a.ctx, hungPatience)
	defer cancel()
	v, err := a.tab.call(ctx, a.frame, "ended", prepareArg{})
	if err != nil {
		return nil // it hangs itself, or is gone
	}
	if v.Missed != nil && a.pressing {
		return a.refused("covered", v.Missed)
	}
	a.unheard = a.unheard || v.Lost && a.pressing
	return a.strayed(v)
}

// settle waits for what the action caused, by events: a navigation it started,
// requests that left, changes of the page. Then it notes how the element is now.
func (a *action) settle() error {
	if a.effect.Hung {
		return a.seen()
	}
	most := orDefault(a.Settle, settleTimeout)
	deadline := endsIn(a.ctx, most)
	arrival := time.Now().Add(navigateTimeout)
	told := false   // what became of the press or the keys themselves is known
	landed := false // another page has come, and has time of its own
	replies := 0
	for until := a.wait.page(); ; {
		opened := a.reopen()
		v, err := a.settleFrame(deadline, until)
		kept := opened()
		replaced, changed := false, false
		var b *backend.Error
		switch {
		case err == nil:
			a.effect.Changes += v.Changes
			changed = v.Changes > 0
			a.spread = a.spread || v.Spread
			a.effect.Stirred = a.effect.Stirred || v.Stirred
			for _, c := range v.Covers {
				word := "under "
				if c.Over {
					word = "over "
				}
				a.effect.Covers = append(a.effect.Covers, word+a.describe(c.scriptElement))
			}
			if v.Shift != nil {
				a.effect.Moved = v.Shift
			}
			a.effect.Drawn += v.Drawn
			if v.Note > 0 {
				a.tab.editorReady.Store(new(time.Now().Add(time.Duration(v.Note * float64(time.Millisecond)))))
			}
			// Else it is the press of an action before this one, which was given up.
			if v.Missed != nil && a.pressing {
				return &missed{*v.Missed}
			}
			by := scriptElement{Role: "frame", Name: kept.frame.URL}
			// What a frame was kept from is no press of this try where the element has had that:
			// a frame that was busy, or hidden, is handed one of an earlier try late.
			if kept.Presses > 0 && a.pressing && !v.Came {
				return &missed{by}
			}
			half := kept.Presses+kept.Release > 0 && v.Clicks < a.presses // the release, or the second press
			if a.clicking && (v.Slipped != nil || half) {
				if v.Slipped != nil {
					by = *v.Slipped
				}
				return a.refused("slipped", &by)
			}
			a.effect.Unclicked = a.effect.Unclicked || a.clicking && v.Unclicked
			if held := append(v.Held, kept.Held...); len(held) > 0 {
				return &consentNeeded{held}
			}
			if kept.Keys > 0 {
				return a.astray(kept.Keys, frameWords(kept.frame))
			}
			if err := a.strayed(v); err != nil {
				return err
			}
			if v.Lost && a.pressing && a.frame.Parent != "" {
				return &missed{scriptElement{Role: "frame", Name: "around it"}}
			}
			a.unheard = a.unheard || v.Lost && a.pressing
			a.effect.Unchosen = ""
			if v.Unchosen != nil && a.clicking {
				a.effect.Unchosen = a.describe(*v.Unchosen)
			}
			if v.Outside != "" {
				a.effect.Outside = v.Outside
			}
			if (a.after == nil || until == "sign") && !v.Gone {
				a.after = &v.state
			}
			if v.Unfilled != nil {
				a.effect.Unfilled = a.describe(v.Unfilled.scriptElement)
				if v.Unfilled.Reason != "" { // which the page may have set
					a.effect.Unfilled += ": " + aria.Quote(v.Unfilled.Reason)
				}
			}
		case errors.As(err, &b) && (b.Kind == backend.KindNavigated || b.Kind == backend.KindUnreadable):
			// The document was replaced: that is what the action did. The new one is asked,
			// though it may have come as a whole by now.
			replaced = b.Kind == backend.KindNavigated && !landed
		case IsBusy(err):
			a.effect.Hung = true
			return nil
		case (told || a.watch.hasLeft()) && errors.Is(err, context.DeadlineExceeded):
			// It is done. A page that takes its time to say that it has come to rest,
			// on a machine that has much to do, does not make it undone.
			a.effect.Busy = true
			return nil
		default:
			return err
		}
		told = true
		navigating, requesting, _ := a.watch.busy()
		navigating = navigating || replaced
		if !navigating && (!requesting || !a.wait.requests()) || a.watch.stopped() {
			if next, more := a.reply(deadline, replies); more {
				until = next
				replies++
				continue
			}
			if a.wait.requests() && !a.watch.stopped() && time.Now().Before(deadline) && a.workers.goesOn(a.ctx, changed && until == "worked", a.spread || a.effect.Navigated) {
				until = "worked"
				continue
			}
			a.effect.Busy = a.effect.Busy || a.workers.late()
			if (until == "rest" || until == "answered") && a.sawNoEffect() {
				until = "sign"
				continue
			}
			return nil
		}
		// A navigation may take its time; requests only until the cap.
		limit := deadline
		if navigating {
			limit = arrival
		}
		if !a.watch.rest(a.ctx, limit, a.wait.requests()) {
			a.effect.Busy = true
			if errors.Is(a.ctx.Err(), context.DeadlineExceeded) {
				return nil // what was seen so far is the answer
			}
			return a.ctx.Err()
		}
		if a.watch.stopped() || gone(a.tab.tab) {
			return nil
		}
		if navigating && !landed { // a page that took long to come has its time all the same
			landed = true
			if end := endsIn(a.ctx, min(most, landing)); end.After(deadline) {
				deadline = end
			}
		}
		if time.Now().After(deadline) {
			return nil
		}
		// What came in changes the page once more. One that has just been loaded has
		// done most of it.
		a.frame = a.current()
		switch {
		case navigating:
			until = "frame"
			if a.wait.requests() && !a.watch.asking() {
				loading, _ := a.tab.awaitFilled(a.ctx, a.watch, time.Until(deadline))
				a.effect.Busy = a.effect.Busy || loading
			}
		case until == "sign":
			until = "frame"
		case until == "rest" || until == "answered":
			until = "answered"
		default:
			until = "answer"
		}
	}
}

// landing is the least that a page has, from when it has come, to say that it is at rest.
const landing = time.Second

// endsIn is when a time from now on is over, which is not after the context's.
func endsIn(ctx context.Context, d time.Duration) time.Time {
	deadline := time.Now().Add(d)
	if end, ok := ctx.Deadline(); ok && end.Before(deadline) {
		return end
	}
	return deadline
}

// How long a message that the page has sent over a socket because of an action may be
// without an answer, how long one part of the answer may come after the other, and how many
// parts are waited for: nothing tells which is the last. A page that tells its server where
// the pointer is gets no answer to that: after so many in vain none is waited for.
const (
	replyPatience = 600 * time.Millisecond
	partPatience  = 200 * time.Millisecond
	mostParts     = 4
	mostInVain    = 2
)

// reply waits until the server has answered what the page has told it over a socket, and
// says what of the page to wait for then; parts is how many parts of the answer have been
// seen to. Where the page said nothing, or the server does not, it is false.
func (a *action) reply(deadline time.Time, parts int) (next string, came bool) {
	if !a.wait.requests() || parts == mostParts || a.watch.stopped() || a.watch.messages() == 0 {
		return "", false
	}
	patience := replyPatience
	switch {
	case a.overdue:
		patience = 0
	case parts > 0:
		patience = partPatience
	case a.tab.unanswered.Load() >= mostInVain:
		patience = 0 // what has come already is an answer all the same
	}
	ctx, cancel := context.WithDeadline(a.ctx, deadline)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, patience)
	defer cancel()
	a.watch.until(ctx, a.tab.tab.Done(), nil, func() bool { return a.watch.heard > 0 || a.watch.dialog != nil || a.watch.crashed })
	if a.watch.stopped() {
		return "", false
	}
	next = "answer"
	if a.wait.page() == "rest" {
		next = "answered"
	}
	switch {
	case a.watch.hasNewAnswers():
		a.tab.unanswered.Store(0)
		a.overdue = false
		return next, true
	case parts == 0 && patience > 0:
		// On a busy machine what came to the page in time may be told later than that. The
		// page is asked once more, which takes some of its frames: all that came before is
		// told before it answers.
		a.overdue = true
		return next, true
	case parts == 0 || a.overdue:
		a.tab.unanswered.Add(1)
	}
	return "", false
}

// sawNoEffect is true of a press, or a key that presses, that has done nothing so far. What it does may come by
// a timer, and whoever pressed would have to look again.
func (a *action) sawNoEffect() bool {
	switch a.effect.Role {
	case "textbox", "searchbox", "spinbutton", "canvas": // pressed for the focus, or for what is painted
		return false
	}
	if !a.pressing && !a.activates || a.unheard || a.watch.stopped() {
		return false
	}
	a.compare()
	e := *a.effect
	a.watch.fill(&e, a.url)
	return !e.Seen() && e.Unfilled == "" && len(e.Console) == 0
}

// awaitEditor waits until an editor has taken note of the selection that the action
// before this one made. A caller who thinks in between waits for nothing.
func (t *Tab) awaitEditor(ctx context.Context) {
	at := t.editorReady.Swap(nil)
	if at == nil {
		return
	}
	ctx, cancel := context.WithDeadline(ctx, *at)
	defer cancel()
	<-ctx.Done()
}

// settleFrame asks the page script of the action's frame to wait until the page
// has come to rest.
func (a *action) settleFrame(deadline time.Time, until string) (*verdict, error) {
	// The page is to answer before the time is up.
	left := max(time.Until(deadline)*3/4, 50*time.Millisecond)
	ctx, cancel := context.WithTimeout(a.ctx, left+time.Second)
	defer cancel()
	return a.tab.call(ctx, a.frame, "settle", prepareArg{Ref: a.arg.Ref, Cap: left.Milliseconds(), Until: until})
}

// current is the action's frame as it is now; the main frame where it is gone.
func (a *action) current() backend.Frame {
	frames := a.tab.tab.Frames()
	for _, f := range frames {
		if f.ID == a.frame.ID {
			return f
		}
	}
	if len(frames) > 0 {
		return frames[0]
	}
	return a.frame
}

// consentNeeded is a press or a key that would have set off what nobody had agreed to.
type consentNeeded struct{ nodes []scriptElement }

func (h *consentNeeded) Error() string {
	return fmt.Sprintf("it would have set off %s %q", h.nodes[0].Role, h.nodes[0].Name)
}

// missed is a press that hit something else and was kept from it.
type missed struct{ by scriptElement }

func (m *missed) Error() string { return fmt.Sprintf("covered by %s %q", m.by.Role, m.by.Name) }
