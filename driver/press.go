package driver

import (
	"time"

	"rove/driver/backend"
)

// handTime is how long a hand holds a button at least. Pages that take what a field holds
// when it is left, and a moment later, count on that before the click comes.
const handTime = 15 * time.Millisecond

// pressHeld sends the move to an element and the presses there: all in one write, unless the
// first press takes the focus from a field that holds something.
func (a *action) pressHeld(events []backend.Input) error {
	if !a.leaves {
		return a.send(events...)
	}
	if err := a.send(events[:2]...); err != nil {
		return err
	}
	select {
	case <-time.After(handTime):
	case <-a.ctx.Done():
	}
	return a.send(events[2:]...)
}
