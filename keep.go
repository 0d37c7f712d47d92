package rove

import (
	"context"

	"rove/internal/inside"
)

// What the doors need of a session and programs do not.
func init() {
	inside.Of = func(session any) inside.Session {
		s := session.(*Session)
		return inside.Session{
			Keep: s.keep, May: s.checkCapability, Outlet: s.out, FilePath: s.filePath, Typed: s.typedUnseen, Unrecorded: func(off bool) { s.recorder.off = off },
			Consent: func(ctx context.Context, op, target, value string) error {
				_, err := s.askConsent(ctx, op, target, value)
				return err
			},
		}
	}
}

// keep gives what somebody keeps with the session under a key of their own: what
// create made when it was first asked for. It goes with the session.
func (s *Session) keep(key any, create func() any) any {
	if v, ok := s.kept.Load(key); ok {
		return v
	}
	v, _ := s.kept.LoadOrStore(key, create())
	return v
}
