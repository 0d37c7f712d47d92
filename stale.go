package rove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"rove/aria"
	"rove/driver"
	"rove/driver/advice"
)

// stale deals with a step on a ref that is not what it was. What is there as something
// else is refused, once. Where it is gone the page is read: what took its place may be
// known by more than its own script can tell. Else it is said what it was, and what
// there is of the kind.
func (s *Session) stale(ctx context.Context, st Step, more bool, err error) (*driver.Effect, error) {
	var e *Error
	if !errors.Is(err, aria.ErrStale) {
		s.looks.warned(st.Ref)
		return nil, err
	}
	ref := aria.Ref(st.Ref)
	was, then := s.looks.find(ref), s.looks.lastWith(ref)
	if was == nil || !errors.As(err, &e) {
		return nil, err
	}
	told := *e
	told.Op = st.Op // not the look that found it gone
	told.Message = fmt.Sprintf("%s is stale: %s is gone from the page", st.Ref, sketchOf(was))
	told.Advise(advice.SeeNow)
	tab, _, err := s.currentTab(ctx)
	if err != nil {
		return nil, &told
	}
	bound, cancel := s.boundedWait(ctx)
	now, err := tab.Snapshot(bound, driver.SnapshotOptions{Passing: true})
	cancel()
	if err != nil {
		return nil, &told
	}
	cleanTree(s.out, now)
	if slices.ContainsFunc(now.Nodes, func(n aria.Node) bool { return n.Ref == ref }) {
		return s.step(ctx, st, more)
	}
	if like := aria.Like(was, then, now); len(like) > 0 {
		told.Hint = "like it and new: " + strings.Join(like[:min(len(like), likeListed)], "; ")
		if more := len(like) - likeListed; more > 0 {
			told.Hint += fmt.Sprintf(" and %d more", more)
		}
	}
	return nil, &told
}

// How long the element of a step may be away that the steps before may have taken away, and
// how often it is asked for: a list that is loaded anew shows something else meanwhile.
const (
	awayPatience = 1500 * time.Millisecond
	awayPause    = 60 * time.Millisecond
)

// awaited does a step whose element is gone, once something has taken its place.
func (s *Session) awaited(ctx context.Context, st Step, more bool, effect *driver.Effect, err error) (*driver.Effect, error) {
	end := time.Now().Add(awayPatience)
	for errors.Is(err, aria.ErrStale) && s.looks.find(aria.Ref(st.Ref)) != nil && time.Now().Before(end) && ctx.Err() == nil {
		select {
		case <-time.After(awayPause):
		case <-ctx.Done():
		}
		effect, err = s.step(ctx, st, more)
	}
	return effect, err
}

// likeListed is how many elements are named that are like one that is gone.
const likeListed = 4

func sketchOf(n *aria.Node) string {
	if n.Name == "" {
		return n.Role
	}
	return fmt.Sprintf("%s %q", n.Role, n.Name)
}
