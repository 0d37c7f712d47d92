// Package inside is what the doors need of a session and programs do not. The root
// package fills it in, as its exported methods are for programs.
package inside

import (
	"context"

	"rove/internal/outlet"
)

// Session is the inner side of a session.
type Session struct {
	// Keep gives what somebody keeps with the session under a key of their own: what
	// create made when it was first asked for. It goes with the session.
	Keep func(key any, create func() any) any
	// May refuses what is switched off by Options.Caps.
	May func(capability string) error
	// Consent asks about an operation, if Options.Confirm has it: on an element, by a
	// ref or locator, or on the page ("" or "_page"). For go the target is the address.
	Consent func(ctx context.Context, op, target, value string) error
	// Outlet is what all that the session tells has to pass.
	Outlet *outlet.Outlet
	// FilePath is the path of a file that the session may read, links resolved, or why
	// it may not.
	FilePath func(path string) (string, error)
	// Typed is what was typed into fields that hide it.
	Typed func() []string
	// Unrecorded has nothing be recorded for a while, between verbs: a bench tells what
	// recording costs.
	Unrecorded func(off bool)
}

// Of is the inner side of a *rove.Session.
var Of func(session any) Session
